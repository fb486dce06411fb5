package org.streamon.spark.execution.state

/** Listens to the changes of rows and keys of a [[Mirror]] during its lifetime. */
trait MirrorListener {

  /** A key has its first row, by the number of the key. */
  def keyAdded(dimension: Int, code: Long): Unit

  /** A key has lost its last row. */
  def keyRemoved(dimension: Int, code: Long): Unit

  /** A row is about to leave.
    *
    * @param bytes
    *   what it takes in memory
    */
  def rowLeaves(input: Int, slot: Int, bytes: Long): Unit

  /** What the listener itself keeps in memory. */
  def bytes: Long

  /** One that has seen nothing of what this has. */
  def anew: MirrorListener
}

object MirrorListener {

  object Nobody extends MirrorListener {
    override def keyAdded(dimension: Int, code: Long): Unit = ()
    override def keyRemoved(dimension: Int, code: Long): Unit = ()
    override def rowLeaves(input: Int, slot: Int, bytes: Long): Unit = ()
    override def bytes: Long = 0L
    override def anew: MirrorListener = this
  }
}

/** Listens in one micro-batch to each row that has left. Look-ups no longer find the row then. */
trait DepartureListener {
  def hasLeft(input: Int, slot: Int): Unit
}

object DepartureListener {

  object Nobody extends DepartureListener {
    override def hasLeft(input: Int, slot: Int): Unit = ()
  }
}

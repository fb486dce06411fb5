package org.streamon.spark.execution.state

/** Follows the rows and the keys of a [[Mirror]] for as long as it lives. */
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

/** Is told, in one micro-batch, of each row that has left, when no look-up finds it any longer. */
trait DepartureListener {
  def hasLeft(input: Int, slot: Int): Unit
}

object DepartureListener {

  object Nobody extends DepartureListener {
    override def hasLeft(input: Int, slot: Int): Unit = ()
  }
}

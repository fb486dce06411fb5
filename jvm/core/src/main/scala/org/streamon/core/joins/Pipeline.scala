package org.streamon.core.joins

/** A pipeline put together: for each position what to look up, and when. Operators enforce all predicates
  * between their window and what is joined by then.
  *
  * A look-up is done as soon as the values for it are there, not when its turn comes: once for all
  * combinations of the windows in between, and with nothing found these are not even begun. For one key
  * class, and for the root of a star, all look-ups are done when the row arrives.
  *
  * @param windows
  *   by position
  */
private[joins] final class Pipeline(graph: JoinGraph, input: Int, windows: Array[Int], synopses: Synopses) {
  val length: Int = windows.length

  /** Inputs joined before a position, as bits. */
  private def before(position: Int): Long = Bits.of(windows.take(position)) | 1L << input

  private def classesBefore(position: Int): Long =
    Bits.members(before(position)).map(graph.classesOf).reduce(_ | _)

  val steps: Array[Pipeline.Step] = Array.tabulate(length) { p =>
    val window = windows(p)
    val classes = graph.classesOf(window) & classesBefore(p)
    // The smallest prefix that has a value for each class.
    val ready = (0 to p).find(q => (classes & ~classesBefore(q)) == 0L).get
    val due = graph.residuals.indices.filter { k =>
      val inputs = graph.residuals(k)
      Bits.contains(inputs, window) && (inputs & ~before(p + 1)) == 0L
    }
    val (early, late) = due.partition(k => (graph.residuals(k) & ~(before(ready) | 1L << window)) == 0L)
    new Pipeline.Step(
      window,
      synopses.probe(window, classes, suppliers(classes, ready)),
      ready,
      early.toArray,
      late.toArray
    )
  }

  /** By position, the later positions whose look-up is done there, before the windows that follow; the first
    * array is for the arrival.
    */
  val opens: Array[Array[Int]] =
    Array.tabulate(length + 1)(ready => (0 until length).filter(steps(_).ready == ready).toArray)

  private def suppliers(classes: Long, end: Int): Array[Int] = {
    val sequence = input +: windows.take(end).toSeq
    Array.tabulate(graph.classes.size)(c =>
      if (Bits.contains(classes, c)) sequence.find(j => Bits.contains(graph.classesOf(j), c)).get else -1
    )
  }
}

private[joins] object Pipeline {

  /** One position.
    *
    * @param ready
    *   how many windows must be joined before the look-up
    * @param early
    *   residual predicates that the first match found must satisfy: those over what is joined by then
    * @param late
    *   those which also need windows joined between look-up and turn
    */
  final class Step(
      val window: Int,
      val probe: Probe,
      val ready: Int,
      val early: Array[Int],
      val late: Array[Int]
  )
}

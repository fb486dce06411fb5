package org.streamon.core.joins

/** The logical filters that the rows of one input meet (thesis, Section 5.2): one for each other window,
  * which drops a row when the join along the path to that window is empty. Filters count from 0, in the
  * sequence of their windows.
  *
  * A path leads along the [[SpanningTree]] of the input. Where that is a star the filters are independent
  * probes of the windows, and A-Greedy's guarantee holds; elsewhere filters share parts of their paths, and
  * for a leaf of a star every path begins with the root, so that the root comes first.
  *
  * @param input
  *   whose rows arrive
  * @throws IllegalArgumentException
  *   when the graph is not connected
  */
final class LogicalFilters(val graph: JoinGraph, val input: Int) {
  require(input >= 0 && input < graph.n, s"input $input: expected one of 0 to ${graph.n - 1}")

  private val tree = SpanningTree.of(graph, input)

  /** Number of filters. */
  val size: Int = graph.n - 1

  private val paths = Array.tabulate(size)(q => tree.path(window(q)).toArray)

  /** The window that a filter leads to. */
  def window(filter: Int): Int = if (filter < input) filter else filter + 1

  /** The filter that leads to a window. */
  def filter(window: Int): Int = if (window < input) window else window - 1

  /** The windows that a filter joins, in sequence; the last is its own. Not to be changed. */
  def path(filter: Int): Array[Int] = paths(filter)

  /** The probing pipeline for an order of the filters: walks the order and appends those windows of each path
    * that have no place yet.
    *
    * @return
    *   the other windows in the sequence in which they are joined; always legal
    */
  def pipeline(order: Array[Int]): Array[Int] = order.flatMap(path(_)).distinct

  /** The order of the filters that has a given pipeline.
    *
    * @throws IllegalArgumentException
    *   when the pipeline is not legal; it names the window at fault
    */
  def order(pipeline: Array[Int]): Array[Int] = {
    objection(pipeline).foreach(text => throw new IllegalArgumentException(text))
    pipeline.map(filter)
  }

  /** Whether each other window comes once, and each after those on its path. */
  def legal(pipeline: Array[Int]): Boolean = objection(pipeline).isEmpty

  private def objection(pipeline: Array[Int]): Option[String] = {
    val shown = pipeline.mkString("pipeline [", ",", s"] of input $input")
    val windows = (0 until graph.n).filter(_ != input)
    if (!pipeline.sorted.sameElements(windows))
      Some(s"$shown: expected each of ${windows.mkString(", ")} once")
    else
      pipeline.find(j => path(filter(j)).exists(k => pipeline.indexOf(k) > pipeline.indexOf(j))).map { j =>
        s"$shown: window $j must come after ${path(filter(j)).init.mkString(", ")}, by which it is joined"
      }
  }
}

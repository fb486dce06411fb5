package org.streamon.core.routes

import org.streamon.core.filters.{FilterSet, Precedence}

/** A route of which some steps are left open: the filters of one entry are alternatives, in whichever order
  * (Query Mesh writes `<2, 3|1, 4>`). For statistics too uncertain to tell them apart. Immutable.
  */
final case class ImpreciseRoute(entries: IndexedSeq[IndexedSeq[Int]]) {
  override def toString: String = entries.map(_.mkString("|")).mkString("<", ", ", ">")
}

private[routes] object ImpreciseRoute {

  /** Filters of one entry at most. */
  val MostAlternatives = 3

  /** Leaves open what hardly matters: neighbours in the order become alternatives when each order of them
    * costs at most `1 + similar` times what this one costs, while the others keep their places, and none of
    * them guards another. So neighbours that no row of the block reaches become alternatives. A block without
    * rows tells nothing, and leaves nothing open.
    *
    * @param similar
    *   from 0 on; the paper gives no value
    */
  def of(
      block: BlockProfile,
      order: IndexedSeq[Int],
      precedence: Precedence,
      similar: Double
  ): ImpreciseRoute = {
    require(similar >= 0.0, s"similar = $similar: allowed is 0 or more")
    val most = block.cost(order) * (1.0 + similar)

    def alike(from: Int, group: IndexedSeq[Int]) = block.density > 0.0 && group.size <= MostAlternatives &&
      !group.exists(q => precedence.guardsOf(q).intersects(FilterSet.of(precedence.n, group: _*))) &&
      group.permutations.forall(other => block.cost(order.patch(from, other, other.size)) <= most)

    val entries = order.indices.foldLeft(Vector.empty[Vector[Int]]) { (before, r) =>
      val open = before.lastOption.fold(Vector(order(r)))(_ :+ order(r))
      if (before.nonEmpty && alike(r + 1 - open.size, open)) before.init :+ open
      else before :+ Vector(order(r))
    }
    ImpreciseRoute(entries)
  }
}

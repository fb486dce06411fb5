package org.streamon.lab

import org.streamon.core.constraints._
import org.streamon.lab.baselines.constraints.{DirectedJoinGraph, KConstraint}

/** A graph of many-one joins as Spark sees it: columns that are equal in each result are one dimension. */
private[lab] final class KeyClasses(graph: DirectedJoinGraph) {
  import KeyClasses._

  /** By dimension, input and column of its keys. */
  private val members: IndexedSeq[Set[(Int, Int)]] =
    graph.edges.foldLeft(Vector.empty[Set[(Int, Int)]]) { (classes, e) =>
      val ends = Set((e.parent, e.parentColumn), (e.child, e.childColumn))
      val (met, others) = classes.partition(_.exists(ends))
      others :+ met.foldLeft(ends)(_ ++ _)
    }

  val keys: JoinKeys = new JoinKeys(
    Array.tabulate(graph.n)(i => members.indices.filter(members(_).exists(_._1 == i)).toArray),
    ordered = Array.fill(members.size)(true),
    constant = Array.fill(members.size)(false)
  )

  /** The column of an input in a dimension; -1 for none. */
  def column(input: Int, dimension: Int): Int =
    members(dimension).collectFirst { case (`input`, column) => column }.getOrElse(-1)

  def dimension(input: Int, column: Int): Int = members.indexWhere(_((input, column)))

  /** How to reach all other inputs from one. */
  def path(input: Int): Seq[Step] =
    graph
      .edgesFrom(input)
      .map(graph.edges)
      .foldLeft((Set(input), Vector.empty[Step])) { case ((reached, steps), e) =>
        val from = if (reached(e.parent)) e.parent else e.child
        val step = Step(from, dimension(e.parent, e.parentColumn), e.other(from))
        (reached + step.to, steps :+ step)
      }
      ._2

  /** What k-Mon measures for some constraints: them, the least k of several, and whether keys are unique. */
  def monitored(constraints: Seq[KConstraint], settings: MonitorSettings): Seq[MonitoredConstraint] = {
    val unique = for (d <- members.indices; i <- keys.holders(d)) yield {
      val isChild = graph.edges.exists(e => e.child == i && e.childColumn == column(i, d))
      new MonitoredConstraint.Unique(d, i, isChild, settings)
    }
    val asked = constraints.groupBy(placed).toSeq.map { case (at, same) => at -> same.flatMap(_.k).minOption }
    unique ++ asked.sortBy(_._1.toString).map { case (at, k) =>
      at match {
        case Placed(ConstraintKind.RIDS, d, parent, child) =>
          new MonitoredConstraint.Rids(d, parent, child, k, settings)
        case Placed(ConstraintKind.CA, d, parent, _) =>
          new MonitoredConstraint.Clustered(d, parent, k, settings)
        case Placed(_, d, of, _) => new MonitoredConstraint.Ordered(d, of, k, settings)
      }
    }
  }

  def isOf(monitored: MonitoredConstraint, constraint: KConstraint): Boolean = {
    val name =
      if (constraint.kind == ConstraintKind.OAP || constraint.kind == ConstraintKind.OAC) "OA"
      else constraint.kind.name
    val at = placed(constraint)
    monitored.kind == name && monitored.dimension == at.dimension &&
    monitored.of == (if (constraint.kind == ConstraintKind.RIDS) at.child else at.parent)
  }

  private def placed(c: KConstraint): Placed = {
    val e = graph.edges.find(e => e.parent == c.parent && e.child == c.child).get
    val d = dimension(e.parent, e.parentColumn)
    c.kind match {
      case ConstraintKind.RIDS => Placed(c.kind, d, c.parent, c.child)
      case ConstraintKind.OAC  => Placed(ConstraintKind.OAP, d, c.child, c.child)
      case other               => Placed(other, d, c.parent, c.parent)
    }
  }
}

private[lab] object KeyClasses {

  /** From the row of one input to those of another. */
  final case class Step(from: Int, dimension: Int, to: Int)

  /** Of `OA` and `CA` the input that they are of, twice. */
  private final case class Placed(kind: ConstraintKind, dimension: Int, parent: Int, child: Int)
}

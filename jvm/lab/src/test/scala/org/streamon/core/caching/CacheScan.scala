package org.streamon.core.caching

import org.streamon.lab.baselines.InMemorySynopses
import org.scalatest.Assertions
import org.streamon.core.joins._

/** Reads whole windows to see whether the entries of caches are what they should be. */
final class CacheScan(join: JoinCase, synopses: InMemorySynopses) extends Assertions {
  private type Slots = Map[Int, Int]

  private def slots(i: Int): Seq[Int] =
    Iterator.iterate(synopses(i).scan(0))(s => synopses(i).scan(s + 1)).takeWhile(_ >= 0).toSeq

  private def rows(tuple: Slots): IndexedSeq[Row] =
    (0 until join.n).map(i => tuple.get(i).map(synopses(i).row).orNull)

  /** The join of some windows. */
  private def joinOf(windows: Set[Int]): Seq[Slots] = {
    def agree(rows: IndexedSeq[Row]) = (for {
      k <- join.graph.classes
      values = windows.toSeq.filter(k.columns(_).nonEmpty).flatMap(i => k.columns(i).map(rows(i)(_)))
    } yield values.forall(v => v == values.head && (k.nullSafe || v != null))).forall(identity)
    windows.toSeq
      .foldLeft(Seq(Map.empty: Slots))((tuples, i) => for (t <- tuples; s <- slots(i)) yield t + (i -> s))
      .filter(t => agree(rows(t)))
      .filter { t =>
        join.residuals.filter(_.subsetOf(windows)).forall { inputs =>
          JoinCases.residual(inputs)(rows(t.filter(x => inputs(x._1))))
        }
      }
  }

  private def key(tuple: Slots, classes: Long): Seq[Long] = {
    val joined = Array.tabulate(join.n)(i => tuple.getOrElse(i, 0).toLong)
    Bits.members(classes).map { c =>
      val from = tuple.keys.find(i => Bits.contains(join.graph.classesOf(i), c)).get
      synopses.key(c, from, joined)
    }
  }

  def check(candidate: Candidate, content: SharedCache): Unit = {
    val windows = Bits.members(content.of.subresult).toSet
    val all = joinOf(windows).groupBy(key(_, content.classes))
    lazy val needed = joinOf((0 until join.n).toSet).map(_.filter(x => windows(x._1))).toSet
    content.cache.foreach { (key, cached) =>
      val held = (0 until cached.size).map { t =>
        content.windows.indices.map(k => content.windows(k) -> cached(t, k)).toMap
      }
      val live = held.filter(_.forall { case (i, reference) => synopses.holds(i, reference) })
      val found = live.map(_.map { case (i, reference) => i -> reference.toInt })
      val right = all.getOrElse(key.toSeq, Nil)
      val shown = s"$candidate, key ${key.toSeq}: $found of $right"
      assert(found.distinct.size == found.size, shown)
      if (!content.isGlobal) assert(found.toSet == right.toSet, shown)
      else {
        assert(found.toSet.subsetOf(right.toSet), shown)
        assert(right.filter(needed).toSet.subsetOf(found.toSet), shown)
      }
    }
  }
}

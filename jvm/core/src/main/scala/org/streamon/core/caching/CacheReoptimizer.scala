package org.streamon.core.caching

import scala.collection.mutable
import org.streamon.core.caching.CacheSelection.Choice
import org.streamon.core.caching.CacheState.{Profiled, Unused, Used}

/** The Re-optimizer: moves candidates between their states (thesis, Section 5.5.2).
  *   - Rule a: a used cache that does not pay is unused at once.
  *   - Rule b: at the end of an interval every unused candidate is profiled, and of the used ones those with
  *     an unused one within their segment, which sees no probes while they are used. These are maintained
  *     meanwhile, and keep their content. Not so a cache that leaves next to nothing to save: to do without
  *     it for a part of an interval costs more than any other could bring.
  *   - Rule c: when statistics are there and a benefit or a cost has changed by more than a share of it, a
  *     new selection is made; otherwise all stays as it was.
  *
  * @param change
  *   that share
  */
private[core] final class CacheReoptimizer(change: Double) {
  import CacheReoptimizer._

  private val states = mutable.LinkedHashMap.empty[Candidate, CacheState]
  private val selected = mutable.HashMap.empty[Candidate, CacheCosts]
  private var aside = Set.empty[Candidate]
  private var isNew = true

  def candidates: Seq[Candidate] = states.keys.toVector
  def hasCandidates: Boolean = states.nonEmpty

  def state(candidate: Candidate): CacheState = states(candidate)

  /** Caches that are maintained. */
  def used: Seq[Candidate] = in(Used)

  /** Caches that are looked up. */
  def lookedUp: Seq[Candidate] = used.filterNot(aside)

  /** Candidates whose probes are watched: not those that see none. */
  def watched: Seq[Candidate] = {
    val hiding = lookedUp
    in(Profiled).filterNot(p => hiding.exists(hides(_, p))) ++ aside
  }

  /** The benefits and costs by which a candidate was last chosen, or not; none before the first time. */
  def estimate(candidate: Candidate): Option[CacheCosts] = selected.get(candidate)

  /** The candidates of new orders: those that there were keep their states, new ones are to be profiled. */
  def reordered(now: Seq[Candidate]): Unit = {
    isNew ||= used.exists(!now.contains(_))
    states.filterInPlace((c, _) => now.contains(c))
    selected.filterInPlace((c, _) => now.contains(c))
    now.filterNot(states.contains).foreach { c =>
      states(c) = Profiled
      isNew = true
    }
    aside = aside.filter(states.contains)
  }

  /** Uses these, as far as they do not exclude one another, and nothing else. */
  def force(candidates: Seq[Candidate]): Unit = {
    states.clear()
    candidates.foreach(c => if (!used.exists(_.excludes(c))) states(c) = Used)
  }

  /** The end of an interval: rule b. */
  def profile(): Unit = {
    in(Unused).foreach(states(_) = Profiled)
    setAside()
  }

  /** The used caches that would keep probes from a candidate that is profiled. */
  def setAside(): Unit = {
    val profiled = in(Profiled)
    def leavesMuch(c: Candidate) =
      selected.get(c).forall(x => (x.rest + x.cost) * GainLasts > x.benefit)
    aside = used.filter(c => leavesMuch(c) && profiled.exists(hides(c, _))).toSet
  }

  /** Statistics are there: rule c.
    *
    * @param costs
    *   of each candidate
    * @param operators
    *   what each operator costs without a cache, by pipeline and position
    * @return
    *   whether a selection was made
    */
  def select(costs: Candidate => CacheCosts, operators: (Int, Int) => Double): Boolean = {
    val choices = (used ++ in(Profiled)).map(c => Choice(c, costs(c)))
    val changed = isNew || choices.exists(x => selected.get(x.candidate).forall(x.costs.differs(_, change)))
    aside = Set.empty
    if (changed) {
      val chosen = CacheSelection.select(choices, operators).map(_.candidate).toSet
      choices.foreach { x =>
        states(x.candidate) = if (chosen(x.candidate)) Used else Unused
        selected(x.candidate) = x.costs
      }
      isNew = false
    } else {
      in(Profiled).foreach(states(_) = Unused)
      choices.foreach(x => selected(x.candidate) = selected(x.candidate).copy(rest = x.costs.rest))
    }
    changed
  }

  /** Rule a: the caches that do not pay are unused from now on. Those of one content pay for it together.
    *
    * @param costs
    *   of a used cache, where enough is known of it
    * @return
    *   these caches
    */
  def dropLosing(costs: Candidate => Option[CacheCosts]): Seq[Candidate] = {
    val losing = lookedUp
      .groupBy(_.content)
      .values
      .flatMap { sharing =>
        val known = sharing.flatMap(c => costs(c).map(Choice(c, _)))
        if (known.size < sharing.size) Nil
        else if (CacheSelection.net(known) < 0) sharing
        else known.filter(_.costs.benefit < 0).map(_.candidate)
      }
      .toSeq
    losing.foreach(states(_) = Unused)
    selected --= losing
    losing
  }

  /** Whether a candidate sees no probes while a cache is looked up. */
  private def hides(c: Candidate, p: Candidate) =
    p.pipeline == c.pipeline && c.from < p.from && p.from <= c.to

  private def in(state: CacheState): Seq[Candidate] = states.collect { case (c, `state`) => c }.toVector
}

private object CacheReoptimizer {

  /** For how many times as long as a cache is put aside what is found meanwhile may be of use. */
  private val GainLasts = 8.0
}

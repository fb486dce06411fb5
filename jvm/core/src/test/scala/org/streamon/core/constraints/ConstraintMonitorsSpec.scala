package org.streamon.core.constraints

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.constraints.ConstraintKind.{CA, OAP, RIDS}
import org.streamon.core.constraints.JoinConstraint.{Adheres, Unique}

/** Which keys are over, and the rows that are dead by it, micro-batch by micro-batch. */
class ConstraintMonitorsSpec extends AnyFunSuite {
  private val (a, b) = (0, 1)

  /** A(K) and B(K), whose keys are joined. */
  private final class Joined(
      mode: ConstraintMode,
      declared: Seq[JoinConstraint] = Nil,
      detect: Boolean = true,
      inOrder: Boolean = false
  ) {
    private val keys = new JoinKeys(Array(Array(0), Array(0)), Array(inOrder), Array(false))
    private val settings = MonitorSettings(window = 4, slack = 2, retention = 0, headroom = 0, horizon = 40)
    val rows = new LongRows(keys)

    /** The key that came last to `a`. */
    var newest: Long = NoValue
    val monitors =
      new ConstraintMonitors(keys, MonitoredConstraint.all(keys, declared, settings), mode, detect)

    /** By kind, of `b` where nothing else is said. */
    def constraint(kind: String, of: Int = b): MonitoredConstraint =
      monitors.all.find(c => c.kind == kind && c.of == of).get

    /** Brings a micro-batch of keys: the rows that are dead by it, which are not taken out. */
    def bring(keysOf: (Int, Long)*): Set[(Int, Long)] = {
      var dead = Set.empty[(Int, Long)]
      def dies(input: Int, slot: Int): Unit = dead += input -> rows.rowsOf(input, 0, slot).code
      val executor = new ConstraintExecutor(keys, monitors, rows, (_, _) => true, dies)
      for ((input, key) <- keysOf) {
        if (input == a) newest = key
        executor.rowArrived(input, 0, key)
        if (rows.group(0, key).heads(input) >= 0) monitors.repeats(0, input)
        executor.rowKept(input, rows.add(input, key))
      }
      executor.measure(Nil)
      executor.collect()
      dead
    }
  }

  test("with k = 0 a key whose child has not come is over at once, and a null key never is") {
    val join = new Joined(ConstraintMode.Approximate, Seq(Adheres(RIDS, 0, a, b, 0)))
    assert(join.bring(a -> 7L, a -> NoValue) == Set(a -> 7L))
  }

  test("rows that waited while k was not known are given up when it is, however long that took") {
    val join = new Joined(ConstraintMode.Approximate, Seq(Unique(b, 0)))
    assert(join.bring(a -> 1000L).isEmpty)
    // Without a pair nothing is learned, and after the horizon the key is not watched any longer.
    for (key <- 0L until 60L) assert(!join.bring(b -> key)(a -> 1000L) && !join.constraint("RIDS").isKept)
    // Each child comes with the next micro-batch, as the parents do that are there when k is known.
    val dead = Iterator.from(100).map { key =>
      join.bring(a -> key.toLong, b -> (key - 1L))
    }
    val first = dead.find(_ => join.constraint("RIDS").isKept).get
    assert(join.constraint("RIDS").k == 1 && first(a -> 1000L) && !first(a -> join.newest))
    val later = Seq.fill(20)(dead.next())
    assert(later.forall(_.size == 1) && join.constraint("RIDS").isKept)
  }

  test("what is declared is relied on, and what is learned where it is asked for and may be") {
    def trusted(mode: ConstraintMode, detect: Boolean, declared: JoinConstraint*): Set[String] = {
      val join = new Joined(mode, declared, detect)
      join.monitors.all.filter(c => c.of == b && join.monitors.trusts(c)).map(_.kind).toSet
    }
    import ConstraintMode._
    for (mode <- Seq(Observe, Exact)) assert(trusted(mode, detect = true) == Set("UNIQUE", "RIDS", "CA"))
    assert(trusted(Approximate, detect = true) == Set("RIDS", "CA"))
    assert(trusted(Approximate, detect = true, Unique(b, 0)) == Set("UNIQUE", "RIDS", "CA"))
    assert(trusted(Strict, detect = true, Adheres(CA, 0, b, a, 3)) == Set("CA"))
    for (mode <- ConstraintMode.all) {
      assert(trusted(mode, detect = false).isEmpty)
      assert(trusted(mode, detect = false, Adheres(RIDS, 0, a, b, 3)) == Set("RIDS"))
    }
  }

  test("when an input is believed to be unique, rows that met theirs before are dead, and are told of once") {
    val join = new Joined(ConstraintMode.Exact)
    assert(join.bring(b -> 1L, a -> 1L).isEmpty && join.bring(b -> 2L, b -> 3L).isEmpty)
    assert(!join.constraint("UNIQUE").isKept)
    assert(join.bring(b -> 4L)(a -> 1L) && join.constraint("UNIQUE").isKept)
    assert(!join.bring(b -> 5L)(a -> 1L))
  }

  test("a row that meets a dead one is put down to what said that it would not come") {
    val declared = Seq(Adheres(RIDS, 0, a, b, 2), Adheres(OAP, 0, a, b, 0), Adheres(CA, 0, a, b, 1))
    val join = new Joined(ConstraintMode.Approximate, declared, detect = false, inOrder = true)
    def blamed(input: Int, key: Long) = join.monitors.blamed(0, input, key).map(_.kind)
    join.bring(a -> 7L)
    assert(blamed(b, 7).isEmpty && blamed(a, 7).isEmpty && blamed(a, 6).contains("OA"))
    (101L to 103L).foreach(key => join.bring(b -> key))
    assert(blamed(b, 7) == Seq("RIDS"))
    join.bring(a -> 8L)
    assert(
      blamed(b, 8).isEmpty && blamed(a, 7) == Seq("OA"),
      "7 may still be followed by one other, not by less"
    )
    join.bring(a -> 9L)
    assert(blamed(a, 7).toSet == Set("CA", "OA") && blamed(a, NoValue).isEmpty)
  }

  test("a row that would break what is declared is known before it comes") {
    val declared = Seq(Adheres(RIDS, 0, a, b, 1), Adheres(OAP, 0, a, b, 0), Adheres(CA, 0, b, a, 0))
    val join = new Joined(ConstraintMode.Strict, declared, inOrder = true)
    def broken(input: Int, key: Long) = Option(join.monitors.broken(0, input, key)).map(_.kind)
    join.bring(a -> 7L)
    assert(broken(a, 6).contains("OA") && broken(a, 7).isEmpty && broken(a, NoValue).isEmpty)
    assert(broken(b, 7).isEmpty)
    join.bring(b -> 100L)
    assert(broken(b, 7).contains("RIDS") && broken(b, 100).isEmpty)
    join.bring(b -> 101L)
    assert(broken(b, 100).contains("CA") && broken(b, 101).isEmpty)
    val learned = new Joined(ConstraintMode.Strict, inOrder = true)
    Seq(9L, 10L, 11L, 12L, 13L).foreach(key => learned.bring(a -> key))
    assert(learned.constraint("OA", a).isKept && learned.monitors.broken(0, a, 1L) == null)
  }

  test("a violation ends the use of what is learned, and not of what is declared") {
    val learned = new Joined(ConstraintMode.Exact, inOrder = true)
    Seq(9L, 10L, 11L, 12L, 13L).foreach(key => learned.bring(a -> key))
    val order = learned.constraint("OA", a)
    assert(order.isKept)
    learned.monitors.violated(order)
    assert(!order.isKept && order.k == Infinite && order.violations == 1)
    val declared = new Joined(ConstraintMode.Exact, Seq(Adheres(OAP, 0, a, b, 3)), inOrder = true)
    val kept = declared.constraint("OA", a)
    declared.monitors.violated(kept)
    assert(kept.isKept && kept.k == 3 && kept.violations == 0)
  }

  test("of an input whose rows are elsewhere nothing is measured, and none of its keys is over") {
    val join = new Joined(ConstraintMode.Approximate, Seq(Adheres(RIDS, 0, a, b, 0), Unique(b, 0)))
    assert(join.bring(b -> 1L, a -> 1L, a -> 2L) == Set(a -> 1L, a -> 2L))
    def known = join.monitors.all.filter(_.of == b).map(_.counters.toSeq)
    val before = known
    join.rows.elsewhere += b
    assert(join.bring(b -> 3L, a -> 3L, a -> 4L).isEmpty && known == before)
    join.rows.elsewhere -= b
    assert(join.bring(a -> 5L) == Set(a -> 5L))
  }
}

package org.streamon.core.constraints

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.constraints.ConstraintKind.RIDS
import org.streamon.core.constraints.JoinConstraint.{Adheres, Unique}

/** Which keys are over, and the rows that are dead by it, micro-batch by micro-batch. */
class ConstraintMonitorsSpec extends AnyFunSuite {
  private val (a, b) = (0, 1)

  /** A(K) and B(K), whose keys are joined. */
  private final class Joined(mode: ConstraintMode, declared: JoinConstraint*) {
    private val keys = new JoinKeys(Array(Array(0), Array(0)), Array(true), Array(false))
    private val settings = MonitorSettings(window = 4, slack = 0, retention = 0, headroom = 0, horizon = 40)
    val rows = new LongRows(keys)

    /** The key that came last to `a`. */
    var newest: Long = NoValue
    val monitors =
      new ConstraintMonitors(keys, MonitoredConstraint.all(keys, declared, settings), mode, detect = true)

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
        executor.arrives(input, 0, key)
        if (rows.group(0, key).heads(input) >= 0) monitors.repeats(0, input)
        executor.keeps(input, rows.add(input, key))
      }
      executor.measure(Nil)
      executor.collect()
      dead
    }
  }

  test("with k = 0 a key whose child has not come is over at once, and a null key never is") {
    val join = new Joined(ConstraintMode.Approximate, Adheres(RIDS, 0, a, b, 0))
    assert(join.bring(a -> 7L, a -> NoValue) == Set(a -> 7L))
  }

  test("rows that waited while k was not known are given up when it is, however long that took") {
    val join = new Joined(ConstraintMode.Approximate, Unique(b, 0))
    assert(join.bring(a -> 1000L).isEmpty)
    // Without a pair nothing is learned, and after the horizon the key is not watched any longer.
    for (key <- 0L until 60L) assert(!join.bring(b -> key)(a -> 1000L) && !join.constraint("RIDS").holds)
    // Each child comes with the next micro-batch, as the parents do that are there when k is known.
    val dead = Iterator.from(100).map { key =>
      join.bring(a -> key.toLong, b -> (key - 1L))
    }
    val first = dead.find(_ => join.constraint("RIDS").holds).get
    assert(join.constraint("RIDS").k == 1 && first(a -> 1000L) && !first(a -> join.newest))
    val later = Seq.fill(20)(dead.next())
    assert(later.forall(_.size == 1) && join.constraint("RIDS").holds)
  }
}

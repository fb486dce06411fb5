package org.streamon.lab

import java.util.SplittableRandom

import org.streamon.core.selections._
import org.streamon.lab.baselines.selections.TicketRouting

/** What a way of ordering the constructs did.
  *
  * @param asked
  *   constructs: the paper's cost
  * @param arrows
  *   those to which a micro-arrow led
  * @param shadow
  *   constructs that rows were asked for the monitor only
  * @param dropped
  *   rows of which no rule holds
  */
private[lab] final case class SelectionWork(
    rows: Long,
    asked: Long,
    arrows: Long,
    shadow: Long,
    dropped: Long
) {
  def -(o: SelectionWork): SelectionWork =
    SelectionWork(rows - o.rows, asked - o.asked, arrows - o.arrows, shadow - o.shadow, dropped - o.dropped)

  /** Constructs asked for each row. */
  def cost: Double = asked.toDouble / rows

  /** Of the ways from a construct to the next, the share of micro-arrows. */
  def microRatio: Double = arrows.toDouble / (asked - rows)
}

/** A way of ordering the constructs at work on the rows of one stream. */
private[lab] abstract class SelectionContender(val name: String) {
  private var from = SelectionWork(0, 0, 0, 0, 0)

  /** @param rows
    *   each by the regions of its attributes
    */
  def feed(rows: Array[Array[Int]]): Unit

  protected def work: SelectionWork

  /** How often a search has changed the sequence, or in the loop of the paper has ended. */
  def searches: Long = 0

  /** From here on `since` counts. */
  final def mark(): Unit = from = work

  final def since: SelectionWork = work - from
}

private[lab] object SelectionContender {
  val Tickets = "ticket routing"
  val Best = "SEQ best"
  val Worst = "SEQ worst"

  /** Those of Spark. */
  val Macro = "macro"
  val Hybrid = "hybrid"

  /** Those of the paper. */
  val MacroPeriods = "macro by periods"
  val HybridPeriods = "hybrid by periods"

  /** Rows after which tickets of before no longer count. */
  private val Window = 1000

  /** One row of so many is sampled for the log. */
  private val Stride = 10

  /** A selector, whose sequence changes now and then. */
  private final class Selecting(rules: SelectionRules, first: Sequence) {
    private var selector = new Selector(rules.size, rules.constructs, first)
    private var sequence = first
    private var asked, arrows, dropped = 0L
    var rows: Long = 0L

    def follow(now: Sequence): Unit = if (now ne sequence) {
      asked += selector.constructsAsked
      arrows += selector.arrowsFollowed
      dropped += selector.dropped
      sequence = now
      selector = new Selector(rules.size, rules.constructs, now)
    }

    /** Whether any rule holds. */
    def select(row: Regions): Boolean = {
      rows += 1
      selector.select(row)
    }

    def work(shadow: Long): SelectionWork = SelectionWork(
      rows,
      asked + selector.constructsAsked,
      arrows + selector.arrowsFollowed,
      shadow,
      dropped + selector.dropped
    )
  }

  final class Fixed(name: String, rules: SelectionRules, sequence: Sequence)
      extends SelectionContender(name) {
    private val selecting = new Selecting(rules, sequence)
    def feed(rows: Array[Array[Int]]): Unit = rows.foreach(row => selecting.select(row(_)))
    protected def work: SelectionWork = selecting.work(0)
  }

  /** The loop of Spark, without its local search: sampled rows are asked all constructs. */
  final class ByLog(name: String, rules: SelectionRules, first: Sequence, settings: SequenceSettings)
      extends SelectionContender(name) {
    private val loop = new SelectionLoop(rules.size, rules.constructs, first, settings)
    private val selecting = new Selecting(rules, first)
    private var told = selecting.work(0)
    private var shadow = 0L

    def feed(rows: Array[Array[Int]]): Unit =
      rows.foreach(row => if ((selecting.rows + 1) % Stride == 0) tell(row) else pass(row))

    private def pass(row: Array[Int]): Unit = selecting.select(row(_))

    private def tell(row: Array[Int]): Unit = {
      if (loop.wantsSamples) sample(row) else pass(row)
      val more = selecting.work(0) - told
      told = selecting.work(0)
      loop.account(loop.current, more.rows, more.dropped, more.asked)
      if (loop.isDue && loop.review().nonEmpty) selecting.follow(loop.current.plan)
    }

    private def sample(row: Array[Int]): Unit = {
      var asked = 0
      selecting.select { a =>
        asked += 1
        row(a)
      }
      shadow += row.length - asked
      loop.sampled(row)
    }

    protected def work: SelectionWork = selecting.work(shadow)

    override def searches: Long = loop.current.version
  }

  /** The loop of the paper. */
  final class ByPeriods(name: String, rules: SelectionRules, first: Sequence, settings: PeriodSettings)
      extends SelectionContender(name) {
    private val loop = new PeriodLoop(rules.size, rules.constructs, first, settings)
    private val selecting = new Selecting(rules, first)

    override def searches: Long = loop.searches

    def feed(rows: Array[Array[Int]]): Unit = rows.foreach { row =>
      loop.observe(row(_), isDropped = !selecting.select(row(_)))
      selecting.follow(loop.current)
    }

    protected def work: SelectionWork = selecting.work(loop.asked)
  }

  final class Routing(rules: SelectionRules, seed: Long) extends SelectionContender(Tickets) {
    private val eddy = new TicketRouting(rules.size, rules.constructs, Window, new SplittableRandom(seed))
    private var rows, dropped = 0L

    def feed(rows: Array[Array[Int]]): Unit = rows.foreach { row =>
      if (!eddy.select(row(_))) dropped += 1
      this.rows += 1
    }

    protected def work: SelectionWork = SelectionWork(rows, eddy.visited, 0, 0, dropped)
  }
}

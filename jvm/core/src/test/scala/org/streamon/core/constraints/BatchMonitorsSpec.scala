package org.streamon.core.constraints

import java.util.SplittableRandom

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** Monitors that take micro-batches, within which the order does not count, against distances by definition.
  */
class BatchMonitorsSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  private val seeds = Gen.choose(0L, Long.MaxValue)
  private val settings = MonitorSettings(window = 1, headroom = 0, retention = 0)

  /** Micro-batches of values, each up to `most`. */
  private def batches(random: SplittableRandom, values: Int): Seq[Array[Long]] =
    Seq.fill(12)(Array.fill(random.nextInt(6))(random.nextInt(values).toLong))

  /** Arrivals in the micro-batches from one up to another, exclusively. */
  private def between(all: Seq[Array[Long]], from: Int, to: Int): Long =
    all.slice(from, to).map(_.length.toLong).sum

  test("scrambling: from the first greater value of an earlier micro-batch on") {
    forAll(seeds) { seed =>
      val all = batches(new SplittableRandom(seed), 8)
      val monitor = new BatchScramblingMonitor(settings, Some(0L))
      var expected = 0L
      for (b <- all.indices) {
        for (v <- all(b); a <- (0 until b).find(all(_).exists(_ > v)))
          expected = math.max(expected, between(all, a + 1, b) + 1)
        val before = monitor.adherence.violations
        val out = all(b).count(v => (0 until b).exists(all(_).exists(_ > v)))
        monitor.arrive(all(b), all(b).length)
        assert(monitor.adherence.violations - before == out, s"seed $seed")
      }
    }
  }

  test("of keys in no order no k is believed, however soon or late") {
    forAll(seeds) { seed =>
      val random = new SplittableRandom(seed)
      val size = 100 + random.nextInt(1000)
      val order = new BatchScramblingMonitor(MonitorSettings(), None)
      val clusters = new ClusteringMonitor(MonitorSettings(), None)
      for (_ <- 0 until 20) {
        val batch = Array.fill(size)(random.nextLong() >>> 1)
        order.arrive(batch, size)
        val few = batch.map(_ % (8L * size))
        clusters.arrive(few, size, size.toLong)
        assert(!order.adherence.usable && !clusters.adherence.usable, s"seed $seed")
      }
    }
  }

  test("scrambling: below the bound of a k that the values keep none comes, whatever is kept") {
    forAll(seeds) { seed =>
      val all = batches(new SplittableRandom(seed), 30)
      val k = (for {
        b <- all.indices
        v <- all(b)
        a <- (0 until b).find(all(_).exists(_ > v))
      } yield between(all, a + 1, b) + 1).maxOption.getOrElse(0L)
      val monitor = new BatchScramblingMonitor(settings, Some(k))
      var closed = false
      for (batch <- all) {
        assert(batch.forall(_ >= monitor.bound), s"seed $seed")
        monitor.arrive(batch, batch.length)
        closed ||= monitor.bound > 0
      }
      assert(monitor.adherence.violations == 0)
    }
  }

  test("clustering: what comes in the micro-batches between, and what is over does not come again") {
    forAll(seeds) { seed =>
      val all = batches(new SplittableRandom(seed), 6)
      val distances = for {
        b <- all.indices
        v <- all(b).distinct
        a <- (0 until b).findLast(all(_).contains(v))
      } yield between(all, a + 1, b)
      val k = distances.maxOption.getOrElse(0L)
      val monitor = new ClusteringMonitor(settings, Some(k))
      for (batch <- all) {
        assert(!batch.exists(monitor.isClosed), s"seed $seed")
        monitor.arrive(batch, batch.length, batch.length.toLong)
        monitor.close(_ => true)
      }
      assert(monitor.adherence.violations == 0)
      // One less is broken by those that were as far.
      if (k > 0) {
        val tight = new ClusteringMonitor(settings, Some(k - 1))
        all.foreach(batch => tight.arrive(batch, batch.length, batch.length.toLong))
        assert(tight.adherence.violations > 0)
      }
    }
  }

  test("a join distance: the children of later micro-batches before that of the child, and itself") {
    forAll(seeds) { seed =>
      val random = new SplittableRandom(seed)
      val parents = batches(random, 10)
      val ids = (0 until 10).map(_.toLong).sortBy(_ => random.nextInt())
      val children = parents.indices.map(b => ids.slice(b * 10 / 12, (b + 1) * 10 / 12).toArray)
      def comes(key: Long) = children.indexWhere(_.contains(key))
      val k = (for (b <- parents.indices; p <- parents(b) if comes(p) > b)
        yield between(children, b + 1, comes(p)) + 1).maxOption.getOrElse(0L)
      val monitor = new JoinDistanceMonitor(settings, Some(k))
      for (b <- parents.indices) {
        assert(!children(b).exists(monitor.isClosed), s"seed $seed")
        monitor.childrenArrive(children(b), children(b).length, children(b).length.toLong)
        for (p <- parents(b)) if (comes(p) <= b) monitor.parentFinds() else monitor.parentWaits(p)
        monitor.close(_ => true)
      }
      assert(monitor.adherence.violations == 0)
    }
  }

  test("one micro-batch teaches no k, however many rows it has") {
    val values = Array.tabulate(10000)(_.toLong)
    val (scrambling, clustering) = (new BatchScramblingMonitor(settings), new ClusteringMonitor(settings))
    val learning = MonitorSettings(window = 100)
    val monitors = Seq(new BatchScramblingMonitor(learning), new BatchScramblingMonitor(learning, None))
    monitors.foreach(_.arrive(values, values.length))
    assert(monitors.forall(!_.adherence.usable))
    scrambling.arrive(values, values.length)
    clustering.arrive(values, values.length, values.length.toLong)
    for (more <- 1 to 3) monitors.head.arrive(values.map(_ + 10000L * more), values.length)
    assert(monitors.head.adherence.usable && monitors.head.adherence.k == 0)
  }

  test("what monitors restore goes on as it would have, in whatever order keys came within a micro-batch") {
    forAll(seeds) { seed =>
      val random = new SplittableRandom(seed)
      val all = Seq.fill(30)(Array.fill(1 + random.nextInt(8))(random.nextInt(12).toLong))
      val learning = MonitorSettings(window = 5, retention = 0.2, threshold = 20, horizon = 50)
      def run(disturb: Boolean): Seq[Set[Long]] = {
        var monitor = new ClusteringMonitor(learning)
        val held = scala.collection.mutable.Set.empty[Long]
        all.map { batch =>
          if (disturb && random.nextBoolean()) {
            val state = monitor.state
            monitor = new ClusteringMonitor(learning)
            monitor.restore(state)
          }
          val values = if (disturb) batch.reverse else batch
          monitor.arrive(values, values.length, values.length.toLong)
          val closed = Set.newBuilder[Long]
          monitor.close { v =>
            closed += v
            if (v % 2 == 0) held += v
            v % 2 == 1
          }
          closed.result()
        }
      }
      assert(run(disturb = false) == run(disturb = true), s"seed $seed")
    }
  }

  test("uniqueness is believed after W keys of their own, and never after one that was not") {
    val monitor = new UniqueMonitor(MonitorSettings(window = 10), declared = false)
    monitor.arrive(9)
    assert(!monitor.usable)
    monitor.arrive(1)
    assert(monitor.usable)
    monitor.repeat(1)
    monitor.arrive(1000)
    assert(!monitor.usable && new UniqueMonitor(MonitorSettings(), declared = true).usable)
  }
}

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
      val monitor = new ScramblingMonitor(settings, Some(0L))
      var expected = 0L
      for (b <- all.indices) {
        for (v <- all(b); a <- (0 until b).find(all(_).exists(_ > v)))
          expected = math.max(expected, between(all, a + 1, b) + 1)
        val before = monitor.adherence.violations
        val out = all(b).count(v => (0 until b).exists(all(_).exists(_ > v)))
        monitor.observe(all(b), all(b).length)
        assert(monitor.adherence.violations - before == out, s"seed $seed")
      }
    }
  }

  test("of keys in no order no k is believed, however soon or late") {
    forAll(seeds) { seed =>
      val random = new SplittableRandom(seed)
      val size = 100 + random.nextInt(1000)
      val order = new ScramblingMonitor(MonitorSettings(), None)
      val clusters = new ClusteringMonitor(MonitorSettings(), None)
      for (_ <- 0 until 20) {
        val batch = Array.fill(size)(random.nextLong() >>> 1)
        order.observe(batch, size)
        val few = batch.map(_ % (8L * size))
        clusters.observe(few, size, size.toLong)
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
      val monitor = new ScramblingMonitor(settings, Some(k))
      var closed = false
      for (batch <- all) {
        assert(batch.forall(_ >= monitor.bound), s"seed $seed")
        monitor.observe(batch, batch.length)
        closed ||= monitor.bound > 0
      }
      assert(monitor.adherence.violations == 0)
    }
  }

  /** Every way to cut a stream into micro-batches. */
  private def cuts(stream: Seq[Long]): Iterator[Seq[Array[Long]]] =
    Iterator.range(0, 1 << stream.size - 1).map { after =>
      stream.indices.foldLeft(Vector.empty[Array[Long]]) { (all, at) =>
        if (at > 0 && (after >> at - 1 & 1) == 0) all.init :+ (all.last :+ stream(at))
        else all :+ Array(stream(at))
      }
    }

  private def clustering(cut: Seq[Array[Long]]): Long = {
    val monitor = new ClusteringMonitor(MonitorSettings(window = Int.MaxValue))
    cut.foreach(batch => monitor.observe(batch, batch.length, batch.length.toLong))
    monitor.adherence.greatest
  }

  test("v, x, v, x, v, x, v: between the first v and the last are three others") {
    assert(clustering(Seq(1L, 2L, 1L, 2L, 1L, 2L, 1L).map(Array(_))) == 3)
  }

  test(
    "clustering: however a stream is cut, no distance is more than by definition, and row by row it is that"
  ) {
    forAll(seeds) { seed =>
      val random = new SplittableRandom(seed)
      val stream = Seq.fill(1 + random.nextInt(9))(random.nextInt(4).toLong)
      val greatest = Distances.clustering(stream).maxOption.getOrElse(0L)
      for (cut <- cuts(stream)) {
        val told = clustering(cut)
        assert(told <= greatest && (cut.size < stream.size || told == greatest), s"seed $seed, $cut")
      }
    }
  }

  test("clustering: others in the micro-batches from the first to the last, and what is over does not come") {
    forAll(seeds) { seed =>
      val all = batches(new SplittableRandom(seed), 6)
      def others(v: Long, from: Int, to: Int) = all.slice(from, to).map(_.count(_ != v).toLong).sum
      def first(v: Long) = all.indexWhere(_.contains(v))
      val k = (for (b <- all.indices; v <- all(b)) yield others(v, first(v) + 1, b)).maxOption.getOrElse(0L)
      val monitor = new ClusteringMonitor(settings.copy(retention = 1), Some(k))
      val closed = collection.mutable.Set.empty[Long]
      for (b <- all.indices) {
        assert(!all(b).exists(monitor.isClosed), s"seed $seed")
        monitor.observe(all(b), all(b).length, all(b).length.toLong)
        monitor.close { v => closed += v; true }
        // As soon as one that came next would be too far.
        val due = all.take(b + 1).flatten.filter(v => others(v, first(v) + 1, b + 1) > k)
        assert(closed == due.toSet, s"seed $seed, micro-batch $b")
      }
      assert(monitor.adherence.violations == 0)
      // One less is broken by those that were as far.
      if (k > 0) {
        val tight = new ClusteringMonitor(settings, Some(k - 1))
        all.foreach(batch => tight.observe(batch, batch.length, batch.length.toLong))
        assert(tight.adherence.violations > 0)
      }
    }
  }

  test("keys that go on coming teach no k, whatever is watched of those that do not") {
    for (size <- Seq(1, 7)) {
      val room = MonitorSettings(window = 10, threshold = 40, horizon = 100)
      val monitor = new ClusteringMonitor(room)
      for (t <- 0 until 1000) {
        val values = Array.tabulate(size)(i => (t * size + i) % 3L)
        monitor.observe(values, size, size.toLong)
        assert(!monitor.adherence.usable, s"$size rows, at $t")
        monitor.close(_ => true)
        assert(monitor.size == math.min(3, (t + 1) * size))
      }
    }
  }

  test("nor does a key that takes most of the stream, which few others come between") {
    for (size <- Seq(1, 10); inTen <- Seq(5, 8, 9)) {
      val monitor = new ClusteringMonitor(MonitorSettings(window = 100, threshold = 1000, horizon = 4000))
      for (batch <- Iterator.range(0, 10000).map(t => if (t % 10 < inTen) 0L else 1L + t).grouped(size)) {
        monitor.observe(batch.toArray, size, size.toLong)
        assert(!monitor.adherence.usable, s"micro-batches of $size, $inTen of ten rows, at ${batch.head}")
        monitor.close(_ => true)
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
        monitor.observeChildren(children(b), children(b).length, children(b).length.toLong)
        for (p <- parents(b)) if (comes(p) <= b) monitor.parentFinds() else monitor.parentWaits(p)
        monitor.close(_ => true)
      }
      assert(monitor.adherence.violations == 0)
    }
  }

  test("one micro-batch teaches no k, however many rows it has") {
    val values = Array.tabulate(10000)(_.toLong)
    val (scrambling, clustering) = (new ScramblingMonitor(settings), new ClusteringMonitor(settings))
    val learning = MonitorSettings(window = 100)
    val monitors = Seq(new ScramblingMonitor(learning), new ScramblingMonitor(learning, None))
    monitors.foreach(_.observe(values, values.length))
    assert(monitors.forall(!_.adherence.usable))
    scrambling.observe(values, values.length)
    clustering.observe(values, values.length, values.length.toLong)
    for (more <- 1 to 3) monitors.head.observe(values.map(_ + 10000L * more), values.length)
    assert(monitors.head.adherence.usable && monitors.head.adherence.k == 0)
  }

  test("what monitors restore goes on as it would have, in whatever order keys came within a micro-batch") {
    forAll(seeds) { seed =>
      val random = new SplittableRandom(seed)
      val all = Seq.fill(30)(Array.fill(1 + random.nextInt(8))(random.nextInt(12).toLong))
      val learning = MonitorSettings(window = 5, retention = 0.2, threshold = 20, horizon = 50)
      def run(disturb: Boolean): Seq[Set[Long]] = {
        var monitor = new ClusteringMonitor(learning)
        val stored = new StoredMonitor
        val held = scala.collection.mutable.Set.empty[Long]
        all.map { batch =>
          if (disturb && random.nextBoolean()) {
            stored.save(monitor)
            monitor = new ClusteringMonitor(learning)
            stored.restore(monitor)
          }
          val values = if (disturb) batch.reverse else batch
          monitor.observe(values, values.length, values.length.toLong)
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

  /** Version 1 of a state at 100 arrivals: 7 came last at 98 and is open, 8 at 90 and is closed. */
  private def counted(declared: Long, k: Long): Array[Long] = {
    val adheres = Array(declared, k, 2, k, 10, 1, 90, 1, 0, -1, 10, 0, 1)
    adheres ++ Array[Long](100, 7, 98, 1, 8, 90, 2)
  }

  test("clustering: a k learned of distances from the latest occurrence is forgotten, and its keys are not") {
    val monitor = new ClusteringMonitor(MonitorSettings(window = 4, headroom = 0))
    monitor.restoreFormer(counted(declared = -1, k = 5), version = 1)
    val adherence = monitor.adherence
    assert(adherence.k == Infinite && adherence.violations == 0)
    assert(!monitor.isClosed(8) && Seq(7L, 8L).map(monitor.distance) == Seq(2, 10))
    var closed = Set.empty[Long]
    for (t <- 0 until 20) {
      monitor.observe(Array(50L + t / 2), 1, 1L)
      monitor.close { v => closed += v; true }
    }
    assert(adherence.usable && closed(7) && closed(8), "told of, when a k is known again")
    val again = new ClusteringMonitor(MonitorSettings(window = 4, headroom = 0))
    val stored = new StoredMonitor
    stored.save(monitor)
    stored.restore(again)
    assert(again.adherence.k == adherence.k && again.distance(7) == monitor.distance(7))
  }

  test("clustering: what a declared k closed by the latest occurrence it closes by the first as well") {
    val monitor = new ClusteringMonitor(settings, Some(5))
    monitor.restoreFormer(counted(declared = 5, k = 5), version = 1)
    assert(monitor.adherence.k == 5 && monitor.adherence.violations == 2)
    assert(monitor.isClosed(8) && !monitor.isClosed(7))
    val greater = new ClusteringMonitor(settings, Some(9))
    greater.restoreFormer(counted(declared = 5, k = 5), version = 1)
    assert(greater.adherence.k == 9 && !greater.isClosed(8))
  }

  test("uniqueness is believed after W keys of their own, and never after one that was not") {
    val monitor = new UniqueMonitor(MonitorSettings(window = 10), declared = false)
    monitor.observe(9)
    assert(!monitor.usable)
    monitor.observe(1)
    assert(monitor.usable)
    monitor.repeat(1)
    monitor.observe(1000)
    assert(!monitor.usable && new UniqueMonitor(MonitorSettings(), declared = true).usable)
  }
}

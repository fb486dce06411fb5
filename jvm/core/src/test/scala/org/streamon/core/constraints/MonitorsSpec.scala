package org.streamon.core.constraints

import java.util.SplittableRandom
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** Monitors by themselves, against distances over all pairs. */
class MonitorsSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  import OneByOne._

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 300)

  private val seeds = Gen.choose(0L, 1L << 40)
  private val all = MonitorSettings(retention = 1.0)
  private val endless = MonitorSettings(window = Int.MaxValue)

  private def values(random: SplittableRandom): Vector[Long] = {
    val spread = 1 + random.nextInt(20)
    Vector.tabulate(1 + random.nextInt(200))(t => (t / 3 + random.nextInt(spread)).toLong)
  }

  private def parents(random: SplittableRandom): Vector[(Boolean, Long)] = {
    val spread = 1 + random.nextInt(15)
    val children = Vector.tabulate(60)(c => (c * 2L + random.nextInt(spread), false -> c.toLong))
    val above =
      Vector.tabulate(100)(t => (t + random.nextInt(2 * spread).toLong, true -> random.nextInt(70).toLong))
    (children ++ above).sortBy(_._1).map(_._2)
  }

  private def feed(monitor: JoinDistanceMonitor, arrivals: Seq[(Boolean, Long)], before: Set[Long] = Set()) =
    arrivals.foldLeft(before) { case (here, (isParent, key)) =>
      if (isParent && !here(key)) monitor.parentWaits(key)
      if (!isParent) monitor.observeChild(key)
      monitor.close(_ => true)
      if (isParent) here else here + key
    }

  test("a join distance is what it is by definition, and so are violations") {
    forAll(seeds) { seed =>
      val random = new SplittableRandom(seed)
      val arrivals = parents(random)
      val distances = Distances.join(arrivals)
      val learned = new JoinDistanceMonitor(endless)
      feed(learned, arrivals)
      assert(learned.adherence.greatest == distances.maxOption.getOrElse(0L), s"seed $seed")
      val k = random.nextInt(10).toLong
      val declared = new JoinDistanceMonitor(all, Some(k))
      feed(declared, arrivals)
      assert(declared.adherence.violations == distances.count(_ > k), s"seed $seed, k = $k")
      assert(declared.adherence.k == k)
    }
  }

  test("so is a clustering distance") {
    forAll(seeds) { seed =>
      val random = new SplittableRandom(seed)
      val stream = values(random)
      val distances = Distances.clustering(stream)
      val learned = new ClusteringMonitor(endless)
      stream.foreach(learned.observeOne(_))
      assert(learned.adherence.greatest == distances.maxOption.getOrElse(0L), s"seed $seed")
      val k = random.nextInt(10).toLong
      val declared = new ClusteringMonitor(all, Some(k))
      stream.foreach { v =>
        declared.observeOne(v)
        declared.close(_ => true)
      }
      assert(declared.adherence.violations == distances.count(_ > k), s"seed $seed, k = $k")
    }
  }

  test("so is a scrambling distance, and no value below the bound comes while it is kept") {
    forAll(seeds) { seed =>
      val random = new SplittableRandom(seed)
      val stream = values(random)
      val distances = Distances.scrambling(stream)
      val greatest = distances.maxOption.getOrElse(0L)
      val learned = new ScramblingMonitor(endless)
      stream.foreach(learned.observeOne(_))
      assert(learned.adherence.greatest == greatest, s"seed $seed")
      val k = random.nextInt(10).toLong
      val declared = new ScramblingMonitor(all, Some(k))
      stream.foreach(declared.observeOne(_))
      assert(declared.adherence.violations == distances.count(_ > k), s"seed $seed, k = $k")
      val kept = new ScramblingMonitor(all, Some(greatest))
      stream.zipWithIndex.foreach { case (v, at) =>
        assert(v >= kept.bound)
        kept.observeOne(v)
        // The greatest of all but the latest k: nothing stronger could be said.
        val best = stream.take(at + 1 - greatest.toInt).maxOption.getOrElse(NoValue)
        assert(kept.bound == best, s"seed $seed at $at")
      }
    }
  }

  test("keys close as early as they may, and never before") {
    forAll(seeds) { seed =>
      val random = new SplittableRandom(seed)
      val stream = values(random)
      val k = Distances.clustering(stream).maxOption.getOrElse(0L)
      val monitor = new ClusteringMonitor(all, Some(k))
      val closed = scala.collection.mutable.Set.empty[Long]
      stream.zipWithIndex.foreach { case (v, at) =>
        assert(!closed(v), s"seed $seed: $v came after it was closed")
        monitor.observeOne(v)
        monitor.close(closed.add(_))
        val due = stream.take(at + 1).distinct.filter { x =>
          stream.slice(stream.indexOf(x), at + 1).count(_ != x) > k
        }
        assert(closed == due.toSet, s"seed $seed at $at")
      }
    }
  }

  /** Restores one from what has been written of another from time to time. */
  private final class Copied[M <: Monitor](make: () => M, random: SplittableRandom) {
    val first: M = make()
    private val stored = new StoredMonitor

    /** To be called after each step. */
    def stepped(): Unit = if (random.nextInt(4) == 0) stored.save(first)

    def copy(): M = {
      stored.save(first)
      val copy = make()
      stored.restore(copy)
      copy
    }
  }

  private def same(one: KeyMonitor, other: KeyMonitor): Boolean =
    one.adherence.state == other.adherence.state && one.size == other.size && one.pending == other.pending &&
      (0L until 1000L).forall { key =>
        one.distance(key) == other.distance(key) && one.isClosed(key) == other.isClosed(key)
      }

  test("a monitor restored goes on as the one it was taken from") {
    forAll(seeds) { seed =>
      val random = new SplittableRandom(seed)
      val settings =
        MonitorSettings(window = 1 + random.nextInt(40), retention = random.nextDouble(), slack = 3)
      val declared = if (random.nextBoolean()) Some(random.nextInt(6).toLong) else None
      val stream = values(random)
      val (before, after) = stream.splitAt(stream.size / 2)
      def close(m: ClusteringMonitor, v: Long) = {
        m.observeOne(v)
        var closed = Vector.empty[Long]
        m.close { x =>
          closed :+= x
          x % 5 != 0
        }
        closed.sorted
      }
      val clustering = new Copied(() => new ClusteringMonitor(settings, declared), random)
      before.foreach { v =>
        close(clustering.first, v)
        clustering.stepped()
      }
      val second = clustering.copy()
      after.foreach(v => assert(close(clustering.first, v) == close(second, v), s"seed $seed"))
      assert(same(clustering.first, second), s"seed $seed")

      val ordered = new Copied(() => new ScramblingMonitor(settings, declared), random)
      before.foreach { v =>
        ordered.first.observeOne(v)
        ordered.stepped()
      }
      val two = ordered.copy()
      after.foreach { v =>
        ordered.first.observeOne(v)
        two.observeOne(v)
        assert(ordered.first.bound == two.bound, s"seed $seed")
      }
      assert(ordered.first.counters.sameElements(two.counters), s"seed $seed")

      val (early, late) = parents(random) match { case all => all.splitAt(all.size / 2) }
      val waits = new Copied(() => new JoinDistanceMonitor(settings, declared), random)
      val here = feed(waits.first, early)
      val copy = waits.copy()
      feed(waits.first, late, here)
      feed(copy, late, here)
      assert(same(waits.first, copy), s"seed $seed")
    }
  }

  test("k becomes infinite when it is exceeded, and returns after a window without") {
    val monitor = new ScramblingMonitor(MonitorSettings(window = 4))
    assert(monitor.adherence.k == Infinite && !monitor.adherence.usable && monitor.bound == NoValue)
    Seq(1L, 2L, 3L, 4L).foreach(monitor.observeOne(_))
    assert(monitor.adherence.k == 0 && monitor.bound == 4)
    monitor.observeOne(3)
    assert(monitor.adherence.k == Infinite && monitor.adherence.violations == 1 && monitor.bound == NoValue)
    Seq(6L, 5L, 7L).foreach(monitor.observeOne(_))
    assert(monitor.adherence.k == Infinite)
    monitor.observeOne(8)
    assert(monitor.adherence.k == 1 && monitor.adherence.increases == 1)
  }

  test("an infinite k ends when twice the greatest distance has passed, and with headroom") {
    val monitor = new JoinDistanceMonitor(MonitorSettings(window = 10, headroom = 0.25))
    // Every child comes 20 arrivals after its parent.
    val known = (0 until 100).map { c =>
      monitor.parentWaits(c + 20L)
      monitor.observeChild(c.toLong)
      monitor.adherence.k
    }
    assert(known.indexWhere(_ < Infinite) == 49 && known.drop(49).forall(_ == 26), known)
  }

  test("keys given up far more often than before make k infinite before any of them comes") {
    val monitor = new JoinDistanceMonitor(MonitorSettings(window = 50, headroom = 0, retention = 0))
    var lost = 0
    // One key in ten never comes; the others do after 10 arrivals, and from 1000 on after 60.
    for (c <- 0 until 1500) {
      monitor.parentWaits(2L * (c + (if (c < 1000) 10 else 60)) + (if (c % 10 == 0) 1 else 0))
      monitor.observeChild(2L * c)
      monitor.close { key =>
        if (key % 2 == 0) lost += 1
        true
      }
      if (c >= 100 && c < 1000) assert(monitor.adherence.k == 11 && lost == 0, c)
    }
    assert(monitor.adherence.violations == 0 && monitor.adherence.increases == 1)
    assert(lost > 0 && lost <= 26 && monitor.adherence.k == 61, lost)
  }

  test("arrivals without any parent do not lower k") {
    val monitor = new JoinDistanceMonitor(MonitorSettings(window = 20))
    for (c <- 0 until 200) {
      monitor.parentWaits(c + 5L)
      monitor.observeChild(c.toLong)
    }
    val known = monitor.adherence.k
    for (c <- 1000 until 1200) monitor.observeChild(c.toLong)
    assert(known == 6 && monitor.adherence.k == known)
  }

  test("an increase is noticed up to k_e for certain, beyond it by the share of keys kept") {
    def noticed(distance: Int, retention: Double, keys: Int) = {
      val settings = MonitorSettings(growth = 2, slack = 3, retention = retention)
      (0 until keys).count { key =>
        val monitor = new JoinDistanceMonitor(settings, Some(10))
        monitor.parentWaits(key.toLong)
        for (other <- 1 until distance) {
          monitor.observeChild((1000000 + other).toLong)
          monitor.close(_ => true)
        }
        monitor.observeChild(key.toLong)
        monitor.adherence.violations == 1
      }
    }
    assert(new JoinDistanceMonitor(MonitorSettings(growth = 2, slack = 3), Some(0)).adherence.watched == 3)
    assert(noticed(10, 0, 20) == 0 && noticed(11, 0, 20) == 20 && noticed(20, 0, 20) == 20)
    assert(noticed(21, 0, 20) == 0)
    assert(noticed(50, 1, 20) == 20)
    val some = noticed(50, 0.25, 2000)
    assert(some > 400 && some < 600)
    assert(some == noticed(50, 0.25, 2000), "by hash, so again the same")
  }

  test("beyond the horizon nothing is watched, and memory is given back") {
    val settings = MonitorSettings(horizon = 100, retention = 1)
    for (monitor <- Seq(new ClusteringMonitor(settings), new ClusteringMonitor(settings, Some(5))))
      for (v <- 0 until 10000) {
        monitor.observeOne(v.toLong)
        monitor.close(_ => true)
        assert(monitor.size <= 101)
      }
  }

  test("beyond the running maxima that are kept a distance is infinite, and never a number of its own") {
    val random = new java.util.SplittableRandom(5)
    val learned = new ScramblingMonitor(MonitorSettings(window = 50), most = 8)
    for (_ <- 1 to 3000) {
      learned.observeOne(random.nextInt(1000).toLong)
      assert(learned.adherence.k >= 0 && learned.bytes >= 0 && learned.bytes <= 16 * 8)
      if (learned.adherence.k == Infinite) assert(learned.bound == NoValue)
    }
  }

  test("a parent whose key closed before k became infinite does not wait for ever") {
    val monitor =
      new JoinDistanceMonitor(MonitorSettings(window = 4, slack = 2, retention = 1.0, headroom = 0))
    var closed = Set.empty[Long]
    def close() = monitor.close { key => closed += key; true }
    def child(key: Long) = { monitor.observeChild(key); close() }
    // k is 1: each parent's child is the second after it.
    for (key <- 1L to 20L) { monitor.parentWaits(key); child(-key); child(key) }
    assert(monitor.adherence.usable)
    monitor.parentWaits(1000L)
    for (k <- 1L to 6L) child(-100L - k)
    assert(closed(1000L))
    // A child comes far too late, and k is infinite; then another parent of the closed key arrives.
    monitor.parentWaits(2000L)
    for (k <- 1L to 2L) child(-200L - k)
    child(2000L)
    assert(!monitor.adherence.usable)
    closed = Set.empty
    assert(!monitor.parentWaits(1000L))
    for (key <- 3001L to 3200L) { monitor.parentWaits(key); child(-key); child(key) }
    assert(monitor.adherence.usable)
    assert(closed(1000L))
  }

  test("settings outside what is allowed are refused") {
    def refusal(make: => Any): String = intercept[IllegalArgumentException](make).getMessage
    assert(refusal(MonitorSettings(growth = 0.5)).contains("growth = 0.5: expected 1 or more"))
    assert(refusal(MonitorSettings(slack = -1)).contains("slack = -1: expected 0 or more"))
    assert(refusal(MonitorSettings(retention = 1.5)).contains("retention = 1.5: expected 0 to 1"))
    assert(refusal(MonitorSettings(retention = Double.NaN)).contains("retention = NaN: expected 0 to 1"))
    assert(refusal(MonitorSettings(window = 0)).contains("window = 0: expected 1 or more arrivals"))
    assert(refusal(MonitorSettings(threshold = -1)).contains("threshold = -1"))
    assert(refusal(MonitorSettings(headroom = -1)).contains("headroom = -1"))
    assert(refusal(MonitorSettings(horizon = 0)).contains("horizon = 0"))
    assert(refusal(new ScramblingMonitor(MonitorSettings(), None, 1)).contains("most = 1"))
  }
}

package org.streamon.core.constraints

import org.scalatest.funsuite.AnyFunSuite

/** What is written of monitors when little has changed. */
class MonitorPagesSpec extends AnyFunSuite {
  import OneByOne._

  private val settings = MonitorSettings(window = 100, threshold = 40000, horizon = 100000)
  private val most = 200L

  private def clustering() = {
    val monitor = new ClusteringMonitor(settings, Some(30000))
    (monitor, monitor.observeOne(_))
  }

  private def joinDistance() = {
    val monitor = new JoinDistanceMonitor(settings, Some(30000))
    (monitor, (key: Long) => { monitor.parentWaits(key); monitor.observeChild(-key) })
  }

  private def scrambling() = {
    val monitor = new ScramblingMonitor(settings, Some(30000))
    (monitor, monitor.observeOne(_))
  }

  private val monitors: Seq[(String, () => (Monitor, Long => Unit))] =
    Seq("clustering" -> clustering _, "a join distance" -> joinDistance _, "scrambling" -> scrambling _)

  for ((name, make) <- monitors; keys <- Seq(1000, 20000))
    test(s"$name: beside $keys keys that are known another one writes a few pages") {
      val (monitor, bring) = make()
      val stored = new StoredMonitor
      for (key <- 0 until keys) bring(key.toLong)
      stored.save(monitor)
      val before = stored.written
      assert(before > 2L * math.min(keys, 4096))
      for (more <- 1 to 50) {
        bring(keys.toLong + more)
        stored.save(monitor)
      }
      assert(stored.written - before <= 50 * most, "numbers")
    }

  test("a key that is let go of without rows is a change") {
    val (monitor, bring) = clustering()
    def pages() = {
      var count = 0
      monitor.changedPages((_, _) => count += 1)
      count
    }
    val changes = (1 to 9).map { _ =>
      for (key <- 1 to 20000) bring(key.toLong)
      monitor.close(_ => true)
      assert(monitor.hasChanged && pages() > 0 && !monitor.hasChanged && pages() == 0)
      monitor.close(_ => true)
      val isChanged = monitor.hasChanged
      assert(isChanged == pages() > 0)
      isChanged
    }
    assert(changes.contains(true))
  }

  test("the pages of keys that are no longer watched go, and those of maxima that no longer matter") {
    for ((name, make) <- monitors) {
      val (monitor, bring) = make()
      val stored = new StoredMonitor
      for (key <- 1 to 3000) {
        bring(key.toLong)
        if (key % 10 == 0) stored.save(monitor)
      }
      assert(stored.size >= 3000 / 32, name)
      // Of one value that comes again and again no maximum is new, and no other key is left.
      for (_ <- 1 to 110000) {
        bring(3000)
        monitor match {
          case keys: KeyMonitor => keys.close(_ => true)
          case _                => ()
        }
      }
      stored.save(monitor)
      assert(stored.size <= 2, name)
    }
  }
}

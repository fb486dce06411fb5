package org.streamon.core.constraints

import java.lang.reflect.Modifier
import java.util.{Collections, IdentityHashMap}

import org.scalatest.funsuite.AnyFunSuite

/** What monitors take, against the arrays that they have. */
class MonitorMemorySpec extends AnyFunSuite {
  private val settings = MonitorSettings(window = 10, threshold = 40, horizon = 100)

  /** Bytes of the arrays of numbers that an object of ours leads to. */
  private def arraysOf(root: AnyRef): Long = {
    val seen = Collections.newSetFromMap(new IdentityHashMap[AnyRef, java.lang.Boolean])
    def bytes(of: AnyRef): Long = of match {
      case null                                     => 0L
      case numbers: Array[Long]                     => 8L * numbers.length
      case numbers: Array[Int]                      => 4L * numbers.length
      case numbers: Array[Byte]                     => numbers.length.toLong
      case some: Array[AnyRef]                      => if (seen.add(some)) some.map(bytes).sum else 0L
      case _ if isOurs(of.getClass) && seen.add(of) => fieldsOf(of).map(bytes).sum
      case _                                        => 0L
    }
    bytes(root)
  }

  private def isOurs(of: Class[_]) = of.getName.startsWith("org.streamon.core")

  private def fieldsOf(of: AnyRef): Seq[AnyRef] = for {
    owner <- Iterator.iterate[Class[_]](of.getClass)(_.getSuperclass).takeWhile(isOurs).toSeq
    field <- owner.getDeclaredFields
    if !field.getType.isPrimitive && !Modifier.isStatic(field.getModifiers)
  } yield {
    field.setAccessible(true)
    field.get(of)
  }

  private val rows = 100000
  private val many = Array.tabulate(rows)(_.toLong)

  private def clustering() = {
    val monitor = new ClusteringMonitor(settings)
    (monitor, (keys: Array[Long]) => monitor.observe(keys, keys.length, keys.length.toLong))
  }

  private def joinDistance() = {
    val monitor = new JoinDistanceMonitor(settings)
    val bring = (keys: Array[Long]) => {
      monitor.observeChildren(keys.map(-_), keys.length, keys.length.toLong)
      keys.foreach(monitor.parentWaits)
    }
    (monitor, bring)
  }

  for ((name, made) <- Seq("clustering" -> clustering _, "a join distance" -> joinDistance _))
    test(
      s"$name: after a burst and the horizon the arrays are small again, and what is told is what they take"
    ) {
      val (monitor, bring) = made()
      def brings(keys: Array[Long]): Long = {
        bring(keys)
        monitor.close(_ => true)
        assert(monitor.memoryBytes == arraysOf(monitor))
        monitor.memoryBytes
      }
      val before = brings(many.take(100))
      assert(brings(many.map(_ + 1000)) > 40L * rows)
      val after = (1 to 30).map(batch => brings(many.take(10).map(_ + rows + 1000 + 10 * batch))).last
      assert(after <= 4 * before, s"$before before, $after after")
    }

  test("a heap that is emptied gives its arrays back, and keeps what a number is worth") {
    val heap = new LongHeap
    many.foreach(key => heap.push(key * 7919 % rows, key.toInt))
    assert(heap.memoryBytes >= heap.bytes && heap.bytes == 12L * rows)
    for (left <- rows - 1 to 100 by -1) {
      assert(heap.least == rows - 1 - left)
      assert(heap.pop() * 7919L % rows == rows - 1 - left)
    }
    assert(heap.memoryBytes == arraysOf(heap) && heap.memoryBytes <= 4 * heap.bytes)
    heap.compact((key, _) => key % 2 == 0)
    assert(heap.size == 50)
    heap.clear()
    assert(heap.least == Long.MaxValue && heap.memoryBytes < 1000)
  }

  test("what a join keeps between micro-batches is counted, and small after one of many rows") {
    val keys = new JoinKeys(Array(Array(0), Array(0)), Array(true), Array(false))
    val all = MonitoredConstraint.all(keys, Nil, settings)
    val monitors = new ConstraintMonitors(keys, all, ConstraintMode.Exact, detect = true)
    val join = new LongRows(keys)
    def bring(from: Int, until: Int): Long = {
      val executor = new ConstraintExecutor(keys, monitors, join, (_, _) => true, (_, _) => ())
      for (key <- from until until; input <- 0 to 1) executor.rowArrived(input, 0, key.toLong)
      executor.measure(Nil)
      executor.collect()
      (from until until).foreach(key => monitors.isGone(0, key.toLong))
      monitors.release(join)
      assert(monitors.memoryBytes == arraysOf(monitors) - arraysOf(keys))
      monitors.memoryBytes
    }
    val before = bring(0, 100)
    bring(100, rows)
    val after = (0 until 30).map(batch => bring(rows + 10 * batch, rows + 10 * batch + 10)).last
    assert(after <= 4 * before, s"$before before, $after after")
  }
}

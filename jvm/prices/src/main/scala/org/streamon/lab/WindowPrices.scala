package org.streamon.lab

import java.util.SplittableRandom
import java.util.concurrent.TimeUnit
import org.openjdk.jmh.annotations._
import org.streamon.core.joins.{Equality, JoinGraph, Probe}
import org.streamon.lab.baselines.InMemorySynopses

/** What a look-up in the lab's windows costs, and a row of those that it goes over. */
@State(Scope.Thread)
@BenchmarkMode(Array(Mode.AverageTime))
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = Array("-XX:+UseSerialGC"))
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
class WindowPrices {

  /** Keys that the window holds. */
  @Param(Array("200", "100000"))
  var keys: Int = 0

  /** Rows of a key. */
  @Param(Array("0", "1", "8"))
  var rows: Int = 0

  private val joined = new Array[Long](2)
  private var slots: Array[Long] = _
  private var probe: Probe = _
  private var at = 0

  @Setup
  def fill(): Unit = {
    val random = new SplittableRandom(1)
    val synopses = new InMemorySynopses(new JoinGraph(2, Seq(Equality(0, 0, 1, 0))))
    slots = Array.fill(1 << 16)(synopses(0).store(Vector(random.nextInt(keys))).toLong)
    probe = synopses.probe(1, 1L, Array(0))
    // Without rows of the keys that are looked up others are there.
    val shift = if (rows == 0) keys else 0
    for (_ <- 0 until math.max(rows, 1); key <- 0 until keys)
      synopses(1).enter(synopses(1).store(Vector(key + shift)))
  }

  @Benchmark
  def lookUp(): Long = {
    at = (at + 1) & (slots.length - 1)
    joined(0) = slots(at)
    var sum = 0L
    var row = probe.first(joined)
    while (row != Probe.NoRow) {
      sum += row
      row = probe.next(row, joined)
    }
    sum
  }
}

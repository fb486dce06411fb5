package org.streamon.spark.execution.state

import java.util.UUID

import org.apache.hadoop.conf.Configuration
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite

class StoreHadoopConfSuite extends AnyFunSuite with SparkSuite {
  private def conf(entries: (String, String)*): Configuration = {
    val conf = new Configuration(false)
    entries.foreach { case (key, value) => conf.set(key, value) }
    conf
  }

  private def sent(run: UUID, entries: (String, String)*) =
    StoreHadoopConf.broadcast(spark.sparkContext, run, conf(entries: _*))

  test("a run sends it once, and again when an entry is another") {
    val (run, other) = (UUID.randomUUID, UUID.randomUUID)
    val first = sent(run, "a" -> "1", "b" -> "2")
    assert(first.value.value.get("b") == "2")
    assert(sent(run, "b" -> "2", "a" -> "1") eq first)
    assert(sent(other, "a" -> "1", "b" -> "2") ne first)
    val changed = sent(run, "a" -> "1", "b" -> "3")
    assert(changed.value.value.get("b") == "3")
    assert(sent(run, "a" -> "1", "b" -> "3") eq changed)
    assert(sent(run, "a" -> "1") ne changed)
  }

  test("it is kept for a bounded number of runs") {
    val run = UUID.randomUUID
    val first = sent(run, "a" -> "1")
    for (_ <- 1 to 32) sent(UUID.randomUUID, "a" -> "1")
    assert(sent(run, "a" -> "1") ne first)
  }
}

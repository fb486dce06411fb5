package org.streamon.spark

import java.io.{ByteArrayOutputStream, ObjectOutputStream}

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.metrics.Reports

/** What tasks tell arrives at the driver, and what the driver knows does not go to the tasks. */
class ReportsSuite extends AnyFunSuite with SparkSuite {

  test("each task tells once, and only the driver delivers") {
    val heard = new java.util.concurrent.ConcurrentLinkedQueue[(String, Int)]
    val text = "known to the driver"
    val reports = new Reports[Int](number => { heard.add(text -> number); () })
    spark.sparkContext.register(reports)
    spark.sparkContext.parallelize(0 until 4, 4).foreach(number => reports.add(number))
    assert(heard.toArray.toSet == (0 until 4).map(text -> _).toSet && heard.size == 4)
  }

  test("what is sent to a task has no text of the driver") {
    val text = "known to the driver"
    val reports = new Reports[Int](_ => println(text))
    spark.sparkContext.register(reports)
    val bytes = new ByteArrayOutputStream
    new ObjectOutputStream(bytes).writeObject(reports)
    assert(!bytes.toString("ISO-8859-1").contains(text))
  }
}

package org.streamon.spark.inspection

import java.nio.file.Path

import org.apache.spark.sql.{AnalysisException, DataFrame}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.runtime.MemoryStream
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.{InFolder, SparkSuite}

/** Of which queries the table functions tell. */
class TableFunctionSuite extends AnyFunSuite with SparkSuite with InFolder {
  private lazy val session = spark
  import session.implicits._

  /** A filter that adapts, and that tells itself from others by its literal. */
  private def filtered(literal: String, rows: Int = 1000): String =
    s"SELECT /*+ ADAPTIVE_FILTER */ id FROM range(0, $rows, 1, 1) " +
      s"WHERE CAST(id AS STRING) NOT LIKE '%$literal%' AND id % 10 = 7"

  private def read(call: String, in: SparkSession = spark): Seq[String] =
    in.sql(s"SELECT * FROM $call").collect().map(_.toString).toSeq

  private def tells(rows: Seq[String], literal: String): Boolean = rows.exists(_.contains(literal))

  test("without an argument they tell of the queries of the session, with an id of one of any session") {
    val other = spark.newSession()
    spark.sql(filtered("first one")).collect()
    other.sql(filtered("second one")).collect()
    assert(tells(read("streamon_stats()"), "first one") && !tells(read("streamon_stats()"), "second one"))
    assert(
      !tells(read("streamon_stats()", other), "first one") && tells(
        read("streamon_stats()", other),
        "second one"
      )
    )
    val id = other
      .sql("SELECT max_by(query, conjunct LIKE '%second one%') FROM streamon_stats()")
      .head()
      .getString(0)
    assert(
      tells(read(s"streamon_stats('$id')"), "second one") && !tells(
        read(s"streamon_stats('$id')"),
        "first one"
      )
    )
    assert(read("streamon_stats('no-such-query')").isEmpty)
  }

  test("with a table they tell of what has executed its plan: by itself, counted, and written") {
    def executions(of: DataFrame) = {
      of.createOrReplaceTempView("v")
      spark.sql("SELECT DISTINCT query FROM streamon_stats(TABLE(v))").count()
    }
    val (frame, other) = (spark.sql(filtered("mine")), spark.sql(filtered("other")))
    assert(executions(frame) == 0)
    other.collect()
    assert(executions(frame) == 0)
    frame.collect()
    assert(executions(frame) == 1)
    frame.count()
    assert(executions(frame) == 2)
    inFolder(folder => frame.write.parquet(folder.resolve("out").toString))
    assert(executions(frame) == 3)
    assert(executions(frame.where("id > 5")) == 0)
    assert(executions(other) == 1)
  }

  test("a query may stand in the place of a table") {
    val sql = filtered("in parentheses")
    spark.sql(sql).collect()
    assert(tells(read(s"streamon_stats(TABLE($sql))"), "in parentheses"))
    assert(tells(read(s"streamon_explain(TABLE($sql))"), "in parentheses"))
  }

  test("a plan is told of though it has not run, and of a query when it has") {
    val sql = "SELECT id FROM range(10) WHERE id % 2 = 0 AND id % 3 = 0"
    spark.sql(sql).createOrReplaceTempView("cheap")
    assert(codes("streamon_why_not(TABLE(cheap))") == Seq((null, "NOTHING_EXPENSIVE")))
    assert(read("streamon_explain(TABLE(cheap))").isEmpty)
    val before = codes("streamon_why_not()").size
    spark.sql(sql).collect()
    val (id, code) = codes("streamon_why_not()").last
    assert(codes("streamon_why_not()").size == before + 1 && code == "NOTHING_EXPENSIVE")
    assert(codes(s"streamon_why_not('$id')") == Seq((id, "NOTHING_EXPENSIVE")))
  }

  test("a plan is not executed by being told of") {
    spark.sql(filtered("planned only")).createOrReplaceTempView("planned")
    read("streamon_why_not(TABLE(planned))")
    read("streamon_explain(TABLE(planned))")
    assert(read("streamon_stats(TABLE(planned))").isEmpty)
  }

  test("a filter that has not adapted when it ran is told of with its plan") {
    withConf("spark.sql.codegen.hugeMethodLimit" -> "1") {
      val frame = spark.sql(filtered("fell back", 2000))
      frame.createOrReplaceTempView("fell")
      assert(codes("streamon_why_not(TABLE(fell))").isEmpty)
      frame.collect()
      assert(codes("streamon_why_not(TABLE(fell))") == Seq((null, "CODEGEN_FELL_BACK")))
      // Python makes a view of a frame in each call, which is an execution of its own.
      frame.createOrReplaceTempView("fell")
      assert(codes("streamon_why_not(TABLE(fell))") == Seq((null, "CODEGEN_FELL_BACK")))
    }
  }

  test(
    "a stream is found by its id, by its frame, and in the session that started it, when it has ended too"
  ) {
    val stream = MemoryStream[Int](session)
    val frame = stream
      .toDF()
      .where("CAST(value AS STRING) NOT LIKE '%of a stream%' AND value % 10 = 7")
      .hint("adaptive_filter")
    frame.createOrReplaceTempView("s")
    assert(read("streamon_explain(TABLE(s))").size == 1)
    inFolder { checkpoint =>
      stream.addData(0 until 1000: _*)
      val query = frame.writeStream.format("noop").option("checkpointLocation", checkpoint.toString).start()
      try query.processAllAvailable()
      finally query.stop()
      for (call <- Seq("()", s"('${query.id}')", "(TABLE(s))"))
        assert(tells(read(s"streamon_stats$call"), "of a stream"), call)
      for (call <- Seq("()", s"('${query.id}')"))
        assert(
          tells(read(s"streamon_explain$call").filter(_.contains(query.id.toString)), "of a stream"),
          call
        )
      assert(!tells(read("streamon_stats()", spark.newSession()), "of a stream"))
    }
  }

  test("a stream that is started again belongs to the session and has the plan of its latest start") {
    val other = spark.newSession()
    val stream = MemoryStream[Int](session)
    def run(in: SparkSession, literal: String, folder: Path): String = {
      stream.addData(0 until 1000: _*)
      stream.toDF().createOrReplaceGlobalTempView("started_again")
      val frame = in.sql(
        "SELECT /*+ ADAPTIVE_FILTER */ * FROM global_temp.started_again " +
          s"WHERE CAST(value AS STRING) NOT LIKE '%$literal%' AND value % 10 = 7"
      )
      frame.createOrReplaceTempView("of_run")
      val query = frame.writeStream.format("noop").option("checkpointLocation", folder.toString).start()
      try query.processAllAvailable()
      finally query.stop()
      query.id.toString
    }
    inFolder { checkpoint =>
      val id = run(spark, "first run", checkpoint)
      assert(tells(read(s"streamon_explain('$id')"), "first run"))
      assert(tells(read("streamon_stats(TABLE(of_run))"), "first run"))
      assert(run(other, "second run", checkpoint) == id)
      for (call <- Seq("streamon_explain()", s"streamon_explain('$id')", "streamon_stats(TABLE(of_run))"))
        assert(tells(read(call, other), "second run"), call)
      assert(!tells(read("streamon_explain()"), id) && read("streamon_stats(TABLE(of_run))").isEmpty)
    }
  }

  test("the reason of a join is that of the session that ran it") {
    val other = spark.newSession()
    other.conf.set("spark.streamon.join.enabled", "true")
    other.conf.unset("spark.sql.streaming.stateStore.providerClass")
    val streams = Seq("a", "b", "c").map { name =>
      val stream = MemoryStream[Int](session)
      stream.addData(1)
      stream.toDF().toDF("k").createOrReplaceGlobalTempView(s"reason_$name")
      s"global_temp.reason_$name"
    }
    val joined =
      other.sql(s"SELECT * FROM ${streams(0)} JOIN ${streams(1)} USING (k) JOIN ${streams(2)} USING (k)")
    inFolder { checkpoint =>
      val query = joined.writeStream.format("noop").option("checkpointLocation", checkpoint.toString).start()
      try query.processAllAvailable()
      finally query.stop()
      val found = other.sql(s"SELECT DISTINCT code FROM streamon_why_not('${query.id}')")
      val codes = found.as[String].collect()
      assert(codes.contains("NO_COLUMN_FAMILIES") && !codes.contains("NO_MJOIN_HINT"), codes.toSeq)
    }
  }

  test("a session that is switched off leaves no trace") {
    withConf("spark.streamon.enabled" -> "false")(spark.sql(filtered("switched off")).collect())
    for (call <- Seq("stats", "why_not", "explain"))
      assert(!tells(read(s"streamon_$call()"), "switched off"))
  }

  test("other arguments are an error that says what is allowed") {
    for (arguments <- Seq("1", "'a', 'b'", "NULL", "TABLE(SELECT 1), 'a'")) {
      val error = intercept[AnalysisException](read(s"streamon_stats($arguments)"))
      assert(error.getCondition == "STREAMON_TABLE_FUNCTION_ARGUMENTS", arguments)
      assert(error.getMessage.contains("Allowed: no argument"), arguments)
    }
  }

  private def codes(call: String): Seq[(String, String)] =
    spark.sql(s"SELECT query, code FROM $call").as[(String, String)].collect().toSeq
}

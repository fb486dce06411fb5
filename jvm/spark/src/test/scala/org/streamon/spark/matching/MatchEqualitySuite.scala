package org.streamon.spark.matching

import scala.util.{Failure, Success, Try}

import org.apache.spark.sql.DataFrame
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.Replay
import org.streamon.spark.equality.{RandomTable, SeededTrials}
import org.streamon.tags.Prove

/** Rules 1 and 2 of the design by generation: `streamon_match` finds what each rule alone finds in stock
  * Spark, and raises no error that none of them raises. `-Dstreamon.seed=N` replays the trial of seed N and
  * goes on from there.
  */
class MatchEqualitySuite extends AnyFunSuite with SeededTrials {
  private lazy val session = spark
  import session.implicits._

  private var tried, matches, raising = 0

  test("generated rules hold of the rows for which each alone holds in stock Spark") {
    trials(Replay.seed.getOrElse(1L), 12)
    info(s"$tried trials, $matches matches, $raising rules that raise")
    assert(matches > 100 * tried && raising > 0)
  }

  test("many more of them", Prove) {
    trials(Replay.seed.getOrElse(System.nanoTime()), 300)
  }

  override protected def trial(seed: Long): Unit = {
    val cases = for {
      table <- RandomTable.gen(120)
      // Few rules have bounds in common.
      computes <- Gen.oneOf(true, false)
      condition = new RandomRules(table).condition
      rules <- Gen
        .frequency(1 -> Gen.choose(1, 3), 2 -> Gen.choose(4, 70))
        .flatMap(Gen.listOfN(_, if (computes) overComputed(condition) else condition))
      partitions <- Gen.choose(1, 3)
      // Without generated code Spark computes all columns of all rows. No rule can guard one then.
      interpreted = Option.when(!computes)("spark.sql.codegen.wholeStage" -> "false")
      confs <- Gen.someOf(
        Seq("spark.streamon.match.memory" -> "200k", "spark.sql.ansi.enabled" -> "false") ++ interpreted
      )
    } yield (
      table,
      computes,
      rules.zipWithIndex.map { case (c, k) => f"r$k%03d" -> c },
      partitions,
      confs.toSeq
    )
    val (table, computes, rules, partitions, confs) = SeededTrials.generated(cases, seed)
    def clue = s"-Dstreamon.seed=$seed replays it\n${table.schema.toDDL}\n$confs"

    withConf(confs: _*) {
      val frame = spark.createDataFrame(spark.sparkContext.parallelize(table.rows, partitions), table.schema)
      val columns = if (computes) Seq("*", "id % 3 AS third", "10 DIV (id % 3) AS q") else Seq("*")
      frame.selectExpr(columns: _*).createOrReplaceTempView("t")
      val expected = rules.map { case (rule, condition) => (rule, condition, alone(condition)) }
      val fine = expected.collect { case (rule, condition, Success(ids)) => (rule, condition, ids) }
      val wrong = expected.collect { case (_, _, Failure(error)) => kindOf(error) }
      tried += 1
      raising += wrong.size
      if (fine.nonEmpty) {
        val found = matched(fine.map(f => f._1 -> f._2))
        for ((rule, condition, ids) <- fine) {
          matches += ids.size
          assert(found.getOrElse(rule, Nil) == ids, s"\n$rule: $condition\n$clue")
        }
      }
      // With those that raise: an error of theirs, or the rows.
      if (wrong.nonEmpty) Try(matched(rules)) match {
        case Failure(error) =>
          val conditions = expected.collect { case (_, condition, Failure(_)) => condition }
          assert(wrong.contains(kindOf(error)) || kindsByRow(table, conditions).contains(kindOf(error)), clue)
        case Success(found) =>
          for ((rule, condition, ids) <- fine)
            assert(found.getOrElse(rule, Nil) == ids, s"\n$rule: $condition\n$clue")
      }
    }
  }

  /** With conditions on a column whose computation raises an error for every third row, most of them guarded.
    */
  private def overComputed(condition: Gen[String]): Gen[String] = {
    val value = Gen.choose(0, 11)
    Gen.frequency(
      6 -> condition,
      1 -> Gen.zip(condition, value).map { case (c, v) => s"third <> 0 AND q > $v AND ($c)" },
      1 -> Gen.zip(condition, value).map { case (c, v) => s"($c) AND third > 0 AND q = $v" },
      1 -> value.map(v => s"CASE WHEN third = 0 THEN 0 ELSE q END > $v"),
      1 -> value.map(v => s"coalesce(third, q) < $v"),
      1 -> Gen.zip(condition, value).map { case (c, v) => s"third < 0 AND q > $v AND ($c)" }
    )
  }

  /** The rows for which a condition holds in stock Spark. */
  private def alone(condition: String): Try[Seq[Long]] = Try(
    withConf("spark.streamon.enabled" -> "false")(idsOf(spark.sql(s"SELECT id FROM t WHERE (($condition))")))
  )

  private def matched(rules: Seq[(String, String)]): Map[String, Seq[Long]] = {
    rules.toDF("rule", "condition").createOrReplaceTempView("rules")
    spark
      .sql("SELECT rule, id FROM streamon_match(TABLE(t), TABLE(rules), 'exploded')")
      .as[(String, Long)]
      .collect()
      .toSeq
      .groupMap(_._1)(_._2)
      .transform((_, ids) => ids.sorted)
  }

  /** The errors that conditions raise in stock Spark for a row alone. For all rows the first of them counts.
    */
  private def kindsByRow(table: RandomTable, conditions: Seq[String]): Set[String] = {
    val found =
      for (condition <- conditions; id <- table.rows.indices)
        yield alone(s"id = $id AND ($condition)").failed.toOption.map(kindOf)
    found.flatten.toSet
  }

  private def idsOf(frame: DataFrame): Seq[Long] = frame.as[Long].collect().toSeq.sorted

  /** The class of an error, and Spark's class of it. */
  private def kindOf(error: Throwable): String = {
    val root = Iterator.iterate(error)(_.getCause).takeWhile(_ != null).toSeq.last
    // Without the value, since rows come in another order.
    s"${root.getClass.getName} ${"^\\[\\w+".r.findFirstIn(s"${root.getMessage}").getOrElse("")}"
  }
}

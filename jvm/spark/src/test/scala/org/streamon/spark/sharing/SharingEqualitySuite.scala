package org.streamon.spark.sharing

import scala.util.Try

import org.apache.spark.sql.types._
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.Replay
import org.streamon.spark.equality.{Outcome, RandomTable, SeededTrials}
import org.streamon.spark.matching.RandomRules
import org.streamon.tags.Prove

/** Rules 1 and 2 of the design by generation: queries whose conditions are shared have the rows of stock
  * Spark, and raise errors only where stock Spark does. `-Dstreamon.seed=N` replays the trial of seed N and
  * goes on from there.
  */
class SharingEqualitySuite extends AnyFunSuite with SeededTrials with SharedQueries {
  private var queries, sharing, raising = 0

  test("generated conditions in queries of each form") {
    trials(Replay.seed.getOrElse(1L), 8)
    info(s"$queries queries, $sharing of them share, $raising raise")
    assert(sharing > queries / 2 && raising > 0 && raising < queries / 2)
  }

  test("many more of them", Prove) {
    trials(Replay.seed.getOrElse(System.nanoTime()), 250)
  }

  override protected def trial(seed: Long): Unit = {
    val cases = for {
      size <- Gen.oneOf(0, 60, 60, 60)
      full <- RandomTable.gen(60)
      table = full.copy(rows = full.rows.take(size))
      conditions <- Gen.choose(3, 9).flatMap(Gen.listOfN(_, condition(full)))
      queries <- Gen.sequence[List[String], String](new Forms(full, conditions).all)
      partitions <- Gen.choose(1, 3)
      confs <- Gen.someOf(
        "spark.sql.codegen.wholeStage" -> "false",
        "spark.sql.codegen.factoryMode" -> "NO_CODEGEN",
        "spark.sql.ansi.enabled" -> "false"
      )
    } yield (table, queries, partitions, confs.toSeq)
    val (table, queries, partitions, confs) = SeededTrials.generated(cases, seed)

    withConf(confs: _*) {
      spark
        .createDataFrame(spark.sparkContext.parallelize(table.rows, partitions), table.schema)
        .createOrReplaceTempView("t")
      queries.foreach(query =>
        compare(query, s"-Dstreamon.seed=$seed replays it\n${table.schema.toDDL}\n$confs")
      )
    }
  }

  /** Some guard an error, and some raise it. */
  private def condition(table: RandomTable): Gen[String] = Gen.frequency(
    14 -> new RandomRules(table).condition,
    2 -> Gen.oneOf("id % 3 <> 0 AND 10 / (id % 3) > 7", "id > 7 AND 7 DIV (id - 5) = 1"),
    1 -> Gen.const("7 DIV (id - 5) = 1")
  )

  private def compare(query: String, clue: String): Unit = {
    val stock = withConf("spark.streamon.enabled" -> "false")(Outcome.of(spark.sql(query)))
    // The optimizer may raise an error of the query.
    val (ours, plan) = sharing(2) {
      val frame = spark.sql(query)
      (Outcome.of(frame), Try(frame.queryExecution.optimizedPlan))
    }
    queries += 1
    if (plan.toOption.exists(matchesOf(_).nonEmpty)) sharing += 1
    stock match {
      case Outcome.Rows(_)   => assert(ours == stock, s"$clue\n$query\n$plan")
      case Outcome.Raised(_) => raising += 1
    }
  }

  /** Queries with the conditions. */
  private final class Forms(table: RandomTable, written: Seq[String]) {
    // As a filter NULL has no type.
    private val conditions = written.map(c => if (c == "(NULL)") "CAST(NULL AS BOOLEAN)" else c)
    private val columns = table.schema.fields.toSeq.map(f => f.name -> f.dataType)
    private def of(ofType: DataType => Boolean) = columns.collect { case (name, t) if ofType(t) => name }
    private val numbers = of {
      case FloatType | DoubleType => false
      case t                      => t.isInstanceOf[NumericType]
    }
    // Stock Spark, interpreted, keeps the min and max of collated texts without a copy, so it gives those of
    // other rows.
    private val ordered = of {
      case _: ArrayType | _: MapType | _: StructType => false
      case text: StringType                          => text == StringType
      case _                                         => true
    }
    private val keys = of(t => !t.isInstanceOf[MapType])

    def all: List[Gen[String]] = List(
      union,
      aggregatedUnion(grouped = false),
      aggregatedUnion(grouped = true),
      aggregates(grouped = false),
      aggregates(grouped = true),
      arrays
    )

    private def union: Gen[String] = for {
      read <- Gen.someOf(columns.map(_._1)).map("id" +: _.filter(_ != "id").toSeq)
      odd <- Gen.choose(0, 2)
    } yield conditions.zipWithIndex
      .map { case (c, k) =>
        s"SELECT '$k' AS rule, ${if (k < odd) "NULL" else k} AS n, ${read.mkString(", ")} FROM t WHERE ($c)"
      }
      .mkString(" UNION ALL ")

    private def aggregatedUnion(grouped: Boolean): Gen[String] = for {
      number <- Gen.oneOf(numbers)
      value <- Gen.oneOf(ordered)
      counted <- Gen.oneOf(columns.map(_._1))
      list <- Gen.someOf(
        "count(*)",
        s"count($counted)",
        "sum(7 DIV (id - 3))",
        s"sum(CAST($number AS DECIMAL(38, 10)))",
        s"min($value)",
        s"coalesce(CAST(max($value) AS STRING), '-') AS greatest",
        "sum(id) FILTER (WHERE id % 2 = 0)"
      )
      key <- Gen.oneOf(Gen.oneOf(keys), Gen.const("id % 5"))
      having <- Gen.oneOf[Int => String](
        (_: Int) => "",
        (k: Int) => s" HAVING count(id) > $k",
        (k: Int) => s" HAVING max($value) IS NOT NULL OR sum(id) <= ${10 * k}"
      )
      above <- Gen.oneOf("*", "*, 10 DIV n AS q")
    } yield {
      val own = if (grouped) Seq(s"$key AS key", "id % 2") else Nil
      val by = if (grouped) s" GROUP BY $key, id % 2" else ""
      branches(conditions) { (c, k) =>
        val all = (s"'$k' AS rule" +: own :+ "count(id) AS n").concat(list).mkString(", ")
        val guard = if (above == "*") "" else " WHERE n <> 0"
        s"SELECT $above FROM (SELECT $all FROM t WHERE ($c)$by${having(k)})$guard"
      }
    }

    private def aggregate(c: String): Gen[String] = for {
      number <- Gen.oneOf(numbers)
      value <- Gen.oneOf(ordered)
      form <- Gen.oneOf(
        s"count_if($c)",
        s"count(CASE WHEN $c THEN $value END)",
        s"count($value) FILTER (WHERE $c)",
        s"try_sum(CASE WHEN $c THEN 1 ELSE 0 END)",
        s"sum(CASE WHEN $c THEN id END)",
        s"sum(CASE WHEN $c THEN id % 7 ELSE 0 END)",
        s"sum(IF($c, CAST($number AS DECIMAL(38, 10)), NULL))",
        s"sum(CASE WHEN $c THEN CAST($number AS DECIMAL(30, 2)) ELSE 0 END)",
        s"min(CASE WHEN $c THEN $value END)",
        s"max($value) FILTER (WHERE $c)"
      )
    } yield form

    private def aggregates(grouped: Boolean): Gen[String] = for {
      of <- Gen.sequence[List[String], String](conditions.map(aggregate))
      all <- Gen.oneOf(Nil, Nil, List("count(*)"), List("sum(id)", "min(id)"))
      key <- Gen.oneOf(Gen.oneOf(keys), Gen.const("id % 5"))
    } yield {
      val list = (of ++ all).zipWithIndex.map { case (a, k) => s"$a AS a$k" }
      if (grouped) s"SELECT $key AS key, ${list.mkString(", ")} FROM t GROUP BY $key"
      else s"SELECT ${list.mkString(", ")} FROM t"
    }

    private def arrays: Gen[String] = for {
      form <- Gen.choose(0, 2)
      where <- Gen.oneOf(
        "true",
        "size(rules) > 0",
        "id > 5 AND size(rules) >= 1",
        "array_contains(rules, 'r1')"
      )
    } yield {
      def cases(other: String) = conditions.zipWithIndex
        .map { case (c, k) => s"CASE WHEN $c THEN 'r${k % 4}'$other END" }
        .mkString("array(", ", ", ")")
      val array = form match {
        case 0 => s"filter(${cases("")}, r -> r IS NOT NULL)"
        case 1 => s"array_compact(${cases("")})"
        case _ => s"array_remove(${cases(" ELSE ''")}, '')"
      }
      s"SELECT * FROM (SELECT id, $array AS rules FROM t) WHERE $where"
    }
  }
}

package org.streamon.spark.equality

import org.scalacheck.Gen

/** One comparison: a table, how it is stored, a conjunction, the query around it, and the settings of Spark.
  *
  * @param partitions
  *   of the table
  */
final case class Trial(
    seed: Long,
    table: RandomTable,
    source: Source,
    partitions: Int,
    conjuncts: Seq[String],
    shape: Shape,
    confs: Seq[(String, String)]
) {
  def condition: String = conjuncts.map(c => s"($c)").mkString(" AND ")

  def query: String = shape.query(table, condition)

  /** Without the conjuncts that are not deterministic. */
  def deterministic: Trial = copy(conjuncts = conjuncts.filter(RandomConjuncts.isDeterministic))

  def isDeterministic: Boolean = conjuncts.forall(RandomConjuncts.isDeterministic)

  override def toString: String =
    s"""-Dstreamon.seed=$seed replays it
       |${table.schema.toDDL}
       |${query}
       |$source, $partitions partitions, ${confs.map { case (k, v) => s"$k=$v" }.mkString(" ")}""".stripMargin
}

object Trial {
  private val RowCount = 160

  /** The trial that a seed stands for. */
  def apply(seed: Long): Trial =
    SeededTrials.generated(gen(seed), seed)

  private def gen(seed: Long): Gen[Trial] = for {
    table <- RandomTable.gen(RowCount)
    n <- RandomConjuncts.size
    conjuncts <- new RandomConjuncts(table).conjunction(n)
    source <- Gen.oneOf(Source.all)
    partitions <- Gen.oneOf(1, 2)
    shape <- Gen.oneOf(Shape.all)
    ansi <- Gen.frequency(3 -> true, 1 -> false)
    wholeStage <- Gen.frequency(2 -> true, 1 -> false)
    factory <- Gen.oneOf("FALLBACK", "NO_CODEGEN")
    aqe <- Gen.oneOf(true, false)
  } yield Trial(
    seed,
    table,
    source,
    partitions,
    conjuncts,
    shape,
    Seq(
      "spark.sql.ansi.enabled" -> ansi.toString,
      "spark.sql.codegen.wholeStage" -> wholeStage.toString,
      "spark.sql.codegen.factoryMode" -> factory,
      "spark.sql.adaptive.enabled" -> aqe.toString
    )
  )
}

/** A query around a conjunction. Its rows depend on the rows of the table that pass, and on nothing else. */
sealed abstract class Shape {

  /** @param table
    *   stored as `t`
    */
  def query(table: RandomTable, condition: String): String
}

object Shape {
  case object Plain extends Shape {
    def query(table: RandomTable, condition: String): String = s"SELECT * FROM t WHERE $condition"
  }

  case object BelowAggregate extends Shape {
    def query(table: RandomTable, condition: String): String =
      s"SELECT id % 4, count(*), sum(id), max(id) FROM t WHERE $condition GROUP BY id % 4"
  }

  case object AboveAggregate extends Shape {
    def query(table: RandomTable, condition: String): String = {
      val columns = table.schema.fieldNames.tail.map(c => s"first($c) AS $c").mkString(", ")
      s"SELECT * FROM (SELECT id, $columns FROM t GROUP BY id) t WHERE $condition"
    }
  }

  case object InJoin extends Shape {
    def query(table: RandomTable, condition: String): String =
      s"SELECT t.*, e.w FROM t JOIN dim e ON t.id = e.k WHERE $condition"
  }

  case object BelowOuterJoin extends Shape {
    def query(table: RandomTable, condition: String): String =
      s"SELECT t.id, e.w FROM (SELECT * FROM t WHERE $condition) t LEFT JOIN dim e ON t.id = e.w"
  }

  case object BelowLimit extends Shape {
    def query(table: RandomTable, condition: String): String =
      s"SELECT id FROM t WHERE $condition ORDER BY id LIMIT 7"
  }

  val all: Seq[Shape] = Seq(Plain, Plain, BelowAggregate, AboveAggregate, InJoin, BelowOuterJoin, BelowLimit)
}

/** How a table is stored. */
sealed trait Source

object Source {
  case object Rdd extends Source
  case object Local extends Source
  case object VectorizedParquet extends Source
  case object RowParquet extends Source
  case object Cached extends Source

  val all: Seq[Source] = Seq(Rdd, Local, VectorizedParquet, RowParquet, Cached)
}

package org.streamon.spark.equality

import java.nio.file.Files

import scala.jdk.CollectionConverters._

import org.apache.spark.network.util.JavaUtils
import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.apache.spark.sql.types.StructType

/** Where trials run: the functions and the table `dim` that random conjuncts use, and the tables of trials.
  */
final class Sandbox(spark: SparkSession) {
  private val folder = Files.createTempDirectory("streamon-equality").toFile
  private var files = 0

  spark.udf.register("calm", (s: String) => if (s == null) 0 else math.abs(s.hashCode % 1000))
  spark.udf.register("strict_length", (s: String) => s.length)
  spark.udf.register(
    "picky",
    (i: Long) => if (i < 0) throw new IllegalArgumentException(s"$i is negative") else i
  )
  spark.range(60).selectExpr("id * 3 AS k", "cast(id % 7 AS INT) AS w").createOrReplaceTempView("dim")

  /** Stores the table of a trial under the name `t`, hands it to `body`, and clears it away. */
  def withTable[T](trial: Trial)(body: => T): T = {
    val frame = stored(trial)
    frame.createOrReplaceTempView("t")
    try body
    finally {
      spark.catalog.dropTempView("t")
      if (trial.source == Source.Cached) frame.unpersist(blocking = true)
    }
  }

  /** The table with each row in a partition of its own, in order. All columns are nullable, else Spark may
    * know that a condition such as `c IS NULL` never holds, and plan no partition.
    */
  def rowByRow(table: RandomTable): DataFrame = spark.createDataFrame(
    spark.sparkContext.parallelize(table.rows, table.rows.size),
    StructType(table.schema.map(_.copy(nullable = true)))
  )

  def close(): Unit = JavaUtils.deleteRecursively(folder)

  private def stored(trial: Trial): DataFrame = {
    def rdd = spark.sparkContext.parallelize(trial.table.rows, trial.partitions)
    def frame = spark.createDataFrame(rdd, trial.table.schema)
    trial.source match {
      case Source.Rdd    => frame
      case Source.Cached => frame.cache()
      case Source.Local  => spark.createDataFrame(trial.table.rows.asJava, trial.table.schema)
      case Source.VectorizedParquet | Source.RowParquet =>
        files += 1
        val path = s"$folder/$files"
        frame.write.parquet(path)
        spark.read.schema(trial.table.schema).parquet(path)
    }
  }
}

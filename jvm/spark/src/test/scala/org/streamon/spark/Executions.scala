package org.streamon.spark

import org.apache.spark.sql.SparkSession

/** The batch executions of which a session has counts. */
object Executions {

  /** The latest, by its name in the tables. Queries that are streams have other names. */
  def latest(spark: SparkSession): String =
    spark
      .sql("""SELECT max_by(query, CAST(split_part(query, '-', 2) AS INT)) FROM streamon_stats()
             |WHERE query LIKE 'execution-%'""".stripMargin)
      .head()
      .getString(0)
}

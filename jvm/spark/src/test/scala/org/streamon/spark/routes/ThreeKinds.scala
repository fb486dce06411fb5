package org.streamon.spark.routes

import org.streamon.spark.SparkSuite

/** Rows of three kinds, by the column `kind`, of which another condition drops most of each. */
trait ThreeKinds { self: SparkSuite =>
  val kindsCount = 200000L

  /** A view of so many rows, in two partitions. `noise` says nothing of the kind. */
  lazy val kinds: String = {
    spark
      .range(0, kindsCount, 1, 2)
      .selectExpr(
        "id",
        "concat('a', id) s0",
        "concat('b', id) s1",
        "concat('c', id) s2",
        "case id % 3 when 0 then 'red' when 1 then 'green' else 'blue' end kind",
        "cast(id % 3 as int) number",
        "hash(id) noise"
      )
      .localCheckpoint()
      .createOrReplaceTempView("kinds")
    "kinds"
  }

  /** Of each kind another one of these drops nine tenths, and the others one tenth. */
  val kindsWhere: String = (0 until 3)
    .map(k => s"sha2(s$k, 256) < if(number = $k, '1a', 'e6')")
    .mkString(" and ")

  /** A hint under which much is learned. */
  def eager(algorithm: String): String =
    s"ADAPTIVE_FILTER('algorithm=$algorithm', 'profilingProbability=0.2', 'profilingBudget=1')"
}

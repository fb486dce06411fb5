package org.streamon.spark.suites

import org.apache.spark.sql.{DataFrameSuite, DynamicPartitionPruningV1SuiteAEOn, SQLQuerySuite, SubquerySuite}

class AdaptiveSubquerySuite extends SubquerySuite with EveryFilterAdaptive
class AdaptiveDataFrameSuite extends DataFrameSuite with EveryFilterAdaptive with Proof
class AdaptiveSQLQuerySuite extends SQLQuerySuite with EveryFilterAdaptive with Proof {
  override def failingOnStock: Map[String, String] = Map(
    "run sql directly on files" -> "it expects a Spark without Hive, and the jars of pyspark have it"
  )
}
class AdaptiveDynamicPartitionPruningV1SuiteAEOn
    extends DynamicPartitionPruningV1SuiteAEOn
    with EveryFilterAdaptive
    with Proof

package org.streamon.spark.suites

import org.apache.spark.sql.{ColumnExpressionSuite, DataFrameSuite, JoinSuite, SubquerySuite}
import org.apache.spark.sql.streaming.{FileStreamSourceSuite, StreamingQuerySuite}

class InterpretedColumnExpressionSuite extends ColumnExpressionSuite with EveryFilterAdaptive with Interpreted

class InterpretedSubquerySuite extends SubquerySuite with EveryFilterAdaptive with Interpreted with Proof {
  override def failingOnStock: Map[String, String] = Map(
    "SPARK-26893: Allow pushdown of partition pruning subquery filters to file source" -> needsGeneratedCode
  )
}

class InterpretedJoinSuite extends JoinSuite with EveryFilterAdaptive with Interpreted with Proof {
  override def failingOnStock: Map[String, String] = Map(
    "SPARK-32649: Optimize BHJ/SHJ inner/semi join with empty hashed relation" -> needsGeneratedCode
  )
}

class InterpretedDataFrameSuite extends DataFrameSuite with EveryFilterAdaptive with Interpreted with Proof {
  override def failingOnStock: Map[String, String] = Map(
    "SPARK-22520: support code generation for large CaseWhen" -> needsGeneratedCode,
    "SPARK-27439: Explain result should match collected result after view change" -> needsGeneratedCode
  )
}

class InterpretedFileStreamSourceSuite
    extends FileStreamSourceSuite
    with EveryFilterAdaptive
    with Interpreted
    with Proof

class InterpretedStreamingQuerySuite
    extends StreamingQuerySuite
    with EveryFilterAdaptive
    with Interpreted
    with Proof

package org.streamon.spark.inspection

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.util.DateTimeUtils.toJavaTimestamp
import org.apache.spark.sql.types.StructType
import org.streamon.spark.metrics.{ConstraintMonitor, ConstraintUse}

/** The rows of `streamon_constraints()`, `streamon_evictions()` and `streamon_constraint_history()`. */
private[inspection] object ConstraintTables {
  val constraintsSchema: StructType = StructType.fromDDL(
    "query STRING, operator STRING, mode STRING, constraint STRING, kind STRING, input STRING, referring_input STRING, " +
      "declared BOOLEAN, used BOOLEAN, k BIGINT, violations BIGINT, hint STRING, partitions INT"
  )

  val evictionsSchema: StructType = StructType.fromDDL(
    "query STRING, operator STRING, mode STRING, input INT, name STRING, rows BIGINT, bytes BIGINT, " +
      "dead_rows BIGINT, dead_bytes BIGINT, evicted_rows BIGINT, cold_rows BIGINT, violations BIGINT, missed DOUBLE, " +
      "missed_at_most DOUBLE, constraint_bytes BIGINT"
  )

  val historySchema: StructType = StructType.fromDDL(
    "time TIMESTAMP, query STRING, operator STRING, constraint STRING, k BIGINT, rows BIGINT, dead_rows BIGINT"
  )

  /** Of partitions that do not agree the worst counts, of those that know. */
  def constraints(owner: Option[String]): Seq[Row] = for {
    uses <- byOperator(owner)
    texts = uses.head.texts
    statuses = uses.flatMap(_.status)
    (c, at) <- texts.constraints.zipWithIndex
    k = statuses.flatMap(_.k(at)).maxOption
  } yield Row(
    uses.head.query,
    texts.operator,
    texts.mode,
    c.text,
    c.kind,
    texts.nameOf(c.of),
    c.referring.map(texts.nameOf).orNull,
    c.declared,
    statuses.exists(_.used(at)),
    k.orNull,
    statuses.map(_.violations(at)).sum,
    statuses.find(_.k(at) == k).filter(_.kept(at)).flatMap(_ => c.hint).flatMap(_.text(k)).orNull,
    uses.size
  )

  def evictions(owner: Option[String]): Seq[Row] = for {
    uses <- byOperator(owner)
    texts = uses.head.texts
    i <- texts.inputs.indices
    all = uses.map(_.inputs(i))
    missed = Missed.of(uses, i)
  } yield Row(
    uses.head.query,
    texts.operator,
    texts.mode,
    i,
    texts.inputs(i).orNull,
    all.map(_.rows).sum,
    all.map(_.bytes).sum,
    all.map(_.deadRows).sum,
    all.map(_.deadBytes).sum,
    all.map(_.evictedRows).sum,
    all.map(_.coldRows).sum,
    all.map(_.violations).sum,
    missed.map(_.estimate).orNull,
    missed.flatMap(_.atMost).orNull,
    uses.map(_.constraintBytes).sum
  )

  def history(owner: Option[String]): Seq[Row] = ConstraintMonitor.history(owner).map { p =>
    Row(toJavaTimestamp(p.timeMicros), p.query, p.operator, p.constraint, p.k.orNull, p.rows, p.deadRows)
  }

  /** Those that are in the mode of the newest: a query may have been started anew. */
  private def byOperator(owner: Option[String]): Seq[Seq[ConstraintUse]] =
    ConstraintMonitor.latest(owner).groupBy(u => (u.query, u.texts.operator)).values.toSeq.map { uses =>
      val mode = uses.maxBy(_.timeMicros).texts.mode
      uses.filter(_.texts.mode == mode)
    }

  /** Results that rows of an input are missing.
    *
    * @param atMost
    *   with 19 chances in 20; none where rows were read from the state store, of which nothing was retained
    */
  private final case class Missed(estimate: Double, atMost: Option[Double])

  private object Missed {
    def of(uses: Seq[ConstraintUse], input: Int): Option[Missed] = {
      val retention = uses.head.texts.retention
      val parts = uses.map(_.inputs(input).missed)
      Option.when(uses.head.texts.mode == "approximate" && retention > 0) {
        val nothingGone = uses.forall(_.inputs.forall(i => i.evictedRows == 0 && i.deadRows == 0))
        // Where partitions share keys they are right or wrong together.
        val bound =
          if (nothingGone) 0.0
          else if (uses.head.texts.sharesKeys) parts.map(_.atMost(retention)).sum
          else parts.reduce(_ + _).atMost(retention)
        Missed(parts.map(_.estimate).sum, Some(bound).filterNot(_.isInfinite))
      }
    }
  }
}

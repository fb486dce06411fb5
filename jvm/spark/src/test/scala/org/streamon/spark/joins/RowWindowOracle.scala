package org.streamon.spark.joins

import org.apache.spark.sql.catalyst.expressions.{IsNull, Literal, XxHash64}
import org.apache.spark.sql.types.{IntegerType, TimestampType}

/** What a trial comes to by the definition of its windows: its rows, but those that are late and those
  * without a time, are put in one order and taken one by one; windows are lists of rows.
  */
final class RowWindowOracle(trial: RowWindowTrial) {
  private val n = trial.inputs

  /** Rows that came and are not late, and how many are. */
  private var accepted = Vector.empty[(Int, OrderedRow)]
  var late: Long = 0L

  /** The watermark of the latest micro-batch, and of the one before, by which rows are late. */
  private var watermark, lateWatermark = 0L

  /** The highest time seen of each input, less its delay, since the latest start of the query. */
  private var marks = Map.empty[Int, Long]
  private var next = 0L

  def restart(): Unit = marks = Map.empty

  /** All that comes in one micro-batch, and the one without data after it, where there are such. */
  def arrive(rows: Seq[(Int, OrderedRow)]): Unit = {
    batch()
    // Spark puts a filter below the watermark, too.
    for ((input, row) <- rows if isBelow(input, row); millis <- row.millis) {
      if (millis <= lateWatermark) late += 1 else accepted :+= input -> row
      marks = marks.updated(input, marks.getOrElse(input, Long.MinValue) max (millis - trial.delays(input)))
    }
    next = next max (0 until n).map(marks.getOrElse(_, 0L)).min
    if (trial.noDataBatches && next > watermark) batch()
  }

  private def batch(): Unit = {
    lateWatermark = watermark
    watermark = next
  }

  /** The results that the rows up to the watermark insert. */
  def inserted: Seq[String] = {
    val ready = accepted.filter(_._2.millis.exists(_ <= watermark))
    val windows = Array.fill(n)(Vector.empty[OrderedRow])
    ready
      .sortBy { case (input, row) => (row.millis.get, input, tie(row)) }
      .flatMap { case (input, row) =>
        windows(input) = kept(input, windows(input) :+ row)
        combinations(windows.updated(input, Vector(row)).toVector)
      }
      .map(_.map(_.id).mkString("[", ",", "]"))
      .sorted
  }

  private def kept(input: Int, rows: Vector[OrderedRow]): Vector[OrderedRow] = trial.windows(input) match {
    case Some(TrialWindow.Rows(groups, size)) =>
      val of = rows.groupBy(row => groups.map(column(row, _))).view.mapValues(_.takeRight(size).toSet).toMap
      rows.filter(row => of(groups.map(column(row, _)))(row))
    case _ => rows
  }

  /** Rows of each input side by side that meet all conditions. */
  private def combinations(windows: Vector[Vector[OrderedRow]]): Vector[Vector[OrderedRow]] =
    (0 until n).foldLeft(Vector(Vector.empty[OrderedRow])) { (sofar, input) =>
      for {
        before <- sofar
        row <- windows(input) if isAbove(input, row)
        rows = before :+ row
        if trial.equalities.zipWithIndex.forall { case (((i, c), (j, d)), e) =>
          i > input || j > input || column(rows(i), c).zip(column(rows(j), d)).exists { case (x, y) =>
            if (trial.compared(e)) x < y else x == y
          }
        }
        if trial.ahead.forall { case (a, b) =>
          a > input || b > input || rows(a).millis.get <= rows(b).millis.get + 20000L
        }
        if rows.indices.forall(i => inRange(i, rows))
      } yield rows
    }

  private def inRange(i: Int, rows: Vector[OrderedRow]) = trial.windows(i) match {
    case Some(TrialWindow.Range(seconds)) =>
      rows.forall(other => other.millis.get < rows(i).millis.get + seconds * 1000L)
    case _ => true
  }

  private def isBelow(input: Int, row: OrderedRow) = trial.below(input).forall(row.id % 4 != _)
  private def isAbove(input: Int, row: OrderedRow) = trial.above(input).forall(row.id % 3 != _)

  private def column(row: OrderedRow, name: String) = if (name == "k") row.k else row.b

  /** By the hash that the manual names: of the columns, then of which of those that may be null are. */
  private def tie(row: OrderedRow): Long = {
    def literal(value: Option[Int]) = Literal.create(value.getOrElse(null), IntegerType)
    val nullable =
      Seq(
        literal(row.k),
        literal(row.b),
        Literal.create(row.millis.map(_ * 1000L).getOrElse(null), TimestampType)
      )
    new XxHash64((nullable :+ Literal(row.id)) ++ nullable.map(IsNull(_))).eval().asInstanceOf[Long]
  }
}

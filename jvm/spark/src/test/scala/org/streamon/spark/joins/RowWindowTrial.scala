package org.streamon.spark.joins

import scala.util.Random

/** A row of a generated stream; no other has its number, but its time may be another's too. */
final case class OrderedRow(k: Option[Int], b: Option[Int], millis: Option[Long], id: Int)

/** A window of CQL on an input of a trial. */
sealed trait TrialWindow {
  def text: String
}
object TrialWindow {
  final case class Range(seconds: Int) extends TrialWindow {
    override def text: String = s"RANGE $seconds SECONDS"
  }
  final case class Rows(groups: Seq[String], rows: Int) extends TrialWindow {
    override def text: String =
      (if (groups.isEmpty) "" else groups.mkString("PARTITION BY ", ", ", " ")) + s"ROWS $rows"
  }
}

/** A join of streams with windows of rows, their rows, and how they come.
  *
  * @param windows
  *   by input
  * @param below
  *   by input, what a filter below its window keeps: rows whose number has not this remainder by 4
  * @param above
  *   the same above the window, by 3
  * @param equalities
  *   ((input, column), (input, column))
  * @param compared
  *   which of these are no equalities: the first column must be less
  * @param ahead
  *   (a, b): the row of a must not be more than 20 seconds later than that of b
  * @param delays
  *   by input, of its watermark, milliseconds
  * @param arrivals
  *   (input, row), in pieces that each come in one micro-batch
  * @param restarts
  *   pieces before which the query is stopped and started again
  */
final case class RowWindowTrial(
    seed: Long,
    windows: IndexedSeq[Option[TrialWindow]],
    below: IndexedSeq[Option[Int]],
    above: IndexedSeq[Option[Int]],
    equalities: Seq[((Int, String), (Int, String))],
    compared: Set[Int],
    ahead: Option[(Int, Int)],
    delays: IndexedSeq[Long],
    arrivals: Seq[Seq[(Int, OrderedRow)]],
    restarts: Set[Int],
    confs: Seq[(String, String)]
) {
  def inputs: Int = windows.size
  def noDataBatches: Boolean = confs.contains(RowWindowTrial.NoDataBatches -> "true")

  def names: Seq[String] = windows.indices.map(i => s"s$i")

  def sql: String = {
    val hints =
      for ((window, i) <- windows.zipWithIndex; w <- window) yield s"STREAM_WINDOW(s$i, '${w.text}')"
    val relations = below.zipWithIndex.map { case (kept, i) =>
      kept.fold(s"s$i")(r => s"(SELECT * FROM s$i WHERE id % 4 <> $r) s$i")
    }
    val pairs = equalities.zipWithIndex.map { case (((i, c), (j, d)), e) =>
      s"s$i.$c ${if (compared(e)) "<" else "="} s$j.$d"
    }
    val conditions = pairs ++
      above.zipWithIndex.flatMap { case (kept, i) => kept.map(r => s"s$i.id % 3 <> $r") } ++
      ahead.map { case (a, b) => s"s$a.t <= s$b.t + INTERVAL 20 SECONDS" }
    s"SELECT /*+ ${hints.mkString(", ")} */ ${names.map(n => s"$n.id").mkString(", ")} " +
      s"FROM ${relations.mkString(", ")} WHERE ${conditions.mkString(" AND ")}"
  }

  override def toString: String =
    s"watermark delays ${delays.mkString(" ")}, ${Trials.text(seed, sql, restarts, confs, arrivals)}"
}

object RowWindowTrial {
  private val NoDataBatches = "spark.sql.streaming.noDataMicroBatches.enabled"

  /** The trial that a seed stands for. */
  def apply(seed: Long): RowWindowTrial = {
    // Seeds next to each other begin with much the same numbers.
    val random = new Random(seed * 0x9e3779b97f4a7c15L)
    val n = 2 + random.nextInt(3)
    val windowed = random.nextInt(n)
    val pieces = 2 + random.nextInt(4)
    val keys = equalities(n, random)
    val compared = keys.indices.filter(_ => random.nextInt(6) == 0).toSet
    RowWindowTrial(
      seed,
      Vector.tabulate(n)(i => window(i == windowed, random)),
      Vector.fill(n)(Option.when(random.nextInt(4) == 0)(random.nextInt(4))),
      Vector.fill(n)(Option.when(random.nextInt(3) == 0)(random.nextInt(3))),
      keys,
      compared,
      Option.when(random.nextInt(3) == 0)((random.nextInt(n), random.nextInt(n))).filter(p => p._1 != p._2),
      Vector.fill(n)(random.nextInt(16) * 1000L),
      arrivals(n, pieces, random),
      (1 until pieces).filter(_ => random.nextInt(3) == 0).toSet,
      confs(n, random) ++ caching(
        keys.zipWithIndex.collect { case (key, e) if !compared(e) => key },
        n,
        random
      )
    )
  }

  private def window(ofRows: Boolean, random: Random): Option[TrialWindow] = {
    val groups = Seq(Nil, Nil, Seq("k"), Seq("b"), Seq("b", "k"))(random.nextInt(5))
    val rows = TrialWindow.Rows(groups, 1 + random.nextInt(if (groups.isEmpty) 12 else 4))
    random.nextInt(4) match {
      case _ if ofRows => Some(rows)
      case 0           => None
      case 1           => Some(TrialWindow.Range(5 + random.nextInt(30)))
      case _           => Some(rows)
    }
  }

  /** One key for all, or one for each pair. */
  private def equalities(n: Int, random: Random): Seq[((Int, String), (Int, String))] = {
    val same = random.nextBoolean()
    (1 until n).map { i =>
      def column = if (same) "k" else Seq("k", "b")(random.nextInt(2))
      (random.nextInt(i), column) -> (i, column)
    }
  }

  /** Rows around a time that moves on from piece to piece; one in ten lies far back, one in twelve has no
    * time.
    */
  private def arrivals(n: Int, pieces: Int, random: Random): Seq[Seq[(Int, OrderedRow)]] = {
    val keys = 2 + random.nextInt(3)
    val step = 5 + random.nextInt(20)
    val late = random.nextBoolean()
    val size = (n * Seq(0, 0, 40, 24, 16)(n) / pieces).max(n)
    var id = 0
    def value = if (random.nextInt(10) == 0) None else Some(random.nextInt(keys))
    def row(piece: Int): (Int, OrderedRow) = {
      id += 1
      val back = if (late && random.nextInt(10) == 0) random.nextInt(60) else random.nextInt(25)
      val millis = (100 + piece * step - back).max(1) * 1000L
      val time = Option.when(random.nextInt(12) > 0)(millis)
      random.nextInt(n) -> OrderedRow(value, value, time, id)
    }
    (0 until pieces).map(piece => Seq.fill(size)(row(piece)))
  }

  /** Caches of random pairs of inputs that are joined by a key, or those that are chosen within a few rows.
    */
  private def caching(
      keys: Seq[((Int, String), (Int, String))],
      inputs: Int,
      random: Random
  ): Seq[(String, String)] = {
    val forced = Option.when(inputs > 2 && keys.nonEmpty && random.nextInt(3) > 0) {
      val ((one, _), (other, _)) = keys(random.nextInt(keys.size))
      "spark.streamon.join.caching.forced" -> s"$one+$other"
    }
    Seq(
      "spark.streamon.join.caching" -> Seq("off", "prefix", "global", "global")(random.nextInt(4)),
      "spark.streamon.join.caching.memory" -> Seq("64m", "2k")(random.nextInt(2)),
      "spark.streamon.join.caching.interval" -> "20",
      "spark.streamon.join.caching.window" -> "1"
    ) ++ forced
  }

  private def confs(n: Int, random: Random): Seq[(String, String)] = {
    val orders = (0 until n - 1).permutations.map(_.mkString("'", ",", "'")).toSeq
    // Taken where there are no caches.
    val routes =
      if (random.nextBoolean()) Nil
      else
        Seq(
          "spark.streamon.join.algorithm" -> "query-mesh",
          "spark.streamon.join.routes.forced" -> s"CASE WHEN id > 30 THEN ${orders.last} ELSE ${orders.head} END"
        )
    val order =
      if (random.nextInt(3) > 0) Nil
      else Seq("spark.streamon.join.forcedOrder" -> random.shuffle((0 until n).toVector).mkString(","))
    Seq(
      "spark.sql.shuffle.partitions" -> (1 + random.nextInt(5)).toString,
      "spark.sql.streaming.stateStore.checkpointFormatVersion" -> (1 + random.nextInt(2)).toString,
      NoDataBatches -> (random.nextInt(4) > 0).toString,
      "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled" -> random
        .nextBoolean()
        .toString,
      "spark.sql.streaming.stateStore.minDeltasForSnapshot" -> (1 + random.nextInt(3)).toString,
      "spark.streamon.join.profilingProbability" -> "1.0",
      "spark.streamon.join.window" -> "8",
      "spark.streamon.executor.memory" -> Seq("512m", "512m", "2k", "0")(random.nextInt(4))
    ) ++ order ++ routes
  }
}

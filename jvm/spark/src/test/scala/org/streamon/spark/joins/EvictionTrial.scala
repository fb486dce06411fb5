package org.streamon.spark.joins

import scala.util.Random

import org.streamon.core.joins.{Bits, JoinTree}

/** A row of a generated stream; no other has its number. Times are milliseconds. */
final case class TimedRow(k: Int, millis: Long, id: Int)

/** How the event times of two inputs must lie: `time(of) - time(than)` is at least `millis`, or above it. */
final case class Lead(of: Int, than: Int, millis: Long, strict: Boolean)

/** What a trial says of the event times of its inputs. */
sealed trait Times
object Times {

  /** Ranges between them. */
  final case class Ranges(leads: Seq[Lead]) extends Times

  /** They are part of the key, as they are or by windows of so many milliseconds. */
  case object InKey extends Times
  final case class Windows(millis: Long) extends Times
}

/** A join of streams with event times, their rows, and how they come.
  *
  * @param delays
  *   by input, of its watermark, milliseconds; none without a watermark
  * @param tree
  *   the joins of two
  * @param pairs
  *   the inputs whose keys are said to be equal, of each join
  * @param arrivals
  *   (input, row), in pieces that each come in one micro-batch
  * @param restarts
  *   pieces before which the query is stopped and started again
  */
final case class EvictionTrial(
    seed: Long,
    delays: IndexedSeq[Option[Long]],
    times: Times,
    tree: JoinTree,
    pairs: Seq[(Int, Int)],
    joins: String,
    arrivals: Seq[Seq[(Int, TimedRow)]],
    restarts: Set[Int],
    confs: Seq[(String, String)]
) {
  def inputs: Int = delays.size
  def names: Seq[String] = delays.indices.map(i => s"s$i")
  def marked(input: Int): Boolean = delays(input).isDefined

  def noDataBatches: Boolean = confs.contains(EvictionTrial.NoDataBatches -> "true")

  def sql: String = {
    val columns = names.map(n => s"$n.k ${n}k, $n.id ${n}id").mkString(", ")
    s"SELECT /*+ MJOIN */ $columns FROM $joins"
  }

  override def toString: String =
    s"$times, watermark delays ${delays.mkString(" ")}, ${Trials.text(seed, sql, restarts, confs, arrivals)}"
}

object EvictionTrial {
  private val NoDataBatches = "spark.sql.streaming.noDataMicroBatches.enabled"

  /** The trial that a seed stands for. */
  def apply(seed: Long): EvictionTrial = {
    val random = new Random(seed)
    val n = 2 + random.nextInt(4)
    val (times, centers) = random.nextInt(5) match {
      case 0 => (Times.InKey, Vector.fill(n)(0L))
      case 1 => (Times.Windows(10000L), Vector.fill(n)(0L))
      case _ =>
        // Every range holds for rows that lie around these times, so that some rows meet all ranges.
        val centers = Vector.fill(n)(random.nextInt(15) * 1000L)
        (Times.Ranges(ranges(centers, random)), centers)
    }
    val unmarked = times match {
      case Times.Ranges(_) => if (random.nextInt(6) == 0) Set(random.nextInt(n)) else Set.empty[Int]
      case _               =>
        if (random.nextBoolean()) (0 until n).filter(_ => random.nextInt(3) == 0).toSet else Set.empty[Int]
    }
    val pieces = 3 + random.nextInt(4)
    val tree =
      if (random.nextBoolean()) JoinTree.leftDeep((0 until n): _*) else written(0 until n, random)
    val pairs = joined(tree, random)
    EvictionTrial(
      seed,
      Vector.tabulate(n)(i => Option.unless(unmarked(i))(random.nextInt(16) * 1000L)),
      times,
      tree,
      pairs,
      joins(tree, pairs, times, random),
      arrivals(centers, pieces, times, unmarked, random),
      (1 until pieces).filter(_ => random.nextInt(4) == 0).toSet,
      Seq(
        "spark.sql.shuffle.partitions" -> (1 + random.nextInt(5)).toString,
        "spark.sql.streaming.stateStore.checkpointFormatVersion" -> (1 + random.nextInt(2)).toString,
        "spark.streamon.executor.memory" -> Seq("512m", "2k", "0")(random.nextInt(3)),
        NoDataBatches -> (random.nextInt(4) > 0).toString
      ) ++ caching(n, random)
    )
  }

  /** All streams have one key, so any of them make a subresult. */
  private def caching(n: Int, random: Random): Seq[(String, String)] =
    if (n == 2) Nil
    else {
      def subresult = random.shuffle((0 until n).toVector).take(2 + random.nextInt(n - 2)).mkString("+")
      Seq(
        "spark.streamon.join.caching" -> Seq("off", "prefix", "global")(random.nextInt(3)),
        "spark.streamon.join.caching.forced" -> Seq.fill(2)(subresult).mkString(",")
      )
    }

  /** A tree of ranges, mostly with both ends, and a few beside it. */
  private def ranges(centers: IndexedSeq[Long], random: Random): Seq[Lead] = {
    val n = centers.size
    val tree = (1 until n).map(i => (random.nextInt(i), i))
    val more = Seq.fill(random.nextInt(2))((random.nextInt(n), random.nextInt(n)))
    for {
      (i, j) <- (tree ++ more).distinct.filter { case (i, j) => i < j }
      ends = random.nextInt(6)
      (of, than) <- Seq(i -> j, j -> i).zipWithIndex.filter(_._2 != ends).map(_._1)
    } yield {
      val slack = (1 + random.nextInt(12)) * 1000L
      Lead(of, than, centers(of) - centers(than) - slack, random.nextBoolean())
    }
  }

  /** A tree with the inputs in their sequence. */
  private def written(inputs: Seq[Int], random: Random): JoinTree =
    if (inputs.size == 1) JoinTree.Leaf(inputs.head)
    else {
      val (left, right) = inputs.splitAt(1 + random.nextInt(inputs.size - 1))
      JoinTree.Node(written(left, random), written(right, random))
    }

  private def joined(tree: JoinTree, random: Random): Seq[(Int, Int)] = tree match {
    case JoinTree.Leaf(_)           => Nil
    case JoinTree.Node(left, right) =>
      (one(left, random), one(right, random)) +: (joined(left, random) ++ joined(right, random))
  }

  private def one(tree: JoinTree, random: Random): Int = {
    val inputs = Bits.members(tree.inputs)
    inputs(random.nextInt(inputs.size))
  }

  private def joins(tree: JoinTree, pairs: Seq[(Int, Int)], times: Times, random: Random): String =
    tree match {
      case JoinTree.Leaf(i)           => s"s$i"
      case JoinTree.Node(left, right) =>
        val (a, b) = pairs.find { case (a, b) => meet(left, right, a, b) }.get
        val onTimes = times match {
          case Times.InKey         => Seq(s"s$a.t = s$b.t")
          case Times.Windows(_)    => Seq(s"s$a.w = s$b.w")
          case Times.Ranges(leads) =>
            leads.filter(l => meet(left, right, l.of, l.than)).map(written(_, random))
        }
        val more =
          if (random.nextInt(4) == 0) Seq(s"s${one(left, random)}.id % 3 <> s${one(right, random)}.id % 3")
          else Nil
        val sides = Seq(left, right).map(joins(_, pairs, times, random))
        val on = (s"s$a.k = s$b.k" +: (onTimes ++ more)).mkString(" AND ")
        s"${sides.head} JOIN ${if (Bits.size(right.inputs) == 1) sides.last else s"(${sides.last})"} ON $on"
    }

  /** Whether one input is on the one side and the other on the other. */
  def meet(left: JoinTree, right: JoinTree, a: Int, b: Int): Boolean =
    Bits.contains(left.inputs, a min b) && Bits.contains(right.inputs, a max b)

  private def written(lead: Lead, random: Random): String = {
    val Lead(of, than, millis, strict) = lead
    def interval(m: Long) =
      s"${if (m < 0) "-" else "+"} INTERVAL '${m.abs / 1000}.${f"${m.abs % 1000}%03d"}' SECOND"
    random.nextInt(3) match {
      case 0 => s"s$of.t ${if (strict) ">" else ">="} s$than.t ${interval(millis)}"
      case 1 => s"s$than.t ${if (strict) "<" else "<="} s$of.t ${interval(-millis)}"
      case _ => s"s$than.t ${interval(millis)} ${if (strict) "<" else "<="} s$of.t"
    }
  }

  /** Rows around a time that moves on from piece to piece; one in eight lies far back. Those without a
    * watermark whose time is in the key stay above the others' watermarks, by which their matches go.
    */
  private def arrivals(
      centers: IndexedSeq[Long],
      pieces: Int,
      times: Times,
      unmarked: Set[Int],
      random: Random
  ): Seq[Seq[(Int, TimedRow)]] = {
    val n = centers.size
    val keys = Seq(2, 4, 8, 20)(random.nextInt(4))
    val step = 5 + random.nextInt(20)
    val size = n * Seq(0, 0, 12, 8, 6, 5)(n)
    val idle = if (random.nextInt(4) == 0) random.nextInt(n) else -1
    var id = 0
    def row(piece: Int): (Int, TimedRow) = {
      val input = random.nextInt(n)
      id += 1
      val back =
        if (unmarked(input) && !times.isInstanceOf[Times.Ranges]) random.nextInt(step min 15)
        else if (random.nextInt(8) == 0) random.nextInt(80)
        else random.nextInt(15)
      val seconds = (100 + piece * step - back).max(1) * 1000L + centers(input)
      // Off the second by as little as Spark's watermarks can tell.
      val off = if (times == Times.InKey) 0L else Seq(0L, 0L, -1L, 1L)(random.nextInt(4))
      input -> TimedRow(random.nextInt(keys), seconds + off, id)
    }
    (0 until pieces).map { piece =>
      Seq.fill(size)(row(piece)).filter { case (input, _) => input != idle || piece > 1 }
    }
  }
}

package org.streamon.spark.joins

import scala.util.Random

import org.streamon.core.routes.Attribute
import org.streamon.spark.equality.RandomRoutes

/** A row of a generated stream; the key in two types, with nulls, and with the values that make doubles hard.
  */
final case class TrialRow(k: Option[Int], d: Option[Double], v: Int, s: String)

/** A join of streams, their rows, and how they come.
  *
  * @param arrivals
  *   micro-batch by micro-batch, (input, row)
  * @param restarts
  *   micro-batches before which the query is stopped and started again
  */
final case class JoinTrial(
    seed: Long,
    inputs: Int,
    joins: String,
    arrivals: Seq[Seq[(Int, TrialRow)]],
    restarts: Set[Int],
    confs: Seq[(String, String)]
) {
  def names: Seq[String] = (0 until inputs).map(i => s"s$i")

  def sql: String = {
    val columns = names.map(n => s"$n.k ${n}k, $n.d ${n}d, $n.v ${n}v, $n.s ${n}s").mkString(", ")
    s"SELECT /*+ MJOIN */ $columns FROM $joins"
  }

  /** The same join, the rows of whose inputs take random routes. Caches are for one order, and so there are
    * none.
    */
  def routed: JoinTrial = {
    val columns = Vector(
      Attribute.number("k"),
      Attribute.number("d"),
      Attribute.number("v"),
      Attribute.category("s")
    )
    val tree = new RandomRoutes(new Random(seed), Seq("x", "y", "zz")).of(columns, inputs - 1)
    val own = Map("join.algorithm" -> "query-mesh", "join.caching" -> "off") ++
      tree.map("join.routes.forced" -> _)
    copy(confs = confs.filterNot(_._1.endsWith("forced")) ++ own.map { case (k, v) =>
      s"spark.streamon.$k" -> v
    })
  }

  override def toString: String = Trials.text(seed, sql, restarts, confs, arrivals)
}

object JoinTrial {

  /** The trial that a seed stands for. */
  def apply(seed: Long): JoinTrial = {
    val random = new Random(seed)
    def oneOf[T](options: T*): T = options(random.nextInt(options.size))
    val n = 2 + random.nextInt(7)
    val empty = if (random.nextInt(6) == 0) random.nextInt(n) else -1
    val keys = oneOf(3, 8, 20)
    def key = if (random.nextInt(3) == 0) 0 else random.nextInt(keys)
    def row = TrialRow(
      if (random.nextInt(10) == 0) None else Some(key),
      oneOf(None, Some(Double.NaN), Some(-0.0), Some(0.0), Some(key.toDouble)),
      random.nextInt(4),
      oneOf("x", "y", "zz")
    )
    // The more inputs, the fewer rows each, so that results stay some thousands.
    val rows =
      Seq.fill(Seq(0, 0, 50, 26, 16, 11, 9, 7, 6)(n) * n)(random.nextInt(n) -> row).filter(_._1 != empty)
    val batches = 1 + random.nextInt(4)
    val cuts = (0 +: Seq.fill(batches - 1)(random.nextInt(rows.size + 1)) :+ rows.size).sorted
    val arrivals = cuts.zip(cuts.tail).map { case (from, to) => rows.slice(from, to) }
    // Each input is joined with one before it.
    val others = (1 until n).map(random.nextInt(_))
    JoinTrial(
      seed,
      n,
      joins(others, random),
      arrivals,
      (1 until batches).filter(_ => random.nextInt(3) == 0).toSet,
      confs(n, random) ++ caching(others, random) ++ constraints(random)
    )
  }

  private def joins(others: Seq[Int], random: Random): String = {
    val n = others.size + 1
    val common = if (random.nextInt(3) == 0) "d" else "k"
    // In half of the trials with three inputs or more the pairs have keys of their own.
    val different = n > 2 && random.nextBoolean()
    def column = if (different) Seq("k", "k", "d", "v")(random.nextInt(4)) else common
    // Not `<=>` between doubles: Spark rewrites it to other keys, and its own joins of streams, which then stay,
    // take null for equal to null under `=` between doubles.
    def equals(column: String) = if (column == "k" && random.nextInt(4) == 0) "<=>" else "="
    def equal(a: String, b: String) = {
      val own = column
      // An expression of its own is a key of its own.
      if (own == "v" && random.nextBoolean()) s"concat('${a.tail}', $a.v) = concat('${a.tail}', $b.v)"
      else s"$a.$own ${equals(own)} $b.$own"
    }
    // What is no key; of three inputs, if there are as many.
    def compared(a: String, b: String, c: String) = random.nextInt(3) match {
      case 0 => s"abs($a.v - $b.v) > 2"
      case 1 => s"$a.v + $b.v = 5"
      case _ => s"$a.v + $b.v + $c.v > 7"
    }
    (1 until n).foldLeft("s0") { (left, i) =>
      val other = others(i - 1)
      val on =
        if (random.nextInt(8) == 0) compared(s"s$other", s"s$i", s"s${random.nextInt(i)}")
        else equal(s"s$other", s"s$i")
      val more = random.nextInt(6) match {
        case 0 => s" AND s${random.nextInt(i)}.v = s$i.v"
        case 1 => s" AND s$other.v <= s$i.v"
        case 2 => s" AND s$i.v > 0 AND s${random.nextInt(i)}.s <> s$i.s"
        // Raises where it is evaluated out of turn.
        case 3 => s" AND s$other.v <> 0 AND 4 / s$other.v >= s$i.v"
        case _ => ""
      }
      // A second equality closes a cycle.
      val cycle =
        if (different && random.nextInt(3) == 0) s" AND ${equal(s"s${random.nextInt(i)}", s"s$i")}" else ""
      s"$left JOIN s$i ON $on$cycle$more"
    }
  }

  /** Caches of random subresults, or those that are chosen within a few rows. */
  private def caching(others: Seq[Int], random: Random): Seq[(String, String)] = {
    val n = others.size + 1
    // From an input on, some that are joined with what is there by then.
    def subresult = {
      val size = 2 + random.nextInt(math.max(n - 2, 1))
      Iterator
        .iterate(Set(random.nextInt(n))) { inside =>
          val edges = others.indices.map(k => (k + 1, others(k)))
          val next = edges.filter(e => inside(e._1) != inside(e._2))
          inside ++ next.lift(random.nextInt(math.max(next.size, 1))).toSeq.flatMap(e => Seq(e._1, e._2))
        }
        .drop(size - 1)
        .next()
        .toSeq
        .sorted
        .mkString("+")
    }
    def forced =
      "spark.streamon.join.caching.forced" -> Seq.fill(1 + random.nextInt(3))(subresult).mkString(",")
    Seq(
      "spark.streamon.join.caching" -> Seq("off", "prefix", "global", "global")(random.nextInt(4)),
      "spark.streamon.join.caching.memory" -> Seq("64m", "2k")(random.nextInt(2)),
      "spark.streamon.join.caching.interval" -> "20",
      "spark.streamon.join.caching.window" -> "1"
    ) ++ Option.when(n > 2 && random.nextInt(3) > 0)(forced)
  }

  /** Constraints that few rows teach, and most of these wrongly: with exact no row may be lost all the same.
    */
  private def constraints(random: Random): Seq[(String, String)] = Seq(
    "spark.streamon.join.constraints" -> Seq("off", "observe", "exact", "exact")(random.nextInt(4)),
    "spark.streamon.join.constraints.window" -> (1 + random.nextInt(6)).toString
  )

  private def confs(n: Int, random: Random): Seq[(String, String)] = {
    val order =
      if (random.nextInt(3) > 0) Nil
      else Seq("spark.streamon.join.forcedOrder" -> random.shuffle((0 until n).toVector).mkString(","))
    val algorithms = Seq("a-greedy", "sweep", "independent", "local-swaps", "static", "query-mesh")
    Seq(
      "spark.sql.shuffle.partitions" -> (1 + random.nextInt(7)).toString,
      "spark.sql.streaming.stateStore.checkpointFormatVersion" -> (1 + random.nextInt(2)).toString,
      // Between floating-point columns Spark writes conditions and joins anew, and a hint may be lost.
      "spark.streamon.join.enabled" -> "true",
      "spark.streamon.join.minInputs" -> "2",
      "spark.streamon.join.algorithm" -> algorithms(random.nextInt(algorithms.size)),
      "spark.streamon.join.profilingProbability" -> "1.0",
      "spark.streamon.join.window" -> "8",
      "spark.streamon.executor.memory" -> Seq("512m", "512m", "2k", "0")(random.nextInt(4))
    ) ++ order
  }
}

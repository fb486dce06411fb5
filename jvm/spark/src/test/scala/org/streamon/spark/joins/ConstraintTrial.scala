package org.streamon.spark.joins

import scala.util.Random

/** A row of a generated stream that refers to rows of others. */
final case class TreeRow(id: Int, r1: Int, r2: Int, r3: Int, v: Int) {
  def refersTo(edge: Int): Int = Seq(r1, r2, r3)(edge - 1)
}

/** A tree of joins on references, its rows, the constraints that these keep, and how they come.
  *
  * @param edges
  *   (parent, child); that of number e joins `parent.r<e>` with `child.id`
  * @param hints
  *   what is declared
  * @param arrivals
  *   micro-batch by micro-batch, (input, row)
  * @param restarts
  *   micro-batches before which the query is stopped and started again
  */
final case class ConstraintTrial(
    seed: Long,
    edges: Seq[(Int, Int)],
    residual: String,
    hints: Seq[String],
    arrivals: Seq[Seq[(Int, TreeRow)]],
    restarts: Set[Int],
    confs: Seq[(String, String)]
) {
  def names: Seq[String] = (0 to edges.size).map(i => s"s$i")

  def sql: String = {
    val on = edges.zipWithIndex.map { case ((parent, child), e) => s"s$parent.r${e + 1} = s$child.id" }
    s"SELECT /*+ ${("MJOIN" +: hints).mkString(", ")} */ ${names.map(n => s"$n.id ${n}id, $n.v ${n}v").mkString(", ")} " +
      s"FROM ${names.mkString(", ")} WHERE ${(on :+ residual).mkString(" AND ")}"
  }

  override def toString: String = Trials.text(seed, sql, restarts, confs, arrivals)
}

object ConstraintTrial {

  /** The trial that a seed stands for.
    *
    * @param mode
    *   of constraints
    * @param share
    *   of the true k that is declared
    */
  def apply(seed: Long, mode: String, share: Double): ConstraintTrial = {
    val random = new Random(seed * 0x9e3779b97f4a7c15L)
    def oneOf[T](options: T*): T = options(random.nextInt(options.size))
    val n = 2 + random.nextInt(3)
    val edges = (1 until n).map { i =>
      val other = random.nextInt(i)
      if (random.nextBoolean()) (other, i) else (i, other)
    }
    val rows = sequence(n, random)
    val batches = 2 + random.nextInt(5)
    val cuts = (0 +: Seq.fill(batches - 1)(random.nextInt(rows.size + 1)) :+ rows.size).sorted
    ConstraintTrial(
      seed,
      edges,
      oneOf("true", "true", s"s0.v <= s${n - 1}.v + 1"),
      declared(edges, rows, share, random),
      cuts.zip(cuts.tail).map { case (from, to) => rows.slice(from, to) },
      (1 until batches).filter(_ => random.nextInt(3) == 0).toSet,
      Seq(
        "spark.sql.shuffle.partitions" -> (1 + random.nextInt(4)).toString,
        "spark.sql.streaming.stateStore.checkpointFormatVersion" -> (1 + random.nextInt(2)).toString,
        "spark.streamon.join.minInputs" -> "2",
        "spark.streamon.join.constraints" -> mode,
        "spark.streamon.join.constraints.detect" -> (mode == "exact" && random.nextBoolean()).toString,
        "spark.streamon.join.constraints.window" -> (1 + random.nextInt(8)).toString,
        "spark.streamon.join.constraints.retention" -> oneOf("0", "0.3"),
        "spark.streamon.executor.memory" -> oneOf("512m", "512m", "4k")
      )
    )
  }

  /** All rows, in the order in which they are sent: ids grow, more or less, and so do references. */
  private def sequence(n: Int, random: Random): IndexedSeq[(Int, TreeRow)] = {
    val spread = Seq.fill(n)(random.nextInt(6))
    val isUnique = Seq.fill(n)(random.nextInt(4) > 0)
    val runs = Seq.fill(n)(1 + random.nextInt(4))
    val all = (0 until n).flatMap { i =>
      val many = 20 + random.nextInt(25)
      def near(k: Int) = math.max(k + random.nextInt(2 * spread(i) + 1) - spread(i), 0)
      (0 until many).map { k =>
        val id = if (isUnique(i)) k else near(k)
        // In the order of a time of its own, the rows of all inputs are about as far.
        val at = (k + random.nextDouble() * (1 + spread(i))) / many
        (at, i, TreeRow(id, near(k / runs(i)), near(k / runs(i)), near(k / runs(i)), random.nextInt(3)))
      }
    }
    all.sortBy(_._1).map { case (_, i, row) => (i, row) }
  }

  private def declared(
      edges: Seq[(Int, Int)],
      rows: IndexedSeq[(Int, TreeRow)],
      share: Double,
      random: Random
  ): Seq[String] = {
    def of(input: Int) = rows.collect { case (i, row) if i == input => row }
    edges.zipWithIndex.flatMap { case ((parent, child), at) =>
      val e = at + 1
      val unique = of(child).map(_.id).distinct.size == of(child).size
      val k = Seq(
        "RIDS" -> joinDistance(rows, parent, child, e),
        "CA" -> clustering(of(parent).map(_.refersTo(e))),
        "OAP" -> scrambling(of(parent).map(_.refersTo(e))),
        "OAC" -> scrambling(of(child).map(_.id))
      )
      val hints = k.map { case (kind, true_) =>
        s"K_CONSTRAINT('$kind', s$parent, s$child, ${(true_ * share).toInt})"
      }
      (hints ++ Option.when(unique)(s"UNIQUE(s$child, id)")).filter(_ => random.nextInt(3) > 0)
    }
  }

  /** The most children that come after a parent until one of its own does. */
  def joinDistance(rows: IndexedSeq[(Int, TreeRow)], parent: Int, child: Int, edge: Int): Int =
    rows.indices
      .filter(rows(_)._1 == parent)
      .map { p =>
        val after = rows.drop(p + 1).collect { case (i, row) if i == child => row.id }
        after.lastIndexOf(rows(p)._2.refersTo(edge)) + 1
      }
      .maxOption
      .getOrElse(0)

  /** The most other values between two that are equal. */
  def clustering(values: IndexedSeq[Int]): Int =
    values.distinct
      .map(v => values.slice(values.indexOf(v), values.lastIndexOf(v)).count(_ != v))
      .maxOption
      .getOrElse(0)

  /** The most values that come after one until a lesser one does, that included. */
  def scrambling(values: IndexedSeq[Int]): Int =
    values.indices.map(i => values.drop(i + 1).lastIndexWhere(_ < values(i)) + 1).maxOption.getOrElse(0)
}

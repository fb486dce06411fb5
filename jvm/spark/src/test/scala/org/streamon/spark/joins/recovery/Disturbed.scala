package org.streamon.spark.joins.recovery

/** A join of [[ThreeStreams]] that is to be disturbed.
  *
  * @param name
  *   what makes it another than the plain one
  * @param isBatch
  *   whether its rows are those of Spark's batch join; else they are those of a run that nobody disturbs,
  *   with the same micro-batches
  * @param moving
  *   whether keys come and go with the micro-batches
  * @param sign
  *   the metric that tells that what it is for has happened
  * @param keys
  *   of a micro-batch
  * @param routes
  *   orders that the rows of each stream follow
  */
final case class Disturbed(
    name: String,
    sql: String,
    confs: Seq[(String, String)],
    isBatch: Boolean,
    moving: Boolean,
    sign: String,
    keys: Int = 8,
    routes: Int = 0
) {

  /** The same with the key of each result put through a function, which gives back what it gets. */
  def through(function: String): Disturbed = copy(sql = sql.replace("a.k, a.v", s"$function(a.k) k, a.v"))
}

object Disturbed {
  private val caches =
    Seq("spark.streamon.join.caching" -> "global", "spark.streamon.join.caching.forced" -> "0+1,1+2")

  /** Bounded in time, with caches wherever they can be. */
  val plain: Disturbed =
    Disturbed("", ThreeStreams.sql, caches, isBatch = true, moving = false, "mjoinCacheHits")

  /** The rows of each stream are of two kinds, which look up the others in different orders. */
  val routed: Disturbed = plain.copy(
    name = "with routes",
    confs = Seq(
      "spark.streamon.join.algorithm" -> "query-mesh",
      "spark.streamon.join.routes.forced" -> "CASE WHEN k > 3 THEN '1,0' ELSE '0,1' END"
    ),
    sign = "mjoinProbes0",
    routes = 2
  )

  /** The last rows of two of them: of all, and of each key. What is ahead of the watermark waits, so that the
    * rows are those of a run without a break.
    */
  val inRows: Disturbed = Disturbed(
    "with windows of rows",
    """SELECT /*+ STREAM_WINDOW(b, 'ROWS 20'), STREAM_WINDOW(c, 'PARTITION BY k ROWS 4') */
      |a.k, a.v av, b.v bv, c.v cv FROM a JOIN b ON a.k = b.k JOIN c ON b.k = c.k""".stripMargin,
    caches,
    isBatch = false,
    moving = false,
    "mjoinCacheHits"
  )

  /** Rows go cold too early, and come back. */
  val exact: Disturbed = constrained("exact", k = 2, isBatch = true, "mjoinColdRows")

  /** Rows go too early, and which results are missing depends on nothing but the micro-batches. */
  val approximate: Disturbed = constrained("approximate", k = 2, isBatch = false, "mjoinEvictedRows")

  /** Rows go cold, and nobody misses them: a key has its rows within four micro-batches. */
  val strict: Disturbed =
    constrained("strict", k = 4L * ThreeStreams.Rows, isBatch = true, "mjoinColdRows")

  val constrained: Seq[Disturbed] = Seq(exact, approximate, strict)

  /** Nothing is declared, and no key ever ends: nobody misses a row. */
  val learning: Disturbed = Disturbed(
    "with constraints that are learned",
    "SELECT /*+ MJOIN */ a.k, a.v av, b.v bv, c.v cv FROM a JOIN b ON a.k = b.k JOIN c ON b.k = c.k",
    constraints("approximate", window = 4),
    isBatch = true,
    moving = false,
    "mjoinEvictedRows",
    keys = 3
  )

  /** By rows of one key that come together; beside what is declared a mode may learn. */
  private def constrained(mode: String, k: Long, isBatch: Boolean, sign: String) = {
    val hints = Seq("a" -> "b", "b" -> "c", "c" -> "a").map { case (of, other) =>
      s"K_CONSTRAINT('CA', $of, $other, $k)"
    }
    Disturbed(
      s"with constraints, $mode",
      s"SELECT /*+ MJOIN, ${hints.mkString(", ")} */ a.k, a.v av, b.v bv, c.v cv " +
        "FROM a JOIN b ON a.k = b.k JOIN c ON b.k = c.k",
      constraints(mode, window = 20),
      isBatch,
      moving = true,
      sign
    )
  }

  private def constraints(mode: String, window: Int) = Seq(
    "spark.streamon.join.constraints" -> mode,
    "spark.streamon.join.constraints.window" -> window.toString,
    "spark.streamon.join.constraints.threshold" -> "30",
    "spark.streamon.join.constraints.retention" -> "0.2"
  )
}

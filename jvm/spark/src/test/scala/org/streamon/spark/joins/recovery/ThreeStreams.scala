package org.streamon.spark.joins.recovery

import scala.util.Random

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.functions.{col, from_csv, timestamp_seconds}
import org.apache.spark.sql.types.StructType

/** Three streams that meet on a key and within a range of time, as lines of text, the same for the same seed.
  * No row comes late where each micro-batch takes as many rows of every stream.
  *
  * @param batches
  *   how many micro-batches they are meant for
  * @param rows
  *   lines of each stream in a micro-batch
  * @param moving
  *   whether a key comes in four micro-batches only, one after the other; the keys of two of them are others
  *   than those of the next two, but for half
  */
final class ThreeStreams(
    seed: Long,
    val batches: Int,
    rows: Int = ThreeStreams.Rows,
    keys: Int = 8,
    moving: Boolean = false
) {
  import ThreeStreams._

  /** By stream, by micro-batch. */
  val lines: Map[String, Seq[Seq[String]]] = {
    val random = new Random(seed)
    Names.map { name =>
      val all = for (batch <- 0 until batches) yield Seq.tabulate(rows) { i =>
        val first = if (moving) batch / 2 * (keys / 2) else 0
        s"${first + random.nextInt(keys)},$name$batch.$i,${Begin + batch * Step + random.nextInt(2 * Step)}"
      }
      name -> all
    }.toMap
  }
}

object ThreeStreams {
  val Names: Seq[String] = Seq("a", "b", "c")

  /** Lines of each stream in a micro-batch, where nothing else is said. */
  val Rows = 6

  private val Step = 4

  /** Second of the first rows. Second 0 is late before anything has come. */
  private val Begin = 1000
  private val schema = StructType.fromDDL("k INT, v STRING, t LONG")

  /** Rows of two neighbours meet when they are at most ten seconds apart. */
  val sql: String =
    """SELECT /*+ MJOIN */ a.k, a.v av, b.v bv, c.v cv FROM a
      |JOIN b ON a.k = b.k AND b.t BETWEEN a.t - INTERVAL 10 SECONDS AND a.t + INTERVAL 10 SECONDS
      |JOIN c ON b.k = c.k AND c.t BETWEEN b.t - INTERVAL 10 SECONDS AND b.t + INTERVAL 10 SECONDS""".stripMargin

  /** What the view of a stream shows.
    *
    * @param lines
    *   in a column `value`
    */
  def view(lines: DataFrame): DataFrame = lines
    .select(from_csv(col("value"), schema, Map.empty[String, String]).as("r"))
    .select(col("r.k"), col("r.v"), timestamp_seconds(col("r.t")).as("t"))
    .withWatermark("t", "10 seconds")
}

package org.streamon.lab

import java.util.SplittableRandom
import org.streamon.core.joins.{Equality, JoinGraph}

/** The eight points of Table 5.2: four streams joined on one attribute.
  *
  * The thesis gives rates and pairwise selectivities, which do not fix the join of three or four, and no
  * window sizes. Here each stream draws from one pool of values that all share with probability 1/4, which
  * makes half of the least selectivity, and else from one of three pools, each shared with one other stream,
  * which make the rest; windows hold 200 rows.
  */
private[lab] object TablePoints {
  val window = 200
  val graph = new JoinGraph(4, (1 until 4).map(i => Equality(0, 0, i, 0)))

  private val shared = 0.25
  private val pairs = (0 until 4).combinations(2).map(p => (p(0), p(1))).toVector

  /** @param selectivities
    *   of the pairs RS, RT, RU, ST, SU, TU
    */
  final case class Point(name: String, rates: Vector[Double], selectivities: Vector[Double]) {
    private val common = selectivities.min / 2
    private val commonPool = pool(shared * shared, common)
    private val pools = selectivities.map(s => pool((1 - shared) / 3 * (1 - shared) / 3, s - common))

    private def pool(both: Double, selectivity: Double) = math.round(both / selectivity).toInt

    /** Values carry the number of their pool, so that pools do not meet. */
    def draw(input: Int, random: SplittableRandom): Int = {
      val own = pairs.indices.filter(k => pairs(k)._1 == input || pairs(k)._2 == input)
      if (common == 0.0) input + 4 * random.nextInt(1 << 28)
      else if (random.nextDouble() < shared) random.nextInt(commonPool)
      else {
        val k = own(random.nextInt(3))
        (k + 1 << 20) + random.nextInt(pools(k))
      }
    }

    /** `count` arrivals, and the rows that leave. */
    def elements(count: Int, seed: Long): Array[WindowElement] =
      new JoinStreams(rates, window, new SplittableRandom(seed)).elements(count, draw)
  }

  val all: Seq[Point] = Seq(
    Point("D1", Vector(10, 1, 1, 1), Vector(.004, .005, .005, .007, .0045, .005)),
    Point("D2", Vector(8, 1, 1, 8), Vector(.004, .005, .005, .007, .0045, .005)),
    Point("D3", Vector(10, 15, 1, 5), Vector(.003, .005, .007, .0045, .006, .008)),
    Point("D4", Vector(1, 1, 1, 1), Vector(.003, .004, .0067, .002, .0023, .0027)),
    Point("D5", Vector(4, 1, 1, 4), Vector(.005, .007, .005, .006, .005, .002)),
    Point("D6", Vector(1, 1, 1, 1), Vector(.005, .0033, .0025, .0067, .005, .0075)),
    Point("D7", Vector(1, 1, 1, 1), Vector.fill(6)(0.0)),
    Point("D8", Vector(1, 1, 1, 1), Vector.fill(6)(.001))
  )
}

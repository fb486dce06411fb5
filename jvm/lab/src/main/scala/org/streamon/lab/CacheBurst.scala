package org.streamon.lab

import java.util.SplittableRandom
import org.streamon.core.caching.CacheMode
import org.streamon.core.joins.Row
import Experiment._
import ThreeWay._

/** Figure 5.22: from half-way on R brings each value 20 times instead of once. Plans with one cache each, of
  * R join S in T's pipeline and of S join T in R's, and A-Caching with globally-consistent caches, I = 10,000
  * elements, on the pipelines of the first. On these the second plan's cache is not under the prefix
  * invariant: it is fixed both on pipelines of its own, and as a globally-consistent one on these.
  */
private[lab] object CacheBurst extends Experiment {
  val figures: Seq[String] = Seq("5.22")
  def steps(scale: Scale): Int = 2 * seeds(scale).size

  private val burst = 20
  private val multiplicity = 5
  private val bins = 40
  private val names =
    Seq("T join (R join S)", "R join (T join S)", "R join ((T join S) semijoin R)", "a-caching")
  private val (cacheRS, cacheST, globalST, adaptive) = (0, 1, 2, 3)

  // A run is as long as that of many points elsewhere.
  private def seeds(scale: Scale) = scale.seeds.take(3)

  /** @param work
    *   by plan and bin; the second half of the bins is the burst
    * @param switched
    *   the first bin of the burst after which A-Caching looks into the cache in R's pipeline; -1 when none,
    *   or when it did before the burst
    */
  private case class Found(work: Seq[Seq[JoinWork]], switched: Int) {
    def price(plan: Int, bins: Range): Double = mean(bins.map(work(plan)(_).price))
    def whole(plan: Int): Double =
      work(plan).map(w => w.price * w.elements).sum / work(plan).map(_.elements).sum
  }

  private def measure(scale: Scale, batch: Int)(seed: Long): Found = {
    val values = scale.arrivals / 2 / bins
    def rows(from: Int)(input: Int, v: Int): Seq[Row] = input match {
      case R => Seq.fill(if (v < from) 1 else burst)(row(R, v))
      case S => Seq(row(S, v))
      case _ => Seq.fill(multiplicity)(row(T, v))
    }
    val w = ForcedCache.Values
    val streams =
      new ValueStreams(Vector(w, w, multiplicity * w), new SplittableRandom(seed), rows(values * bins / 2))
    val settings = JoinContender.settings.copy(mode = CacheMode.Global)
    val contenders = Seq(
      pipelines -> cacheOfRS,
      reversed -> cacheOfST,
      pipelines -> cacheOfST.copy(mode = CacheMode.Global),
      pipelines -> settings
    ).map { case (orders, caching) => new JoinContender(graph, orders, Some(caching), seed, batch = batch) }
    def places(plan: Int) = contenders(plan).reports.flatMap(_.places)
    def cachesForR = places(adaptive).intersect(places(globalST)).nonEmpty
    val found = Seq.fill(bins) {
      val elements = streams.elements(values)
      val work = contenders.map { contender =>
        contender.mark()
        contender.feed(elements)
        contender.since
      }
      work -> cachesForR
    }
    val (before, during) = found.map(_._2).splitAt(bins / 2)
    Found(found.map(_._1).transpose, if (before.last) -1 else during.indexWhere(identity))
  }

  def run(scale: Scale, step: String => Unit): Report = {
    def runsOf(mode: String, batch: Int) = seeds(scale).map { seed =>
      step(s"Figure 5.22$mode, seed $seed")
      measure(scale, batch)(seed)
    }
    val runs = runsOf("", 0)
    val batched = runsOf(" in micro-batches", JoinContender.Batch)
    val values = scale.arrivals / 2 / bins
    val x = (1 to bins).map(k => (k * values).toString)
    def curves(runs: Seq[Found], suffix: String, unit: String)(value: JoinWork => Double) =
      names.indices.map { plan =>
        val y = (0 until bins).map(k => mean(runs.map(r => value(r.work(plan)(k)))))
        Series(names(plan) + suffix, unit, y)
      }
    // Windows fill, and turn over, in the bins between.
    val (calm, busy) = (bins / 4 until bins / 2, bins * 5 / 8 until bins)
    def less(a: Int, b: Int, phase: Range) = runs.map(r => 1 - r.price(a, phase) / r.price(b, phase))
    def best(r: Found, phase: Range) = Seq(cacheRS, globalST).map(r.price(_, phase)).min
    def shown(price: (Found, Int) => Double, runs: Seq[Found] = runs) = names.indices
      .map(k => f"${names(k)}: ${mean(runs.map(price(_, k)))}%.1f ns")
      .mkString(", ")
    def wholly(plans: Int*) = runs.map(r => 1 - r.whole(adaptive) / plans.map(r.whole).min)
    def within(claim: String, lead: Seq[Double], found: String) =
      Check.holds("5.22", claim, mean(lead) >= -0.1, found)
    def in(phase: Range) = shown((r, k) => r.price(k, phase))
    Report(
      Seq(
        Figure(
          "5.22",
          "Adaptivity to changing stream rate",
          "rows of S so far",
          x,
          curves(runs, "", "ns per element, at fixed prices")(_.price) ++
            curves(batched, ", in micro-batches", "ns per element, at fixed prices")(_.price) ++
            curves(runs, "", "elements per second")(_.rate)
        )
      ),
      Seq(
        Check.positive(
          "5.22",
          "before the burst the cache of R join S is the better one",
          less(cacheRS, cacheST, calm),
          in(calm)
        ),
        within(
          "before the burst A-Caching is within 10% of it",
          less(adaptive, cacheRS, calm),
          in(calm)
        ),
        Check.positive(
          "5.22",
          "during the burst the cache of S join T is the better one, globally-consistent too",
          runs.map(r => 1 - Seq(cacheST, globalST).map(r.price(_, busy)).max / r.price(cacheRS, busy)),
          in(busy)
        ),
        Check.holds(
          "5.22",
          "A-Caching quickly turns to a cache in R's pipeline, where it had none: within a tenth of the burst",
          runs.forall(r => r.switched >= 0 && r.switched < bins / 20),
          runs.map(r => s"in bin ${r.switched + 1} of ${bins / 2}").mkString(", ")
        ),
        Check.positive(
          "5.22",
          "it then works less than the plan that it had",
          less(adaptive, cacheRS, busy),
          in(busy)
        ),
        within(
          "it is within 10% of the new best plan, which uses a globally-consistent cache",
          less(adaptive, globalST, busy),
          in(busy)
        ),
        within(
          "it is within 10% of the plan whose pipelines join S and T first",
          less(adaptive, cacheST, busy),
          in(busy)
        ),
        Check.positive(
          "5.22",
          "over the whole run A-Caching works less than either plan on its pipelines",
          wholly(cacheRS, globalST),
          shown(_.whole(_)) + "; four in five elements are of the burst"
        ),
        Check.positive(
          "5.22",
          "it works less than the plan whose pipelines join S and T first too",
          wholly(cacheST),
          shown(_.whole(_))
        ),
        Check.holds(
          "5.22",
          "in micro-batches it is within 10% of the better plan on its pipelines, before the burst and during it",
          Seq(calm, busy).forall(p => mean(batched.map(r => r.price(adaptive, p) / best(r, p))) <= 1.1),
          Seq(calm, busy).map(p => shown((r, k) => r.price(k, p), batched)).mkString("; ")
        )
      )
    )
  }
}

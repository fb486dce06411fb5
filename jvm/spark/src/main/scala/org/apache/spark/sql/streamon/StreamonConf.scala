package org.apache.spark.sql.streamon

import java.util.Locale

import org.apache.spark.internal.config.{ConfigEntry, OptionalConfigEntry}
import org.apache.spark.network.util.ByteUnit
import org.apache.spark.sql.internal.SQLConf
import org.streamon.core.constraints.ConstraintMode
import org.streamon.core.routes.RouteSettings

/** All settings of StreaMon, registered with Spark's own configuration. Spark refuses an invalid value when
  * it is set, `SET -v` lists the settings, and the reference page is generated from here.
  */
object StreamonConf {
  private val Prefix = "spark.streamon."

  private def oneOf(values: String*)(value: String): Boolean = values.contains(value)

  private def text(name: String, doc: String, default: String, allowed: Seq[String]): ConfigEntry[String] =
    SQLConf
      .buildConf(Prefix + name)
      .doc(doc)
      .version("0.1.0")
      .stringConf
      .transform(_.toLowerCase(Locale.ROOT))
      .checkValue(oneOf(allowed: _*), s"Allowed values: ${allowed.mkString(", ")}.")
      .createWithDefault(default)

  private def double(name: String, doc: String, default: Double, allowed: String)(
      check: Double => Boolean
  ): ConfigEntry[Double] =
    SQLConf
      .buildConf(Prefix + name)
      .doc(doc)
      .version("0.1.0")
      .doubleConf
      .checkValue(check, allowed)
      .createWithDefault(default)

  private def int(name: String, doc: String, default: Int, allowed: String)(
      check: Int => Boolean
  ): ConfigEntry[Int] =
    SQLConf
      .buildConf(Prefix + name)
      .doc(doc)
      .version("0.1.0")
      .intConf
      .checkValue(check, allowed)
      .createWithDefault(default)

  val Enabled: ConfigEntry[Boolean] = SQLConf
    .buildConf(Prefix + "enabled")
    .doc("The master switch. When false, no plan has an operator of StreaMon, even with hints.")
    .version("0.1.0")
    .booleanConf
    .createWithDefault(true)

  val Modes: Seq[String] = Seq("auto", "always", "hint", "off")
  val FilterMode: ConfigEntry[String] = text(
    "filter.mode",
    "Which filters become adaptive. auto: filters with a hint, and filters whose estimated cost reaches " +
      "filter.minCost. always: every filter with two or more deterministic conditions behind the last one that " +
      "is not deterministic. hint: only filters with a hint. off: no filter, even with a hint.",
    "auto",
    Modes
  )

  val Algorithms: Seq[String] =
    Seq("a-greedy", "sweep", "independent", "local-swaps", "static", "query-mesh")
  val FilterAlgorithm: ConfigEntry[String] = text(
    "filter.algorithm",
    "The algorithm that chooses the order. a-greedy: follows correlated conditions, at most 4 times the optimal " +
      "cost. sweep: finds the same order in the end, at less cost, and reacts more slowly. independent: ignores " +
      "correlation. local-swaps: costs least, and may stop at a worse order. static: cheapest first by a table of " +
      "costs, without profiling. query-mesh: each kind of row has an order of its own, which a-greedy adapts; a small " +
      "decision tree over the columns of the row tells the kinds apart. Filters on Python functions use a-greedy " +
      "instead.",
    "a-greedy",
    Algorithms
  )

  val Routes: ConfigEntry[Int] = int(
    "filter.routes",
    "The largest number of orders (routes) that query-mesh uses at the same time. With 1 there is no tree.",
    8,
    "Allowed values: 1 to 8."
  )(r => r >= 1 && r <= 8)

  val RouteSearch: ConfigEntry[String] = text(
    "filter.routes.search",
    "How query-mesh searches for routes. ii-qm: iterative improvement. sa-qm: simulated annealing. opt-qm: tries " +
      "every way, of fewer kinds: seven instead of ten.",
    "ii-qm",
    RouteSettings.searchNames
  )

  val RouteStart: ConfigEntry[String] = text(
    "filter.routes.start",
    "Where the searches ii-qm and sa-qm begin. route-driven: kinds with the same best order are together. " +
      "content-driven: rows with similar columns are together. random-pick: the best of ten random ways. " +
      "extreme-1-route: all rows are together. extreme-n: all kinds are apart.",
    "route-driven",
    RouteSettings.startNames
  )

  val ForcedRoutes: OptionalConfigEntry[String] = SQLConf
    .buildConf(Prefix + "filter.routes.forced")
    .internal()
    .doc(
      "Fixes the routes of query-mesh: an expression such as CASE WHEN carrier IN ('AA') THEN '2,0,1' ELSE '0,1,2' " +
        "END. Filters of another size ignore it."
    )
    .version("0.1.0")
    .stringConf
    .createOptional

  val ProfilingProbability: ConfigEntry[Double] = double(
    "filter.profilingProbability",
    "The largest share of rows that are sampled for the profile (the drop-profiling probability). 0 turns " +
      "profiling off.",
    0.01,
    "Allowed values: 0 to 1."
  )(p => p >= 0.0 && p <= 1.0)

  val Window: OptionalConfigEntry[Int] = SQLConf
    .buildConf(Prefix + "filter.window")
    .doc(
      "The number of sampled rows in the profile window. 1000 when unset. sweep uses 500 at most: it uses 500 if " +
        "this is unset or larger. A hint that asks for sweep and a larger window is an error."
    )
    .version("0.1.0")
    .intConf
    .checkValue(w => w >= 1 && w <= 100000, "Allowed values: 1 to 100000.")
    .createOptional

  val ThrashAvoidance: ConfigEntry[Double] = double(
    "filter.thrashAvoidance",
    "The thrash-avoidance factor. The order changes only when the ratio of drop rate to time of the condition in " +
      "place is below this share of the ratio of a later one. A lower value means fewer changes.",
    0.9,
    "Allowed values: above 0, up to 1."
  )(a => a > 0.0 && a <= 1.0)

  val MinCost: ConfigEntry[Double] = double(
    "filter.minCost",
    "In the mode auto, a filter without a hint adapts only if its conditions other than the cheapest take this " +
      "many nanoseconds for each row, by an estimate. Filters on Python functions adapt whatever they cost.",
    100.0,
    "Allowed values: 0 and above."
  )(_ >= 0.0)

  val ErrorModes: Seq[String] = Seq("withhold", "strict")
  val FilterErrors: ConfigEntry[String] = text(
    "filter.errors",
    "What happens to errors. withhold: the error of a condition that is evaluated out of turn is withheld, and " +
      "the row is evaluated again in written order. strict: in addition, conditions that may raise an error keep " +
      "their place, so that errors are exactly those of the written order.",
    "withhold",
    ErrorModes
  )

  val ProfilingBudget: ConfigEntry[Double] = double(
    "filter.profilingBudget",
    "The share of a filter's own time that profiling may take. Sampling slows down to stay within it.",
    0.02,
    "Allowed values: above 0, up to 1."
  )(b => b > 0.0 && b <= 1.0)

  val InitialOrders: Seq[String] = Seq("cheapest", "written")
  val InitialOrder: ConfigEntry[String] = text(
    "filter.initialOrder",
    "The order before anything has been learned. cheapest: cheapest first, by a table of costs. written: as " +
      "written in the query.",
    "cheapest",
    InitialOrders
  )

  val ForcedOrder: OptionalConfigEntry[String] = SQLConf
    .buildConf(Prefix + "filter.forcedOrder")
    .internal()
    .doc("Fixes the order: written positions, separated by commas. Filters of another size ignore it.")
    .version("0.1.0")
    .stringConf
    .checkValue(_.matches("\\d+(,\\d+)*"), "Allowed values: a permutation such as 2,0,1.")
    .createOptional

  val JoinEnabled: ConfigEntry[Boolean] = SQLConf
    .buildConf(Prefix + "join.enabled")
    .doc(
      "Which joins of streams become an MJoin. true: every tree of inner joins of three streams or more. false: " +
        "only joins with a hint MJOIN. Joins with windows of rows always become one. A query and its checkpoint " +
        "keep the joins that the query was started with."
    )
    .version("0.1.0")
    .booleanConf
    .createWithDefault(false)

  val JoinMinInputs: ConfigEntry[Int] = SQLConf
    .buildConf(Prefix + "join.minInputs")
    .internal()
    .doc("The fewest inputs of a tree of joins that join.enabled makes an MJoin.")
    .version("0.1.0")
    .intConf
    .checkValue(_ >= 2, "Allowed values: 2 and above.")
    .createWithDefault(3)

  val JoinAlgorithm: ConfigEntry[String] = text(
    "join.algorithm",
    "The algorithm that chooses the order in which an MJoin looks up its inputs. The values are those of " +
      "filter.algorithm. static keeps the inputs as written. With query-mesh the arriving rows of each input are of " +
      "several kinds, and each kind has an order of its own. An MJoin that may have caches, or that joins two streams " +
      "or more than 16, uses a-greedy instead.",
    "a-greedy",
    Algorithms
  )

  val JoinRoutes: ConfigEntry[Int] = int(
    "join.routes",
    "The largest number of orders (routes) that query-mesh uses at the same time for the rows of one input of an " +
      "MJoin. With 1 there is no tree.",
    8,
    "Allowed values: 1 to 8."
  )(r => r >= 1 && r <= 8)

  val JoinRouteSearch: ConfigEntry[String] = text(
    "join.routes.search",
    "How query-mesh searches for the routes of an MJoin. The values are those of filter.routes.search.",
    "ii-qm",
    RouteSettings.searchNames
  )

  val JoinRouteStart: ConfigEntry[String] = text(
    "join.routes.start",
    "Where the searches for the routes of an MJoin begin. The values are those of filter.routes.start.",
    "route-driven",
    RouteSettings.startNames
  )

  val JoinForcedRoutes: OptionalConfigEntry[String] = SQLConf
    .buildConf(Prefix + "join.routes.forced")
    .internal()
    .doc(
      "Fixes the routes of query-mesh for each input that has the columns: an expression as for filter.routes.forced. " +
        "Its numbers count the other inputs from 0. Joins of another size ignore it."
    )
    .version("0.1.0")
    .stringConf
    .createOptional

  val JoinProfilingProbability: ConfigEntry[Double] = double(
    "join.profilingProbability",
    "The share of rows that are sampled for the profile of an MJoin. 0 turns profiling off.",
    0.01,
    "Allowed values: 0 to 1."
  )(p => p >= 0.0 && p <= 1.0)

  val JoinWindow: OptionalConfigEntry[Int] = SQLConf
    .buildConf(Prefix + "join.window")
    .doc(
      "The number of sampled rows in the profile window of each pipeline. 1000 when unset. sweep uses 500 at " +
        "most, as for filter.window."
    )
    .version("0.1.0")
    .intConf
    .checkValue(w => w >= 1 && w <= 100000, "Allowed values: 1 to 100000.")
    .createOptional

  val JoinThrashAvoidance: ConfigEntry[Double] = double(
    "join.thrashAvoidance",
    "The thrash-avoidance factor of an MJoin. It means the same as filter.thrashAvoidance.",
    0.9,
    "Allowed values: above 0, up to 1."
  )(a => a > 0.0 && a <= 1.0)

  val ExecutorMemory: OptionalConfigEntry[Long] = SQLConf
    .buildConf(Prefix + "executor.memory")
    .doc(
      "The memory of an executor, in bytes, that MJoins may use for rows, constraint monitors and caches. All " +
        "queries with the same value share it. Three tenths of the heap when unset, or when larger than the heap. " +
        "When it is full, caches are dropped first. Then the largest inputs of the largest partitions are read from " +
        "the state store, also within a micro-batch."
    )
    .version("0.1.0")
    .bytesConf(ByteUnit.BYTE)
    .checkValue(_ >= 0, "Allowed values: 0 and above, up to the heap of the executor.")
    .createOptional

  val JoinForcedOrder: OptionalConfigEntry[String] = SQLConf
    .buildConf(Prefix + "join.forcedOrder")
    .internal()
    .doc(
      "Fixes the order in which inputs are looked up, as far as their keys allow it: their numbers, separated by " +
        "commas. Joins of another size ignore it."
    )
    .version("0.1.0")
    .stringConf
    .checkValue(_.matches("\\d+(,\\d+)*"), "Allowed values: a permutation such as 2,0,1.")
    .createOptional

  val CacheModes: Seq[String] = Seq("off", "prefix", "global")
  val JoinCaching: ConfigEntry[String] = text(
    "join.caching",
    "Which partial results an MJoin may cache. off: none. prefix: those that its pipelines compute anyway. " +
      "global: others as well. A cache is used only as long as it pays. There are no caches where all inputs have " +
      "one key and conditions are cheap.",
    "off",
    CacheModes
  )

  val JoinCachingInterval: ConfigEntry[Int] = int(
    "join.caching.interval",
    "The fewest rows of a partition between two measurements of the benefits and costs of caches. It grows up to " +
      "eight times while nothing changes. After a change of a probing order the next micro-batch is measured.",
    10000,
    "Allowed values: 1 and above."
  )(_ >= 1)

  val JoinCachingWindow: ConfigEntry[Int] = int(
    "join.caching.window",
    "The number of profiled rows of each input that one measurement of caches averages.",
    20,
    "Allowed values: 1 to 10000."
  )(w => w >= 1 && w <= 10000)

  val JoinCachingChange: ConfigEntry[Double] = double(
    "join.caching.change",
    "The relative change of a benefit or a cost after which caches are chosen again.",
    0.2,
    "Allowed values: 0 and above."
  )(_ >= 0.0)

  val JoinCachingMemory: OptionalConfigEntry[Long] = SQLConf
    .buildConf(Prefix + "join.caching.memory")
    .internal()
    .doc(
      "The part of spark.streamon.executor.memory that caches may use, in bytes. A quarter of it when unset."
    )
    .version("0.1.0")
    .bytesConf(ByteUnit.BYTE)
    .checkValue(_ > 0, "Allowed values: above 0; to have no caches set spark.streamon.join.caching to off.")
    .createOptional

  val JoinCachingForced: OptionalConfigEntry[String] = SQLConf
    .buildConf(Prefix + "join.caching.forced")
    .internal()
    .doc(
      "Caches these partial results wherever possible, and no others. Each is a set of inputs that are joined with " +
        "each other, two or more but not all, by their numbers in EXPLAIN."
    )
    .version("0.1.0")
    .stringConf
    .checkValue(
      _.matches("\\d+(\\+\\d+)+(,\\d+(\\+\\d+)+)*"),
      "Allowed values: sets such as 1+2 or 0+1,1+2+3."
    )
    .createOptional

  val ConstraintModes: Seq[String] = ConstraintMode.all.map(_.name)
  val JoinConstraints: ConfigEntry[String] = text(
    "join.constraints",
    "What an MJoin does with dead rows: rows that no future row can match, by the constraints of the data. off: " +
      "nothing is measured. observe: they are counted on a sample of the keys, and stay. exact: they move from " +
      "memory to the state store and are still found there, so no result is lost. approximate: they are deleted. " +
      "Where a constraint does not hold, results are missing, and their number is estimated. strict: as exact, by " +
      "declared constraints only, and a row that breaks one stops the query. Not used with windows of rows.",
    "observe",
    ConstraintModes
  )

  val JoinConstraintsDetect: ConfigEntry[Boolean] = SQLConf
    .buildConf(Prefix + "join.constraints.detect")
    .doc(
      "Whether observe, exact and approximate use constraints that no hint declares, if the rows so far keep them. " +
        "approximate never uses an undeclared UNIQUE. false: only those that the hints UNIQUE and K_CONSTRAINT " +
        "declare."
    )
    .version("0.1.0")
    .booleanConf
    .createWithDefault(true)

  val JoinConstraintsWindow: ConfigEntry[Int] = int(
    "join.constraints.window",
    "The number of rows of an input, in one partition, from which the k of a constraint is learned.",
    1000,
    "Allowed values: 1 and above."
  )(_ >= 1)

  val JoinConstraintsThreshold: ConfigEntry[Long] = SQLConf
    .buildConf(Prefix + "join.constraints.threshold")
    .doc(
      "The largest learned k that is used, in rows of one partition. With a larger one, keys would be watched for " +
        "longer than it pays. A declared k is always used."
    )
    .version("0.1.0")
    .longConf
    .checkValue(k => k >= 0 && k <= (1L << 40), "Allowed values: 0 to 2^40.")
    .createWithDefault(10000L)

  val JoinConstraintsRetention: ConfigEntry[Double] = double(
    "join.constraints.retention",
    "In approximate, the share of dead rows that stay for a while, chosen by a hash of their key. The number of " +
      "missing results is estimated from the results of these rows. 0 turns the estimate off.",
    0.01,
    "Allowed values: 0 to 1."
  )(p => p >= 0.0 && p <= 1.0)

  val MatchMemory: ConfigEntry[Long] = SQLConf
    .buildConf(Prefix + "match.memory")
    .doc(
      "The memory, in bytes, that the sets of the rules of one streamon_match may take in each executor. With less " +
        "memory more rules are compared with a row one by one. Rules that do not fit are an error."
    )
    .version("0.1.0")
    .bytesConf(ByteUnit.BYTE)
    .checkValue(_ > 0, "Allowed values: above 0.")
    .createWithDefault(256L << 20)

  val MatchSequence: OptionalConfigEntry[String] = SQLConf
    .buildConf(Prefix + "match.sequence")
    .internal()
    .doc(
      "Fixes the sequence in which the rules of a streamon_match are looked up: names of columns, separated by " +
        "commas. Other columns follow. Names that the rules do not look up are ignored."
    )
    .version("0.1.0")
    .stringConf
    .createOptional

  val ShareModes: Seq[String] = Seq("off", "auto")
  val MatchShare: ConfigEntry[String] = text(
    "match.share",
    "Whether conditions that a query already has over the same rows are evaluated together, as by streamon_match. off: " +
      "no. auto: in batch queries, in branches of a UNION ALL, in conditional aggregates and in arrays of CASE.",
    "off",
    ShareModes
  )

  val MatchShareLeast: ConfigEntry[Int] = SQLConf
    .buildConf(Prefix + "match.share.minRules")
    .internal()
    .doc("The fewest conditions over the same rows that match.share evaluates together.")
    .version("0.1.0")
    .intConf
    .checkValue(_ >= 1, "Allowed values: 1 and above.")
    .createWithDefault(16)

  val MatchShareMinCost: ConfigEntry[Int] = SQLConf
    .buildConf(Prefix + "match.share.minCost")
    .internal()
    .doc(
      "Estimated time of the conditions of conditional aggregates on one row, in nanoseconds, from which on match.share " +
        "evaluates them together."
    )
    .version("0.1.0")
    .intConf
    .checkValue(_ >= 0, "Allowed values: 0 and above.")
    // Measured: the aggregates of Spark are faster where conditions are cheaper.
    .createWithDefault(250)

  val LearningEnabled: ConfigEntry[Boolean] = SQLConf
    .buildConf(Prefix + "learning.enabled")
    .doc(
      "Whether the driver keeps the orders that tasks have learned. Later tasks, executors and executions of the " +
        "same filter or join in the session start with them."
    )
    .version("0.1.0")
    .booleanConf
    .createWithDefault(true)

  val LearningFolder: OptionalConfigEntry[String] = SQLConf
    .buildConf(Prefix + "learning.folder")
    .doc(
      "A folder that keeps learned orders for other sessions and applications that name it, on any file system that " +
        "Spark reaches. It contains hashes of conditions, and no texts. The routes of query-mesh also contain names of " +
        "columns, and values that tell kinds of rows apart. When unset, learned orders last as long as the session."
    )
    .version("0.1.0")
    .stringConf
    .checkValue(_.nonEmpty, "Allowed values: a path; to have no folder unset it.")
    .createOptional

  /** All settings in the order of the reference page. */
  val all: Seq[ConfigEntry[_]] = Seq(
    Enabled,
    FilterMode,
    FilterAlgorithm,
    Routes,
    RouteSearch,
    RouteStart,
    ForcedRoutes,
    ProfilingProbability,
    Window,
    ThrashAvoidance,
    MinCost,
    FilterErrors,
    ProfilingBudget,
    InitialOrder,
    ForcedOrder,
    JoinEnabled,
    JoinMinInputs,
    JoinAlgorithm,
    JoinRoutes,
    JoinRouteSearch,
    JoinRouteStart,
    JoinForcedRoutes,
    JoinProfilingProbability,
    JoinWindow,
    JoinThrashAvoidance,
    ExecutorMemory,
    JoinForcedOrder,
    JoinCaching,
    JoinCachingInterval,
    JoinCachingWindow,
    JoinCachingChange,
    JoinCachingMemory,
    JoinCachingForced,
    JoinConstraints,
    JoinConstraintsDetect,
    JoinConstraintsWindow,
    JoinConstraintsThreshold,
    JoinConstraintsRetention,
    MatchMemory,
    MatchSequence,
    MatchShare,
    MatchShareLeast,
    MatchShareMinCost,
    LearningEnabled,
    LearningFolder
  )

  /** Whether errors are raised exactly where the written order raises them. */
  def areErrorsStrict(conf: SQLConf): Boolean = conf.getConf(FilterErrors) == "strict"

  /** Registers the settings, which their creation does: a setting that Spark does not know yet is not
    * checked.
    */
  def register(): Unit = ()

  /** Those that users are told of. */
  def public: Seq[ConfigEntry[_]] = all.filter(_.isPublic)
}

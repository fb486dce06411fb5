package org.apache.spark.sql.streamon

import java.util.Locale

import org.apache.spark.internal.config.{ConfigEntry, OptionalConfigEntry}
import org.apache.spark.network.util.ByteUnit
import org.apache.spark.sql.internal.SQLConf
import org.streamon.core.constraints.ConstraintMode

/** Every setting of StreaMon, registered with Spark's own configuration: a bad value is refused when it is
  * set, `SET -v` lists them, and the reference page is generated from here.
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
    .doc("The master switch. When false no plan has an operator of StreaMon, whatever hints say.")
    .version("0.1.0")
    .booleanConf
    .createWithDefault(true)

  val Modes: Seq[String] = Seq("auto", "always", "hint", "off")
  val FilterMode: ConfigEntry[String] = text(
    "filter.mode",
    "Which filters become adaptive. auto: those that a hint names and those whose cost passes the gate " +
      "(filter.minCost). always: every one with two or more conjuncts that are deterministic and not ahead of " +
      "one that is not. hint: only those that a hint names. off: none, whatever hints say.",
    "auto",
    Modes
  )

  val Algorithms: Seq[String] = Seq("a-greedy", "sweep", "independent", "local-swaps", "static")
  val FilterAlgorithm: ConfigEntry[String] = text(
    "filter.algorithm",
    "How the order is kept best: a-greedy (follows correlation, at most 4 times the optimal cost), sweep (the " +
      "same order in the end, cheaper, slower to react), independent (ignores correlation), local-swaps " +
      "(cheapest, may stick), static (cheapest-first by a table of costs; never profiles).",
    "a-greedy",
    Algorithms
  )

  val ProfilingProbability: ConfigEntry[Double] = double(
    "filter.profilingProbability",
    "The drop-profiling probability: the share of rows sampled for the profile, at most.",
    0.01,
    "Allowed values: 0 to 1."
  )(p => p >= 0.0 && p <= 1.0)

  val Window: OptionalConfigEntry[Int] = SQLConf
    .buildConf(Prefix + "filter.window")
    .doc(
      "Profile tuples in the profile window. Unset: 1000. sweep takes 500 at most: 500 is used where this is " +
        "unset or greater, and a hint that asks for sweep and for more is refused."
    )
    .version("0.1.0")
    .intConf
    .checkValue(w => w >= 1 && w <= 100000, "Allowed values: 1 to 100000.")
    .createOptional

  val ThrashAvoidance: ConfigEntry[Double] = double(
    "filter.thrashAvoidance",
    "The thrash-avoidance factor: an order is given up only when the ratio of drop rate to time of the filter " +
      "in place falls below this share of another's.",
    0.9,
    "Allowed values: above 0, up to 1."
  )(a => a > 0.0 && a <= 1.0)

  val MinCost: ConfigEntry[Double] = double(
    "filter.minCost",
    "The gate: a filter without a hint is left alone when all its conjuncts but the cheapest are estimated to " +
      "take fewer nanoseconds a row.",
    100.0,
    "Allowed values: 0 and above."
  )(_ >= 0.0)

  val ErrorModes: Seq[String] = Seq("withhold", "strict")
  val FilterErrors: ConfigEntry[String] = text(
    "filter.errors",
    "withhold: a conjunct that raises out of turn has its error withheld and the row is evaluated again in " +
      "written order. strict: besides, conjuncts that may raise keep their place, so that errors are exactly " +
      "those of the written order.",
    "withhold",
    ErrorModes
  )

  val ProfilingBudget: ConfigEntry[Double] = double(
    "filter.profilingBudget",
    "The share of a filter's own time that profiling may take; sampling slows down to stay within it.",
    0.02,
    "Allowed values: above 0, up to 1."
  )(b => b > 0.0 && b <= 1.0)

  val InitialOrders: Seq[String] = Seq("cheapest", "written")
  val InitialOrder: ConfigEntry[String] = text(
    "filter.initialOrder",
    "The order before anything has been learned: cheapest (first by a table of costs) or written.",
    "cheapest",
    InitialOrders
  )

  val ForcedOrder: OptionalConfigEntry[String] = SQLConf
    .buildConf(Prefix + "filter.forcedOrder")
    .internal()
    .doc("Pins the order: written positions by comma. Ignored by filters of another size.")
    .version("0.1.0")
    .stringConf
    .checkValue(_.matches("\\d+(,\\d+)*"), "Allowed values: a permutation such as 2,0,1.")
    .createOptional

  val JoinEnabled: ConfigEntry[Boolean] = SQLConf
    .buildConf(Prefix + "join.enabled")
    .doc(
      "Which joins of streams become an MJoin. true: every tree of inner joins of three or more. false: those " +
        "that a hint MJOIN asks for. Windows of rows always do. A query keeps what it was started with, and so " +
        "does its checkpoint."
    )
    .version("0.1.0")
    .booleanConf
    .createWithDefault(false)

  val JoinMinInputs: ConfigEntry[Int] = SQLConf
    .buildConf(Prefix + "join.minInputs")
    .internal()
    .doc("The inputs without which join.enabled leaves a tree of joins alone.")
    .version("0.1.0")
    .intConf
    .checkValue(_ >= 2, "Allowed values: 2 and above.")
    .createWithDefault(3)

  val JoinAlgorithm: ConfigEntry[String] = text(
    "join.algorithm",
    "How the order in which an MJoin probes its inputs is kept best; as for filter.algorithm, but static keeps " +
      "the inputs as written.",
    "a-greedy",
    Algorithms
  )

  val JoinProfilingProbability: ConfigEntry[Double] = double(
    "join.profilingProbability",
    "The share of rows sampled for the profile of an MJoin.",
    0.01,
    "Allowed values: 0 to 1."
  )(p => p >= 0.0 && p <= 1.0)

  val JoinWindow: OptionalConfigEntry[Int] = SQLConf
    .buildConf(Prefix + "join.window")
    .doc(
      "Profile tuples in the profile window of each pipeline. Unset: 1000. sweep takes 500 at most, as for " +
        "filter.window."
    )
    .version("0.1.0")
    .intConf
    .checkValue(w => w >= 1 && w <= 100000, "Allowed values: 1 to 100000.")
    .createOptional

  val JoinThrashAvoidance: ConfigEntry[Double] = double(
    "join.thrashAvoidance",
    "The thrash-avoidance factor of an MJoin; as for filter.thrashAvoidance.",
    0.9,
    "Allowed values: above 0, up to 1."
  )(a => a > 0.0 && a <= 1.0)

  val ExecutorMemory: OptionalConfigEntry[Long] = SQLConf
    .buildConf(Prefix + "executor.memory")
    .doc(
      "The part of an executor's heap, in bytes, that MJoins may use for their rows, for what they know of constraints and " +
        "for caches. All queries with the same value share it. By default it is three tenths of the heap. Past it caches are let go of first; " +
        "then the largest inputs of the largest partitions are read from the state store, within a micro-batch too. A value " +
        "above the heap counts as the default."
    )
    .version("0.1.0")
    .bytesConf(ByteUnit.BYTE)
    .checkValue(_ >= 0, "Allowed values: 0 and above, up to the heap of the executor.")
    .createOptional

  val JoinForcedOrder: OptionalConfigEntry[String] = SQLConf
    .buildConf(Prefix + "join.forcedOrder")
    .internal()
    .doc(
      "Pins the order in which inputs are probed, as far as their keys allow it: their numbers by comma. " +
        "Ignored by joins of another size."
    )
    .version("0.1.0")
    .stringConf
    .checkValue(_.matches("\\d+(,\\d+)*"), "Allowed values: a permutation such as 2,0,1.")
    .createOptional

  val CacheModes: Seq[String] = Seq("off", "prefix", "global")
  val JoinCaching: ConfigEntry[String] = text(
    "join.caching",
    "Which subresults an MJoin may cache. off: none. prefix: those that its pipelines compute in passing " +
      "anyway. global: others as well. Whichever it is, a cache is used only as long as it pays, and there are " +
      "none where all inputs have one key and conditions are cheap.",
    "off",
    CacheModes
  )

  val JoinCachingInterval: ConfigEntry[Int] = int(
    "join.caching.interval",
    "Rows of a partition, at least, between two measurements of the benefits and costs of caches; up to eight " +
      "times as many while nothing changes. After a change of probing orders the next micro-batch is measured.",
    10000,
    "Allowed values: 1 and above."
  )(_ >= 1)

  val JoinCachingWindow: ConfigEntry[Int] = int(
    "join.caching.window",
    "Profiled rows of each input that such a measurement is the mean of.",
    20,
    "Allowed values: 1 to 10000."
  )(w => w >= 1 && w <= 10000)

  val JoinCachingChange: ConfigEntry[Double] = double(
    "join.caching.change",
    "The share by which a benefit or a cost must change before caches are chosen anew.",
    0.2,
    "Allowed values: 0 and above."
  )(_ >= 0.0)

  val JoinCachingMemory: OptionalConfigEntry[Long] = SQLConf
    .buildConf(Prefix + "join.caching.memory")
    .internal()
    .doc(
      "The most that caches may take of spark.streamon.executor.memory; a quarter of that where nothing is set."
    )
    .version("0.1.0")
    .bytesConf(ByteUnit.BYTE)
    .checkValue(_ > 0, "Allowed values: above 0; to have no caches set spark.streamon.join.caching to off.")
    .createOptional

  val JoinCachingForced: OptionalConfigEntry[String] = SQLConf
    .buildConf(Prefix + "join.caching.forced")
    .internal()
    .doc(
      "Caches these subresults wherever they can be, and no others: sets of two or more inputs, but not all, " +
        "that are joined with each other, by number as in EXPLAIN."
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
    "What an MJoin does with rows that, by constraints which the data keep, no future row can meet. off: " +
      "nothing is measured. observe: they are counted, on a sample of the keys, and stay. exact: they leave " +
      "memory for the state store and are still found there, so no row is lost. approximate: they go; rows " +
      "are missing where a constraint does not hold, and counted. strict: as exact, by declared constraints " +
      "only, and a row that breaks one stops the query. Not with windows of rows.",
    "observe",
    ConstraintModes
  )

  val JoinConstraintsDetect: ConfigEntry[Boolean] = SQLConf
    .buildConf(Prefix + "join.constraints.detect")
    .doc(
      "Whether exact and approximate also rely, and observe counts, on constraints that nobody declared and the " +
        "rows seen so far keep (approximate never on UNIQUE). false: on those that the hints UNIQUE and " +
        "K_CONSTRAINT declare, only."
    )
    .version("0.1.0")
    .booleanConf
    .createWithDefault(true)

  val JoinConstraintsWindow: ConfigEntry[Int] = int(
    "join.constraints.window",
    "The rows of an input, in one partition, from which the k of a constraint is learned.",
    1000,
    "Allowed values: 1 and above."
  )(_ >= 1)

  val JoinConstraintsThreshold: ConfigEntry[Long] = SQLConf
    .buildConf(Prefix + "join.constraints.threshold")
    .doc(
      "A learned k above this, in rows of one partition, is not used: keys would be watched for longer than " +
        "that pays. A declared one always is."
    )
    .version("0.1.0")
    .longConf
    .checkValue(k => k >= 0 && k <= (1L << 40), "Allowed values: 0 to 2^40.")
    .createWithDefault(10000L)

  val JoinConstraintsRetention: ConfigEntry[Double] = double(
    "join.constraints.retention",
    "In approximate, the share of the rows to go that stay for a while, by a hash of their key: by the results " +
      "that these are found in, the missing ones are estimated.",
    0.01,
    "Allowed values: 0 to 1."
  )(p => p >= 0.0 && p <= 1.0)

  val LearningEnabled: ConfigEntry[Boolean] = SQLConf
    .buildConf(Prefix + "learning.enabled")
    .doc(
      "Whether the driver keeps the orders that tasks have learned, and gives them to later tasks, executors and " +
        "executions of the same filter or join in the session as their first."
    )
    .version("0.1.0")
    .booleanConf
    .createWithDefault(true)

  val LearningFolder: OptionalConfigEntry[String] = SQLConf
    .buildConf(Prefix + "learning.folder")
    .doc(
      "A folder, on any file system that Spark reaches, in which learned orders are kept for other sessions and " +
        "applications that name it. It has hashes of conditions, and no text of them. Unset: what is learned lasts as " +
        "long as the session."
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
    LearningEnabled,
    LearningFolder
  )

  /** Registers the settings, which their creation does: a setting that Spark does not know yet is not
    * checked.
    */
  def register(): Unit = ()

  /** Those that users are told of. */
  def public: Seq[ConfigEntry[_]] = all.filter(_.isPublic)
}

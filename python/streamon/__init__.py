"""StreaMon: adaptive query processing for Apache Spark.

    spark = streamon.configure(SparkSession.builder).getOrCreate()
    df = spark.sql("SELECT /*+ ADAPTIVE_FILTER */ * FROM logs WHERE body RLIKE '...' AND level = 'ERROR'")

Settings are Spark confs under `spark.streamon.` and arguments of the hint; both work over Spark Connect.
"""

from streamon import needs  # noqa: F401

# isort: split
from streamon.constraint_report.report import Constraints, constraints
from streamon.constraint_report.rows import ConstrainedInput, Constraint, ConstraintPoint
from streamon.dispatching import dispatch
from streamon.errors import (
    ArgumentError,
    ConnectError,
    ExtraMissingError,
    JarError,
    JavaError,
    NoConstraintsError,
    NotLoadedError,
    SinkError,
    SparkVersionError,
    StreamonError,
    VersionMismatchError,
)
from streamon.hints import adaptive_filter, k_constraint, mjoin, stream_window, unique
from streamon.jar import jar_path, version
from streamon.live_view.watch import live
from streamon.matching import match
from streamon.plans import AdaptiveOperator, Explanation, Refusal, Refusals, explain, why_not
from streamon.query_rules import Rule, Rules, rules
from streamon.session import configure
from streamon.sinks import Sink
from streamon.tables import caches, decisions, routes, stats

__version__ = version()

__all__ = [
    "AdaptiveOperator",
    "ArgumentError",
    "ConnectError",
    "ConstrainedInput",
    "Constraint",
    "ConstraintPoint",
    "Constraints",
    "Explanation",
    "ExtraMissingError",
    "JarError",
    "JavaError",
    "NoConstraintsError",
    "NotLoadedError",
    "Refusal",
    "Refusals",
    "Rule",
    "Rules",
    "Sink",
    "SinkError",
    "SparkVersionError",
    "StreamonError",
    "VersionMismatchError",
    "__version__",
    "adaptive_filter",
    "caches",
    "configure",
    "constraints",
    "decisions",
    "dispatch",
    "explain",
    "jar_path",
    "k_constraint",
    "live",
    "match",
    "mjoin",
    "routes",
    "rules",
    "stats",
    "stream_window",
    "unique",
    "version",
    "why_not",
]

"""StreaMon: adaptive query processing for Apache Spark.

    spark = streamon.configure(SparkSession.builder).getOrCreate()
    df = spark.sql("SELECT /*+ ADAPTIVE_FILTER */ * FROM logs WHERE body RLIKE '...' AND level = 'ERROR'")

Settings are Spark confs under `spark.streamon.` and arguments of the hint; both work over Spark Connect.
"""

from streamon import needs  # noqa: F401

# isort: split
from streamon.constraints import Constraints, constraints
from streamon.constraints_rows import Constraint, Eviction, Moment
from streamon.errors import (
    ArgumentError,
    ConnectError,
    ExtraMissingError,
    JarError,
    JavaError,
    NoConstraintsError,
    NotLoadedError,
    SparkVersionError,
    StreamonError,
    VersionMismatchError,
)
from streamon.inspection import Refusal, explain, refusals, why_not
from streamon.jar import jar_path, version
from streamon.session import configure
from streamon.tables import caches, decisions, stats

__version__ = version()

__all__ = [
    "ArgumentError",
    "ConnectError",
    "Constraint",
    "Constraints",
    "Eviction",
    "ExtraMissingError",
    "JarError",
    "JavaError",
    "Moment",
    "NoConstraintsError",
    "NotLoadedError",
    "Refusal",
    "SparkVersionError",
    "StreamonError",
    "VersionMismatchError",
    "__version__",
    "caches",
    "configure",
    "constraints",
    "decisions",
    "explain",
    "jar_path",
    "refusals",
    "stats",
    "version",
    "why_not",
]

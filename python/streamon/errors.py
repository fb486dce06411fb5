"""The exceptions of the package. Each message gives the cause and the next step."""

from __future__ import annotations


class StreamonError(Exception):
    """Base class of all exceptions of this package."""


class ArgumentError(StreamonError, TypeError):
    """An argument is of a type that the function does not accept. The message says what it accepts."""


class JarError(StreamonError):
    """StreaMon's jar is missing, or another version of it is in its place or on the class path."""


class JavaError(StreamonError):
    """Java is missing, or too old for Spark 4."""


class SparkVersionError(StreamonError):
    """The installed Spark is not supported by this package, or by the jar in the JVM."""


class NotLoadedError(StreamonError):
    """The session runs without StreaMon's jar, or without its extension."""


class VersionMismatchError(StreamonError):
    """The jar in the session's JVM has another version than this package."""


class ConnectError(StreamonError):
    """A Spark Connect server does not answer, its address is wrong, or the client lacks packages."""


class ExtraMissingError(StreamonError):
    """A command needs packages of an optional extra that is not installed."""


class NoConstraintsError(StreamonError):
    """No constraints are known: there is no MJoin, or it has not measured constraints."""


class SinkError(StreamonError):
    """The sink of a rule failed, so the query stops. When it is started again, the micro-batch runs again."""

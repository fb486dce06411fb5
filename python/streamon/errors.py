"""What can go wrong between Python, the jar and Spark. Each message is one sentence that says what to do."""

from __future__ import annotations


class StreamonError(Exception):
    """Base of every error that this package raises itself."""


class ArgumentError(StreamonError, TypeError):
    """An argument is of a type that the function does not accept. The message says what it accepts."""


class JarError(StreamonError):
    """The jar that is needed is missing, or another one lies in its place or on the class path."""


class JavaError(StreamonError):
    """Java is missing, or too old for Spark 4."""


class SparkVersionError(StreamonError):
    """The Spark at hand is not one that this package, or the jar in its JVM, is built for."""


class NotLoadedError(StreamonError):
    """The session's JVM does not have StreaMon's jar, or has it and does not run its extension."""


class VersionMismatchError(StreamonError):
    """The jar in the session's JVM is of another version than this package."""


class ExtraMissingError(StreamonError):
    """A command needs packages of an optional extra that is not installed."""


class NoConstraintsError(StreamonError):
    """Nothing is known of constraints in a query: it has no MJoin, or one that does not measure them."""

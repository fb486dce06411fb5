"""Loading StreaMon into a Spark session."""

from __future__ import annotations

from functools import partial
from typing import Any

from pyspark.sql import SparkSession

from streamon import jar_list, jvm, loading, remote, state_store
from streamon.arguments import wrong
from streamon.errors import NotLoadedError
from streamon.jar import jar_path


def configure(builder: SparkSession.Builder, *, rocksdb: bool = False) -> SparkSession.Builder:
    """Let the session of a builder have StreaMon. Returns the same builder.

    The builder adds StreaMon's jar when it creates the session. Spark finds the extension in the jar.
    So `configure` can stand anywhere in the chain of the builder:

    - `.config(...)`, `.appName(...)`, `.master(...)` and `.remote(...)` can come before or after it. So can
      Delta's `configure_spark_with_delta_pip`.
    - The jars and extensions that you name yourself stay: in the builder, in `PYSPARK_SUBMIT_ARGS` (`--jars`,
      `--packages`, `--conf`, `--properties-file`) and in `spark-defaults.conf`.
    - Nothing is downloaded. Calling it twice, or naming StreaMon's jar or extension too, does no harm.

    A program that `spark-submit` starts needs no `--jars` for StreaMon. A process in which a session without
    StreaMon runs must stop this session first. For a Spark Connect server elsewhere `configure` adds no jar,
    since the server has its own.

    Args:
        builder: `SparkSession.builder`, of a classic session or of Spark Connect.
        rocksdb: whether RocksDB is the state store of streams, with changelog checkpointing. MJoins need
            RocksDB. This sets `spark.sql.streaming.stateStore.providerClass` and
            `spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled`. A value that you set
            yourself stays, wherever you set it. These are confs of the session: `getOrCreate` also sets them
            in a session that runs already, for the queries that start after that. A query that restarts from
            a checkpoint keeps the store that it began with.

    >>> spark = streamon.configure(SparkSession.builder).getOrCreate()  # doctest: +SKIP
    >>> spark = streamon.configure(SparkSession.builder, rocksdb=True).getOrCreate()  # doctest: +SKIP

    Raises:
        ArgumentError: `builder` is no session builder, or `rocksdb` is not True or False.
        JarError: the package's own jar is missing or of another version, or `spark.jars` names another one.
        NotLoadedError: a session without StreaMon runs in this process.
        SparkVersionError: there is no jar for the installed pyspark, or a JVM runs with the jar for another.
        VersionMismatchError: a JVM runs with a StreaMon of another version.

    Some of these errors can only be found when Spark starts. Then `getOrCreate` of the builder raises them.
    """
    if not _is_builder(builder):
        raise wrong("streamon.configure", "a session builder such as SparkSession.builder", builder)
    if not isinstance(rocksdb, bool):
        raise wrong("streamon.configure(builder, rocksdb=...)", "True or False", rocksdb)
    if not _is_elsewhere(builder):
        _check(builder)
    with_rocksdb = rocksdb or _wants_rocksdb(builder)
    for method in ("getOrCreate", "create"):
        # On the object itself: Delta's function accepts no other class of builder.
        vars(builder)[method] = partial(_create, builder, method, with_rocksdb)
    return builder


def _is_builder(thing: object) -> bool:
    """Whether it is a builder, of a classic session or of Spark Connect."""
    return isinstance(thing, SparkSession.Builder) or (
        jvm.is_connect(thing) and hasattr(thing, "getOrCreate")
    )


def _is_elsewhere(builder: SparkSession.Builder) -> bool:
    """Whether it is for a Spark Connect server, which has a JVM and jars of its own."""
    return jvm.is_connect(builder) or remote.is_elsewhere(builder._options)


def _wants_rocksdb(builder: SparkSession.Builder) -> bool:
    """Whether an earlier call of `configure` asked for it."""
    earlier = vars(builder).get("getOrCreate")
    return isinstance(earlier, partial) and bool(earlier.args[-1])


def _check(builder: SparkSession.Builder) -> None:
    """Raise early what is known before Spark starts."""
    jar_list.names(builder._options.get(loading.JARS, ""), jar_path())
    running = jvm.running()
    if running is None:
        return
    if jvm.is_loaded(running):
        jvm.check(running)
    elif _has_session():
        raise NotLoadedError(
            "A session without StreaMon runs in this process: stop it with spark.stop() and call "
            "streamon.configure before the next one, or start with `spark-submit --jars $(streamon jar)`."
        )


def _has_session() -> bool:
    """Whether Spark runs in this process."""
    from pyspark import SparkContext

    return SparkContext._active_spark_context is not None


def _create(builder: SparkSession.Builder, method: str, with_rocksdb: bool) -> SparkSession:
    """The builder's `getOrCreate` or `create`, after StreaMon's jar was added."""
    options = builder._options
    if _is_elsewhere(builder):
        if remote.is_reused(options):
            builder.config(loading.JARS, jar_list.union(options.get(loading.JARS, ""), str(jar_path())))
        session = _finish(builder, method)
        if with_rocksdb:
            state_store.use_rocksdb(session)
        return session
    _check(builder)
    if jvm.running() is None:
        loading.start_jvm(options)
    running = jvm.running()
    if not _has_session():
        loading.load(running, jar_path())
        loading.keep_jars(builder, running)
    if with_rocksdb:
        for key, value in state_store.missing({**_stated(), **options}).items():
            builder.config(key, value)
    return _finish(builder, method)


def _finish(builder: SparkSession.Builder, method: str) -> SparkSession:
    """What the builder's own class does."""
    session: SparkSession = getattr(type(builder), method)(builder)
    return session


def _stated() -> dict[str, Any]:
    """The settings of the running session, or else those that the JVM was started with."""
    from pyspark import SparkConf

    session = SparkSession.getActiveSession() or SparkSession._instantiatedSession
    return session.conf.getAll if session is not None and _has_session() else dict(SparkConf().getAll())

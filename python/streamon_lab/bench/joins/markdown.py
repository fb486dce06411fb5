"""The committed table of results, with the method beside it."""

from __future__ import annotations

from streamon_lab.bench import page
from streamon_lab.bench.joins.report import Json, rows
from streamon_lab.bench.joins.summary import TARGETS
from streamon_lab.bench.joins.workloads.one_key import EMPTY
from streamon_lab.bench.targets import judged

METHOD = """\
Written by `streamon-lab bench joins --json FILE`; the same numbers for machines are in `{json}`.

- One run, one Spark session (`local[{cores}]`), stock Spark being the same session with
  `spark.streamon.enabled=false`. Each stream is a folder of CSV files; a micro-batch takes one file of each
  (`maxFilesPerTrigger`, trigger `availableNow`). Time is from the SQL text to the end of the query. The
  sink keeps nothing; results are counted, and a checksum that does not depend on their order is drawn, by
  `observe` in the query itself. Every run of every engine must give the same, or the bench stops.
- All streaming engines: RocksDB state store with changelog checkpointing, two shuffle partitions,
  checkpoints by `LocalCheckpointFileManager`, which starts no process for logs and changelogs, and without
  RocksDB's own count of rows, which costs the chain a look-up a write. The chain runs in each of its state
  formats; a speedup is over the fastest of them. Each run has a new checkpoint, and the stores of one are
  closed before the next.
- All variants of a workload are warmed up with the same rows in one micro-batch (in as many as are measured
  where there are watermarks), in which the rows of the state are counted as well, and then run round-robin,
  each round starting with another, garbage collected in between. {rounds} rounds, their median; the chain,
  far off and slow, runs every other round.
- With 1.5 and 4 million rows the chain runs in formats 3 and 4, without its default, format 2, which is the
  slowest with fewer.
- `cpu_speedup` is the processor time of the tasks of the chain, in the state format that takes least, over
  that of the MJoin: with 1.5 million rows in three and in five streams, and in `8-way`.
- "Again" is the same engine once more: how far the two are apart is noise. `noise_floor` is the largest.
- **A micro-batch's fixed cost** is that of `8-way-empty`, with about one row a stream and micro-batch: the
  mean without the first. **A row's cost** is the time of `3-way-long` less that of `3-way`, both in the same
  number of micro-batches, over the rows that one has more.
- `3-way-1x`, `-2x` and `-4x` are the same join with 1, 2 and 4 million rows. `row_cost_growth` is the
  cost of a row between 2 and 4 million over that between 1 and 2 million: 1 where cost is linear. `-4x` runs
  on the chain too, in formats 3 and 4, and on an MJoin whose rows may take 64 MB of memory, for all
  partitions: the others are read from the state store.
- Format 4 counts rows of one key and time as one row of state.
- State bytes and files are those under `state` in the checkpoint when the query has ended.
- State rows of an MJoin are without the replicas that it keeps where keys differ between pairs; these are
  `state_replicas` in the JSON.
- `3-way-windowed` joins rows of three streams within ten minutes of each other, of two hours; its state rows
  are those at the end, when the watermark has let go of the others.
- `rst` is R(A), S(A, B), T(B), each value once in a stream on average; `clique-4` joins four streams by an
  attribute for each pair, two rows of a stream for each value.
- `nexmark-q23` is Nexmark's query 23 on rows generated as Nexmark generates them: 92% bids, 6% auctions,
  2% people, with its hot sellers and bidders.
- `drift`: two streams of questions against four texts of the same key. Half-way it turns round which of the
  texts answers hardly any question, and which of the streams has nine questions of ten. Fixed orders are the
  inputs' numbers in the order in which they are probed: of all orders the two that take the fewest probes
  by the known rates, and one that takes the most.
"""

FLINK = """\
Flink {version} by PyFlink, in a process of its own beside the session: its MultiJoin, which it has for
streams with a common key, and its joins of two, the same files without micro-batches, {cores} tasks, into a
sink that keeps nothing; state on the heap, and in RocksDB for three streams. Its answer is checked in another
run, which also warms it up. Its time has the start of a job in it, which a row's cost has not. It makes no
checkpoints but where its name has them: then it makes about as many as Spark makes micro-batches, at an
interval that is found by runs before (`checkpoints` in the JSON is how many there were).
`row_cost_vs_flink` is to the MultiJoin on the heap without checkpoints; `time_vs_flink` is to that with
checkpoints, and `time_vs_flink_without_checkpoints` to that without.
"""

NO_FLINK = """\
Flink was not run (`--flink` names a Python that has `apache-flink`), so the figures against it are null.
"""


def as_markdown(result: Json, json_name: str) -> str:
    """The page of one result."""
    environment, method = result["environment"], result["method"]
    lines = ["# Joins of many streams: MJoin against Spark's chain of joins", ""]
    lines.append(METHOD.format(json=json_name, cores=environment["spark_cores"], rounds=method["rounds"]))
    cores, version = environment["spark_cores"], environment.get("flink")
    lines += [FLINK.format(version=version, cores=cores) if version else NO_FLINK]
    lines += [page.ran_on(environment), ""]
    lines += page.summary(judged(result["summary"], TARGETS))
    costs = result["row_cost_us"]
    if costs:
        lines += ["", "A row costs " + ", ".join(f"{us:.1f} us in the {n}" for n, us in costs.items()) + "."]
    lines += ["", "## Times and state", "", *page.table(rows(result))]
    for workload in result["workloads"]:
        if workload["name"] == EMPTY:
            lines += ["", "## Where the fixed cost of a micro-batch goes", "", *page.table(phases(workload))]
    return "\n".join([*lines, ""])


def phases(workload: Json) -> list[list[str]]:
    """Milliseconds of a micro-batch by Spark's names for its parts; the heading first."""
    engines = workload["engines"]
    names = list(dict.fromkeys(name for e in engines for name in e["phases_ms"]))
    return [
        ["part, ms", *(e["name"] for e in engines)],
        *([f"`{n}`", *(f"{e['phases_ms'].get(n, 0):.1f}" for e in engines)] for n in names),
    ]

"""The committed table of results, with the method beside it."""

from __future__ import annotations

from streamon_lab.bench import page
from streamon_lab.bench.caching.report import Json, rows
from streamon_lab.bench.caching.summary import TARGETS
from streamon_lab.bench.targets import judged

METHOD = """\
Written by `streamon-lab bench caching --json FILE`; the same numbers for machines are in `{json}`.

- One run, one Spark session (`local[{cores}]`), two shuffle partitions, RocksDB state with changelog
  checkpointing, checkpoints by `LocalCheckpointFileManager`, as in the bench of joins. Every run of every
  plan must give the same results, by number and checksum, or the bench stops. All plans of a workload are
  warmed up and then run round-robin, {rounds} rounds, their median.
- "MJoin" has its caches switched off, "again" is the same once more: how far the two are apart is noise.
  "prefix caches" and "global caches" begin each run with nothing learned. The materialized tree is MJoins of
  two inputs, each of which keeps the results of the one below among its rows; the chain is Spark's own, in
  state format 3, and keeps the same. An MJoin chooses caches between micro-batches, and within
  one that brings other rates, so the first of each run has none.
- **A row's cost** is the time of a run less that of its `-short` one, in as many micro-batches, over the rows
  that it has more: the fixed cost of micro-batches is not in it. `speedup` is whole time of the MJoin over
  that of a plan, `gain a row` the same of a row's cost; a row that costs less than the MJoin and "again" are
  apart counts with that.
- `rst` is R(A), S(A, B), T(B), where few S have an R, and T asks for the same B again and again; `chain-4`
  is a chain of four of the same kind; in `rst-unique` and `one-key-4` nothing comes again, or all streams
  have one key. `memory` is `rst` with twenty times as many values of B, for caches with less and less
  memory. `point-d1` to `-d8` have the rates and selectivities of Table 5.2 of the thesis, on one key.
  `range-N`: N rows of R in four groups, joined with S of the group by a range, which no index serves. In
  `burst` R comes at 20 times its rate for the second third of the time, and asks for other S then; the
  static plans force one cache each; it has five times as many micro-batches. `memory` and the points have
  neither tree nor chain; nor has `burst`, of which these would have to keep 700 million results of R and S.
- `gain_where_pays` is the least gain a row of `rst` and `chain-4`, in the better mode; `worst_ratio` the
  least speedup in whole time where caches cannot pay, the points among it, `worst_ratio_of_control` that of
  "again", which is what noise makes of so many runs, `worst_cpu_ratio` the least in processor
  time; `burst_vs_best_static` the speed of adaptive caches over the faster static plan; `nested_loop_gain`
  the least gain a row of the ranges.
- The plans with a size have no more memory for their caches than that.
"""


def as_markdown(result: Json, json_name: str) -> str:
    """The page of one result."""
    environment, method = result["environment"], result["method"]
    lines = ["# Caches of subresults in an MJoin", ""]
    lines.append(METHOD.format(json=json_name, cores=environment["spark_cores"], rounds=method["rounds"]))
    lines += [page.ran_on(environment), ""]
    lines += page.summary(judged(result["summary"], TARGETS))
    lines += ["", "## Times and caches", "", *page.table(rows(result)), ""]
    return "\n".join(lines)

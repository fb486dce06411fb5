"""The committed table of results, with the method beside it."""

from __future__ import annotations

from streamon_lab.bench import page
from streamon_lab.bench.constraints.report import Json, rows, seeds
from streamon_lab.bench.constraints.summary import TARGETS
from streamon_lab.bench.targets import judged

METHOD = """\
Written by `streamon-lab bench constraints --json FILE`; the same numbers for machines are in `{json}`.

- One run, one Spark session (`local[{cores}]`), two shuffle partitions, RocksDB state with changelog
  checkpointing, checkpoints by `LocalCheckpointFileManager`, as in the bench of joins. All modes of a
  workload are warmed up and then run round-robin, {rounds} rounds, their median. Results are counted as
  they go into the sink. Every run must give the same results, by number and checksum, or the bench stops;
  `approximate` may give fewer, which are `missed`, and more stop the bench.
- "MJoin" is the operator with constraints off, "again" the same once more: how far the two are apart is
  noise. Each mode begins each run with nothing learned. The chain is Spark's own, in state format 3,
  with RocksDB counting its rows.
- Every ratio is with constraints over without. `CPU s` is the processor time of tasks, which tells more than
  the clock where the machine is shared. Memory is that of the rows in executor memory at the end of
  a micro-batch, monitors and key filters of constraints included, as the operator reports it; steady is its
  mean after the first full window, or over the latter half where nothing leaves. State rows have those in
  the cold tier of the store.
- Seeds of the data: {seeds}.
- `network`: customers' packets, one in ten of which goes on to the backbone and then to an outgoing link,
  each after 30 packets at most; each packet once a link; windows of ten minutes, by watermarks, with a
  micro-batch each two seconds, whose rows cannot be gone before it ends. Of the dead rows one in a thousand
  is retained, elsewhere one in a hundred. `detected` is the same with nothing declared, and one in a hundred.
- `linear-road`: the queries of Table 6.3 of the thesis, from a generator of ours, with what it declares.
  Windows are 20 minutes where a car's trip counts, else five. The summary has the worst of them, in
  `approximate` and in `exact`.
- `obeys-nothing`: keys at random, with repeats, in no order, nothing ever leaves: what `observe` costs.
- `k-flat`, `k-rising`, `k-falling`, `k-jumping`: a child comes up to k rows after what refers to it, and k is
  learned; `missed_share_worst` is the greatest share of results that `approximate` is without.
"""


def as_markdown(result: Json, json_name: str) -> str:
    """The page of one result."""
    environment, method = result["environment"], result["method"]
    lines = ["# k-constraints in an MJoin", ""]
    facts = {"cores": environment["spark_cores"], "rounds": method["rounds"], "seeds": seeds()}
    lines.append(METHOD.format(json=json_name, **facts))
    lines += [page.ran_on(environment), ""]
    lines += page.summary(judged(result["summary"], TARGETS))
    lines += ["", "## Times, rows and memory", "", *page.table(rows(result)), ""]
    return "\n".join(lines)

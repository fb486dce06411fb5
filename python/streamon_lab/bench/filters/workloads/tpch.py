"""TPC-H `lineitem`: the filters of Q6, Q12 and Q19, and LIKEs over `l_comment`."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
from pathlib import Path

from streamon_lab.bench.datasets import cached
from streamon_lab.bench.filters.sizes import Sizes
from streamon_lab.bench.filters.workload import Predicate, Workload

COLUMNS = (
    "l_shipdate",
    "l_discount",
    "l_quantity",
    "l_shipmode",
    "l_commitdate",
    "l_receiptdate",
    "l_shipinstruct",
    "l_comment",
    "l_returnflag",
)

QUERIES: dict[str, tuple[str, tuple[Predicate, ...]]] = {
    "W2.Q6": (
        "TPC-H Q6: dates and decimals",
        (
            Predicate("ship_from", "l_shipdate >= DATE '1994-01-01'"),
            Predicate("ship_before", "l_shipdate < DATE '1995-01-01'"),
            # Two conjuncts, as Spark takes BETWEEN apart.
            Predicate("discount_from", "l_discount >= 0.05"),
            Predicate("discount_to", "l_discount <= 0.07"),
            Predicate("quantity", "l_quantity < 24"),
        ),
    ),
    "W2.Q12": (
        "TPC-H Q12: IN and date comparisons",
        (
            Predicate("mode", "l_shipmode IN ('MAIL', 'SHIP')"),
            Predicate("commit_receipt", "l_commitdate < l_receiptdate"),
            Predicate("ship_commit", "l_shipdate < l_commitdate"),
            Predicate("receipt_from", "l_receiptdate >= DATE '1994-01-01'"),
            Predicate("receipt_before", "l_receiptdate < DATE '1995-01-01'"),
        ),
    ),
    "W2.Q19": (
        "TPC-H Q19, lineitem side",
        (
            Predicate("mode", "l_shipmode IN ('AIR', 'AIR REG')"),
            Predicate("instruct", "l_shipinstruct = 'DELIVER IN PERSON'"),
            Predicate(
                "quantity",
                "l_quantity BETWEEN 1 AND 11 OR l_quantity BETWEEN 10 AND 20 OR l_quantity BETWEEN 20 AND 30",
            ),
        ),
    ),
    "W2.comment": (
        "TPC-H lineitem, LIKE and RLIKE over l_comment",
        (
            Predicate("not_special", "l_comment NOT LIKE '%special%requests%'"),
            Predicate("like_fu_ly", "l_comment LIKE '%fu%ly%'"),
            Predicate("like_pending", "l_comment LIKE '%pending%de%'"),
            Predicate("rx_sleep", "l_comment RLIKE '(careful|quick|slow)ly .*(sleep|nag|haggle)'"),
            Predicate("returned", "l_returnflag = 'R'"),
        ),
    ),
}

NAMES = tuple(QUERIES)


def generate(folder: Path, scale: float) -> None:
    """Writes `lineitem.parquet` of scale factor `scale` with the generator of `tpchgen-cli`.

    Raises:
        FileNotFoundError: `tpchgen-cli` is not installed.
    """
    scripts = sysconfig.get_path("scripts")
    program = shutil.which("tpchgen-cli", path=scripts) or shutil.which("tpchgen-cli")
    if program is None:
        raise FileNotFoundError("tpchgen-cli is not installed: install it with `pip install tpchgen-cli`.")
    subprocess.run(
        [program, "parquet", "-s", str(scale), "--tables=lineitem", f"--output-dir={folder}"],
        check=True,
        capture_output=True,
    )


def workloads(root: Path, sizes: Sizes) -> list[Workload]:
    """W2.Q6, W2.Q12, W2.Q19 and W2.comment."""
    scale = sizes.tpch_scale
    folder = cached(root, f"tpch-{scale:g}", lambda out: generate(out, scale))
    return [
        Workload(
            name,
            title,
            predicates,
            folder / "lineitem.parquet",
            columns=COLUMNS,
            all_cheap=name != "W2.comment",
        )
        for name, (title, predicates) in QUERIES.items()
    ]

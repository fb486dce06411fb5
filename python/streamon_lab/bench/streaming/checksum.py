"""A checksum of result rows that does not depend on their order, in SQL that every engine has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

MODULUS = 2_147_483_647
"""A prime whose square fits a BIGINT."""

FACTOR = 1_000_003


def expression(columns: Sequence[str]) -> str:
    """The SQL of a row's part of the checksum: its sum over all rows is the checksum.

    Squaring makes the sum notice values that have changed places between rows. Nothing overflows.

    Args:
        columns: BIGINT columns with values of 0 and above, below `MODULUS`.
    """
    # A remainder is of its divisor's type in some engines, and an INT would overflow.
    modulus = f"CAST({MODULUS} AS BIGINT)"
    mixed = columns[0]
    for column in columns[1:]:
        mixed = f"(({mixed}) * {FACTOR} + {column}) % {modulus}"
    return f"(({mixed}) * ({mixed})) % {modulus}"


def of(rows: Iterable[Sequence[int]]) -> int:
    """The checksum of rows."""
    total = 0
    for row in rows:
        mixed = row[0]
        for value in row[1:]:
            mixed = (mixed * FACTOR + value) % MODULUS
        total += mixed * mixed % MODULUS
    return total

"""The commands of `streamon`. Each prints its errors in one sentence and exits with 1."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence

from streamon.cli import handover
from streamon.cli.doctor import run_doctor
from streamon.errors import StreamonError
from streamon.jar import jar_path, version


def parser() -> ArgumentParser:
    """The commands and options that this package has itself; the help lists those of streamon-lab as well."""
    lab = "\n".join(f"  {name:<10}{about}" for name, about in handover.COMMANDS.items())
    found = ArgumentParser(
        prog="streamon",
        description="Adaptive query processing for Apache Spark.",
        epilog=f"commands of the package streamon-lab:\n{lab}",
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    found.add_argument("--version", action="version", version=version(), help="Print the version.")
    commands = found.add_subparsers(title="commands", dest="command", required=True, metavar="COMMAND")
    about = "Check Java, Spark, the jar, a filter, RocksDB and an MJoin. Exits with 1 if a check fails."
    doctor = commands.add_parser("doctor", help=about, description=about)
    doctor.add_argument(
        "--remote",
        metavar="ADDRESS",
        help="Check this Spark Connect server instead, such as sc://host:15002.",
    )
    about = "Print the path of StreaMon's jar: spark-submit --jars $(streamon jar) ..."
    jar = commands.add_parser("jar", help=about, description=about)
    jar.add_argument(
        "--spark",
        metavar="VERSION",
        help="A Spark version, such as 4.2. Default: that of the installed pyspark.",
    )
    return found


def run(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code.

    Raises:
        StreamonError: the command failed.
        SystemExit: the arguments are invalid, or the command ended the process itself.
    """
    if arguments and arguments[0] in handover.COMMANDS:
        handover.run(arguments)
        return 0
    if not arguments:
        parser().print_help()
        return 2
    options = parser().parse_args(arguments)
    if options.command == "doctor":
        return 0 if run_doctor(options.remote) else 1
    print(jar_path(options.spark))
    return 0


def main() -> None:
    """Entry point: an error of the package is one sentence on stderr."""
    try:
        code = run(sys.argv[1:])
    except StreamonError as error:
        print(f"streamon: {error}", file=sys.stderr)
        code = 1
    raise SystemExit(code)


if __name__ == "__main__":
    main()

"""Hold our numbers against those of other programs, on random data made to be awkward.

Each number is the same, differs by a convention that our documentation states, or is wrong.
"""

from __future__ import annotations

import argparse
import sys
import time
from importlib import import_module
from importlib.metadata import PackageNotFoundError
from typing import TYPE_CHECKING

from peers.judging import NotInstalled, Verdicts
from peers.page import PAGE, Outcome, page, table

if TYPE_CHECKING:
    from peers.judging import Tool

TOOLS = (
    "scikit_learn",
    "scikit_learn_tests",
    "pycm",
    "statsmodels",
    "torchmetrics",
    "krippendorff",
    "mlstatkit",
    "proc",
    "rocr",
)


def compared(name: str) -> Outcome:
    """One program, asked about everything that both have."""
    tool: Tool = import_module(f"peers.tools.{name}")  # type: ignore[assignment]
    try:
        version = tool.version()
    except (NotInstalled, PackageNotFoundError) as missing:
        return Outcome(tool.NAME, None, Verdicts(()), f"{tool.NAME} is left out: {missing}")
    verdicts = Verdicts(tool.CONVENTIONS, tool.PRECISION)
    start = time.perf_counter()
    tool.compare(verdicts)
    return Outcome(
        tool.NAME, version, verdicts, f"{tool.NAME}: {time.perf_counter() - start:.0f} s"
    )


def main() -> int:
    """Compare, print what came of it, and tell by the exit code whether anything is wrong."""
    options = argparse.ArgumentParser(prog="python -m peers", description=__doc__)
    options.add_argument("--only", choices=TOOLS, action="append", help="this program alone")
    options.add_argument("--write", action="store_true", help=f"keep the table in {PAGE}")
    chosen = options.parse_args()
    outcomes = []
    for name in chosen.only or TOOLS:
        outcomes.append(compared(name))
        print(outcomes[-1].remark, file=sys.stderr)
    print("\n".join(table(outcomes)))
    trouble = [line for outcome in outcomes for line in outcome.trouble()]
    print("\n".join(trouble))
    if chosen.write:
        if chosen.only or any(outcome.version is None for outcome in outcomes):
            print("The page is written when every program is there.", file=sys.stderr)
            return 1
        PAGE.write_text(page(outcomes), encoding="utf-8")
    return 1 if trouble else 0


if __name__ == "__main__":
    sys.exit(main())

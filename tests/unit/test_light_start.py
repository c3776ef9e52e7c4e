"""A first evaluation does not import heavy libraries."""

import subprocess
import sys

PROGRAM = """
import sys
import tradeoff as to
e = to.evaluate(actual=[0, 1] * 300, score=[(i * 37 % 101) / 101 for i in range(600)])
e.to_dict()
heavy = ("scipy", "pandas", "polars", "matplotlib", "duckdb", "click")
print([name for name in heavy if name in sys.modules])
"""


def test_evaluating_arrays_imports_numpy_alone():
    process = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )

    assert process.stdout.strip() == "[]"

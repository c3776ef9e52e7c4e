"""The tests that scikit-learn ships, with our numbers in place of its own (`peers.shipped`).

A test is tried if it asks us for a number. It is the same if it passes on our numbers, and each is
scikit-learn's to nine digits; a convention, if on the way scikit-learn's answer stood for what is
undefined here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from peers.judging import Convention, FailedTest

if TYPE_CHECKING:
    from peers.judging import Verdicts

NAME = "scikit-learn's own tests"
PRECISION = 1e-9
TESTS = (
    "sklearn.metrics.tests.test_classification",
    "sklearn.metrics.tests.test_ranking",
    "sklearn.metrics.tests.test_common",
    "sklearn.metrics.tests.test_score_objects",
    "sklearn.metrics.cluster.tests.test_supervised",
)
OVERFLOW = "::test_confusion_matrix_dtype"
"""Asserts that sums of weights wrap around, and so fails with ours."""


def _never(_: Any) -> bool:
    """Tests are told apart by the conventions that they meet, not by their numbers."""
    return False


BY_NAME = {
    "overflow": Convention(
        "sums of whole weights beyond 2^63 wrap around",
        "| whole weights that sum to 2^62 or more | summed as floats | in scikit-learn the "
        "sum overflows to a negative number",
        frozenset({OVERFLOW}),
        _never,
    ),
    "one class": Convention(
        "1 where all rows are of one class and called that",
        "| adjusted Rand index of one class | undefined | scikit-learn 1",
        frozenset({"adjusted_rand_score"}),
        _never,
    ),
    "no positives": Convention(
        "0 without positive rows",
        "| average precision without positives | undefined | scikit-learn 0",
        frozenset({"average_precision_score"}),
        _never,
    ),
    "Matthews": Convention(
        "0 where a class is empty or never predicted",
        "| Matthews correlation with an empty margin | undefined | scikit-learn 0",
        frozenset({"matthews_corrcoef"}),
        _never,
    ),
    "x/0": Convention(
        "replace_undefined_by where a likelihood ratio is x/0",
        "| x/0 | infinite (likelihood ratios, odds ratio) | scikit-learn NaN",
        frozenset({"class_likelihood_ratios"}),
        _never,
    ),
    "nats": Convention(
        "natural logarithms",
        "| mutual information, entropies | bits | torchmetrics and scikit-learn use nats",
        frozenset({"mutual_info_score"}),
        _never,
    ),
    "0/0": Convention(
        "zero_division where a share is 0/0, also in averages",
        "| 0/0 | NaN with a reason | scikit-learn 0 and a warning",
        frozenset({"precision_recall_fscore_support", "jaccard_score"}),
        _never,
    ),
}
"""The rarest first: a test that meets several counts for the first of them."""
CONVENTIONS = tuple(BY_NAME.values())


def version() -> str:
    """As installed."""
    return installed_version("scikit-learn")


def compare(verdicts: Verdicts) -> None:
    """One line of results for each test in which we answered."""
    for result in _run():
        verdicts.tried += 1
        verdicts.quantities.update(result["answered"])
        followed = list(result["followed"])
        if result["test"] == OVERFLOW and result["outcome"] == "failed":
            followed.append("overflow")
        elif result["different"] or result["outcome"] == "failed":
            why = "; ".join(result["different"]) or result["why"]
            verdicts.wrong.append(FailedTest(result["test"], why))
            continue
        met = [convention for name, convention in BY_NAME.items() if name in followed]
        if met:
            verdicts.explained[met[0]] += 1
        else:
            verdicts.same += 1


def _run() -> list[dict[str, Any]]:
    """The tests in a Python of their own, as the plugin changes scikit-learn."""
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "results.jsonl"
        command = [sys.executable, "-m", "pytest", "--quiet", "-p", "no:cacheprovider"]
        command += ["-p", "peers.shipped.plugin", "--pyargs", *TESTS]
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "PEERS_RESULTS": str(results), "PYTHONPATH": _path()},
            capture_output=True,
            text=True,
            check=False,
        )
        if not results.exists():
            raise RuntimeError(f"scikit-learn's tests did not run:\n{done.stdout[-2000:]}")
        lines = results.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _path() -> str:
    """Where this Python finds us."""
    here = str(Path(__file__).parents[2])
    return os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH"))))

"""MLstatkit: DeLong's test of two models on the same rows."""

from __future__ import annotations

from importlib.metadata import version as installed_version
from typing import TYPE_CHECKING

from peers.data import two_models
from peers.judging import Convention, undefined_here
from peers.quantities import delong_interval, summary

if TYPE_CHECKING:
    from peers.judging import Verdicts

NAME = "MLstatkit"
PRECISION = 1e-9
CONVENTIONS = (
    Convention(
        "z is second minus first",
        "Differences and z are first minus second, as in pROC; MLstatkit has the opposite sign.",
        frozenset({"paired DeLong z"}),
        lambda number: abs(number.ours + number.theirs) <= 1e-9 * abs(number.ours),
    ),
    Convention(
        "an interval of no width where every row has the same score",
        "If every row has the same score, the AUC has no interval; pROC and MLstatkit",
        frozenset({"DeLong interval"}),
        undefined_here(0.5),
    ),
)


def version() -> str:
    """As installed."""
    return installed_version("MLstatkit")


def compare(verdicts: Verdicts) -> None:
    """z, p, both areas, their intervals, and the variance of the difference."""
    from MLstatkit import Delong_test

    for data in two_models():
        z, p, first, second, *areas, told = Delong_test(data.actual, data.first, data.second)
        if told["method"] != "delong":
            continue  # it draws rows again where the difference does not vary
        found = data.comparison.difference("first", "second")
        verdicts.compare("paired DeLong z", data, found.statistic, z)
        verdicts.compare("paired DeLong p", data, found.p_value, p)
        variance = found.standard_error**2
        verdicts.compare("variance of a difference", data, variance, told["var_diff"])
        for ranking, area, ends in zip(data.rankings, areas, (first, second), strict=True):
            verdicts.compare("auc", data, summary("auc", ranking), area)
            verdicts.compare("DeLong interval", data, delong_interval(ranking), ends)

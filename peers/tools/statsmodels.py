"""statsmodels: intervals of shares, tests of predicted classes, 2 × 2 tables, calibration lines."""

from __future__ import annotations

import math
import warnings
from importlib.metadata import version as installed_version
from typing import TYPE_CHECKING, Any

import numpy as np

from peers.data import (
    SEED,
    counted_classes,
    scored_rows,
    shares,
    two_by_two,
)
from peers.judging import Convention
from peers.quantities import metric, share_interval
from tradeoff.measures.summaries.calibration import calibration_in_the_large, calibration_line
from tradeoff.stats.paired_labels import cochran_q_test, mcnemar_test
from tradeoff.stats.proportions import newcombe_interval
from tradeoff.stats.ratios import likelihood_ratio_interval, odds_ratio_interval
from tradeoff.stats.significance import holm_adjusted

if TYPE_CHECKING:
    from peers.data import ScoredRows
    from peers.judging import Verdicts

NAME = "statsmodels"
PRECISION = 1e-9
SHARE_METHODS = {
    "wilson": "wilson",
    "beta": "clopper-pearson",
    "jeffreys": "jeffreys",
    "agresti_coull": "agresti-coull",
}
CONVENTIONS = (
    Convention(
        "0/0, or 1/0 with a correction, where the models differ on no row",
        "McNemar's test has p = 1 if the models do not differ on any row; statsmodels returns NaN",
        frozenset(
            f"McNemar {method} {part}"
            for method in ("chi-squared", "chi-squared, corrected")
            for part in ("statistic", "p")
        ),
        lambda number: (
            number.data == "0 against 0"
            and (number.theirs_is_undefined or number.theirs in {math.inf, 0.0})
        ),
    ),
)


def version() -> str:
    """As installed."""
    return installed_version("statsmodels")


def compare(verdicts: Verdicts) -> None:
    """Everything that both have."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        _shares(verdicts)
        _predicted_classes(verdicts)
        _differences(verdicts)
        _two_by_two(verdicts)
        _kappa(verdicts)
        _several_tests(verdicts)
        for rows in scored_rows():
            _calibration(verdicts, rows)


def _shares(verdicts: Verdicts) -> None:
    from statsmodels.stats.proportion import proportion_confint

    for hits, trials in shares():
        for level in (0.8, 0.95, 0.99):
            for theirs, ours in SHARE_METHODS.items():
                expected = proportion_confint(hits, trials, 1 - level, theirs)
                found = share_interval(hits, trials, ours, level)
                verdicts.compare(
                    f"{ours} interval", f"{hits} of {trials}, {level:.0%}", found, expected
                )


def _predicted_classes(verdicts: Verdicts) -> None:
    from statsmodels.stats import contingency_tables

    for cells in two_by_two():
        _, only_first, only_second, _ = cells
        table = np.reshape(cells, (2, 2))
        for ours, choices in {
            "exact": {"exact": True},
            "chi-squared": {"exact": False, "correction": False},
            "chi-squared, corrected": {"exact": False, "correction": True},
        }.items():
            expected = contingency_tables.mcnemar(table, **choices)
            found = mcnemar_test(only_first, only_second, ours)
            data = f"{only_first} against {only_second}"
            verdicts.compare(f"McNemar {ours} statistic", data, found.statistic, expected.statistic)
            verdicts.compare(f"McNemar {ours} p", data, found.p_value, expected.pvalue)
    for size in (3, 8, 60, 300):
        for models in (2, 3, 5):
            rng = np.random.default_rng([SEED, 7, size, models])
            right = (rng.random((models, size)) < np.linspace(0.6, 0.85, models)[:, None]).astype(
                int
            )
            expected = contingency_tables.cochrans_q(right.T)
            found = cochran_q_test(right)
            data = f"{models} models on {size} rows"
            verdicts.compare("Cochran's Q", data, found.statistic, expected.statistic)
            verdicts.compare("Cochran's Q p", data, found.p_value, expected.pvalue)


def _differences(verdicts: Verdicts) -> None:
    """Shares of different rows."""
    from statsmodels.stats.proportion import confint_proportions_2indep

    for tp, fn, fp, tn in two_by_two():
        counts = tp, tp + fn, fp, fp + tn
        if not (tp + fn and fp + tn):
            continue
        data = "{} of {}, {} of {}".format(*counts)
        expected = confint_proportions_2indep(*counts, compare="diff", method="newcomb")
        ends = [float(end) for end in newcombe_interval(*counts)]
        verdicts.compare("Newcombe's interval", data, ends, expected)


def _two_by_two(verdicts: Verdicts) -> None:
    """Odds ratio, and LR+ as the ratio of two risks."""
    from statsmodels.stats.contingency_tables import Table2x2

    for cells in two_by_two():
        tp, fn, fp, tn = cells
        table = Table2x2(np.reshape(cells, (2, 2)).astype(float), shift_zeros=False)
        data = f"(tp, fn, fp, tn)={cells}"
        verdicts.compare(
            "odds_ratio", data, float(odds_ratio_interval(*cells).value), table.oddsratio
        )
        if all(cells):
            found = odds_ratio_interval(*cells)
            ends = float(found.low), float(found.high)
            verdicts.compare("odds ratio interval", data, ends, table.oddsratio_confint())
            found = likelihood_ratio_interval(tp, tp + fn, fp, fp + tn)
            ends = float(found.low), float(found.high)
            verdicts.compare("positive_likelihood_ratio", data, float(found.value), table.riskratio)
            verdicts.compare("LR+ interval", data, ends, table.riskratio_confint())


def _kappa(verdicts: Verdicts) -> None:
    from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

    for data in counted_classes():
        expected = cohens_kappa(data.matrix.counts.astype(float))
        verdicts.compare("cohens_kappa", data, metric("cohens_kappa", data.matrix), expected.kappa)
        raters = _by_row(data.matrix.counts)
        verdicts.compare("scotts_pi", data, metric("scotts_pi", data.matrix), fleiss_kappa(raters))


def _by_row(counts: np.ndarray) -> np.ndarray:
    """How many of the two raters chose each class, row by row."""
    pairs = np.array(list(np.ndindex(counts.shape)))
    each = np.eye(len(counts))[pairs].sum(axis=1)
    return np.repeat(each, counts.astype(int).ravel(), axis=0)


def _several_tests(verdicts: Verdicts) -> None:
    from statsmodels.stats.multitest import multipletests

    for size in (1, 2, 5, 30):
        rng = np.random.default_rng([SEED, 8, size])
        p_values = (rng.random(size) ** 2).round(2)
        expected = multipletests(p_values, method="holm")[1]
        verdicts.compare("holm adjusted p", f"{size} tests", holm_adjusted(p_values), expected)


def _calibration(verdicts: Verdicts, rows: ScoredRows) -> None:
    """Logistic regression on log odds, with the slope free and at 1."""
    import statsmodels.api as sm

    logits = np.log(rows.score) - np.log1p(-rows.score)
    if not np.isfinite(logits).all() or rows.has_weightless_class or len(set(rows.actual)) < 2:
        return
    whole = rows.weight is None or rows.weight.dtype.kind == "i"
    weights: dict[str, Any] = {}
    if rows.weight is not None:
        weights = {"freq_weights" if whole else "var_weights": rows.weight}
    ones = np.ones((len(logits), 1))
    chances = sm.families.Binomial()
    shifted = _fitted(sm.GLM(rows.actual, ones, family=chances, offset=logits, **weights))
    found = calibration_in_the_large(rows.ranking)
    verdicts.compare("calibration_in_the_large", rows, found.value, shifted.params[0])
    if whole:
        ends = shifted.conf_int()[0]
        verdicts.compare("calibration-in-the-large interval", rows, (found.low, found.high), ends)
    if separated(rows):
        return
    columns = np.column_stack([ones, logits])
    line = _fitted(sm.GLM(rows.actual, columns, family=chances, **weights))
    for estimate, value, ends in zip(
        calibration_line(rows.ranking), line.params, line.conf_int(), strict=True
    ):
        verdicts.compare(estimate.name, rows, estimate.value, value)
        if whole:
            verdicts.compare(f"{estimate.name} interval", rows, (estimate.low, estimate.high), ends)


def _fitted(model: Any) -> Any:
    """Fitted twice: standard errors are those of the step before the last."""
    return model.fit(start_params=model.fit(tol=1e-14).params, tol=1e-14)


def separated(rows: ScoredRows) -> bool:
    """Whether a threshold parts the classes: then a logistic regression has no end."""
    counted = np.ones(len(rows.actual)) if rows.weight is None else rows.weight
    positives = rows.score[(rows.actual == 1) & (counted > 0)]
    negatives = rows.score[(rows.actual == 0) & (counted > 0)]
    return positives.min() >= negatives.max() or negatives.min() >= positives.max()

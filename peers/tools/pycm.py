"""pycm: statistics of confusion matrices, of each class and overall, and intervals of shares."""

from __future__ import annotations

import math
from importlib.metadata import version as installed_version
from typing import TYPE_CHECKING, Any

import numpy as np

from peers.data import counted_classes
from peers.judging import Convention, follows_their_rule, infinite_here, undefined_here
from peers.quantities import average, by_class, metric, share_interval

if TYPE_CHECKING:
    from peers.data import CountedClasses
    from peers.judging import Verdicts
    from tradeoff import ConfusionMatrix

NAME = "pycm"
PRECISION = 1e-9

OVERALL = {
    "Overall ACC": "accuracy",
    "Overall RACC": "random_agreement",
    "Overall RACCU": "unbiased_random_agreement",
    "Kappa": "cohens_kappa",
    "Gwet AC1": "gwets_ac1",
    "Bennett S": "bennetts_s",
    "Scott PI": "scotts_pi",
    "Kappa No Prevalence": "prevalence_adjusted_kappa",
    "Chi-Squared": "chi_squared",
    "Phi-Squared": "phi_squared",
    "Cramer V": "cramers_v",
    "Response Entropy": "predicted_entropy",
    "Reference Entropy": "actual_entropy",
    "Cross Entropy": "cross_entropy",
    "Joint Entropy": "joint_entropy",
    "Conditional Entropy": "conditional_entropy",
    "Mutual Information": "mutual_information",
    "KL Divergence": "kl_divergence",
    "Lambda A": "lambda_actual",
    "Lambda B": "lambda_predicted",
    "Hamming Loss": "error_rate",
    "NIR": "no_information_rate",
    "Overall CEN": "confusion_entropy",
    "Overall MCEN": "modified_confusion_entropy",
    "Overall MCC": "matthews_correlation",
    "CBA": "class_balance_accuracy",
    "RCI": "uncertainty_coefficient",
    "Pearson C": "pearsons_c",
    "ARI": "adjusted_rand_index",
    "Bangdiwala B": "bangdiwalas_b",
    "Krippendorff Alpha": "krippendorffs_alpha",
}
BY_CLASS = {
    "TPR": "true_positive_rate",
    "TNR": "true_negative_rate",
    "PPV": "precision",
    "NPV": "negative_predictive_value",
    "FNR": "false_negative_rate",
    "FPR": "false_positive_rate",
    "FDR": "false_discovery_rate",
    "FOR": "false_omission_rate",
    "ACC": "accuracy",
    "ERR": "error_rate",
    "F1": "f_measure",
    "F0.5": "f0.5",
    "F2": "f2",
    "MCC": "matthews_correlation",
    "BM": "youden_j",
    "MK": "markedness",
    "PLR": "positive_likelihood_ratio",
    "NLR": "negative_likelihood_ratio",
    "DOR": "odds_ratio",
    "Q": "yules_q",
    "PRE": "prevalence",
    "TOPR": "predicted_positive_rate",
    "G": "fowlkes_mallows",
    "J": "critical_success_index",
    "IS": "information_score",
    "AUC": "balanced_accuracy",
    "sInd": "similarity_index",
    "dInd": "plain_distance_to_perfect",
    "LS": "lift",
    "BCD": "bray_curtis_dissimilarity",
    "OP": "optimized_precision",
    "IBA": "index_of_balanced_accuracy(dominance=1)",
    "GM": "geometric_mean",
    "OC": "overlap_coefficient",
    "AUPR": "kulczynski",
    "ICSI": "classification_success_index",
    "BB": "braun_blanquet",
    "AGM": "adjusted_geometric_mean",
    "AGF": "adjusted_f_measure",
    "DP": "discriminant_power",
}
AVERAGES = {
    "TPR": "true_positive_rate",
    "TNR": "true_negative_rate",
    "FPR": "false_positive_rate",
    "FNR": "false_negative_rate",
    "PPV": "precision",
    "NPV": "negative_predictive_value",
    "F1": "f_measure",
}
SHARES = {
    "TPR": lambda m: (m.true_positives, m.positives),
    "TNR": lambda m: (m.true_negatives, m.negatives),
    "PPV": lambda m: (m.true_positives, m.predicted_positives),
    "NPV": lambda m: (m.true_negatives, m.predicted_negatives),
    "ACC": lambda m: (m.correct, m.rows),
}
"""Hits and trials."""
LEVEL = 0.9500042097035591
"""What lies within 1.96 standard errors: pycm rounds the quantile of 95%."""
CONVENTIONS = (
    Convention(
        "None where a ratio, or its logarithm, is x/0",
        "| x/0 | infinite (likelihood ratios, odds ratio) | scikit-learn NaN, or 1 in "
        "scorers; pycm None",
        frozenset({"positive_likelihood_ratio", "negative_likelihood_ratio", "information_score"}),
        infinite_here,
    ),
    Convention(
        "LR+ / LR-, and so None where either is, also where the cells give 0 or infinity",
        "| odds ratio, Yule's Q | computed from the cells, even if one is empty | pycm uses "
        "LR+ / LR-",
        frozenset({"odds_ratio", "yules_q"}),
        follows_their_rule,
    ),
    Convention(
        "decimal logarithms, and None where it is infinite",
        "| discriminant power | natural logarithms | pycm uses decimal logarithms",
        frozenset({"discriminant_power"}),
        follows_their_rule,
    ),
    Convention(
        "None as soon as a class is undefined",
        "scikit-learn counts them as 0, pycm returns None",
        frozenset(f"{name}, macro" for name in AVERAGES.values()),
        follows_their_rule,
    ),
    Convention(
        "classes that are never predicted left out of a logarithm of 0",
        "| cross entropy, KL divergence | infinite if a class is never predicted | pycm",
        frozenset({"cross_entropy"}),
        lambda number: number.ours == math.inf and follows_their_rule(number),
    ),
    Convention(
        "None as soon as a class does not occur or is never predicted",
        "omits the class, and returns None for the divergence",
        frozenset({"kl_divergence"}),
        follows_their_rule,
    ),
    Convention(
        "None as soon as a class neither occurs nor is predicted",
        "| confusion entropy | a class without rows contributes 0 | pycm None",
        frozenset({"confusion_entropy", "modified_confusion_entropy"}),
        follows_their_rule,
    ),
    Convention(
        "None where recall or precision is 0/0",
        "| F, Fowlkes–Mallows without true positives | 0 if there is any error | pROC and "
        "ROCR NaN, pycm None for Fowlkes–Mallows",
        frozenset({"fowlkes_mallows"}),
        lambda number: number.ours == 0 and follows_their_rule(number),
    ),
    Convention(
        "0 without negative rows, where no positive is found",
        "| adjusted geometric mean of one class | undefined | pycm 0",
        frozenset({"adjusted_geometric_mean"}),
        undefined_here(0.0),
    ),
    Convention(
        "an interval that leaves [0, 1]",
        "Agresti–Coull's interval is truncated at 0 and 1, as in statsmodels; pycm's is not.",
        frozenset({"agresti-coull interval"}),
        lambda number: (
            (number.ours == 0 and number.theirs < 0) or (number.ours == 1 and number.theirs > 1)
        ),
    ),
    Convention(
        "a number for a single row",
        "| Krippendorff's alpha of one row | undefined | pycm and krippendorff 0",
        frozenset({"krippendorffs_alpha"}),
        lambda number: number.data.matrix.rows == 1 and undefined_here(0.0)(number),
    ),
)


def version() -> str:
    """As installed."""
    return installed_version("pycm")


def compare(verdicts: Verdicts) -> None:
    """Every statistic that both have."""
    import pycm

    for data in counted_classes():
        matrix = data.matrix
        table = {
            own: dict(zip(matrix.classes, map(int, line), strict=True))
            for own, line in zip(matrix.classes, matrix.counts, strict=True)
        }
        told = pycm.ConfusionMatrix(matrix=table)
        for theirs, ours in OVERALL.items():
            value = _number(told.overall_stat[theirs])
            rule = _overall_rule(ours, data)
            verdicts.compare(ours, data, metric(ours, matrix), value, rule)
        for theirs, ours in BY_CLASS.items():
            values = [_number(told.class_stat[theirs][own]) for own in matrix.classes]
            parts = [matrix.one_against_rest(own) for own in matrix.classes]
            rule = [_class_rule(ours, part) for part in parts]
            verdicts.compare(ours, data, by_class(ours, matrix), values, rule)
        for theirs, ours in AVERAGES.items():
            macro, micro = (
                _number(told.overall_stat[f"{theirs} {how}"]) for how in ("Macro", "Micro")
            )
            mean = float(np.mean(by_class(ours, matrix)))
            verdicts.compare(f"{ours}, macro", data, average(ours, matrix, "macro"), macro, mean)
            verdicts.compare(f"{ours}, micro", data, average(ours, matrix, "micro"), micro)
        _intervals(verdicts, data, told)


def _intervals(verdicts: Verdicts, data: CountedClasses, told: Any) -> None:
    """Wilson and Agresti-Coull."""
    for theirs, counted in SHARES.items():
        for method in ("wilson", "agresti-coull"):
            found = told.CI(theirs, binom_method=method)
            for own in data.matrix.classes:
                hits, trials = counted(data.matrix.one_against_rest(own))
                if not trials:
                    continue
                low, high = found[own][1]
                verdicts.compare(
                    f"{method} interval",
                    f"{hits:g} of {trials:g}",
                    share_interval(hits, trials, method, LEVEL),
                    [_number(low), _number(high)],
                )


def _overall_rule(name: str, data: CountedClasses) -> float | None:
    """The number by pycm's rule, from our counts."""
    actual, predicted = data.actual, data.predicted
    if name == "cross_entropy":
        seen = predicted > 0
        shares = predicted[seen] / predicted.sum()
        return float(-(actual[seen] / actual.sum() * np.log2(shares)).sum())
    own = metric(name, data.matrix)
    if name == "kl_divergence":
        return own if actual.all() and predicted.all() else math.nan
    if name in {"confusion_entropy", "modified_confusion_entropy"}:
        return own if (actual + predicted).all() else math.nan
    return None


def _class_rule(name: str, matrix: ConfusionMatrix) -> float:
    """The number of one class by pycm's rule, from our counts; NaN where it has None."""
    if name in {"odds_ratio", "yules_q"}:
        plus, minus = (metric(ratio, matrix) for ratio in ("plr", "nlr"))
        odds = plus / minus if math.isfinite(plus) and math.isfinite(minus) and minus else math.nan
        return odds if name == "odds_ratio" else (odds - 1) / (odds + 1)
    own = metric(name, matrix)
    if name == "discriminant_power":
        return own / math.log(10) if math.isfinite(own) else math.nan
    if name == "fowlkes_mallows":
        return math.sqrt(metric("tpr", matrix) * metric("precision", matrix))
    return own


def _number(value: Any) -> float:
    """The word None stands where a number is undefined."""
    return math.nan if isinstance(value, str) else float(value)

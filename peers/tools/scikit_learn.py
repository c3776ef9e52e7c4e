"""scikit-learn on random data: its functions beside ours, `to.compat` and `to.scorer`."""

from __future__ import annotations

import math
import warnings
from functools import partial
from importlib.metadata import version as installed_version
from typing import TYPE_CHECKING, Any

import numpy as np

import tradeoff as to
from peers.data import (
    ScoredRows,
    class_scored_rows,
    classified_rows,
    scored_rows,
    weighted_classified_rows,
)
from peers.judging import (
    Convention,
    follows_their_rule,
    given_here,
    infinite_here,
    undefined_here,
)
from peers.quantities import area_of_classes, average, by_class, metric, summary

if TYPE_CHECKING:
    from collections.abc import Callable

    from peers.data import ClassifiedRows, ClassScoredRows
    from peers.judging import Verdicts

NAME = "scikit-learn"
PRECISION = 1e-9

AT_A_THRESHOLD = {
    "accuracy": "accuracy_score",
    "error_rate": "zero_one_loss",
    "precision": "precision_score",
    "true_positive_rate": "recall_score",
    "f_measure": "f1_score",
    "critical_success_index": "jaccard_score",
    "matthews_correlation": "matthews_corrcoef",
    "cohens_kappa": "cohen_kappa_score",
    "balanced_accuracy": "balanced_accuracy_score",
}
OF_SCORES = {
    "auc": "roc_auc_score",
    "average_precision": "average_precision_score",
    "brier": "brier_score_loss",
    "log_loss": "log_loss",
    "brier_skill_score": "d2_brier_score",
    "log_loss_skill_score": "d2_log_loss_score",
}
AVERAGED = {
    "precision": "precision_score",
    "true_positive_rate": "recall_score",
    "f_measure": "f1_score",
    "critical_success_index": "jaccard_score",
}
OF_CLASSES = {
    "accuracy": "accuracy_score",
    "matthews_correlation": "matthews_corrcoef",
    "cohens_kappa": "cohen_kappa_score",
    "adjusted_rand_index": "adjusted_rand_score",
}
SCORERS = {
    "auc": "roc_auc",
    "average_precision": "average_precision",
    "brier": "neg_brier_score",
    "log_loss": "neg_log_loss",
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced_accuracy",
    "precision": "precision",
    "recall": "recall",
    "f1": "f1",
    "jaccard": "jaccard",
    "mcc": "matthews_corrcoef",
    "positive_likelihood_ratio": "positive_likelihood_ratio",
    "negative_likelihood_ratio": "neg_negative_likelihood_ratio",
}
SHARES = frozenset(AVERAGED)
RATIOS = frozenset({"positive_likelihood_ratio", "negative_likelihood_ratio"})
CONVENTIONS = (
    Convention(
        "0 where a share is 0/0",
        "| 0/0 | NaN with a reason | scikit-learn 0 and a warning",
        SHARES,
        undefined_here(0.0),
    ),
    Convention(
        "0 where a class is empty or never predicted",
        "| Matthews correlation with an empty margin | undefined | scikit-learn 0",
        frozenset({"matthews_correlation"}),
        undefined_here(0.0),
    ),
    Convention(
        "no likelihood ratio where it is x/0",
        "| x/0 | infinite (likelihood ratios, odds ratio) | scikit-learn NaN",
        RATIOS,
        infinite_here,
    ),
    Convention(
        "undefined classes count as 0 in averages",
        "| macro averages | omit undefined classes, and the result says how many classes were"
        " averaged | scikit-learn counts them as 0",
        frozenset(f"{name}, {how}" for name in AVERAGED for how in ("macro", "weighted")),
        follows_their_rule,
    ),
    Convention(
        "the mean over the classes that have rows",
        "| balanced accuracy without rows of a class | undefined | scikit-learn",
        frozenset({"balanced_accuracy"}),
        lambda number: number.ours_is_undefined and follows_their_rule(number),
    ),
    Convention(
        "0 without positive rows",
        "| average precision without positives | undefined | scikit-learn 0",
        frozenset({"average_precision"}),
        undefined_here(0.0),
    ),
    Convention(
        "a recall of 1 without positive rows, 0 at the added point",
        "| average precision without positives | undefined | scikit-learn 0, as its recall is 1",
        frozenset({"precision_recall_curve true_positive_rate"}),
        lambda number: number.ours_is_undefined and number.theirs in {0.0, 1.0},
    ),
    Convention(
        "an added point of precision 1",
        "| precision if nothing is predicted positive | undefined | scikit-learn adds a point of 1",
        frozenset({"precision_recall_curve precision"}),
        undefined_here(1.0),
    ),
    Convention(
        "stops where there is one class",
        "| log loss of one class | defined | scikit-learn raises an error",
        frozenset({"log_loss"}),
        given_here,
    ),
    Convention(
        "minus infinity where there is one class",
        "| skill scores of one class | undefined | scikit-learn returns minus infinity",
        frozenset({"brier_skill_score"}),
        undefined_here(-math.inf),
    ),
    Convention(
        "a number below -1e9 where there is one class, from dividing by a clipped logarithm",
        "or a huge negative number",
        frozenset({"log_loss_skill_score"}),
        lambda number: number.ours_is_undefined and number.theirs < -1e9,
    ),
    Convention(
        "a class whose rows all weigh 0 is there",
        "| weights | 0 or more, 0 means absent | in scikit-learn's log loss",
        frozenset({"to.compat log_loss"}),
        lambda number: (
            number.data.has_weightless_class
            and number.ours_is_undefined
            and follows_their_rule(number)
        ),
    ),
    Convention(
        "a class whose rows all weigh 0 is there, and a skill far below 0 follows",
        "| weights | 0 or more, 0 means absent | in scikit-learn's log loss",
        frozenset({"to.compat d2_log_loss_score"}),
        lambda number: (
            number.data.has_weightless_class and number.ours_is_undefined and number.theirs < -1e9
        ),
    ),
    Convention(
        "1 (the worst) from scorers where a likelihood ratio is x/0",
        "| x/0 | infinite (likelihood ratios, odds ratio) | scikit-learn NaN, or 1 in scorers",
        frozenset(f"to.scorer {name}" for name in RATIOS),
        lambda number: number.ours == math.inf and number.theirs == 1,
    ),
    Convention(
        "1 where all rows are of one class and called that",
        "| adjusted Rand index of one class | undefined | scikit-learn 1",
        frozenset({"adjusted_rand_index"}),
        undefined_here(1.0),
    ),
)


def version() -> str:
    """As installed."""
    return installed_version("scikit-learn")


def compare(verdicts: Verdicts) -> None:
    """Two classes, several classes, compatibility, scorers."""
    for rows in scored_rows():
        _at_a_threshold(verdicts, rows)
        _of_scores(verdicts, rows)
        _curves(verdicts, rows)
        _compatible(verdicts, rows)
    for classified in (*classified_rows(), *weighted_classified_rows()):
        _of_classes(verdicts, classified)
    for scored in class_scored_rows():
        _areas_of_classes(verdicts, scored)
    _scorers(verdicts)


def told(function: str | Callable[..., Any], *arguments: Any, **choices: Any) -> Any:
    """What scikit-learn says; NaN where it stops. Warnings are its way to say undefined."""
    from sklearn import metrics

    ask = getattr(metrics, function) if isinstance(function, str) else function
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ask(*arguments, **choices)
        except ValueError:
            return math.nan


def _at_a_threshold(verdicts: Verdicts, rows: ScoredRows) -> None:
    ask = partial(told, sample_weight=rows.weight)
    for ours, theirs in AT_A_THRESHOLD.items():
        value = ask(theirs, rows.actual, rows.predicted)
        present = np.nanmean([metric(rate, rows.matrix) for rate in ("tpr", "tnr")])
        by_their_rule = present if ours == "balanced_accuracy" else None
        verdicts.compare(ours, rows, metric(ours, rows.matrix), value, by_their_rule)
    for beta in (0.5, 2):
        value = ask("fbeta_score", rows.actual, rows.predicted, beta=beta)
        verdicts.compare("f_measure", rows, metric(f"f_measure(beta={beta})", rows.matrix), value)
    ratios = np.broadcast_to(ask("class_likelihood_ratios", rows.actual, rows.predicted), 2)
    for ours, value in zip(
        ("positive_likelihood_ratio", "negative_likelihood_ratio"), ratios, strict=True
    ):
        verdicts.compare(ours, rows, metric(ours, rows.matrix), value)
    counts = ask("confusion_matrix", rows.actual, rows.predicted, labels=[1, 0])
    verdicts.compare("counts", rows, rows.matrix.counts, counts)


def _of_scores(verdicts: Verdicts, rows: ScoredRows) -> None:
    for ours, theirs in OF_SCORES.items():
        value = told(theirs, rows.actual, rows.score, sample_weight=rows.weight)
        verdicts.compare(ours, rows, summary(ours, rows.ranking), value)
    for high in (0.05, 0.3, 1.0):
        value = told(
            "roc_auc_score", rows.actual, rows.score, sample_weight=rows.weight, max_fpr=high
        )
        name = "partial_auc_mcclish"
        verdicts.compare(name, rows, summary(f"{name}(high={high})", rows.ranking), value)
    _calibration_curve(verdicts, rows)


def _calibration_curve(verdicts: Verdicts, rows: ScoredRows) -> None:
    """Bins of equal width; scikit-learn's knows no weights."""
    from sklearn.calibration import calibration_curve

    if rows.weight is not None:
        return
    told_shares, told_scores = told(calibration_curve, rows.actual, rows.score, n_bins=5)
    curve = to.Evaluation({"model": rows.ranking}).curve("calibration", by="width", bins=5)
    columns = curve.columns()
    verdicts.compare("calibration, mean score", rows, columns["mean_score"], told_scores)
    verdicts.compare("calibration, share", rows, columns["positive_share"], told_shares)


def _curves(verdicts: Verdicts, rows: ScoredRows) -> None:
    """ROC points, and precision and recall, at every threshold."""
    ranking = rows.ranking
    roc = told(
        "roc_curve", rows.actual, rows.score, sample_weight=rows.weight, drop_intermediate=False
    )
    for name, values, theirs in zip(
        ("fpr", "tpr"), ("false_positive_rate", "true_positive_rate"), roc, strict=False
    ):
        ours = to.METRICS.find(values)(ranking.confusion)
        verdicts.compare(f"roc_curve {name}", rows, ours, theirs)
    verdicts.compare("roc_curve thresholds", rows, ranking.thresholds, roc[2])
    precision, recall, _ = told(
        "precision_recall_curve", rows.actual, rows.score, sample_weight=rows.weight
    )
    for name, theirs in (("precision", precision), ("true_positive_rate", recall)):
        ours = np.atleast_1d(to.METRICS.find(name)(ranking.confusion))
        verdicts.compare(f"precision_recall_curve {name}", rows, ours, theirs[::-1])


def _compatible(verdicts: Verdicts, rows: ScoredRows) -> None:
    """`to.compat` promises scikit-learn's own number, also where ours is undefined."""
    evaluation = to.Evaluation({"model": rows.ranking})
    for name in (*AT_A_THRESHOLD.values(), *OF_SCORES.values()):
        values = rows.predicted if name in AT_A_THRESHOLD.values() else rows.score
        theirs = told(name, rows.actual, values, sample_weight=rows.weight)
        ours = to.compat(evaluation, f"sklearn:{name}").value
        by_their_rule = summary("log_loss", rows.ranking) if name == "log_loss" else None
        verdicts.compare(f"to.compat {name}", rows, ours, theirs, by_their_rule)
    for name in ("roc_curve", "precision_recall_curve", "det_curve"):
        theirs = told(name, rows.actual, rows.score, sample_weight=rows.weight)
        try:
            curve = to.compat_curve(evaluation, f"sklearn:{name}")
        except to.TradeoffError:
            # It stops, or gives NaN for the rate of a class whose rows all weigh 0.
            rates = theirs if np.ndim(theirs) == 0 else np.sum(theirs[:2])
            verdicts.compare(f"to.compat_curve {name}", rows, math.nan, rates)
            continue
        for (column, ours), expected in zip(curve.items(), theirs, strict=True):
            # The point that scikit-learn adds has no threshold there, and NaN here.
            verdicts.compare(
                f"to.compat_curve {name} {column}", rows, ours[: len(expected)], expected
            )


def _of_classes(verdicts: Verdicts, rows: ClassifiedRows) -> None:
    labels = list(range(rows.classes))
    ask = partial(told, sample_weight=rows.weight)
    for ours, theirs in AVERAGED.items():
        each = ask(theirs, rows.actual, rows.predicted, labels=labels, average=None)
        verdicts.compare(ours, rows, by_class(ours, rows.matrix), each)
        zeros = np.nan_to_num(by_class(ours, rows.matrix), nan=0.0)
        for how, weights in (
            ("macro", np.ones(rows.classes)),
            ("weighted", rows.counts.sum(axis=1)),
            ("micro", None),
        ):
            value = ask(theirs, rows.actual, rows.predicted, labels=labels, average=how)
            with_zeros = None if weights is None else np.average(zeros, weights=weights)
            verdicts.compare(
                f"{ours}, {how}", rows, average(ours, rows.matrix, how), value, with_zeros
            )
    for ours, theirs in OF_CLASSES.items():
        weights = {} if theirs == "adjusted_rand_score" else {"sample_weight": rows.weight}
        if theirs == "adjusted_rand_score" and rows.weight is not None:
            continue
        value = told(theirs, rows.actual, rows.predicted, **weights)
        verdicts.compare(ours, rows, metric(ours, rows.matrix), value)


def _areas_of_classes(verdicts: Verdicts, rows: ClassScoredRows) -> None:
    for ours, choices in {
        "hand_till": {"multi_class": "ovo"},
        "macro": {"multi_class": "ovr"},
        "weighted": {"multi_class": "ovr", "average": "weighted"},
        "micro": {"multi_class": "ovr", "average": "micro"},
    }.items():
        value = told("roc_auc_score", rows.actual, rows.chances, **choices)
        verdicts.compare(f"auc, {ours}", rows, area_of_classes(ours, rows.judged), value)


def _scorers(verdicts: Verdicts) -> None:
    """Scorers of fitted models: probabilities and decision values, with and without weights."""
    from sklearn.datasets import make_classification
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import get_scorer
    from sklearn.svm import LinearSVC

    probabilities = {"brier", "log_loss"}
    for seed, share in enumerate((0.5, 0.8, 0.95)):
        rows, classes = make_classification(150, 5, weights=[share], flip_y=0.2, random_state=seed)
        weights = np.random.default_rng(seed).exponential(1.0, len(classes))
        for model in (LogisticRegression(), LinearSVC()):
            fitted = model.fit(rows, classes)
            for ours, theirs in SCORERS.items():
                if ours in probabilities and isinstance(model, LinearSVC):
                    continue
                name = f"{type(model).__name__}, {share:.0%} negative"
                for weight in (None,) if ours in RATIOS else (None, weights):
                    given = {} if weight is None else {"sample_weight": weight}
                    expected = told(get_scorer(theirs), fitted, rows, classes, **given)
                    value = to.scorer(ours)(fitted, rows, classes, sample_weight=weight)
                    verdicts.compare(f"to.scorer {ours}", name, value, expected)

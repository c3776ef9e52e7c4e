"""Scorers for scikit-learn's model selection, from every metric, summary and cost.

At this border scikit-learn's own names are used on purpose (`X`, `y`, `pos_label`,
`sample_weight`). scikit-learn itself is needed only where metadata are routed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isnan, nan
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.costs import Costs
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, format_list, require_number, suggest_arguments
from tradeoff.evaluation.evaluation import METRICS, SUMMARIES  # with every measure entered
from tradeoff.measures.curves import is_cost_metric
from tradeoff.measures.registry import UndefinedValue
from tradeoff.sources.classes import class_name
from tradeoff.sources.row_rules import RowPolicy, check_rows
from tradeoff.thresholds.decision import best_threshold
from tradeoff.uncertainty.question import THRESHOLD, Question, build_question

RESPONSES = {"predict_proba": 0.5, "decision_function": 0.0}
"""Methods of estimators that return scores, and the default threshold of each."""
SELF_EXPLAINING = ({0, 1}, {-1, 1})
"""Classes of which 1 is positive; True and False are 1 and 0."""


class Response(NamedTuple):
    """Scores of an estimator for its positive class, and its default threshold."""

    scores: NDArray[np.float64]
    positive: Any
    threshold: float


@dataclass(frozen=True, repr=False)
class Scorer:
    """Scorer of an estimator for scikit-learn: a metric whose higher values are better.

    Where lower is better the number comes with a minus, as in scikit-learn's "neg_log_loss", and
    the scorer's name begins with "neg_". A number that is neither better high nor low keeps its
    sign. Make one with `scorer`.
    """

    measure_name: str
    at: tuple[str, float] | None = None
    costs: Costs | None = None
    cheapest: bool = False
    prevalence: float | None = None
    pos_label: Any = None
    response_method: str = "auto"
    undefined: UndefinedValue | None = None
    parameters: tuple[tuple[str, Any], ...] = ()
    request: bool | str | None = None

    @property
    def sign(self) -> int:
        """-1 where lower is better, else 1."""
        return -1 if self._question().better == "lower" else 1

    @property
    def name(self) -> str:
        """Name of the metric, with "neg_" in front where the sign is reversed."""
        question = self._question()
        what = question.name
        if self.cheapest:
            what = "expected_cost at the cheapest threshold"
        elif self.at is None:
            what = what.partition(" at threshold ")[0]
        return f"neg_{what}" if question.better == "lower" else what

    def __call__(
        self,
        estimator: Any,
        X: Any,  # noqa: N803 - scikit-learn's name
        y: Any,
        sample_weight: Any = None,
    ) -> float:
        """Score of a fitted estimator on test rows; NaN where the metric is undefined."""
        response = response_of(estimator, X, self.pos_label, self.response_method)
        rows = check_rows(
            y,
            response.scores,
            RowPolicy(response.positive),
            weight=sample_weight,
            actual_name="y",
            weight_name="sample_weight",
        )
        value = self._value(rows.ranking(), response.threshold)
        return self.sign * (self._substitute() if isnan(value) else value) + 0.0  # no negative zero

    def set_score_request(self, *, sample_weight: bool | str | None = None) -> Scorer:
        """The same scorer, asking scikit-learn's metadata routing for weights (or not).

        Unlike scikit-learn's scorers this one never changes: use what is returned.
        """
        return replace(self, request=sample_weight)

    def get_metadata_routing(self) -> Any:
        """Metadata request of the scorer for scikit-learn."""
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner=self)
        request.score.add_request(param="sample_weight", alias=self.request)
        return request

    def _accept_sample_weight(self) -> bool:
        """Whether the scorer takes weights, which GridSearchCV asks of each of several scorers."""
        return True

    def _question(self, threshold: float | None = None) -> Question:
        at = self.at
        if at is None and threshold is not None and not SUMMARIES.knows(_bare(self.measure_name)):
            at = (THRESHOLD, threshold)
        parameters = dict(self.parameters)
        return build_question(
            self.measure_name, at=at, costs=self.costs, prevalence=self.prevalence, **parameters
        )

    def _value(self, ranking: Ranking, threshold: float) -> float:
        both = ranking.positives and ranking.negatives
        if not both and (self.cheapest or self.prevalence is not None):
            return nan
        if self.cheapest:
            return best_threshold(ranking, costs=self.costs, prevalence=self.prevalence).value
        return self._question(threshold).estimate(ranking).value

    def _substitute(self) -> float:
        if self.undefined is None:
            return nan
        if self.undefined == "scikit-learn":
            measure = self._question().measure
            return nan if measure is None else measure.in_sklearn
        return float(self.undefined)

    def __repr__(self) -> str:
        """One line: what is scored."""
        return f"Scorer({self.name})"


@suggest_arguments
def scorer(  # noqa: PLR0913 - each is a choice that only the caller can make
    name: str,
    *,
    threshold: float | None = None,
    at: tuple[str, float] | None = None,
    costs: Costs | None = None,
    by: str | None = None,
    prevalence: float | None = None,
    pos_label: Any = None,
    response_method: str = "auto",
    undefined: UndefinedValue | None = None,
    beta: float | None = None,
    weight: float | None = None,
    alpha: float | None = None,
    gamma: float | None = None,
    dominance: float | None = None,
    low: float | None = None,
    high: float | None = None,
    along: Literal["fpr", "tpr"] | None = None,
    bins: int | None = None,
) -> Scorer:
    """Scorer for GridSearchCV, cross_validate and whatever else takes `scoring`.

    Args:
        name: Any metric or summary under any of its names, such as "auc", "brier", "recall" or
            "f_measure(beta=2)", or "cost" for the expected cost per row of `costs`.
        threshold: For a metric or the cost: rows that score at least this are predicted positive.
            Without it, the estimator's own: 0.5 for probabilities, 0 for decision values.
        at: For a metric, the value of another one at which to look, as in ("fpr", 0.1).
        costs: What outcomes cost.
        by: "cheapest" for the cost at the threshold that is cheapest on the scored rows
            themselves. That flatters every model a little, and small sets of rows most.
        prevalence: The share of positives where the classifier will be used.
        pos_label: The positive class; needed unless classes are 0/1, -1/1 or booleans.
        response_method: "predict_proba", "decision_function" or "auto": the first available.
        undefined: The number that stands for an undefined value (before a sign is turned), or
            "scikit-learn" for what that library says. Without it NaN, which searches warn of.
        beta: Of the F measure, as for `Evaluation.metric`, like `weight` to `dominance`. Other
            parameters go into the name: "net_benefit(at=0.2)".
        weight: Of the distance to perfect.
        alpha: Of the weighted error rate.
        gamma: Of the rejection trade-off.
        dominance: Of the index of balanced accuracy.
        low: Of a partial area: where it begins.
        high: Of a partial area: where it ends.
        along: Of a partial area: "fpr" or "tpr".
        bins: Of a calibration error: number of bins.

    Example:
        >>> scorer("recall", at=("fpr", 0.1))
        Scorer(true_positive_rate where fpr = 0.1)
        >>> scorer("brier")
        Scorer(neg_brier)
        >>> from sklearn.linear_model import LogisticRegression
        >>> rows, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
        >>> scorer("auc")(LogisticRegression().fit(rows, y), rows, y)
        0.75
    """
    candidates = {
        "beta": beta,
        "weight": weight,
        "alpha": alpha,
        "gamma": gamma,
        "dominance": dominance,
        "low": low,
        "high": high,
        "along": along,
        "bins": bins,
    }
    parameters = {key: value for key, value in candidates.items() if value is not None}
    if threshold is not None:
        if at is not None:
            raise InputError("Give a threshold or a point `at`, not both.")
        at = (THRESHOLD, require_number(threshold, "A threshold"))
    paid = name == "cost" or (costs is not None and is_cost_metric(name))
    if costs is not None and not paid:
        raise InputError(f'Costs go with scorer("cost"), not with {name!r}.')
    if paid and parameters:
        raise InputError(
            f"The cost has no {format_list(parameters)} to choose: costs=Costs(…) says it."
        )
    _require_rule(by, at, paid=paid)
    _require_response(response_method)
    if isinstance(undefined, str) and undefined != "scikit-learn":
        raise InputError(f'`undefined` is a number or "scikit-learn", not {undefined!r}.')
    named_scorer = Scorer(
        "cost" if paid else name,
        at,
        costs,
        by is not None,
        prevalence,
        pos_label,
        response_method,
        undefined,
        tuple(sorted(parameters.items())),
    )
    named_scorer._question()  # noqa: SLF001 - a wrong argument is an error here, not during a search
    return named_scorer


@suggest_arguments
def scorers(  # noqa: PLR0913 - each is a choice that only the caller can make
    *names: str,
    threshold: float | None = None,
    at: tuple[str, float] | None = None,
    prevalence: float | None = None,
    pos_label: Any = None,
    response_method: str = "auto",
    undefined: UndefinedValue | None = None,
) -> dict[str, Scorer]:
    """Several scorers by name, as cross_validate takes them; without names, all of them.

    Each asks the estimator for scores, so name those that matter where predicting takes long.

    Args:
        names: Metrics and summaries.
        threshold: As for `scorer`, for metrics alone.
        at: As for `scorer`, for metrics alone.
        prevalence: As for `scorer`, like all that follow.
        pos_label: The positive class.
        response_method: How to ask the estimator for scores.
        undefined: A number in place of an undefined value.

    Example:
        >>> list(scorers("auc", "f1", "brier"))
        ['auc', 'f_measure', 'neg_brier']
        >>> len(scorers()) == len(METRICS) + len(SUMMARIES)
        True
    """
    named_scorers = {}
    for name in names or (*SUMMARIES, *METRICS):
        is_summary = SUMMARIES.knows(_bare(name))
        named_scorer = scorer(
            name,
            threshold=None if is_summary else threshold,
            at=None if is_summary else at,
            prevalence=prevalence,
            pos_label=pos_label,
            response_method=response_method,
            undefined=undefined,
        )
        named_scorers[named_scorer.name] = named_scorer
    return named_scorers


def response_of(
    estimator: Any,
    X: Any,  # noqa: N803 - scikit-learn's name
    pos_label: Any = None,
    response_method: str = "auto",
) -> Response:
    """Scores of a fitted estimator for its positive class.

    Args:
        estimator: A classifier of two classes.
        X: The rows.
        pos_label: The positive class; needed unless classes are 0/1, -1/1 or
            booleans.
        response_method: "predict_proba", "decision_function" or "auto": the first available.

    Example:
        >>> from sklearn.dummy import DummyClassifier
        >>> dummy = DummyClassifier().fit([[0], [0], [0], [0]], ["no", "no", "no", "yes"])
        >>> response_of(dummy, [[0]], "no")
        Response(scores=array([0.75]), positive='no', threshold=0.5)
    """
    positive = positive_class(estimator, pos_label)
    how = response_name(estimator, response_method)
    values = np.asarray(getattr(estimator, how)(X), np.float64)
    second = positive == estimator.classes_[1]
    if how == "predict_proba":
        return Response(values[:, int(second)], positive, RESPONSES[how])
    return Response(values if second else -values, positive, RESPONSES[how])


def response_name(estimator: Any, response_method: str = "auto") -> str:
    """Name of the method by which an estimator returns scores.

    Example:
        >>> from sklearn.svm import LinearSVC
        >>> response_name(LinearSVC())
        'decision_function'
    """
    _require_response(response_method)
    methods = list(RESPONSES) if response_method == "auto" else [response_method]
    how = next((name for name in methods if hasattr(estimator, name)), None)
    if how is None:
        raise InputError(f"{type(estimator).__name__} has no {' and no '.join(methods)}.")
    return how


def positive_class(estimator: Any, pos_label: Any = None) -> Any:
    """Positive class of a fitted estimator of two classes.

    Without a name only 0/1, -1/1 and booleans explain themselves, as everywhere here: that "good"
    comes after "bad" in the alphabet says nothing.

    Example:
        >>> from sklearn.dummy import DummyClassifier
        >>> dummy = DummyClassifier().fit([[0], [0]], ["bad", "good"])
        >>> str(positive_class(dummy, "bad"))
        'bad'
        >>> positive_class(DummyClassifier().fit([[0], [0]], [-1, 1]))
        1
    """
    classes = two_classes(estimator)
    if pos_label is None:
        if set(classes) in SELF_EXPLAINING:
            return classes[1]
        names = [class_name(label) for label in classes]
        raise InputError(
            f"The classes of {type(estimator).__name__} are {format_list(names)}: say which one is "
            f"positive, for example pos_label={classes[0]!r}."
        )
    # A decision knows the class by its name only: the class 1 is then called "1".
    for same in (lambda c: c == pos_label, lambda c: class_name(c) == class_name(pos_label)):
        for label in classes:
            if same(label):
                return label
    raise InputError(f"pos_label={pos_label!r} is none of {format_list(map(class_name, classes))}.")


def two_classes(estimator: Any) -> list[Any]:
    """The two classes of a fitted estimator, as Python values.

    Example:
        >>> from sklearn.dummy import DummyClassifier
        >>> two_classes(DummyClassifier().fit([[0], [0]], ["no", "yes"]))
        ['no', 'yes']
    """
    classes = getattr(estimator, "classes_", None)
    if classes is None:
        raise InputError(
            f"{type(estimator).__name__} is not a fitted classifier: it has no `classes_`."
        )
    if len(classes) == 1:
        raise InputError(
            f"{type(estimator).__name__} was fitted on one class alone, "
            f"{class_name(classes[0])!r}: rows of two classes are needed."
        )
    if len(classes) != 2:
        raise InputError(
            f"{type(estimator).__name__} knows {len(classes)} classes, and two are needed: judge "
            "each class against the rest with evaluate_classes."
        )
    return [_python_value(label) for label in classes]


def _python_value(value: Any) -> Any:
    """A NumPy scalar as a Python value, which is easier to read."""
    return value.item() if isinstance(value, np.generic) else value


def _bare(name: str) -> str:
    return name.partition("(")[0]


def _require_rule(by: str | None, at: tuple[str, float] | None, *, paid: bool) -> None:
    if by is None:
        return
    if by != "cheapest" or not paid:
        raise InputError('`by` is "cheapest" and goes with scorer("cost"); leave it out otherwise.')
    if at is not None:
        raise InputError('Give a threshold or by="cheapest", not both.')


def _require_response(response_method: str) -> None:
    if response_method not in {"auto", *RESPONSES}:
        raise InputError(
            f"response_method is one of {format_list(['auto', *RESPONSES])}, not "
            f"{response_method!r}."
        )

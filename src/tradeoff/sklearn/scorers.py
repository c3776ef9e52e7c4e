"""Scorers for scikit-learn's model selection, from any metric, threshold-free measure or cost.

At this boundary scikit-learn's names are used on purpose (`X`, `y`, `pos_label`,
`sample_weight`). scikit-learn itself is needed only for metadata routing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isnan, nan
from typing import Any, Literal

from tradeoff.core.costs import Costs
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, format_list, require_number, suggest_arguments
from tradeoff.evaluation.evaluation import METRICS, SUMMARIES  # with all measures registered
from tradeoff.measures.curves import is_cost_metric
from tradeoff.measures.registry import UndefinedValue
from tradeoff.sklearn.estimators import require_response_method, score_rows
from tradeoff.sources.row_policy import RowPolicy
from tradeoff.sources.row_rules import check_rows
from tradeoff.thresholds.decision import best_threshold
from tradeoff.uncertainty.question import THRESHOLD, Question, build_question


@dataclass(frozen=True, repr=False)
class Scorer:
    """Scorer of estimators for scikit-learn; higher values are better.

    If lower values of the metric are better, its sign is reversed, as in scikit-learn's
    "neg_log_loss", and the name of the scorer begins with "neg_". A metric without a better
    direction keeps its sign. Create one with `scorer`.
    """

    measure_name: str
    at: tuple[str, float] | None = None
    costs: Costs | None = None
    at_lowest_cost: bool = False
    prevalence: float | None = None
    pos_label: Any = None
    response_method: str = "auto"
    undefined: UndefinedValue | None = None
    parameters: tuple[tuple[str, Any], ...] = ()
    request: bool | str | None = None

    @property
    def sign(self) -> int:
        """-1 if lower values are better, otherwise 1."""
        return -1 if self._question().better == "lower" else 1

    @property
    def name(self) -> str:
        """Name of the metric, with the prefix "neg_" if the sign is reversed."""
        question = self._question()
        name = question.name
        if self.at_lowest_cost:
            name = "expected_cost at the cheapest threshold"
        elif self.at is None:
            name = name.partition(" at threshold ")[0]
        return f"neg_{name}" if question.better == "lower" else name

    def __call__(
        self,
        estimator: Any,
        X: Any,  # noqa: N803 - scikit-learn's name
        y: Any,
        sample_weight: Any = None,
    ) -> float:
        """Score of a fitted estimator on test rows; NaN where the metric is undefined."""
        response = score_rows(estimator, X, self.pos_label, self.response_method)
        rows = check_rows(
            y,
            response.scores,
            RowPolicy(response.positive),
            weight=sample_weight,
            actual_name="y",
            weight_name="sample_weight",
        )
        value = self._value(rows.ranking(), response.threshold)
        if isnan(value):
            value = self._undefined_value()
        return self.sign * value + 0.0  # no negative zero

    def set_score_request(self, *, sample_weight: bool | str | None = None) -> Scorer:
        """Copy of the scorer that requests weights from scikit-learn's metadata routing, or not.

        Unlike scikit-learn's scorers, this one is immutable: use the returned scorer.
        """
        return replace(self, request=sample_weight)

    def get_metadata_routing(self) -> Any:
        """Metadata request of the scorer for scikit-learn."""
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner=self)
        request.score.add_request(param="sample_weight", alias=self.request)
        return request

    def _accept_sample_weight(self) -> bool:
        """Whether the scorer takes weights; GridSearchCV asks each of several scorers."""
        return True

    def _question(self, threshold: float | None = None) -> Question:
        at = self.at
        is_summary = SUMMARIES.knows(_base_name(self.measure_name))
        if at is None and threshold is not None and not is_summary:
            at = (THRESHOLD, threshold)
        parameters = dict(self.parameters)
        return build_question(
            self.measure_name, at=at, costs=self.costs, prevalence=self.prevalence, **parameters
        )

    def _value(self, ranking: Ranking, threshold: float) -> float:
        has_both_classes = ranking.positives and ranking.negatives
        if not has_both_classes and (self.at_lowest_cost or self.prevalence is not None):
            return nan
        if self.at_lowest_cost:
            return best_threshold(ranking, costs=self.costs, prevalence=self.prevalence).value
        return self._question(threshold).estimate(ranking).value

    def _undefined_value(self) -> float:
        if self.undefined is None:
            return nan
        if self.undefined == "scikit-learn":
            measure = self._question().measure
            return nan if measure is None else measure.in_sklearn
        return float(self.undefined)

    def __repr__(self) -> str:
        """One line: the name of the scorer."""
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
    """Create a scorer for GridSearchCV, cross_validate and other functions that take `scoring`.

    Args:
        name: Any metric or threshold-free measure by any of its names, such as "auc", "brier",
            "recall" or "f_measure(beta=2)", or "cost" for the expected cost per row.
        threshold: For a metric or the cost: rows that score at least this are predicted positive.
            By default the threshold of the estimator: 0.5 for probabilities, 0 for decision values.
        at: For a metric, the value of another metric at which to evaluate it, as in ("fpr", 0.1).
        costs: Costs of the outcomes, for "cost".
        by: "cheapest" for the cost at the threshold with the lowest cost on the scored rows
            themselves. This is optimistic for every model, most of all with few rows.
        prevalence: The proportion of positives where the classifier will be used.
        pos_label: The positive class; needed unless classes are 0/1, -1/1 or booleans.
        response_method: "predict_proba", "decision_function" or "auto": the first available.
        undefined: The number to use in place of an undefined value (before the sign is reversed),
            or "scikit-learn" for the one that scikit-learn uses. By default NaN, which makes
            searches warn.
        beta: Parameter of the F measure. Parameters from `beta` to `dominance` are those of
            `Evaluation.metric`; others go into the name: "net_benefit(at=0.2)".
        weight: Weight of false negatives in the distance to perfect.
        alpha: Parameter of the weighted error rate.
        gamma: Parameter of the rejection trade-off.
        dominance: Parameter of the index of balanced accuracy.
        low: Lower limit of a partial AUC.
        high: Upper limit of a partial AUC.
        along: Axis on which the limits of a partial AUC lie: "fpr" or "tpr".
        bins: Number of bins for a calibration error.

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
    is_cost = name == "cost" or (costs is not None and is_cost_metric(name))
    if costs is not None and not is_cost:
        raise InputError(f'Costs go with scorer("cost"), not with {name!r}.')
    if is_cost and parameters:
        raise InputError(
            f"The cost has no parameter {format_list(parameters)}: costs=Costs(…) determines it."
        )
    _require_valid_rule(by, at, is_cost=is_cost)
    require_response_method(response_method)
    if isinstance(undefined, str) and undefined != "scikit-learn":
        raise InputError(f'`undefined` must be a number or "scikit-learn", not {undefined!r}.')
    new_scorer = Scorer(
        "cost" if is_cost else name,
        at,
        costs,
        by is not None,
        prevalence,
        pos_label,
        response_method,
        undefined,
        tuple(sorted(parameters.items())),
    )
    new_scorer._question()  # noqa: SLF001 - an invalid argument raises here, not during a search
    return new_scorer


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
    """Create several scorers by name, as cross_validate takes them; by default all of them.

    Each scorer computes the estimator's scores, so name only those you need if this is slow.

    Args:
        names: Metrics and threshold-free measures.
        threshold: Same as for `scorer`, but used for metrics only.
        at: Same as for `scorer`, but used for metrics only.
        prevalence: Same as for `scorer`; so are all further parameters.
        pos_label: The positive class.
        response_method: Method of the estimator that returns scores.
        undefined: Number to use in place of an undefined value.

    Example:
        >>> list(scorers("auc", "f1", "brier"))
        ['auc', 'f_measure', 'neg_brier']
        >>> len(scorers()) == len(METRICS) + len(SUMMARIES)
        True
    """
    scorers_by_name = {}
    for name in names or (*SUMMARIES, *METRICS):
        is_summary = SUMMARIES.knows(_base_name(name))
        new_scorer = scorer(
            name,
            threshold=None if is_summary else threshold,
            at=None if is_summary else at,
            prevalence=prevalence,
            pos_label=pos_label,
            response_method=response_method,
            undefined=undefined,
        )
        scorers_by_name[new_scorer.name] = new_scorer
    return scorers_by_name


def _base_name(name: str) -> str:
    return name.partition("(")[0]


def _require_valid_rule(by: str | None, at: tuple[str, float] | None, *, is_cost: bool) -> None:
    if by is None:
        return
    if by != "cheapest" or not is_cost:
        raise InputError('`by` must be "cheapest", with scorer("cost"); otherwise leave it out.')
    if at is not None:
        raise InputError('Give a threshold or by="cheapest", not both.')

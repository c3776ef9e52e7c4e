"""Scorers as scikit-learn's model selection calls them, one for every number that can be asked.

At this border scikit-learn's own names are used on purpose (`X`, `y`, `pos_label`,
`sample_weight`). scikit-learn itself is needed only where metadata are routed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isnan, nan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.costs import Costs
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, as_number, listed
from tradeoff.evaluation.evaluation import METRICS, SUMMARIES  # with every measure entered
from tradeoff.measures.curves import asks_for_cost
from tradeoff.measures.registry import Settled
from tradeoff.sources.classes import class_name
from tradeoff.sources.policy import RowPolicy, checked_rows
from tradeoff.thresholds.decision import best_threshold
from tradeoff.uncertainty.question import THRESHOLD, Question, ask

RESPONSES = {"predict_proba": 0.5, "decision_function": 0.0}
"""How estimators speak of rows, and the threshold that they use themselves."""
SELF_EXPLAINING = ({0, 1}, {-1, 1})
"""Classes of which 1 is positive; True and False are 1 and 0."""


class Response(NamedTuple):
    """What an estimator says of rows: scores for its positive class, and its own threshold."""

    scores: NDArray[np.float64]
    positive: Any
    threshold: float


@dataclass(frozen=True, repr=False)
class Scorer:
    """One number of an estimator on some rows: higher is better, whatever was asked.

    Where lower is better the number comes with a minus, as in scikit-learn's "neg_log_loss", and
    the scorer's name begins with "neg_". A number that is neither better high nor low keeps its
    sign. Make one with `scorer`.
    """

    asked: str
    at: tuple[str, float] | None = None
    costs: Costs | None = None
    cheapest: bool = False
    prevalence: float | None = None
    pos_label: Any = None
    response_method: str = "auto"
    undefined: Settled | None = None
    parameters: tuple[tuple[str, Any], ...] = ()
    request: bool | str | None = None

    @property
    def sign(self) -> int:
        """-1 where lower is better, else 1."""
        return -1 if self._question().better == "lower" else 1

    @property
    def name(self) -> str:
        """What is scored, with "neg_" in front where the sign is turned."""
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
        """The number for a fitted estimator on rows; NaN where it is undefined."""
        said = response_of(estimator, X, self.pos_label, self.response_method)
        rows = checked_rows(
            y,
            said.scores,
            RowPolicy(said.positive),
            weight=sample_weight,
            actual_name="y",
            weight_name="sample_weight",
        )
        value = self._value(rows.ranking(), said.threshold)
        return self.sign * (self._instead() if isnan(value) else value) + 0.0  # no negative zero

    def set_score_request(self, *, sample_weight: bool | str | None = None) -> Scorer:
        """The same scorer, asking scikit-learn's metadata routing for weights (or not).

        Unlike scikit-learn's scorers this one never changes: use what is returned.
        """
        return replace(self, request=sample_weight)

    def get_metadata_routing(self) -> Any:
        """What scikit-learn's metadata routing should hand over."""
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner=self)
        request.score.add_request(param="sample_weight", alias=self.request)
        return request

    def _accept_sample_weight(self) -> bool:
        """GridSearchCV asks this of each of several scorers before it hands weights on."""
        return True

    def _question(self, threshold: float | None = None) -> Question:
        at = self.at
        if at is None and threshold is not None and not SUMMARIES.knows(_bare(self.asked)):
            at = (THRESHOLD, threshold)
        parameters = dict(self.parameters)
        return ask(self.asked, at=at, costs=self.costs, prevalence=self.prevalence, **parameters)

    def _value(self, ranking: Ranking, threshold: float) -> float:
        both = ranking.positives and ranking.negatives
        if not both and (self.cheapest or self.prevalence is not None):
            return nan
        if self.cheapest:
            return best_threshold(ranking, costs=self.costs, prevalence=self.prevalence).value
        return self._question(threshold).estimate(ranking).value

    def _instead(self) -> float:
        if self.undefined is None:
            return nan
        if self.undefined == "scikit-learn":
            measure = self._question().measure
            return nan if measure is None else measure.in_sklearn
        return float(self.undefined)

    def __repr__(self) -> str:
        """One line: what is scored."""
        return f"Scorer({self.name})"


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
    undefined: Settled | None = None,
    **parameters: Any,
) -> Scorer:
    """A scorer for GridSearchCV, cross_validate and whatever else takes `scoring`.

    Args:
        name: Any metric or summary under any of its names, such as "auc", "brier", "recall" or
            "f_measure(beta=2)", or "cost" for the expected cost per row of `costs`.
        threshold: For a metric or the cost: rows that score at least this are called positive.
            Without it, the estimator's own: 0.5 for probabilities, 0 for decision values.
        at: For a metric, the value of another one at which to look, as in ("fpr", 0.1).
        costs: What outcomes cost.
        by: "cheapest" for the cost at the threshold that is cheapest on the scored rows
            themselves. That flatters every model a little, and small sets of rows most.
        prevalence: The share of positives where the classifier will be used.
        pos_label: The positive class; needed unless classes are 0/1, -1/1 or booleans.
        response_method: "predict_proba", "decision_function" or "auto": the first that there is.
        undefined: The number that stands for an undefined value (before a sign is turned), or
            "scikit-learn" for what that library says. Without it NaN, which searches warn of.
        parameters: Of the metric or summary, such as beta. Those that are called like one of the
            above go into the name: "net_benefit(at=0.2)", which is undefined without it.

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
    if threshold is not None:
        if at is not None:
            raise InputError("Give a threshold or a point `at`, not both.")
        at = (THRESHOLD, as_number(threshold, "A threshold"))
    paid = name == "cost" or (costs is not None and asks_for_cost(name))
    if costs is not None and not paid:
        raise InputError(f'Costs go with scorer("cost"), not with {name!r}.')
    if paid and parameters:
        raise InputError(f"The cost has no {listed(parameters)} to choose: costs=Costs(…) says it.")
    _demand_way(by, at, paid=paid)
    _demand_response(response_method)
    if isinstance(undefined, str) and undefined != "scikit-learn":
        raise InputError(f'`undefined` is a number or "scikit-learn", not {undefined!r}.')
    made = Scorer(
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
    made._question()  # noqa: SLF001 - what is asked wrongly is told here, not in the midst of a search
    return made


def scorers(*names: str, **choices: Any) -> dict[str, Scorer]:
    """Several scorers by name, as cross_validate takes them; without names, all there are.

    Each asks the estimator again, so name those that matter where predicting takes long.

    Args:
        names: Metrics and summaries.
        choices: For each of them, as for `scorer`; a threshold is for metrics alone.

    Example:
        >>> list(scorers("auc", "f1", "brier"))
        ['auc', 'f_measure', 'neg_brier']
        >>> len(scorers()) == len(METRICS) + len(SUMMARIES)
        True
    """
    points = {"threshold", "at"} & set(choices)
    found = {}
    for name in names or (*SUMMARIES, *METRICS):
        whole = SUMMARIES.knows(_bare(name))
        fitting = {k: v for k, v in choices.items() if not (whole and k in points)}
        made = scorer(name, **fitting)
        found[made.name] = made
    return found


def response_of(
    estimator: Any,
    X: Any,  # noqa: N803 - scikit-learn's name
    pos_label: Any = None,
    response_method: str = "auto",
) -> Response:
    """What a fitted estimator says of rows.

    Args:
        estimator: A classifier of two classes.
        X: The rows.
        pos_label: The positive class; needed unless classes are 0/1, -1/1 or
            booleans.
        response_method: "predict_proba", "decision_function" or "auto": the first that there is.

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
    """The method by which an estimator speaks of rows.

    Example:
        >>> from sklearn.svm import LinearSVC
        >>> response_name(LinearSVC())
        'decision_function'
    """
    _demand_response(response_method)
    wanted = list(RESPONSES) if response_method == "auto" else [response_method]
    how = next((name for name in wanted if hasattr(estimator, name)), None)
    if how is None:
        raise InputError(f"{type(estimator).__name__} has no {' and no '.join(wanted)}.")
    return how


def positive_class(estimator: Any, pos_label: Any = None) -> Any:
    """The positive one of a fitted estimator's two classes.

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
            f"The classes of {type(estimator).__name__} are {listed(names)}: say which one is "
            f"positive, for example pos_label={classes[0]!r}."
        )
    # A decision knows the class by its name only: the class 1 is then called "1".
    for same in (lambda c: c == pos_label, lambda c: class_name(c) == class_name(pos_label)):
        for label in classes:
            if same(label):
                return label
    raise InputError(f"pos_label={pos_label!r} is none of {listed(map(class_name, classes))}.")


def two_classes(estimator: Any) -> list[Any]:
    """A fitted estimator's classes, as Python has them; they must be two.

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
    return [_plain(label) for label in classes]


def _plain(value: Any) -> Any:
    """A class as Python has it, which is easier to read than NumPy's."""
    return value.item() if isinstance(value, np.generic) else value


def _bare(name: str) -> str:
    return name.partition("(")[0]


def _demand_way(by: str | None, at: tuple[str, float] | None, *, paid: bool) -> None:
    if by is None:
        return
    if by != "cheapest" or not paid:
        raise InputError('`by` is "cheapest" and goes with scorer("cost"); leave it out otherwise.')
    if at is not None:
        raise InputError('Give a threshold or by="cheapest", not both.')


def _demand_response(response_method: str) -> None:
    if response_method not in {"auto", *RESPONSES}:
        raise InputError(
            f"response_method is one of {listed(['auto', *RESPONSES])}, not {response_method!r}."
        )

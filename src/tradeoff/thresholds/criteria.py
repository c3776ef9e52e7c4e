"""What makes a threshold the best: an optimum, or a target that must be met.

A criterion looks at a ranking and names the best places; it can also be asked what one place of
another ranking is worth, so that thresholds chosen on some rows can be judged on others. All of it
works on many resamples of a ranking at once, which have one line each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.costs import AnyCosts, Costs
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, UnknownName, did_you_mean, listed, require_new
from tradeoff.measures.curves import bounds
from tradeoff.measures.curves.interpolation import along
from tradeoff.measures.registry import METRICS, Better, Measure
from tradeoff.results import ByValue
from tradeoff.text import count, number, threshold

if TYPE_CHECKING:
    from tradeoff.core.resamples import AnyRanking

    Mask = NDArray[np.bool_]


SLACK = 8 * np.finfo(np.float64).eps
"""Values closer than this are equal: they differ by the rounding of a few operations."""

Values = Callable[["AnyRanking"], "NDArray[np.float64]"]
Worth = Callable[["AnyRanking", Any], Any]


class Asked(NamedTuple):
    """The words that a criterion was made of."""

    way: str
    target: float | None
    costs: AnyCosts | None
    parameters: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Criterion(ByValue):
    """How a threshold is chosen.

    `about` names what the choice is judged by, `values` is that at every place, `worth` the same
    at one place (or at one of each resample); `best` is the mask of the best places, empty where
    none can be chosen, and `refusal` says why. Where `is_bounded`, no order of rows inside bins has
    better values than their worst and best case.
    """

    name: str
    about: str
    better: Better
    values: Values
    worth: Worth
    best: Callable[[AnyRanking], Mask]
    meets: Callable[[AnyRanking], Mask] | None = None
    refusal: Callable[[Ranking], str] | None = None
    is_bounded: bool = False
    asked: Asked | None = None

    def places(self, ranking: Ranking) -> NDArray[np.intp]:
        """The best places of a ranking, the smallest false positive rate first."""
        places = np.flatnonzero(self.best(ranking))
        if not len(places):
            undefined = f"No threshold can be chosen: {self.name} is undefined at every one."
            raise InputError(undefined if self.refusal is None else self.refusal(ranking))
        return places

    def __reduce__(self) -> tuple[Any, ...]:
        """What pickle keeps: how the criterion was asked for."""
        if self.asked is None:
            return super().__reduce__()  # type: ignore[return-value]
        return criterion_of, tuple(self.asked)


Target = Literal["needed", "optional", "refused"]


@dataclass(frozen=True)
class Way:
    """A word by which a threshold can be chosen: a criterion of its own, or a metric's.

    `target` tells whether something must be reached, `about_target` what that is counted in.
    """

    name: str
    target: Target
    make: Callable[..., Criterion] | None = None
    metric: str = ""
    about_target: str = ""
    is_listed: bool = True


CRITERIA: dict[str, Way] = {}
"""Words by which a threshold can be chosen, beside the name of any metric."""


def criterion(
    name: str, *, target: Target = "refused", about_target: str = ""
) -> Callable[[Callable[..., Criterion]], Callable[..., Criterion]]:
    """Enter a function that makes a criterion, of its target if it has one."""

    def enter(make: Callable[..., Criterion]) -> Callable[..., Criterion]:
        require_new(name, CRITERIA, "criteria")
        CRITERIA[name] = Way(name, target, make, about_target=about_target)
        return make

    return enter


def _by_metric(name: str, metric: str, *, target: Target, is_listed: bool = True) -> None:
    """Enter a short word for a metric as a criterion."""
    require_new(name, CRITERIA, "criteria")
    CRITERIA[name] = Way(name, target, metric=metric, is_listed=is_listed)


def listed_criteria() -> list[str]:
    """The words that help texts and messages name."""
    return [way.name for way in CRITERIA.values() if way.is_listed]


def described_criteria() -> str:
    """The words in one sentence, those with a target last."""
    ways = [way for way in CRITERIA.values() if way.is_listed]
    free = [way.name for way in ways if way.target == "refused"]
    aimed = [
        f"{way.name} ({way.about_target})" if way.about_target else way.name
        for way in ways
        if way.target != "refused"
    ]
    return f"{', '.join(free)}, or any metric; with --target also {', '.join(aimed)}"


def _optimum(measure: Measure) -> Criterion:
    """The place where a metric is best."""
    if measure.better is None:
        raise InputError(
            f"{measure.name} is neither better high nor low: choose thresholds by another metric."
        )
    if measure.sweeps:
        raise InputError(
            f"By {measure.name} alone, calling {_always_best(measure)} would always be best: give "
            "a target to reach, or choose by another metric."
        )
    return _best_of(
        measure.name,
        measure.better,
        _measure_values(measure),
        _worth_of(measure),
        is_bounded=bounds.is_bounded(measure),
    )


def _always_best(measure: Measure) -> str:
    """At which end of every ranking a metric is best that never turns around along one."""
    everything, nothing = (
        float(measure(ConfusionMatrix(*counts))) for counts in ((1, 0, 1, 0), (0, 1, 0, 1))
    )
    return (
        "everything positive"
        if (everything > nothing) == (measure.better == "higher")
        else "nothing positive"
    )


def _best_of(
    name: str, better: Better, values: Values, worth: Worth, *, is_bounded: bool = False
) -> Criterion:
    """The place where some values are best."""

    def best(ranking: AnyRanking) -> Mask:
        return _least(-values(ranking) if better == "higher" else values(ranking))

    return Criterion(name, name, better, values, worth, best, is_bounded=is_bounded)


@criterion("cost")
def cheapest(costs: AnyCosts) -> Criterion:
    """The place where decisions cost least."""

    def values(ranking: AnyRanking) -> NDArray[np.float64]:
        totals = costs.totals(ranking)
        totals /= rows(ranking)
        return totals

    def worth(ranking: AnyRanking, place: Any) -> Any:
        return costs.total_at(ranking, place) / rows(ranking)

    def rows(ranking: AnyRanking) -> NDArray[np.float64]:
        total = np.asarray(ranking.total, np.float64)
        return np.where(total, total, np.nan)

    def best(ranking: AnyRanking) -> Mask:
        near = _least(values(ranking))
        if not (isinstance(costs, Costs) and ranking.is_counted):
            return near
        # Of very many rows, one may cost less than the rounding of sums that cancel.
        places = np.nonzero(near)
        matrices = ranking.matrices(places)
        totals, rounding = costs.total(matrices), SLACK * costs.turnover(matrices)
        lines = places[0] if near.ndim > 1 else np.zeros(len(places[0]), np.intp)
        lowest = np.full(lines.max(initial=0) + 1, np.inf)
        np.minimum.at(lowest, lines, totals + rounding)
        near[places] = totals - rounding <= lowest[lines]
        return near

    name, constant = "expected_cost", isinstance(costs, Costs)
    return Criterion(name, name, "lower", values, worth, best, is_bounded=constant)


_by_metric("youden", "youden_j", target="refused")
_by_metric("distance", "distance_to_perfect", target="refused")
_by_metric("plain_distance", "plain_distance_to_perfect", target="refused")
_by_metric("f", "f_measure", target="refused")
_by_metric("tpr", "tpr", target="needed")
_by_metric("fpr", "fpr", target="needed")
_by_metric("tnr", "tnr", target="needed", is_listed=False)
_by_metric("fnr", "fnr", target="needed", is_listed=False)
_by_metric("precision", "precision", target="optional")
_by_metric("lift", "lift", target="needed")


@criterion("depth", target="needed", about_target="a share of the rows")
def depth(share: float) -> Criterion:
    """The best-scored share of the rows; judged by the positives found."""
    if not 0 <= share <= 1:
        raise InputError(f"A depth is a share of the rows from 0 to 1, not {share:g}.")
    name = f"predicted_positive_rate <= {share:g}"
    return _taking(name, lambda ranking: share * np.asarray(ranking.total, np.float64))


@criterion("capacity", target="needed", about_target="a number of rows")
def capacity(rows: float) -> Criterion:
    """As many of the most likely rows as can be taken care of; judged by the positives found."""
    if not rows >= 0:
        raise InputError(f"A capacity is 0 rows or more, not {rows:g}.")
    return _taking(f"at most {count(rows)} rows called positive", lambda _: rows)


@criterion("eer")
def equal_errors() -> Criterion:
    """The place where both kinds of error are most nearly equally frequent."""
    return _closest_rates("|fpr − fnr|", "false_positive_rate", "false_negative_rate")


@criterion("prevalence")
def matching_prevalence() -> Criterion:
    """The place where as many rows are called positive as are."""
    return _closest_rates("|depth − prevalence|", "predicted_positive_rate", "prevalence")


def _closest_rates(name: str, first: str, second: str) -> Criterion:
    both = METRICS[first], METRICS[second]

    def values(ranking: AnyRanking) -> NDArray[np.float64]:
        one, other = along(ranking, both)
        return np.abs(one - other)

    def worth(ranking: AnyRanking, place: Any) -> Any:
        matrix = ranking.at_place(place)
        return np.abs(both[0](matrix) - both[1](matrix))

    return _best_of(name, "lower", values, worth)


def _reaching(measure: Measure, target: float) -> Criterion:
    """The best place at which a metric reaches a target (Neyman and Pearson's way).

    Best is the most positives found, or, where calling more rows positive reaches the target, the
    fewest false alarms.
    """
    if not measure.low <= target <= measure.high:
        raise InputError(
            f"{measure.name} lies between {measure.low:g} and {measure.high:g}: it never is "
            f"{target:g}."
        )
    at_most = measure.better == "lower" or measure.better is None
    saves_alarms = measure.reached_by_calls
    main, second = ("fpr", "tpr") if saves_alarms else ("tpr", "fpr")

    # Under weights a rate may miss its target by rounding.
    slack = SLACK * max(abs(target), 1.0)

    def reached(values: NDArray[np.float64]) -> Mask:
        return values <= target + slack if at_most else values >= target - slack

    def best(ranking: AnyRanking) -> Mask:
        measures = [measure, METRICS[main], METRICS[second]]
        values, first, then = along(ranking, measures)
        # Fewest alarms, then most found; or most found, then fewest alarms.
        sign = 1 if saves_alarms else -1
        equal = _least(np.where(reached(values), sign * first, np.nan))
        equal = _least(np.where(equal, -sign * then, np.nan))
        equal[..., 1:] &= ~np.logical_or.accumulate(equal, axis=-1)[..., :-1]  # the first alone
        return equal

    def refusal(ranking: Ranking) -> str:
        return _closest(ranking, measure, target, values(ranking), at_most=at_most)

    values, worth = _measure_values(measure), _worth_of(measure)
    limit = f"{measure.name} {'<=' if at_most else '>='} {target:g}"
    better: Better = "lower" if at_most else "higher"
    return Criterion(
        limit, measure.name, better, values, worth, best, lambda r: reached(values(r)), refusal
    )


def _taking(name: str, most: Callable[[AnyRanking], Any]) -> Criterion:
    found = METRICS["true_positive_rate"]

    def meets(ranking: AnyRanking) -> Mask:
        taken = ranking.true_positives + ranking.false_positives
        # A share of the rows, such as 0.7 of 10, may miss its whole number by rounding.
        return np.asarray(taken <= most(ranking) * (1 + SLACK))

    def best(ranking: AnyRanking) -> Mask:
        last = meets(ranking)
        last[..., :-1] &= ~last[..., 1:]  # rows taken never fall from place to place
        return last

    return Criterion(
        name, found.name, "higher", _measure_values(found), _worth_of(found), best, meets
    )


def _measure_values(measure: Measure) -> Values:
    """A metric at every place of a ranking."""
    return lambda ranking: along(ranking, [measure])[0]


def _worth_of(measure: Measure) -> Worth:
    """A metric at one place of a ranking."""
    return lambda ranking, place: measure(ranking.at_place(place))


def _least(values: NDArray[np.float64]) -> Mask:
    """Where values are least of their line but for rounding; undefined ones never are."""
    lowest = values.min(axis=-1, keepdims=True)  # NaN if any value is: then look again
    if np.isnan(lowest).any():
        lowest = np.fmin.reduce(values, axis=-1, keepdims=True)
    slack = np.where(np.isfinite(lowest), SLACK * np.maximum(np.abs(lowest), 1.0), 0.0)
    return np.asarray(values <= lowest + slack)


def _closest(
    ranking: Ranking, measure: Measure, target: float, values: NDArray[Any], *, at_most: bool
) -> str:
    if np.isnan(values).all():
        return f"No threshold can be chosen: {measure.name} is undefined at every one."
    at = int(np.nanargmin(values) if at_most else np.nanargmax(values))
    wanted = f"{'at most' if at_most else 'at least'} {target:g}"
    where = threshold(float(ranking.thresholds[at]))
    which = "No threshold" if ranking.exact else "No threshold between the bins of the scores"
    return (
        f"{which} has a {measure.name} of {wanted}. The closest is "
        f"{number(float(values[at]))}, at a threshold of {where}."
    )


def criterion_of(
    way: str, target: float | None, costs: AnyCosts | None, parameters: dict[str, Any]
) -> Criterion:
    """The criterion that words describe."""
    made = _criterion(way, target, costs, parameters)
    return replace(made, asked=Asked(way, target, costs, parameters))


def _criterion(
    way: str, target: float | None, costs: AnyCosts | None, parameters: dict[str, Any]
) -> Criterion:
    if costs is not None and way != "cost":
        raise InputError(f'Costs go with by="cost", not with {way!r}.')
    word = CRITERIA.get(way, Way(way, "optional", metric=way))
    if parameters and word.make is not None:
        raise UnknownName(f"By {way} there is no {listed(parameters)} to choose.")
    if target is None and word.target == "needed":
        raise InputError(f"By {way}, give the target to reach.")
    if target is not None and word.target == "refused":
        raise InputError(f"By {way} there is no target to reach: the best threshold is chosen.")
    if way == "cost":
        if costs is None:
            raise InputError("By cost, say what a false positive and a false negative cost.")
        return cheapest(costs)
    if word.make is not None:
        return word.make() if target is None else word.make(target)
    measure = _measure(word.metric)
    measure = measure.with_parameters(**parameters) if parameters else measure
    return _optimum(measure) if target is None else _reaching(measure, target)


def _measure(name: str) -> Any:
    try:
        return METRICS.find(name)
    except UnknownName:
        if METRICS.knows(name.partition("(")[0]):
            raise
        words = listed_criteria()
        raise UnknownName(
            f"No threshold can be chosen by {name!r}.{did_you_mean(name, [*words, *METRICS])} "
            f"Choose by {listed(words, 20)}, or by any metric."
        ) from None

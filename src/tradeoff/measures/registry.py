"""Registry of metrics and summaries: their entries and lookup by name.

A *metric* is a function of a confusion matrix, a *summary* one of a whole ranking. Both are plain
functions; the decorator `metric` or `summary` adds what a reader must know (other names, range,
which way is better, a sentence, when it is undefined) and enters them in `METRICS` or
`SUMMARIES`. The reference page, the command line, the laws that tests check and the report read
those tables, so a new measure is one decorated function.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

import numpy as np

from tradeoff.core.confusion import ClassMatrix, ConfusionMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, UnknownName, did_you_mean, format_list
from tradeoff.measures.estimate import ConfidenceInterval, Estimate

Function = TypeVar("Function", bound=Callable[..., Any])
Kind = Literal["metric", "summary"]
Better = Literal["higher", "lower"] | None
Settled = float | str


RELATED = {
    "accuracy": "right correct",
    "auc": "area under curve roc ranking discrimination",
    "average_precision": "area under precision recall",
    "brier": "squared error probability",
    "cohens_kappa": "agreement chance",
    "critical_success_index": "overlap",
    "error_rate": "wrong mistakes",
    "expected_calibration_error": "reliability calibrated probability",
    "expected_cost": "money loss profit savings",
    "f_measure": "harmonic mean precision recall",
    "false_negative_rate": "missed",
    "false_positive_rate": "false alarms",
    "matthews_correlation": "correlation association",
    "precision": "purity yield",
    "true_positive_rate": "capture detection found completeness",
}
"""Words by which people look for a measure and which its names do not hold."""

COUNTS = {"tp", "fp", "fn", "tn"} | {
    f"{outcome}_{side}" for outcome in ("true", "false") for side in ("positives", "negatives")
}
"""Names of the counts of a confusion matrix, which are no metrics."""


class Undefined(Exception):  # noqa: N818 - not an error: it carries a reason to the result
    """Raised by a summary that is undefined for a ranking."""


@dataclass(frozen=True)
class Measure:
    """Registry entry of a metric or summary.

    `formula` is an expression or a description; `two_classes` is an expression for two classes,
    where `formula` is a description, leaves cases open (0/0 that is 0) or loses digits. `sentence`
    and `undefined` have places for {positive}, {negative}, {value}, {share} and the parameters;
    `axis` is what a side of a chart is called, where the name alone says too little, and `title`
    what stands above one; `zoomed` that it is often a small part of its range and read by itself.
    `others` says how other tools' numbers differ, `in_sklearn` what scikit-learn gives where this
    is undefined. `headline` tells where it is shown unasked, and at
    which place there (see `Registry.headlines`).

    Of a metric, and found again by laws: `any_classes` tells that a `ClassMatrix` will do, `linear`
    that a mix of two matrices has the mix of their values, `trials` that it is a share of those
    rows, `ratio` that it is another ratio of straight lines in the counts, `directed` that more
    true positives and fewer false positives never make it worse, `sweeps` that it never turns
    around along a ranking and is constant on straight lines, `reached_by_calls` that along a
    perfect ranking it is never worse the more rows are predicted positive, `least_at_independence`
    that it measures association in either direction.

    Of a summary: `mean_over_rows` tells that it is a mean of what each row contributes by itself,
    `linear_in_auc` that it is a factor times the area under the ROC curve plus a constant,
    `by_dominance` that a ROC curve nowhere lower never has a worse value: bins then bound it, as
    `in_bins` does, which gives the least and the most for any order inside bins.

    Of both: `mixes_classes` tells that it depends on how frequent the classes are; `no_interval`
    why it has no interval that can be trusted, `interval` the function that gives one, where it has
    a formula of its own (of a metric see `intervals`, of a summary `Subject`), `fitted` that its
    own function takes a level and gives an interval.
    """

    kind: Kind
    name: str
    function: Callable[..., Any]
    formula: str
    family: str
    sentence: str
    better: Better
    low: float
    high: float
    two_classes: str = ""
    axis: str = ""
    title: str = ""
    zoomed: bool = False
    undefined: str = ""
    aliases: tuple[str, ...] = ()
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    others: str = ""
    source: str = ""
    in_sklearn: float = np.nan
    any_classes: bool = False
    linear: bool = False
    trials: str = ""
    ratio: bool = False
    directed: bool = False
    sweeps: bool = False
    reached_by_calls: bool = False
    mixes_classes: bool = True
    no_interval: str = ""
    interval: Callable[..., ConfidenceInterval | None] | None = None
    linear_in_auc: tuple[float, float] | None = None
    fitted: bool = False
    mean_over_rows: bool = False
    least_at_independence: bool = False
    by_dominance: bool = False
    in_bins: Callable[..., tuple[float, float]] | None = None
    headline: Mapping[str, int] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, subject: Any, *, undefined: Settled = np.nan) -> Any:
        """The value for a confusion matrix (arrays in, arrays out) or a ranking; NaN: undefined.

        `undefined` puts a number in its place: 0, 1, or "scikit-learn" for what that library says.
        """
        if self.kind == "summary":
            return self.estimate(subject, undefined=undefined).value
        self._demand(subject)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            value = np.asarray(self.function(subject.as_floats(), **self.parameters))
        instead = self._instead(undefined)
        return value[()] if np.isnan(instead) else np.where(np.isnan(value), instead, value)[()]

    def estimate(self, subject: Any, *, undefined: Settled = np.nan) -> Estimate:
        """The value at one operating point or of one ranking, or the reason why there is none."""
        estimate = self._estimate(subject)
        instead = self._instead(undefined)
        if estimate.is_defined or np.isnan(instead):
            return estimate
        note = f"undefined, as {estimate.reason}: set to {instead:g}"
        return Estimate(self.name, instead, note=note)

    def _estimate(self, subject: Any) -> Estimate:
        if self.kind == "metric":
            value = float(self(subject))
            why = self.reason(subject) if np.isnan(value) else None
            return Estimate(self.name, value, reason=why)
        self._demand(subject)
        return self._of_ranking(subject) if subject.exact else self._of_bins(subject)

    def _of_bins(self, ranking: Ranking) -> Estimate:
        """The middle between the worst and the best that bins leave open."""
        if not self.is_bounded:
            why = f"scores are in {ranking.distinct:,} bins, and it depends on what is inside them"
            return Estimate(self.name, np.nan, reason=why)
        ends = [self._of_ranking(case) for case in (ranking.worst_case, ranking.best_case)]
        if not all(end.is_defined for end in ends):
            return ends[0]
        low, high = (end.value for end in ends)
        if self.in_bins is not None:
            low, high = self.in_bins(ranking, **self.parameters)
        return Estimate.between(self.name, low, high, ranking.distinct)

    @property
    def is_ratio(self) -> bool:
        """Whether a metric is a ratio of straight lines in the counts."""
        return self.linear or bool(self.trials) or self.ratio

    @property
    def takes_costs(self) -> bool:
        """Whether it is what decisions cost, of which known costs say more than parameters."""
        return "cost_fn" in self.parameters

    @property
    def by_prevalence(self) -> Literal["rates", "classes", "ranking"]:
        """What of a summary stays where the share of positives is another one.

        One of the "rates" stays as it is, one of the "classes" mixes the means of both classes,
        and one of the "ranking" is computed again.
        """
        if not self.mixes_classes:
            return "rates"
        return "classes" if self.mean_over_rows else "ranking"

    @property
    def is_bounded(self) -> bool:
        """Whether it is known between which values a summary lies where scores are in bins."""
        return self.by_dominance or self.in_bins is not None

    def _of_ranking(self, ranking: Ranking) -> Estimate:
        try:
            result = self.function(ranking, **self.parameters)
        except Undefined as why:
            return Estimate(self.name, np.nan, reason=str(why))
        if isinstance(result, Estimate):
            value = Estimate(self.name, result.value, result.reason, result.note)
            return value if self.fitted else replace(result, name=self.name)
        return Estimate(self.name, float(result))

    def _instead(self, undefined: Settled) -> float:
        if undefined == "scikit-learn":
            return self.in_sklearn
        if isinstance(undefined, str):
            raise InputError(f'`undefined` is a number or "scikit-learn", not {undefined!r}.')
        return float(undefined)

    def _demand(self, subject: Any) -> None:
        """A metric is of a matrix, a summary of a ranking; some metrics need two classes."""
        if self.kind == "summary":
            if not isinstance(subject, Ranking):
                raise InputError(f"{self.name} is a summary of a whole ranking, such as e.ranking.")
        elif not isinstance(subject, ConfusionMatrix | ClassMatrix):
            raise InputError(f"{self.name} is a metric of a confusion matrix, such as e.at(0.5).")
        elif isinstance(subject, ClassMatrix) and not self.any_classes:
            raise InputError(
                f"{self.name} needs two classes: take one against the rest, for example "
                f"matrix.one_against_rest({subject.classes[0]!r}), or an average over classes."
            )

    def reason(self, subject: Any) -> str:
        """Why the value is undefined, in the user's class names."""
        if not np.any(subject.rows):
            return "there are no rows"
        if not np.any(subject.decided):
            return "every row is rejected"
        return self._filled(self.undefined, subject)

    def say(self, subject: Any, value: str, share: str) -> str:
        """The measure as a plain sentence in the user's class names."""
        return self._filled(self.sentence, subject, value=value, share=share)

    def _filled(self, template: str, subject: Any, **values: str) -> str:
        names = {
            "positive": getattr(subject, "positive", "positive"),
            "negative": getattr(subject, "negative", "negative"),
        }
        # One pass over the template: a class called "{value}" stays what it is.
        words = {**names, **values, **{k: format_parameter(v) for k, v in self.parameters.items()}}
        return re.sub(r"\{(\w+)\}", lambda match: words.get(match[1], match[0]), template)

    def with_parameters(self, **changes: Any) -> Measure:
        """The same measure with other parameters, for example another beta."""
        unknown = sorted(set(changes) - set(self.parameters))
        if unknown:
            takes = (
                f"takes {format_list(self.parameters)}"
                if self.parameters
                else "takes no parameters"
            )
            raise UnknownName(f"{self.name} {takes}, not {format_list(unknown)}.")
        for key, value in changes.items():
            if isinstance(value, str) != isinstance(self.parameters[key], str):
                raise UnknownName(f"{self.name} cannot take {key}={value}.")
        parameters = {**self.parameters, **changes}
        default = _defaults(self.function)
        changed = {k: v for k, v in parameters.items() if v != default[k]}
        inside = ", ".join(f"{k}={format_parameter(v)}" for k, v in changed.items())
        bare = self.name.partition("(")[0]
        return replace(self, name=f"{bare}({inside})" if inside else bare, parameters=parameters)


class Registry(Mapping[str, Measure]):
    """Registry of measures by canonical name; `find` also accepts aliases and parameters."""

    def __init__(self, kind: Kind, plural: str) -> None:
        self.kind = kind
        self.plural = plural
        self._measures: dict[str, Measure] = {}
        self._names: dict[str, Measure] = {}

    def add(self, measure: Measure) -> None:
        """Enter a measure under its name, aliases and presets; each word means one thing."""
        measures_by_name = dict.fromkeys((measure.name, *measure.aliases), measure)
        measures_by_name |= {
            name: measure.with_parameters(**p) for name, p in measure.presets.items()
        }
        for name, named_measure in measures_by_name.items():
            if _folded(name) in self._names:
                raise ValueError(f"two {self.plural} are called {name!r}")
            self._names[_folded(name)] = named_measure
        self._measures[measure.name] = measure

    def find(self, name: str) -> Measure:
        """The measure called `name`, in any usual spelling.

        Example:
            >>> METRICS.find("Recall").name, METRICS.find("f_measure(beta=2)").name
            ('true_positive_rate', 'f_measure(beta=2)')
        """
        bare, parameters = _parsed(name)
        if bare not in self._names:
            self._require_other_kind(bare)
            near = did_you_mean(bare, self._names, self._meanings())
            raise UnknownName(
                f"No {self.kind} is called {name!r}.{near} "
                f"`tradeoff metrics` lists all {len(self._measures)} {self.plural}."
            )
        measure = self._names[bare]
        return measure.with_parameters(**parameters) if parameters else measure

    def _require_other_kind(self, name: str) -> None:
        """Tell apart a word that nobody knows and one that stands in the other table."""
        other = SUMMARIES if self is METRICS else METRICS
        if other.knows(name):
            meaning = {"metric": "one confusion matrix", "summary": "a whole ranking"}[other.kind]
            raise UnknownName(f"{name!r} is a {other.kind} (of {meaning}), not a {self.kind}.")
        if name in COUNTS:
            rate = f"{name[0]}{'p' if name.endswith(('p', 'positives')) else 'n'}r"
            raise UnknownName(
                f"{name!r} is a count, not a {self.kind}: e.at(threshold).{name}. "
                f"The rate is {rate!r}."
            )

    def _meanings(self) -> dict[str, str]:
        """Measures by name with words to find them by: names, sentence and related words."""
        return {
            m.name: " ".join((m.name, *m.aliases, m.title, m.sentence, RELATED.get(m.name, "")))
            for m in self._measures.values()
        }

    def headlines(self, where: str) -> list[Measure]:
        """The measures that are shown unasked, in order.

        `where` is one of "tables", "parts" (folds and segments), "band" (where some rows are
        rejected), "page" (the report's), "matrix" (beside that of the page), "models" (the page's
        table of models), "opening" (the first table of an evaluation), "tracking" (logged with its
        interval).
        """
        headlines = [measure for measure in self._measures.values() if where in measure.headline]
        return sorted(headlines, key=lambda measure: measure.headline[where])

    def knows(self, name: str) -> bool:
        """Whether a measure has this name or alias."""
        return _folded(name) in self._names

    def __getitem__(self, name: str) -> Measure:
        """The measure called `name`, in any usual spelling."""
        return self.find(name)

    def __contains__(self, name: object) -> bool:
        """Whether a measure has this name."""
        return isinstance(name, str) and self.knows(name)

    def __iter__(self) -> Iterator[str]:
        """Canonical names, in the order of the reference."""
        return iter(self._measures)

    def __len__(self) -> int:
        """How many measures there are."""
        return len(self._measures)


METRICS = Registry("metric", "metrics")
SUMMARIES = Registry("summary", "summaries")


def is_summary(name: str) -> bool:
    """Whether a name, with or without parameters, is that of a summary measure."""
    return SUMMARIES.knows(name.partition("(")[0])


def metric(**described: Any) -> Callable[[Function], Function]:
    """Register a function of a confusion matrix as a metric in `METRICS`.

    The function gets counts as float64 (scalars, or arrays at all thresholds) and may divide by
    zero: 0/0 is NaN and means undefined, x/0 is inf. Keyword-only arguments are its parameters.
    """
    return _entering(METRICS, described)


def summary(**described: Any) -> Callable[[Function], Function]:
    """Register a function of a ranking in `SUMMARIES`; it raises `Undefined` without a value."""
    return _entering(SUMMARIES, described)


def _entering(registry: Registry, described: dict[str, Any]) -> Callable[[Function], Function]:
    low, high = described.pop("range")

    def enter(function: Function) -> Function:
        registry.add(
            Measure(
                kind=registry.kind,
                name=function.__name__,
                function=function,
                low=low,
                high=high,
                parameters=_defaults(function),
                **described,
            )
        )
        return function

    return enter


def _defaults(function: Callable[..., Any]) -> dict[str, Any]:
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}


def _folded(name: str) -> str:
    return re.sub(r"[\s\-]+", "_", name.strip().casefold())


def _parsed(name: str) -> tuple[str, dict[str, Any]]:
    """Split a measure name from its parameters: `f_measure(beta=2)`."""
    match = re.fullmatch(r"\s*([^()]+?)\s*(?:\((.*)\))?\s*", name)
    if match is None:
        return _folded(name), {}
    assignments = [part.partition("=") for part in (match[2] or "").split(",") if part.strip()]
    return _folded(match[1]), {
        key.strip(): _value(name, text.strip()) for key, _, text in assignments
    }


def _value(name: str, text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        if re.fullmatch(r"\w+", text):
            return text
    raise UnknownName(f"{name!r} cannot be read: write parameters as in f_measure(beta=2).")


def format_parameter(value: Any) -> str:
    """Format a parameter of a measure: 2, not 2.0."""
    return f"{value:g}" if _real(value) else str(value)


def _real(value: Any) -> bool:
    return isinstance(value, int | float)

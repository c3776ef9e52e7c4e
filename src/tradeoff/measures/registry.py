"""Registry of metrics and summaries: their definitions, and lookup by name.

A *metric* is a function of a confusion matrix, a *summary* one of a whole ranking. Both are plain
functions; the decorator `metric` or `summary` adds their metadata (aliases, range, direction, a
sentence that interprets the value, when it is undefined) and registers them in `METRICS` or
`SUMMARIES`. The reference page, the command line, the property tests and the report read these
registries, so a new measure is one decorated function.
"""

from __future__ import annotations

import inspect
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeVar

import numpy as np

from tradeoff.core.confusion import ClassMatrix, ConfusionMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.errors import (
    InputError,
    UnknownName,
    did_you_mean,
    format_list,
    require_unique_name,
)
from tradeoff.measures.estimate import ConfidenceInterval, Estimate
from tradeoff.measures.vocabulary import (
    USUAL_LABELS,
    Vocabulary,
    labels_of,
    name_label,
    name_labels,
)
from tradeoff.wording import ROWS, Wording

Function = TypeVar("Function", bound=Callable[..., Any])
MeasureKind = Literal["metric", "summary"]
Better = Literal["higher", "lower"] | None
UndefinedValue = float | str


RELATED_WORDS = {
    "accuracy": "right correct",
    "auc": "area under curve roc ranking discrimination",
    "average_precision": "area under precision recall map mean",
    "brier": "squared error probability",
    "cohens_kappa": "agreement chance",
    "critical_success_index": "overlap",
    "error_rate": "wrong mistakes",
    "expected_calibration_error": "reliability calibrated probability",
    "expected_cost": "money loss profit savings",
    "lift": "top decile",
    "log_loss": "loss entropy",
    "f_measure": "harmonic mean precision recall",
    "false_negative_rate": "missed",
    "false_positive_rate": "false alarms",
    "matthews_correlation": "correlation association",
    "precision": "purity yield",
    "true_positive_rate": "capture detection found completeness hits",
}
"""Search keywords for measures, in addition to their names."""

COUNT_NAMES = {"tp", "fp", "fn", "tn"} | {
    f"{outcome}_{side}" for outcome in ("true", "false") for side in ("positives", "negatives")
}
"""Names of the counts of a confusion matrix, which are not metrics."""

CHART_NAMES = {
    "matrix": ("confusion_matrix", "cm", "confusion"),
    "scores": ("histogram", "score_distribution", "distribution", "density"),
    "hull": ("convex_hull", "roc_hull", "rocch", "roc_convex_hull"),
}
"""Aliases of charts that are neither metrics nor curves, by chart."""
CURVE_SUMMARIES = {
    "calibration": "expected_calibration_error",
    "precision_recall": "average_precision",
    "roc": "auc",
}
"""Summary of a curve, suggested if the curve is named where a summary is needed."""


class Undefined(Exception):  # noqa: N818 - not an error: it gives the result its reason
    """Raised by a registered summary that is undefined for a ranking."""


@dataclass(frozen=True)
class Measure:
    """Registry entry of a metric or summary.

    `formula` is an expression or a description; `two_classes` is an expression for two classes, if
    `formula` is a description, does not cover special cases (0/0 defined as 0) or loses digits.
    `sentence` and `undefined` may contain {positive}, {negative}, {value}, {share} and the
    parameters; `usual_label` is its usual spelling, if that is not its name with spaces; `axis`
    labels an axis of a chart, if the name alone says too little, and `title` is the chart's title;
    `zoomed`: the measure often covers a small part of its range, so charts zoom in. `others`
    describes how other tools differ, `in_sklearn` is scikit-learn's value where this is undefined.
    `headline` maps places where it is shown by default to its position there (see
    `Registry.headlines`).

    Fields of metrics, verified by tests: `any_classes`: it takes a `ClassMatrix`, too; `linear`: a
    mixture of two matrices has the same mixture of their values; `trials`: it is a proportion of
    those rows; `ratio`: it is another ratio of linear functions of the counts; `monotone`: more
    true positives and fewer false positives never make it worse; `monotone_along_ranking`: it is
    monotone in the threshold, and its level sets in the ROC plane are straight lines;
    `reached_by_more_positives`: along a perfect ranking it never gets worse as more rows are
    predicted positive; `minimal_at_independence`: it measures association in either direction.

    Fields of summaries: `mean_over_rows`: it is a mean over rows; `linear_in_auc`: its slope and
    intercept, if it is a linear function of the AUC; `respects_dominance`: a ROC curve that is
    nowhere lower never has a worse value, so that the worst and the best order inside bins bound
    it; `bounds_in_bins`: the function that returns its minimum and maximum over all orders.

    Fields of both: `depends_on_prevalence`; `no_interval`: why no interval can be trusted;
    `interval`: the function that computes one by a published formula (for a metric see
    `interval_formulas`, for a summary `Subject`); `returns_interval`: the summary's own function
    takes a level and returns an interval.

    `spelling` is the name by which the measure was looked up, which then labels its results: recall
    requested as "sensitivity" is reported as "sensitivity". It is empty if no name was given.
    """

    kind: MeasureKind
    name: str
    function: Callable[..., Any]
    formula: str
    family: str
    sentence: str
    better: Better
    low: float
    high: float
    two_classes: str = ""
    usual_label: str = ""
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
    monotone: bool = False
    monotone_along_ranking: bool = False
    reached_by_more_positives: bool = False
    depends_on_prevalence: bool = True
    no_interval: str = ""
    interval: Callable[..., ConfidenceInterval | None] | None = None
    linear_in_auc: tuple[float, float] | None = None
    returns_interval: bool = False
    mean_over_rows: bool = False
    minimal_at_independence: bool = False
    respects_dominance: bool = False
    bounds_in_bins: Callable[..., tuple[float, float]] | None = None
    headline: Mapping[str, int] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    spelling: str = field(default="", compare=False)

    @cached_property
    def label(self) -> str:
        """Label of the measure in results: the requested name, else the general label."""
        return self.label_in("general")

    def label_in(self, vocabulary: Vocabulary) -> str:
        """Label of the measure: the requested name, else its label in a vocabulary.

        Example:
            >>> METRICS["tpr"].label_in("clinical"), METRICS.find("TPR").label_in("clinical")
            ('sensitivity', 'TPR')
        """
        return self.spelling or name_label(self.name, vocabulary)

    def in_vocabulary(self, vocabulary: Vocabulary) -> Measure:
        """The measure, labelled in a vocabulary unless it was requested by name."""
        return replace(self, spelling=self.label_in(vocabulary))

    def __call__(self, subject: Any, *, undefined: UndefinedValue = np.nan) -> Any:
        """The value for a confusion matrix (arrays in, arrays out) or a ranking; NaN if undefined.

        `undefined` replaces NaN: a number, or "scikit-learn" for that library's value.
        """
        if self.kind == "summary":
            return self.estimate(subject, undefined=undefined).value
        self._require_subject(subject)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            value = np.asarray(self.function(subject.as_floats(), **self.parameters))
        replacement = self._replacement(undefined)
        if np.isnan(replacement):
            return value[()]
        return np.where(np.isnan(value), replacement, value)[()]

    def estimate(self, subject: Any, *, undefined: UndefinedValue = np.nan) -> Estimate:
        """The value for a confusion matrix or a ranking, or the reason why it is undefined."""
        estimate = self._estimate(subject)
        replacement = self._replacement(undefined)
        if estimate.is_defined or np.isnan(replacement):
            return estimate
        note = f"undefined ({estimate.reason}), set to {replacement:g}"
        return Estimate(self.name, replacement, note=note, label=self.label)

    def _estimate(self, subject: Any) -> Estimate:
        if self.kind == "metric":
            value = float(self(subject))
            reason = self.reason(subject) if np.isnan(value) else None
            return Estimate(self.name, value, reason=reason, label=self.label)
        self._require_subject(subject)
        estimate = (
            self._exact_estimate(subject) if subject.exact else self._binned_estimate(subject)
        )
        return replace(estimate, label=self.label)

    def _binned_estimate(self, ranking: Ranking) -> Estimate:
        """Midpoint of the worst and the best value over all orders of rows inside bins."""
        if not self.is_bounded:
            reason = (
                f"scores are in {ranking.distinct:,} bins, and it depends on the order inside them"
            )
            return Estimate(self.name, np.nan, reason=reason)
        extremes = [self._exact_estimate(case) for case in (ranking.worst_case, ranking.best_case)]
        if not all(extreme.is_defined for extreme in extremes):
            return extremes[0]
        low, high = (extreme.value for extreme in extremes)
        if self.bounds_in_bins is not None:
            low, high = self.bounds_in_bins(ranking, **self.parameters)
        return Estimate.between(self.name, low, high, ranking.distinct)

    @property
    def is_ratio(self) -> bool:
        """Whether a metric is a ratio of linear functions of the counts."""
        return self.linear or bool(self.trials) or self.ratio

    @property
    def takes_costs(self) -> bool:
        """Whether it is an expected cost, so that known costs replace its parameters."""
        return "cost_fn" in self.parameters

    @property
    def effect_of_prevalence(self) -> Literal["rates", "classes", "ranking"]:
        """How a summary changes with the prevalence.

        "rates": it stays the same; "classes": it is a weighted mean of the two class means;
        "ranking": it has to be recomputed from the reweighted ranking.
        """
        if not self.depends_on_prevalence:
            return "rates"
        return "classes" if self.mean_over_rows else "ranking"

    @property
    def is_bounded(self) -> bool:
        """Whether a summary has known bounds if scores are binned."""
        return self.respects_dominance or self.bounds_in_bins is not None

    def _exact_estimate(self, ranking: Ranking) -> Estimate:
        try:
            result = self.function(ranking, **self.parameters)
        except Undefined as reason:
            return Estimate(self.name, np.nan, reason=str(reason))
        if isinstance(result, Estimate):
            if self.returns_interval:
                return Estimate(self.name, result.value, result.reason, result.note)
            return replace(result, name=self.name)
        return Estimate(self.name, float(result))

    def _replacement(self, undefined: UndefinedValue) -> float:
        if undefined == "scikit-learn":
            return self.in_sklearn
        if isinstance(undefined, str):
            raise InputError(f'`undefined` must be a number or "scikit-learn", not {undefined!r}.')
        return float(undefined)

    def _require_subject(self, subject: Any) -> None:
        """Require a matrix for a metric (some need two classes), and a ranking for a summary."""
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
        """Reason why the value is undefined, with the user's class names."""
        if not np.any(subject.rows):
            return "there are no rows"
        if not np.any(subject.decided):
            return "every row is rejected"
        return self._fill_template(self.undefined, subject)

    def sentence_for(self, subject: Any, value: str, share: str, wording: Wording = ROWS) -> str:
        """Plain sentence that interprets a value, with the user's class names and words."""
        template = wording.rephrase(self.sentence)
        return self._fill_template(template, subject, value=value, share=share)

    def _fill_template(self, template: str, subject: Any, **values: str) -> str:
        names = {
            "positive": getattr(subject, "positive", "positive"),
            "negative": getattr(subject, "negative", "negative"),
        }
        # A single pass: a class called "{value}" is not replaced.
        words = {**names, **values, **{k: format_parameter(v) for k, v in self.parameters.items()}}
        return re.sub(r"\{(\w+)\}", lambda match: words.get(match[1], match[0]), template)

    def with_parameters(self, **changes: Any) -> Measure:
        """The same measure with other parameters, for example another beta."""
        unknown = sorted(set(changes) - set(self.parameters))
        if unknown:
            accepted = (
                f"takes {format_list(self.parameters)}"
                if self.parameters
                else "takes no parameters"
            )
            raise UnknownName(f"{self.name} {accepted}, not {format_list(unknown)}.")
        for key, value in changes.items():
            if isinstance(value, str) != isinstance(self.parameters[key], str):
                raise UnknownName(f"{self.name} cannot take {key}={value}.")
        parameters = {**self.parameters, **changes}
        default = _default_parameters(self.function)
        changed = {k: v for k, v in parameters.items() if v != default[k]}
        parameter_text = ", ".join(f"{k}={format_parameter(v)}" for k, v in changed.items())
        bare_name = self.name.partition("(")[0]
        name = f"{bare_name}({parameter_text})" if parameter_text else bare_name
        spelling = self.spelling.partition("(")[0].rstrip()
        if spelling and parameter_text:
            spelling = f"{spelling}({parameter_text})"
        return replace(self, name=name, parameters=parameters, spelling=spelling)


class Registry(Mapping[str, Measure]):
    """Registry of measures by canonical name; `find` also accepts aliases and parameters."""

    def __init__(self, kind: MeasureKind, plural: str) -> None:
        self.kind = kind
        self.plural = plural
        self._measures: dict[str, Measure] = {}
        self._names: dict[str, Measure] = {}

    def add(self, measure: Measure) -> None:
        """Register a measure under its name, aliases, labels and presets: no other may have them.

        Different spellings of one name, such as log_loss and logloss, may be repeated.
        """
        require_unique_name(measure.name, self._measures, self.plural)
        if measure.usual_label:
            USUAL_LABELS[measure.name] = measure.usual_label
        names = (measure.name, *measure.aliases, *labels_of(measure.name))
        measures_by_name = dict.fromkeys(names, measure)
        measures_by_name |= {
            name: measure.with_parameters(**p) for name, p in measure.presets.items()
        }
        for name, named_measure in measures_by_name.items():
            known = self._names.setdefault(lookup_key(name), named_measure)
            if known.name != named_measure.name:
                raise ValueError(f"two {self.plural} are called {name!r}")
        self._measures[measure.name] = measure

    def find(self, name: str) -> Measure:
        """Look up a measure by name, alias, label or preset, in any usual spelling.

        The measure is labelled with the requested name, but a canonical name that differs from the
        usual label only in form, such as "auc", gets the usual label.

        Example:
            >>> METRICS.find("Recall").name, METRICS.find("f_measure(beta=2)").name
            ('true_positive_rate', 'f_measure(beta=2)')
            >>> METRICS.find("Recall").label
            'Recall'
        """
        measure = self._look_up(name)
        is_usual_label = name == measure.name and lookup_key(measure.label) == lookup_key(name)
        return measure if is_usual_label else replace(measure, spelling=name.strip())

    def labels_in(self, vocabulary: Vocabulary) -> dict[str, str]:
        """Labels of all measures in a vocabulary, by canonical name."""
        return name_labels(self._measures, vocabulary)

    def _look_up(self, name: str) -> Measure:
        """Look up a measure without labelling it with the requested name."""
        whole_key = lookup_key(name)
        if whole_key in self._names:
            return self._names[whole_key]
        bare_name, parameters = _parse_name(name)
        measure = self._names.get(lookup_key(bare_name))
        if measure is None:
            self._raise_if_other_kind(bare_name)
            candidates = [
                spelling
                for registry in (self, *_registries())
                for registered in registry.values()
                for spelling in (registered.name, *registered.aliases, *registered.presets)
            ]
            meanings = {k: v for r in _registries() for k, v in r.search_texts().items()}
            suggestion = did_you_mean(_snake_case(bare_name), candidates, meanings)
            raise UnknownName(
                f"No {self.kind} is called {name!r}.{suggestion} "
                f"`tradeoff metrics` lists all {len(self._measures)} {self.plural}."
            )
        return measure.with_parameters(**parameters) if parameters else measure

    def _raise_if_other_kind(self, name: str) -> None:
        """Raise a specific error if the name is that of a count or a measure of the other kind."""
        other = SUMMARIES if self is METRICS else METRICS
        if other.knows(name):
            meaning = {"metric": "one confusion matrix", "summary": "a whole ranking"}[other.kind]
            raise UnknownName(f"{name!r} is a {other.kind} (of {meaning}), not a {self.kind}.")
        count = _snake_case(name)
        if count in COUNT_NAMES:
            rate = f"{count[0]}{'p' if count.endswith(('p', 'positives')) else 'n'}r"
            raise UnknownName(
                f"{name!r} is a count, not a {self.kind}: e.at(threshold).{count}. "
                f"The rate is {rate!r}."
            )
        self._raise_if_curve_or_chart(name)

    def _raise_if_curve_or_chart(self, name: str) -> None:
        """Raise a specific error if the name is that of a curve or a chart."""
        from tradeoff.measures.curves.registry import CURVES, normalized_curve_name

        curve = normalized_curve_name(name)
        if curve in CURVES:
            summary_name = CURVE_SUMMARIES.get(curve)
            suggestion = f" Did you mean {summary_name!r}?" if summary_name else ""
            raise UnknownName(
                f"{name!r} is a curve, not a {self.kind}: `tradeoff curve --curve {curve}`, or "
                f"e.curve({curve!r}).{suggestion}"
            )
        for chart, aliases in CHART_NAMES.items():
            if lookup_key(name) in map(lookup_key, (chart, *aliases)):
                raise UnknownName(
                    f"{name!r} is a chart, not a {self.kind}: `tradeoff plot --chart {chart}`, or "
                    f"e.chart({chart!r})."
                )

    def search_texts(self) -> dict[str, str]:
        """Searchable text of each measure: names, title, sentence and related words."""
        return {
            m.name: " ".join(
                (m.name, *m.aliases, m.title, m.sentence, RELATED_WORDS.get(m.name, ""))
            )
            for m in self._measures.values()
        }

    def headlines(self, where: str) -> list[Measure]:
        """The measures that are shown by default in one place, in order.

        `where` is one of "tables", "parts" (folds and segments), "band" (if some rows are
        rejected), "page" (the report's), "matrix" (beside the page's matrix), "models" (the
        page's table of models), "opening" (the first table of an evaluation), "tracking" (logged
        with its interval).
        """
        headlines = [measure for measure in self._measures.values() if where in measure.headline]
        return sorted(headlines, key=lambda measure: measure.headline[where])

    def knows(self, name: str) -> bool:
        """Whether a measure has this name or alias."""
        return lookup_key(name) in self._names

    def __getitem__(self, name: str) -> Measure:
        """Look up a measure as `find` does, but label it in the reader's vocabulary."""
        return self._look_up(name)

    def __contains__(self, name: object) -> bool:
        """Whether a measure has this name or alias."""
        return isinstance(name, str) and self.knows(name)

    def __iter__(self) -> Iterator[str]:
        """Iterate over canonical names, in the order of the reference."""
        return iter(self._measures)

    def __len__(self) -> int:
        """Number of measures."""
        return len(self._measures)


METRICS = Registry("metric", "metrics")
SUMMARIES = Registry("summary", "summaries")


def _registries() -> tuple[Registry, Registry]:
    return METRICS, SUMMARIES


def is_summary(name: str) -> bool:
    """Whether a name, with or without parameters, belongs to a summary in the registry."""
    return SUMMARIES.knows(name) or SUMMARIES.knows(name.partition("(")[0])


def metric(**fields: Any) -> Callable[[Function], Function]:
    """Register a function of a confusion matrix as a metric in `METRICS`.

    The function receives counts as float64 (scalars, or arrays over thresholds) and may divide by
    zero: 0/0 gives NaN, which means undefined, and x/0 gives inf. Its keyword-only arguments are
    the parameters of the metric.
    """
    return _registering_decorator(METRICS, fields)


def summary(**fields: Any) -> Callable[[Function], Function]:
    """Register a function of a ranking as a summary in `SUMMARIES`.

    The function raises `Undefined`, with the reason, if it has no value.
    """
    return _registering_decorator(SUMMARIES, fields)


def _registering_decorator(
    registry: Registry, fields: dict[str, Any]
) -> Callable[[Function], Function]:
    low, high = fields.pop("range")

    def register(function: Function) -> Function:
        registry.add(
            Measure(
                kind=registry.kind,
                name=function.__name__,
                function=function,
                low=low,
                high=high,
                parameters=_default_parameters(function),
                **fields,
            )
        )
        return function

    return register


def _default_parameters(function: Callable[..., Any]) -> dict[str, Any]:
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}


def lookup_key(name: str) -> str:
    """Key of a name in the registry: spellings that differ only in form share a key.

    Case, spaces, underscores, hyphens inside a name, accents and apostrophes make no difference;
    all dashes and minus signs of Unicode count as "-", as in "LR−".

    Example:
        >>> [lookup_key(name) for name in ("C-statistic", "fall_out", "LR−", "Cramér's V")]
        ['cstatistic', 'fallout', 'lr-', 'cramersv']
    """
    letters = unicodedata.normalize("NFKD", name.strip().casefold())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    plain = re.sub(r"[\u2010-\u2015\u2212]", "-", plain)
    plain = re.sub(r"[\s_'’]+", "", plain)
    return re.sub(r"-+(?=\w)", "", plain)


def _snake_case(name: str) -> str:
    """A name in snake case, as the registry spells names."""
    return re.sub(r"[\s\-]+", "_", name.strip().casefold())


def _parse_name(name: str) -> tuple[str, dict[str, Any]]:
    """Split a measure name from its parameters: `f_measure(beta=2)`."""
    match = re.fullmatch(r"\s*([^()]+?)\s*(?:\((.*)\))?\s*", name)
    if match is None:
        return name.strip(), {}
    assignments = [part.partition("=") for part in (match[2] or "").split(",") if part.strip()]
    return match[1], {key.strip(): _parse_value(name, text.strip()) for key, _, text in assignments}


def _parse_value(name: str, text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        if re.fullmatch(r"\w+", text):
            return text
    raise UnknownName(f"{name!r} is not a valid measure: write parameters as in f_measure(beta=2).")


def find_measure(name: str) -> Measure:
    """Look up a metric or summary in the registry; it is labelled with the requested name."""
    return (SUMMARIES if is_summary(name) else METRICS).find(name)


def find_measures(names: Sequence[str]) -> list[Measure]:
    """Look up metrics and summaries in the registry by any of their names, each name once.

    Example:
        >>> [(measure.label, measure.name) for measure in find_measures(["sensitivity"])]
        [('sensitivity', 'true_positive_rate')]
    """
    return [find_measure(name) for name in dict.fromkeys(names)]


def format_parameter(value: Any) -> str:
    """Format the value of a registered measure's parameter: 2, not 2.0."""
    return f"{value:g}" if _is_number(value) else str(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float)

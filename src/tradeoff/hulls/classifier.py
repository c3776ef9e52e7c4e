"""A classifier at any point of a hull: one model's threshold, or a seeded random mix of two."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from dataclasses import fields as dataclass_fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.storage import SavedFields, written_score
from tradeoff.errors import ColumnError, InputError
from tradeoff.files import read_json, write_json
from tradeoff.text import plain

SCHEMA = "tradeoff/classifier/1"


@dataclass(frozen=True)
class Rule:
    """Positive when a model's score reaches the threshold; without a model, all or none are."""

    model: str | None
    threshold: float
    lower_is_positive: bool = False

    def applied(self, scores: NDArray[Any]) -> NDArray[np.bool_]:
        """Which rows are called positive."""
        below = self.lower_is_positive
        return np.asarray(scores <= self.threshold if below else scores >= self.threshold)


@dataclass(frozen=True)
class CombinedClassifier:
    """Decides by one of two rules, the second for a random `share` of rows.

    Example:
        >>> mix = CombinedClassifier(Rule("tree", 0.5), Rule("forest", 0.4), 0.0, 0.1, 0.8)
        >>> mix.decide({"tree": np.array([0.9, 0.2])})
        array(['positive', 'negative'], dtype='<U8')
    """

    first: Rule
    second: Rule
    share: float
    fpr: float
    tpr: float
    positive: str = "positive"
    negative: str = "negative"

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that are really used."""
        return tuple(rule for rule, _ in self._shares())

    @property
    def models(self) -> tuple[str, ...]:
        """The models whose scores are needed."""
        return tuple(dict.fromkeys(rule.model for rule in self.rules if rule.model is not None))

    def decide(self, scores: Any, *, seed: int = 0) -> NDArray[Any]:
        """The predicted class of each row.

        Args:
            scores: One array of scores if one model is needed, else a mapping or dataframe that
                holds them by model name.
            seed: Which rows follow which rule, where two are mixed: same seed, same answer.
        """
        called = self.positive_rows(scores, seed=seed)
        return np.where(called, self.positive, self.negative)

    def positive_rows(self, scores: Any, *, seed: int = 0) -> NDArray[np.bool_]:
        """Which rows are called positive."""
        columns = self._columns(scores)
        calls = [self._called(rule, columns) for rule in (self.first, self.second)]
        if self.share in {0.0, 1.0}:
            return calls[int(self.share)]
        second = np.random.default_rng(seed).random(len(calls[0])) < self.share
        return np.where(second, calls[1], calls[0])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the classifier as JSON."""
        document = {"schema": SCHEMA, **asdict(self)}
        for rule in (document["first"], document["second"]):
            rule["threshold"] = written_score(rule["threshold"])
        write_json(path, document)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> CombinedClassifier:
        """Read a classifier that `save` wrote."""
        return _from_document(read_json(path, "a classifier"), path)

    def _columns(self, scores: Any) -> dict[str, NDArray[Any]]:
        needed = self.models
        named = _by_name(scores)
        if named is not None:
            for name in needed:
                if name not in named:
                    raise ColumnError.missing(name, map(str, named))
            # Without a needed model the rows are still to be counted.
            given = {name: named[name] for name in needed or list(named)[:1]}
        elif len(needed) > 1:
            raise InputError(
                f"This classifier needs the scores of {len(needed)} models: pass them by name, "
                f"as in {{{needed[0]!r}: …, {needed[1]!r}: …}}."
            )
        else:
            given = {needed[0] if needed else "": scores}
        columns = {name: self._numbers(name, np.asarray(values)) for name, values in given.items()}
        if len({len(values) for values in columns.values()}) > 1:
            raise InputError("The models' scores must have the same length.")
        return columns

    def _numbers(self, name: str, values: NDArray[Any]) -> NDArray[np.float64]:
        """Scores as numbers; predicted classes do in their place, as 1 and 0."""
        if values.ndim != 1:
            raise InputError(f"The scores of {name!r} must have one dimension.")
        if values.dtype.kind in "OUS" and set(map(str, values)) <= {self.positive, self.negative}:
            return np.array([str(value) == self.positive for value in values], np.float64)
        try:
            numbers = values.astype(np.float64)
        except (TypeError, ValueError):
            raise InputError(
                f"The scores of {name!r} are neither numbers nor the classes {self.positive!r} and "
                f"{self.negative!r}."
            ) from None
        if np.isnan(numbers).any():
            raise InputError(
                f"{int(np.isnan(numbers).sum()):,} scores of {name!r} are missing: a row without a "
                "score cannot be decided."
            )
        return numbers

    def _called(self, rule: Rule, columns: Mapping[str, NDArray[Any]]) -> NDArray[np.bool_]:
        if rule.model is None or rule.model not in columns:
            rows = len(next(iter(columns.values())))
            return np.full(rows, rule.applied(np.zeros(1))[0])
        return rule.applied(columns[rule.model])

    def __repr__(self) -> str:
        """One line: which rules, how often."""
        used = [f"{_said(rule)} ({share:.0%})" for rule, share in self._shares()]
        return f"CombinedClassifier({' or '.join(used)}: fpr {self.fpr:.4f}, tpr {self.tpr:.4f})"

    def _shares(self) -> list[tuple[Rule, float]]:
        both = ((self.first, 1 - self.share), (self.second, self.share))
        return [(rule, share) for rule, share in both if share > 0]


def _by_name(scores: Any) -> Mapping[str, Any] | None:
    """The columns of a mapping or of a dataframe of any library; None for a plain array."""
    if isinstance(scores, Mapping):
        return scores
    if isinstance(scores, np.ndarray | list | tuple):
        return None
    import narwhals as nw

    frame = nw.from_native(scores, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        return None
    return {name: frame[name].to_numpy() for name in frame.columns}


def _said(rule: Rule) -> str:
    if rule.model is None:
        return "all positive" if rule.applied(np.zeros(1))[0] else "none positive"
    return f"{rule.model} {'<=' if rule.lower_is_positive else '>='} {rule.threshold:g}"


def _from_document(document: Any, path: str | os.PathLike[str]) -> CombinedClassifier:
    fields = SavedFields(document, path, "a classifier")
    fields.require_schema(SCHEMA)
    fields.require_known(
        {"schema", *(field.name for field in dataclass_fields(CombinedClassifier))}
    )
    classifier = CombinedClassifier(
        _rule(fields.fields("first")),
        _rule(fields.fields("second")),
        fields.number("share", 0, 1),
        fields.number("fpr", 0, 1),
        fields.number("tpr", 0, 1),
        fields.text("positive"),
        fields.text("negative"),
    )
    if classifier.positive == classifier.negative:
        fields.refuse(f"both of its classes are called {plain(repr(classifier.positive))}")
    return classifier


def _rule(fields: SavedFields) -> Rule:
    fields.require_known([field.name for field in dataclass_fields(Rule)])
    return Rule(
        fields.optional_text("model"),
        fields.score("threshold"),
        fields.boolean("lower_is_positive"),
    )

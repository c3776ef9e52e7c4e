"""Classifier at any point on a ROC hull: one model's threshold, or a seeded random mix of two."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from dataclasses import fields as dataclass_fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.storage import SavedFields, json_score
from tradeoff.errors import ColumnError, InputError
from tradeoff.files.json_files import read_json, write_json_file
from tradeoff.formatting import format_percent, printable
from tradeoff.sources.columns import values_array

SCHEMA = "tradeoff/classifier/1"


@dataclass(frozen=True)
class Rule:
    """Decision rule of a classifier: a threshold of a model, or all rows positive or none."""

    model: str | None
    threshold: float
    lower_is_positive: bool = False

    def predict(self, scores: NDArray[Any]) -> NDArray[np.bool_]:
        """Mask of the rows predicted positive."""
        if self.lower_is_positive:
            return np.asarray(scores <= self.threshold)
        return np.asarray(scores >= self.threshold)


@dataclass(frozen=True)
class CombinedClassifier:
    """Classifier on a ROC hull: a mix of two rules, the second for a random `share` of rows.

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
        """The rules of the classifier with a share above 0."""
        return tuple(rule for rule, _ in self._rules_with_shares())

    @property
    def models(self) -> tuple[str, ...]:
        """The models whose scores the classifier needs."""
        return tuple(dict.fromkeys(rule.model for rule in self.rules if rule.model is not None))

    def decide(self, scores: Any, *, seed: int = 0) -> NDArray[Any]:
        """The class that the classifier predicts for each row.

        Args:
            scores: One array of scores if one model is needed, else a mapping or dataframe with
                the scores of each model by name.
            seed: Seed of the random assignment of rows to rules; the same seed gives the same
                predictions.
        """
        positive_rows = self.positive_rows(scores, seed=seed)
        return np.where(positive_rows, self.positive, self.negative)

    def positive_rows(self, scores: Any, *, seed: int = 0) -> NDArray[np.bool_]:
        """Mask of the rows predicted positive."""
        columns = self._score_columns(scores)
        first, second = (self._predict(rule, columns) for rule in (self.first, self.second))
        if self.share in {0.0, 1.0}:
            return second if self.share else first
        uses_second = np.random.default_rng(seed).random(len(first)) < self.share
        return np.where(uses_second, second, first)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the classifier as JSON."""
        document = {"schema": SCHEMA, **asdict(self)}
        for rule in (document["first"], document["second"]):
            rule["threshold"] = json_score(rule["threshold"])
        write_json_file(path, document)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> CombinedClassifier:
        """Read a classifier that `save` wrote."""
        return _from_document(read_json(path, "a classifier"), path)

    def _score_columns(self, scores: Any) -> dict[str, NDArray[Any]]:
        models = self.models
        table = _columns_by_name(scores)
        if table is not None:
            for name in models:
                if name not in table:
                    raise ColumnError.missing(name, map(str, table))
            # If no model is needed, any column gives the number of rows.
            raw_columns = {name: table[name] for name in models or list(table)[:1]}
        elif len(models) > 1:
            raise InputError(
                f"This classifier needs the scores of {len(models)} models: pass them by name, "
                f"as in {{{models[0]!r}: …, {models[1]!r}: …}}."
            )
        else:
            raw_columns = {models[0] if models else "": scores}
        columns = {
            name: self._numeric_scores(name, values_array(values, name))
            for name, values in raw_columns.items()
        }
        if len({len(values) for values in columns.values()}) > 1:
            raise InputError("The models' scores must have the same length.")
        return columns

    def _numeric_scores(self, name: str, values: NDArray[Any]) -> NDArray[np.float64]:
        """Scores as floats; predicted classes become 1 and 0."""
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
                "score cannot be classified."
            )
        return numbers

    def _predict(self, rule: Rule, columns: Mapping[str, NDArray[Any]]) -> NDArray[np.bool_]:
        if rule.model is None or rule.model not in columns:
            rows = len(next(iter(columns.values())))
            return np.full(rows, rule.predict(np.zeros(1))[0])
        return rule.predict(columns[rule.model])

    def __repr__(self) -> str:
        """One line: the rules with their shares, and the rates."""
        rules = [
            f"{_format_rule(rule)} ({format_percent(share, 0)})"
            for rule, share in self._rules_with_shares()
        ]
        return f"CombinedClassifier({' or '.join(rules)}: fpr {self.fpr:.4f}, tpr {self.tpr:.4f})"

    def _rules_with_shares(self) -> list[tuple[Rule, float]]:
        rules = ((self.first, 1 - self.share), (self.second, self.share))
        return [(rule, share) for rule, share in rules if share > 0]


def _columns_by_name(scores: Any) -> Mapping[str, Any] | None:
    """Columns of a mapping or of a dataframe from any library; None for a plain array."""
    if isinstance(scores, Mapping):
        return scores
    if isinstance(scores, np.ndarray | list | tuple):
        return None
    import narwhals as nw

    frame = nw.from_native(scores, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        return None
    return {name: frame[name].to_numpy() for name in frame.columns}


def _format_rule(rule: Rule) -> str:
    if rule.model is None:
        return "all positive" if rule.predict(np.zeros(1))[0] else "no row positive"
    return f"{rule.model} {'<=' if rule.lower_is_positive else '>='} {rule.threshold:g}"


def _from_document(document: Any, path: str | os.PathLike[str]) -> CombinedClassifier:
    fields = SavedFields(document, path, "a classifier")
    fields.require_schema(SCHEMA)
    fields.require_known(
        {"schema", *(field.name for field in dataclass_fields(CombinedClassifier))}
    )
    classifier = CombinedClassifier(
        _parse_rule(fields.fields("first")),
        _parse_rule(fields.fields("second")),
        fields.number("share", 0, 1),
        fields.number("fpr", 0, 1),
        fields.number("tpr", 0, 1),
        fields.string("positive"),
        fields.string("negative"),
    )
    if classifier.positive == classifier.negative:
        fields.refuse(f"both of its classes are called {printable(repr(classifier.positive))}")
    return classifier


def _parse_rule(fields: SavedFields) -> Rule:
    fields.require_known([field.name for field in dataclass_fields(Rule)])
    return Rule(
        fields.optional_string("model"),
        fields.score("threshold"),
        fields.boolean("lower_is_positive"),
    )

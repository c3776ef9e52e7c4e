"""Columns of scores that are named after classes, such as cat, p_cat, cat.prob or P (kind=cat).

The columns of all classes have the same text before and after the name of the class. That text is
empty, or contains a word for scores; other words will do if the columns hold proportions and the
classes are not numbers, as x1, x2 and x3 are rather features than scores of the classes 1, 2 and 3.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from tradeoff.sources.text_values import is_number

SCORE_WORDS = {
    *("confidence", "p", "posterior", "pr", "pred", "predicted", "prediction", "prob", "proba"),
    *("probability", "probabilities", "probs", "score", "scores"),
}


class NamedScores(NamedTuple):
    """Columns of scores by class (None where a class has none), named in the same way."""

    before: str
    after: str
    columns: dict[str, str | None]

    @property
    def is_complete(self) -> bool:
        """Whether each class has a column of its own."""
        return None not in self.columns.values()


def named_scores(
    classes: Sequence[str], columns: Iterable[str], *, proportions: Collection[str] = ()
) -> list[NamedScores]:
    """Ways in which columns are named after two or more classes, those for most classes first.

    Args:
        classes: Names of the classes.
        columns: Names of the columns that may hold scores.
        proportions: Those of them that are all within 0 to 1.

    Example:
        >>> (names,) = named_scores(["cat", "new york"], ["P(cat)", "P(New.York)", "age"])
        >>> names.columns
        {'cat': 'P(cat)', 'new york': 'P(New.York)'}
    """
    column_of = {normalized(name): name for name in columns}
    texts = {value: normalized(value) for value in classes}
    if len(set(texts.values())) < len(texts):  # they differ only in case or punctuation
        return []
    are_numbers = all(map(is_number, classes))
    affixes = Counter(
        affix
        for text in texts.values()
        for name in column_of
        if text in name
        for affix in {name.partition(text)[::2], name.rpartition(text)[::2]}
    )
    ways, unit_columns = [], set(proportions)
    for (before, after), class_count in affixes.items():
        if class_count < 2:  # a coincidence
            continue
        words = set(re.findall(r"[^\W\d_]+|\d+", f"{before} {after}"))
        names_scores = bool(words & SCORE_WORDS) or not words
        if are_numbers and not names_scores:
            continue
        scores = {value: column_of.get(f"{before}{text}{after}") for value, text in texts.items()}
        if names_scores or {name for name in scores.values() if name} <= unit_columns:
            ways.append(NamedScores(before, after, scores))
    return sorted(ways, key=lambda way: list(way.columns.values()).count(None))


@lru_cache(10_000)
def normalized(name: str) -> str:
    """A name in lower case with one underscore for spaces, points and hyphens.

    Example:
        >>> normalized(" True Class "), normalized("p.new-york")
        ('true_class', 'p_new_york')
    """
    return re.sub(r"[ .-]+", "_", name.strip()).casefold()

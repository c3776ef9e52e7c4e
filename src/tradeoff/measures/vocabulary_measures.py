"""Measures that a vocabulary shows first, labelled in its words."""

from __future__ import annotations

from collections.abc import Iterable

from tradeoff.measures.registry import METRICS, Measure, find_measure
from tradeoff.measures.vocabulary import Vocabulary, vocabulary_labels


def vocabulary_measures(
    names: Iterable[str | Measure], vocabulary: Vocabulary
) -> list[str | Measure]:
    """Registered measures, labelled as requested, else in a vocabulary; "cost" stays a name."""
    return [
        name
        if name == "cost"
        else (find_measure(name) if isinstance(name, str) else name).in_vocabulary(vocabulary)
        for name in names
    ]


def vocabulary_metrics(vocabulary: Vocabulary = "general") -> list[Measure]:
    """Registered threshold metrics that a vocabulary shows first, labelled in it."""
    return [METRICS[name].in_vocabulary(vocabulary) for name in vocabulary_labels(vocabulary)]

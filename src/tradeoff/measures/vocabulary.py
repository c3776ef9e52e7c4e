"""Vocabularies: which measures a field reports first, and how it labels them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

from tradeoff.errors import UnknownName, format_list

Vocabulary = Literal["general", "ml", "clinical", "marketing"]

USUAL_LABELS: dict[str, str] = {}
"""Labels of measures whose usual spelling is not their name with spaces: their `usual_label`."""
MAX_ABBREVIATION_LENGTH = 3
"""Length up to which the first word of a label counts as an abbreviation, such as ppv."""
VOCABULARIES: dict[str, dict[str, str]] = {
    "general": {
        "true_positive_rate": "recall (sensitivity)",
        "true_negative_rate": "specificity",
        "precision": "precision (PPV)",
        "negative_predictive_value": "NPV",
        "accuracy": "accuracy",
        "balanced_accuracy": "balanced accuracy",
        "f_measure": "F1",
        "matthews_correlation": "MCC",
    },
    "ml": {
        "accuracy": "accuracy",
        "balanced_accuracy": "balanced accuracy",
        "precision": "precision",
        "true_positive_rate": "recall",
        "f_measure": "F1",
        "matthews_correlation": "MCC",
        "false_positive_rate": "false positive rate",
    },
    "clinical": {
        "true_positive_rate": "sensitivity",
        "true_negative_rate": "specificity",
        "precision": "PPV",
        "negative_predictive_value": "NPV",
        "positive_likelihood_ratio": "LR+",
        "negative_likelihood_ratio": "LR−",
        "prevalence": "prevalence",
        "youden_j": "Youden's J",
        "accuracy": "accuracy",
    },
    "marketing": {
        "predicted_positive_rate": "contacted",
        "precision": "response rate",
        "true_positive_rate": "cumulative response",
        "lift": "lift",
        "prevalence": "base rate",
    },
}
"""Threshold metrics that each field reports first, in display order, under that field's names."""


def name_label(name: str, vocabulary: Vocabulary = "general") -> str:
    """Label of a measure in a vocabulary, by its canonical name.

    Example:
        >>> name = "true_positive_rate"
        >>> name_label(name), name_label(name, "clinical"), name_label("error_rate")
        ('recall (sensitivity)', 'sensitivity', 'error rate')
    """
    return name_labels([name], vocabulary)[name]


def name_labels(names: Iterable[str], vocabulary: Vocabulary) -> dict[str, str]:
    """Labels of measures in a vocabulary, by canonical name."""
    labels = vocabulary_labels(vocabulary)
    return {
        name: labels.get(name) or USUAL_LABELS.get(name) or name.replace("_", " ") for name in names
    }


def capitalized(label: str) -> str:
    """A vocabulary label with its first letter capitalized, unless it begins with an abbreviation.

    Example:
        >>> [capitalized(label) for label in ("fall out", "ppv", "LR+", "balanced accuracy")]
        ['Fall out', 'ppv', 'LR+', 'Balanced accuracy']
    """
    first_word = label.partition(" ")[0].rstrip(",")
    return label if len(first_word) <= MAX_ABBREVIATION_LENGTH else label[0].upper() + label[1:]


def labels_of(name: str) -> list[str]:
    """Labels of a measure in all vocabularies: every printed label is also accepted as a name.

    Example:
        >>> labels_of("precision")
        ['precision (PPV)', 'precision', 'PPV', 'response rate']
    """
    return list(dict.fromkeys(name_label(name, vocabulary) for vocabulary in get_args(Vocabulary)))


def vocabulary_labels(vocabulary: str) -> dict[str, str]:
    """Labels of a vocabulary by metric; raise an error if the vocabulary is unknown."""
    if vocabulary not in VOCABULARIES:
        names = format_list(VOCABULARIES)
        raise UnknownName(f"The vocabulary must be one of {names}, not {vocabulary!r}.")
    return VOCABULARIES[vocabulary]

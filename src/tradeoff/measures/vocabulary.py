"""Vocabularies: which measures a field reports first, and how it labels them."""

from __future__ import annotations

from typing import Literal, get_args

from tradeoff.errors import UnknownName, format_list

Vocabulary = Literal["general", "ml", "clinical", "marketing"]

LABELS = {
    "auc": "AUC",
    "gini": "Gini coefficient",
    "ks": "KS statistic",
    "h_measure": "H-measure",
    "brier": "Brier score",
    "f_measure": "F1",
    "matthews_correlation": "MCC",
    "youden_j": "Youden's J",
    "cohens_kappa": "Cohen's kappa",
    "negative_predictive_value": "NPV",
    "scotts_pi": "Scott's pi",
    "gwets_ac1": "Gwet's AC1",
    "bennetts_s": "Bennett's S",
    "krippendorffs_alpha": "Krippendorff's alpha",
    "bangdiwalas_b": "Bangdiwala's B",
    "adjusted_f_measure": "adjusted F-measure",
    "adjusted_rand_index": "adjusted Rand index",
    "auc_hull": "ROC hull AUC",
    "auc_optimistic": "AUC (optimistic)",
    "auc_pessimistic": "AUC (pessimistic)",
    "aurc": "AURC",
    "braun_blanquet": "Braun–Blanquet",
    "bray_curtis_dissimilarity": "Bray–Curtis dissimilarity",
    "break_even": "break-even point",
    "brier_skill_score": "Brier skill score",
    "calibration_in_the_large": "calibration-in-the-large",
    "chi_squared": "chi-squared",
    "cramers_v": "Cramér's V",
    "fowlkes_mallows": "Fowlkes–Mallows",
    "gilbert_skill_score": "Gilbert skill score",
    "kl_divergence": "KL divergence",
    "kulczynski": "Kulczynski",
    "lambda_actual": "lambda (actual)",
    "lambda_predicted": "lambda (predicted)",
    "largest_calibration_error": "maximum calibration error",
    "no_information_rate": "no-information rate",
    "observed_expected_ratio": "observed/expected ratio",
    "p4": "P4",
    "partial_auc": "partial AUC",
    "partial_auc_mcclish": "partial AUC (McClish)",
    "partial_auc_share": "partial AUC (share of its box)",
    "pearsons_c": "Pearson's C",
    "phi_squared": "phi-squared",
    "plain_distance_to_perfect": "distance to perfect (unweighted)",
    "pr_area": "PR AUC",
    "pr_gain_area": "PR gain AUC",
    "pr_trapezoid": "PR AUC (trapezoidal)",
    "random_agreement": "chance agreement (Cohen)",
    "unbiased_random_agreement": "chance agreement (Scott)",
    "yules_q": "Yule's Q",
    "yules_y": "Yule's Y",
}
"""Labels of measures whose usual spelling differs from their name with spaces."""
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
    labels = vocabulary_labels(vocabulary)
    return labels.get(name) or LABELS.get(name) or name.replace("_", " ")


def capitalized(label: str) -> str:
    """A label with its first letter capitalized, unless it begins with an abbreviation.

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

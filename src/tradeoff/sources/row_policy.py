"""Row policy: what `evaluate` makes of classes, weights, digits and missing values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError, format_list
from tradeoff.wording import ROWS, Wording

Missing = Literal["error", "drop", "reject", "negative"]
MISSING_POLICIES = get_args(Missing)
WeightMeans = Literal["frequency", "importance"]
MISSING_SCORE_TREATMENTS = {
    "drop": "left out",
    "reject": "counted as rejected",
    "negative": "ranked last",
}
"""How rows without a score are treated, as worded in notes."""


# Not frozen, nor are the batches below: freezing would take a fifth of the time of a small `auc`.
@dataclass
class RowPolicy:
    """Row policy: how `evaluate` treats classes, weights, scores and missing values."""

    positive: Any = None
    weight_means: WeightMeans | None = None
    missing: Missing = "error"
    lower_is_positive: bool = False
    digits: int | None = None
    wording: Wording = field(default=ROWS, compare=False)

    def __post_init__(self) -> None:
        """Reject invalid options."""
        if self.missing not in MISSING_POLICIES:
            raise InputError(
                f"`missing` must be one of {format_list(MISSING_POLICIES)}, not {self.missing!r}."
            )
        digits = self.digits
        if digits is not None and not (isinstance(digits, int) and 0 <= digits <= 15):
            raise InputError(f"`digits` must be a whole number from 0 to 15, not {digits!r}.")

    def require_weight_meaning(self, *, weighted: bool) -> None:
        """Require that `weight_means`, if given, is valid and that there are weights."""
        if self.weight_means is None:
            return
        if not weighted:
            raise InputError("`weight_means` says what the weights mean: pass `weight` as well.")
        if self.weight_means not in get_args(WeightMeans):
            raise InputError(
                f"`weight_means` must be one of {format_list(get_args(WeightMeans))}, not "
                f"{self.weight_means!r}."
            )

    def are_importances(self, *, whole_weights: bool) -> bool:
        """Whether weights are importance weights; by default, whole weights are frequencies."""
        return not whole_weights if self.weight_means is None else self.weight_means == "importance"

    @property
    def last_score(self) -> float:
        """Score that ranks after all others."""
        return np.inf if self.lower_is_positive else -np.inf

    def round_scores(self, scores: NDArray[Any]) -> NDArray[Any]:
        """Round scores to `digits` decimals, if requested."""
        digits = self.digits
        return scores if digits is None else np.round(scores.astype(np.float64, copy=False), digits)


DEFAULT_POLICY = RowPolicy()
EXACT_WITHOUT_WEIGHTS = "`exact` counts pairs of rows, which it cannot weight: leave `weight` out."

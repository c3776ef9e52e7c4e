"""The share of positives where a classifier will be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradeoff.errors import InputError, as_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tradeoff.ranking.ranking import Ranking


def each_at_prevalence(
    rankings: Mapping[str, Ranking], prevalence: float | None
) -> dict[str, Ranking]:
    """Several rankings at a prevalence; those of one class cannot be weighed and stay."""
    return {
        name: ranking.at_prevalence(prevalence)
        if ranking.positives and ranking.negatives
        else ranking
        for name, ranking in rankings.items()
    }


def demand_prevalence(prevalence: float) -> None:
    """A population has rows of both classes."""
    if not 0 < as_number(prevalence, "A prevalence") < 1:
        raise InputError(f"A prevalence lies between 0 and 1, not at {prevalence}.")

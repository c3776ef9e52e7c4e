"""All published numbers, recomputed now."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tradeoff.validation.agreement import Validation


def recomputed_studies() -> Validation:
    """All studies, recomputed now."""
    from tradeoff.validation import lessons, papers, programs
    from tradeoff.validation.agreement import Validation

    modules = (papers, programs, lessons)
    return Validation(tuple(make() for module in modules for make in module.STUDIES))

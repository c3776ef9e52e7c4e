"""All published numbers, recomputed now."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tradeoff.validation.agreement import Study


def recomputed_studies() -> list[Study]:
    """All studies, recomputed now."""
    from tradeoff.validation import lessons, papers, programs

    return [make() for module in (papers, programs, lessons) for make in module.STUDIES]

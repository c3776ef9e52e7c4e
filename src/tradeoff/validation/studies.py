"""Where published numbers are recomputed: each study is a function that yields its numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import resources
from typing import Any

from numpy.typing import NDArray

from tradeoff.sources.read import file_columns
from tradeoff.validation.agreement import Recomputed, Study

Numbers = Callable[[], Iterator[Recomputed]]


def study(title: str, source: str) -> Callable[[Numbers], Callable[[], Study]]:
    """Make a study of a function that yields what was published and what is computed."""

    def decorate(numbers: Numbers) -> Callable[[], Study]:
        def recomputed() -> Study:
            return Study(title, source, tuple(numbers()))

        return recomputed

    return decorate


def bundled(name: str, columns: list[str]) -> dict[str, NDArray[Any]]:
    """Columns of a bundled file."""
    with resources.as_file(resources.files("tradeoff.data").joinpath(name)) as path:
        return dict(file_columns(path, columns))

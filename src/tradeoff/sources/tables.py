"""Columns of whatever holds some: a dataframe of any library, or a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tradeoff.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def is_path(data: Any) -> bool:
    """Whether a table is named by where its file lies, or asked for by a query."""
    from tradeoff.sources.relations import Files, Query

    return isinstance(data, str | Files | Query) or hasattr(data, "__fspath__")


def source_of(data: Any) -> Any:
    """A table as it is; a list of paths as one source of many files."""
    from tradeoff.sources.relations import Files

    if isinstance(data, list | tuple) and data and all(map(is_path, data)):
        return Files(tuple(map(str, data)))
    return data


def table_columns(data: Any, names: list[Any] | None) -> dict[str, NDArray[Any]]:
    """The named columns of a dataframe, or of the file at a path; all of them without names."""
    if is_path(data):
        from tradeoff.sources.files import file_columns

        _demand_texts(names, "file")
        return file_columns(data, names)
    from tradeoff.sources.frames import frame_columns

    _demand_texts(names, "dataframe")
    return frame_columns(data, names)


def declared_values(data: Any) -> dict[str, tuple[str, ...]]:
    """The values that a table declares for its columns of categories, seen or not.

    ARFF files and categorical columns of dataframes do so.
    """
    if is_path(data):
        from tradeoff.sources.files import declared_in_file

        return declared_in_file(data)
    from tradeoff.sources.frames import declared_in_frame

    return declared_in_frame(data)


def _demand_texts(names: list[Any] | None, kind: str) -> None:
    """Columns are named; values themselves need no source."""
    for name in names or ():
        if not isinstance(name, str):
            raise InputError(
                f"With a {kind}, columns are named by text, not by {type(name).__name__!r}. Name "
                f"them, or pass the values themselves as actual= and score= without the {kind}."
            )

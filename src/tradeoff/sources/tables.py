"""Columns of whatever holds some: a dataframe of any library, or a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


def table_columns(data: Any, names: list[Any] | None) -> dict[str, NDArray[Any]]:
    """The named columns of a dataframe, or of the file at a path; all of them without names."""
    if isinstance(data, str) or hasattr(data, "__fspath__"):
        from tradeoff.sources.files import file_columns

        return file_columns(data, names)
    from tradeoff.sources.frames import frame_columns

    return frame_columns(data, names)

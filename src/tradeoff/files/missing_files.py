"""Messages about files that do not exist."""

from __future__ import annotations

import os
from pathlib import Path

from tradeoff.errors import InputError, did_you_mean

EXAMPLES = Path(__file__).parent.parent / "data"
"""Folder of the example data sets, which `tradeoff datasets` lists."""


def missing_file(path: str | os.PathLike[str]) -> InputError:
    """Error about a file that does not exist: files of similar names, or how to get an example.

    Example:
        >>> missing_file("asah.csv")
        InputError("There is no file 'asah.csv'. To write the example data set: tradeoff datasets \
asah -o asah.csv")
    """
    name = Path(path).name
    message = f"There is no file {str(path)!r}."
    for suffix in (".csv", ".arff"):
        file = name.removesuffix(suffix) + suffix
        if name and (EXAMPLES / file).is_file():
            command = f"tradeoff datasets {Path(file).stem} -o {file}"
            return InputError(f"{message} To write the example data set: {command}")
    return InputError(f"{message}{similar_files(path)}")


def similar_files(path: str | os.PathLike[str]) -> str:
    """Sentence that suggests files of similar names in the folder; empty if there are none."""
    folder = Path(path).parent
    try:
        names = [file.name for file in folder.iterdir() if file.is_file()]
    except OSError:
        return ""
    prefix = "" if str(folder) == "." else f"{folder}/"
    stem = Path(path).name.partition(".")[0]
    siblings = [name for name in names if name.partition(".")[0] == stem]
    if len(siblings) == 1:
        return f" Did you mean {f'{prefix}{siblings[0]}'!r}?"
    return did_you_mean(str(path), [f"{prefix}{name}" for name in names])

"""Read and write JSON files."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from tradeoff.errors import StorageError
from tradeoff.files.atomic_write import write_atomically


def write_json_file(path: str | os.PathLike[str], document: Any) -> None:
    """Write a document atomically to a JSON file."""
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
    write_atomically(path, lambda file: file.write(text.encode()))


def read_json(path: str | os.PathLike[str], expected: str) -> Any:
    """Read a JSON file; errors name the `expected` kind of document."""
    try:
        text = Path(path).read_text(encoding="utf-8")
        return json.loads(
            text, parse_constant=_reject_constant, object_pairs_hook=_require_distinct_keys
        )
    except OSError as problem:
        reason = problem.strerror or problem
        raise StorageError(f"{path} cannot be read: {reason}.") from problem
    except ValueError as problem:
        raise StorageError(f"{path} is not JSON. `save` writes {expected}.") from problem


def _reject_constant(constant: str) -> None:
    """Reject NaN and Infinity, which are not valid JSON but which Python's parser accepts."""
    raise ValueError(constant)


def _require_distinct_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Require distinct keys in a JSON object; Python's parser would silently keep the last."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError(pairs)
    return fields

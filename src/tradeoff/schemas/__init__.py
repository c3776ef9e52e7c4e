"""Published JSON Schemas of all documents."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from tradeoff.errors import UnknownName, did_you_mean, format_list

SCHEMA_FILE = ".schema.json"


def json_schema(kind: str = "evaluation") -> dict[str, Any]:
    """Published JSON Schema of a kind of document, such as "evaluation" or "decision".

    Example:
        >>> json_schema("curve")["title"]
        'A curve of one classifier, point by point'
    """
    kinds = schema_kinds()
    if kind not in kinds:
        raise UnknownName(
            f"No kind of document is called {kind!r}.{did_you_mean(kind, kinds)} "
            f"The kinds are {format_list(kinds, len(kinds))}."
        )
    file = resources.files("tradeoff.schemas").joinpath(f"{kind}{SCHEMA_FILE}")
    schema: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return schema


def schema_kinds() -> list[str]:
    """Kinds of documents that have a published JSON Schema.

    Example:
        >>> "evaluation" in schema_kinds()
        True
    """
    files = (file.name for file in resources.files("tradeoff.schemas").iterdir())
    return sorted(name.removesuffix(SCHEMA_FILE) for name in files if name.endswith(SCHEMA_FILE))

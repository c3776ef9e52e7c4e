"""HTML page of the report: one file with its style, script and document; nothing is fetched.

Names from data are only ever inside the JSON document, in which no character can end it, and the
script makes text of them. The policy allows this style and this script, by their hashes, and
nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
from importlib import resources
from pathlib import Path
from typing import Any

from tradeoff.errors import InputError
from tradeoff.files import write_atomically

SCRIPTS = (
    "numbers.js",
    "programs.js",
    "intervals.js",
    "catalogue.js",
    "rankings.js",
    "svg.js",
    "charts.js",
    "panels.js",
    "tables.js",
    "state.js",
    "clipboard.js",
    "main.js",
)
"""In the order in which they build on each other."""
FRAME_HEIGHT = 900
OTHERS = frozenset({".csv", ".json", ".md", ".pdf", ".png", ".svg", ".txt"})
"""What other files are; a page under such a name would not open."""


def page(document: dict[str, Any]) -> str:
    """HTML text of the report page."""
    style = part("style.css")
    script = "\n".join(part(name) for name in SCRIPTS)
    parts = {
        "policy": _policy(style, script),
        "title": html.escape(document["title"]),
        "style": style,
        "without_script": _without_script(document),
        "document": _embedded(document),
        "script": script,
    }
    # One pass: a model called {{script}} stays what it is.
    pieces = part("page.html").split("{{")
    filled = [pieces[0]]
    for piece in pieces[1:]:
        name, _, rest = piece.partition("}}")
        filled += [parts[name], rest]
    return "".join(filled)


def frame(document: dict[str, Any]) -> str:
    """HTML of the report page in a sandboxed frame, for notebooks."""
    inside = html.escape(page(document), quote=True)
    return (
        f'<iframe sandbox="allow-scripts" style="width:100%;border:0" height="{FRAME_HEIGHT}" '
        f'title="{html.escape(document["title"])}" srcdoc="{inside}"></iframe>'
    )


def write(document: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Write the report page to a file, atomically."""
    ending = Path(path).suffix.lower()
    if ending in OTHERS:
        raise InputError(f"A report is a page: {path} should end in .html, not in {ending}.")
    text = page(document).encode()
    write_atomically(path, lambda file: file.write(text))


def part(name: str) -> str:
    """Text of a file from which the report page is built."""
    return resources.files(__package__).joinpath("page", name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    def hashed(text: str) -> str:
        return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

    return (
        f"default-src 'none'; script-src '{hashed(script)}'; style-src '{hashed(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _embedded(document: dict[str, Any]) -> str:
    """JSON that no HTML parser can see an end in."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _without_script(document: dict[str, Any]) -> str:
    """What a reader without scripts still learns."""
    lines = [document["lead"], *document["warnings"]]
    for model in document["models"]:
        auc = next(s for s in model["summaries"] if s["name"] == "auc")
        value = "undefined" if auc["value"] is None else f"{auc['value']:.4f}"
        lines.append(f"{model['name']}: area under the ROC curve {value}.")
    lines.append("Allow scripts to move the threshold.")
    return "".join(f"<p>{html.escape(line)}</p>" for line in lines)

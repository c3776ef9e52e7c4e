"""HTML page of the report: one file with its style, script and document; nothing is fetched.

Names from the data are escaped in HTML and in the JSON document, so that they cannot end the
element that contains them; the script inserts them as text. The content security policy allows
only this style and this script, by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from tradeoff.errors import InputError
from tradeoff.files.atomic_write import write_atomically

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
"""Scripts of the page, each after those that it depends on."""
FRAME_HEIGHT = 900
NON_HTML_SUFFIXES = frozenset({".csv", ".json", ".md", ".pdf", ".png", ".svg", ".txt"})
"""Suffixes of other file types; a page with such a name would not open in a browser."""


def page_html(document: dict[str, Any]) -> str:
    """HTML text of the report page."""
    style = page_file("style.css")
    script = "\n".join(page_file(name) for name in SCRIPTS)
    parts = {
        "policy": _content_security_policy(style, script),
        "title": html.escape(document["title"]),
        "style": style,
        "without_script": _noscript_html(document),
        "document": _embed_json(document),
        "script": script,
    }
    # A single pass, so that a model named {{script}} is not substituted.
    pieces = page_file("page.html").split("{{")
    html_parts = [pieces[0]]
    for piece in pieces[1:]:
        name, _, rest = piece.partition("}}")
        html_parts += [parts[name], rest]
    return "".join(html_parts)


def page_iframe(document: dict[str, Any]) -> str:
    """HTML of the report page in a sandboxed frame, for notebooks."""
    page = html.escape(page_html(document), quote=True)
    return (
        f'<iframe sandbox="allow-scripts" style="width:100%;border:0" height="{FRAME_HEIGHT}" '
        f'title="{html.escape(document["title"])}" srcdoc="{page}"></iframe>'
    )


@dataclass(frozen=True)
class NotebookPage:
    """The interactive report in a frame that notebooks show."""

    html: str

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        """Description of the report page for consoles, which cannot show it."""
        return f"NotebookPage({len(self.html):,} bytes, shown by notebooks)"


def write_page(document: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Write the report page to a file, atomically."""
    suffix = Path(path).suffix.lower()
    if suffix in NON_HTML_SUFFIXES:
        raise InputError(f"A report is an HTML page: {path} should end in .html, not {suffix}.")
    text = page_html(document).encode()
    write_atomically(path, lambda file: file.write(text))


def page_file(name: str) -> str:
    """Text of one of the files from which the report page is built."""
    return resources.files(__package__).joinpath("page", name).read_text(encoding="utf-8")


def _content_security_policy(style: str, script: str) -> str:
    def source_hash(text: str) -> str:
        return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

    return (
        f"default-src 'none'; script-src '{source_hash(script)}'; "
        f"style-src '{source_hash(style)}'; img-src data:; base-uri 'none'; form-action 'none'"
    )


def _embed_json(document: dict[str, Any]) -> str:
    """JSON text that cannot end the HTML element that contains it."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _noscript_html(document: dict[str, Any]) -> str:
    """HTML that is shown if scripts are disabled."""
    lines = [document["lead"], *document["warnings"]]
    for model in document["models"]:
        auc = next(s for s in model["summaries"] if s["name"] == "auc")
        value = "undefined" if auc["value"] is None else f"{auc['value']:.4f}"
        lines.append(f"{model['name']}: area under the ROC curve {value}.")
    lines.append("Enable scripts to move the threshold.")
    return "".join(f"<p>{html.escape(line)}</p>" for line in lines)

"""HTML page of the report: one file with its style, script and document; nothing is fetched.

Names from the data are escaped in HTML and in the JSON document, so that they cannot end the
element that contains them; the script inserts them as text. The content security policy allows
only this style, a loader and the program that it unpacks, by their hashes: nothing is evaluated.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from tradeoff.errors import InputError
from tradeoff.files.atomic_write import write_atomically
from tradeoff.report.packing import pack_json, pack_text

STYLES = ("style.css", "charts.css", "print.css")
"""Stylesheets of the page, in order."""
SCRIPTS = (
    "numbers.js",
    "programs.js",
    "intervals.js",
    "catalogue.js",
    "rankings.js",
    "svg.js",
    "words.js",
    "tables.js",
    "palette.js",
    "labels.js",
    "charts.js",
    "panels.js",
    "models.js",
    "segments.js",
    "cutoffs.js",
    "deciles.js",
    "checklist.js",
    "goals.js",
    "state.js",
    "answer.js",
    "tiles.js",
    "line.js",
    "matrix.js",
    "tabs.js",
    "clipboard.js",
    "share.js",
    "main.js",
)
"""Scripts of the page, each after those that it depends on; they are packed as one program."""
LOADER = "packing.js"
"""The script that decodes the program and the document."""
RUN_PROGRAM = 'Documents.run(JSON.parse(document.getElementById("program").textContent));'
FRAME_HEIGHT = 900
NON_HTML_SUFFIXES = frozenset({".csv", ".json", ".md", ".pdf", ".png", ".svg", ".txt"})
"""Suffixes of other file types; a page with such a name would not open in a browser."""


def page_html(
    document: dict[str, Any], *, styles: Sequence[str] = STYLES, scripts: Sequence[str] = SCRIPTS
) -> str:
    """HTML text of the report page."""
    style = "\n".join(without_comments(page_file(name)) for name in styles)
    program = "\n".join(without_comments(page_file(name)) for name in scripts)
    loader = f"{without_comments(page_file(LOADER))}\n{RUN_PROGRAM}"
    parts = {
        "policy": _content_security_policy(style, loader, program),
        "title": html.escape(document["title"]),
        "style": style,
        "without_script": document["static"],
        "program": _embed_json(pack_text(program)),
        "document": _embed_json(pack_json(_without_static(document))),
        "script": loader,
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
    require_page_name(path)
    write_html(page_html(document), path)


def require_page_name(path: str | os.PathLike[str]) -> None:
    """Refuse the name of a file of another type than HTML."""
    suffix = Path(path).suffix.lower()
    if suffix in NON_HTML_SUFFIXES:
        raise InputError(f"A report is an HTML page: {path} should end in .html, not {suffix}.")


def write_html(page: str, path: str | os.PathLike[str]) -> None:
    """Write the text of a page to a file, atomically."""
    content = page.encode()
    write_atomically(path, lambda file: file.write(content))


def page_file(name: str) -> str:
    """Text of one of the files from which the report page is built."""
    return resources.files(__package__).joinpath("page", name).read_text(encoding="utf-8")


def without_comments(text: str) -> str:
    r"""Script or stylesheet without indentation, blank lines and lines that are only comments.

    Strings of several lines would lose their indentation: the page's scripts have none.

    Example:
        >>> without_comments("/* All\n   that. */\na {\n  top: 0; /* why */\n\n}\n// end")
        'a {\ntop: 0; /* why */\n}'
    """
    lines = []
    is_inside = False
    for line in map(str.strip, text.splitlines()):
        is_inside = is_inside or line.startswith("/*")
        is_comment = is_inside or line.startswith("//")
        is_inside = is_inside and not line.endswith("*/")
        if line and not is_comment:
            lines.append(line)
    return "\n".join(lines)


def _content_security_policy(style: str, *scripts: str) -> str:
    def source_hash(text: str) -> str:
        return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

    script_hashes = " ".join(f"'{source_hash(script)}'" for script in scripts)
    return (
        f"default-src 'none'; script-src {script_hashes}; "
        f"style-src '{source_hash(style)}'; img-src data:; base-uri 'none'; form-action 'none'"
    )


def _without_static(document: dict[str, Any]) -> dict[str, Any]:
    """The document without its summary for readers without scripts, which is in the page itself."""
    return {key: value for key, value in document.items() if key != "static"}


def _embed_json(document: dict[str, Any]) -> str:
    """JSON text that cannot end the HTML element that contains it."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text

"""Sections as Markdown, HTML or LaTeX, to paste into web pages, Word and papers.

Headings, sentences and cells are text: every character that would be markup is escaped, and none
that would not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import escape as escape_entities

from tradeoff.formatting import MAX_SENTENCE_LENGTH, printable
from tradeoff.render.sections import Section


def format_markdown(sections: Sequence[Section]) -> str:
    """Sections as Markdown, for a web page or a job summary.

    Example:
        >>> print(format_markdown([Section("By model", table=(("", "AUC"), ("p_val", "0.83")))]))
        ## By model
        <BLANKLINE>
        |  | AUC |
        | :-- | --: |
        | p_val | 0.83 |
    """
    return "\n\n".join(_markdown_section(section) for section in sections)


def format_html(sections: Sequence[Section]) -> str:
    """Sections as HTML whose tables keep their look when pasted into Word or an e-mail.

    Programs that paste HTML ignore style sheets, so that every cell has its own style.

    Example:
        >>> print(format_html([Section("AUC", ("a < b",))]))
        <h2>AUC</h2>
        <p>a &lt; b</p>
    """
    return "\n".join(part for section in sections for part in _html_parts(section))


def format_latex(sections: Sequence[Section]) -> str:
    r"""Sections as LaTeX, whose tables have the rules of the package booktabs.

    Example:
        >>> print(format_latex([Section("AUC & Co", table=(("", "AUC"), ("a_1", "0.83")))]))
        \subsection*{AUC \& Co}
        <BLANKLINE>
        \begin{tabular}{lr}
        \toprule
         & AUC \\
        \midrule
        a\_1 & 0.83 \\
        \bottomrule
        \end{tabular}
    """
    return "\n\n".join(part for section in sections for part in _latex_parts(section))


def _is_left_aligned(section: Section, column: int) -> bool:
    """Whether a column of a section's table is aligned left: the first ones, and prose."""
    is_prose = section.prose_last and column == len(section.table[0]) - 1
    return column < section.left or is_prose


def _has_header(section: Section) -> bool:
    return any(section.table[0])


def _clean(text: str) -> str:
    return printable(text, MAX_SENTENCE_LENGTH)


# Markdown

MARKDOWN_ESCAPES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\\(?=[!-/:-@\[-`{-~])"), r"\\\\"),  # a backslash before punctuation
    (re.compile(r"([`|]|\*(?=\S)|^\*)"), r"\\\1"),  # but not in "5 * 3" and "data*"
    (re.compile(r"(?<!\w)_(?=\S)"), r"\_"),  # but not within a word
    (re.compile(r"\[(?=[^\]]*\](?:\(|\[|:))"), r"\["),  # a link
    (re.compile(r"^(>|#{1,6}(?=\s|$))"), r"\\\1"),  # a quotation or a heading
    (re.compile(r"~~"), r"\~\~"),
)
"""Patterns of characters that are markup in Markdown, and how they are escaped."""


def _markdown_section(section: Section) -> str:
    parts = []
    if section.heading:
        parts.append(f"## {_escape_markdown(section.heading)}")
    if section.lines:
        parts.append("  \n".join(map(_escape_markdown, section.lines)))
    if section.table:
        header, *body = section.table
        columns = range(len(header))
        rule = [":--" if _is_left_aligned(section, column) else "--:" for column in columns]
        rows = [[*map(_escape_markdown, row)] for row in (header, *body)]
        rows.insert(1, rule)
        parts.append("\n".join(f"| {' | '.join(row)} |" for row in rows))
    return "\n\n".join(parts)


def _escape_markdown(text: str) -> str:
    """Text escaped so that nothing in it is Markdown or HTML markup."""
    escaped = _clean(text)
    for pattern, replacement in MARKDOWN_ESCAPES:
        escaped = pattern.sub(replacement, escaped)
    escaped = re.sub(r"&(?=#?\w+;)", "&amp;", escaped)
    # "p < 0.001" is not a tag.
    return re.sub(r"<(?=[A-Za-z/!?])", "&lt;", escaped)


# HTML

TABLE_START = '<table cellpadding="5" style="border-collapse:collapse">'
CELL_STYLE = "padding:3.75pt"
"""The distance of cells is given twice: LibreOffice ignores the style, Word the attribute."""
RULE, HEADER_RULE = "1.5pt solid #000", "0.75pt solid #000"
"""Lines above and below a table, and below its header.

They belong to cells: word processors drop lines of the table itself."""
NO_BREAK_TO = "\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}"
INTERVAL = re.compile(r"\([^()\s]+(?:–| to )[^()\s]+\)")


def _html_parts(section: Section) -> list[str]:
    parts = []
    if section.heading:
        parts.append(f"<h2>{_escape_html(section.heading)}</h2>")
    parts += [f"<p>{_escape_html(line)}</p>" for line in section.lines]
    if section.table:
        header, *body = section.table
        has_header = _has_header(section)
        rows = [
            _html_row(
                section,
                row,
                "td",
                above="" if has_header or index else RULE,
                below=RULE if index == len(body) - 1 else "",
            )
            for index, row in enumerate(body)
        ]
        if has_header:
            head = _html_row(section, header, "th", above=RULE, below=HEADER_RULE if body else RULE)
            rows = [f"<thead>{head}</thead>", "<tbody>", *rows, "</tbody>"]
        parts += [TABLE_START, *rows, "</table>"]
    return parts


def _html_row(section: Section, row: Sequence[str], tag: str, *, above: str, below: str) -> str:
    """A row of a table; `above` and `below` are the styles of its lines, if it has any."""
    style = f"{CELL_STYLE};vertical-align:{'bottom' if tag == 'th' else 'top'}"
    style += f";border-top:{above}" if above else ""
    style += f";border-bottom:{below}" if below else ""
    cells = [
        f'<{tag} style="{style};text-align:{alignment}">'
        f'<p style="margin:0cm;text-align:{alignment}">{_html_cell(cell)}</p></{tag}>'
        for column, cell in enumerate(row)
        for alignment in ["left" if _is_left_aligned(section, column) else "right"]
    ]
    return f"<tr>{''.join(cells)}</tr>"


def _html_cell(text: str) -> str:
    """A cell whose confidence intervals are not broken over lines."""
    return INTERVAL.sub(
        lambda match: (
            f'<span style="white-space:nowrap">{match[0].replace(" to ", NO_BREAK_TO)}</span>'
        ),
        _escape_html(text),
    )


def _escape_html(text: str) -> str:
    return escape_entities(_clean(text))


# LaTeX

LATEX_CHARACTERS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"$<$",
    ">": r"$>$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "−": r"$-$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "∞": r"$\infty$",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "·": r"$\cdot$",
    "→": r"$\rightarrow$",
    "√": r"$\surd$",
    "π": r"$\pi$",
    "²": r"$^2$",
    "½": r"$\frac{1}{2}$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "γ": r"$\gamma$",
    "κ": r"$\kappa$",
    "Φ": r"$\Phi$",
}
"""LaTeX code of characters that are markup, or that some fonts and engines lack."""


def _latex_parts(section: Section) -> list[str]:
    parts = []
    if section.heading:
        parts.append(rf"\subsection*{{{_escape_latex(section.heading)}}}")
    if section.lines:
        parts.append("\\\\\n".join(map(_escape_latex, section.lines)))
    if section.table:
        parts.append(_latex_table(section))
    return parts


def _latex_table(section: Section) -> str:
    header, *body = section.table
    columns = "".join("l" if _is_left_aligned(section, i) else "r" for i in range(len(header)))
    if section.prose_last:
        columns = rf"{columns[:-1]}p{{0.5\linewidth}}"
    head = [_latex_row(header), r"\midrule"] if _has_header(section) else []
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            *head,
            *map(_latex_row, body),
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def _latex_row(row: Sequence[str]) -> str:
    cells = " & ".join(map(_escape_latex, row))
    # A bracket after \\ would be read as its argument.
    protected = f"{{}}{cells}" if cells.startswith("[") else cells
    return rf"{protected} \\"


def _escape_latex(text: str) -> str:
    return "".join(LATEX_CHARACTERS.get(c, c) for c in _clean(text))


FORMATTERS: dict[str, Callable[[Sequence[Section]], str]] = {
    "markdown": format_markdown,
    "html": format_html,
    "latex": format_latex,
}
"""Formatting function of each markup language."""

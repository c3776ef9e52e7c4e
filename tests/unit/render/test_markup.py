"""Sections as Markdown, HTML and LaTeX: text stays text, and nothing else is escaped."""

import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest

from tradeoff.render.markup import format_html, format_latex, format_markdown
from tradeoff.render.sections import Section

HOSTILE = [
    "<script>alert(1)</script>",
    "[click](https://example.org)",
    "![x](y)",
    "**bold** _it_ `code` ~~gone~~",
    "a|b",
    "# title",
    "> quoted",
    "\\input{secret} $x$ 50% a_b ^ ~ {}",
    "&lt;b&gt; &amp;",
    "[1em] first",
]
PLAIN = [
    "true_positive_rate",
    "p < 0.001",
    "0.83 (0.71–0.91)",
    "s100b ≥ 0.22",
    "[yes]",
    "C#",
    "5 * 3",
    "new data*",
    "Youden's J",
    "R&D",
    "C:\\data",
]


@pytest.mark.parametrize("text", PLAIN)
def test_markdown_escapes_nothing_that_is_no_markup(text):
    markdown = format_markdown([Section("", table=(("", "value"), (text, "1")))])

    assert markdown.splitlines()[-1] == f"| {text} | 1 |"


def test_markdown_escapes_all_that_is_markup():
    cells = tuple((text,) for text in HOSTILE)
    lines = format_markdown([Section("", table=(("name",), *cells))]).splitlines()[2:]

    assert lines[0] == "| &lt;script>alert(1)&lt;/script> |"
    assert lines[1] == "| \\[click](https://example.org) |"
    assert lines[2] == "| !\\[x](y) |"
    assert lines[3] == "| \\*\\*bold\\** \\_it_ \\`code\\` \\~\\~gone\\~\\~ |"
    assert lines[4] == "| a\\|b |"
    assert lines[5] == "| \\# title |"
    assert lines[6] == "| \\> quoted |"
    assert lines[8] == "| &amp;lt;b&amp;gt; &amp;amp; |"


class Texts(HTMLParser):
    """Texts of the cells of a page, and the tags that occur in it."""

    def __init__(self):
        super().__init__()
        self.texts, self.tags = [], set()

    def handle_starttag(self, tag, attrs):  # noqa: ARG002 - its signature
        self.tags.add(tag)

    def handle_data(self, data):
        self.texts.append(data)


def test_html_shows_every_text_as_it_is_with_a_style_at_each_cell():
    cells = tuple((text, "1") for text in [*HOSTILE, *PLAIN])
    html = format_html([Section("a < b", ("x & y",), (("name", "value"), *cells))])
    parser = Texts()
    parser.feed(html)

    assert parser.tags == {"h2", "p", "table", "thead", "tbody", "tr", "th", "td", "span"}
    intervals = {text for text in PLAIN if "(" in text}
    assert set(HOSTILE) | set(PLAIN) - intervals <= set(parser.texts)
    assert intervals == {"0.83 (0.71–0.91)"}
    assert "".join(parser.texts).count("0.83 (0.71–0.91)") == 1
    assert html.count('text-align:left"><p ') == 1 + len(cells)
    assert len(re.findall(r"<t[dh] style=", html)) == 2 * (1 + len(cells))


def test_lines_of_tables_belong_to_cells_as_word_processors_drop_others():
    header, *body = (("", "AUC"), ("a", "0.83"), ("b", "0.61"), ("c", "0.59"))
    rows = format_html([Section("", table=(header, *body))]).split("<tr>")[1:]
    lines = [re.findall(r"border-(top|bottom):([\d.]+pt)", row)[::2] for row in rows]

    assert [len(line) for line in lines] == [2, 0, 0, 1]
    assert set(re.findall(r"border-(\w+:[\d.]+pt)", rows[0])) == {"top:1.5pt", "bottom:0.75pt"}
    assert set(re.findall(r"border-(\w+:[\d.]+pt)", rows[3])) == {"bottom:1.5pt"}


def test_html_does_not_break_intervals_over_lines():
    html = format_html([Section("", table=(("", "x"), ("a", "−0.09 (−0.17 to −0.01) <i>")))])

    nowrap = '<span style="white-space:nowrap">(−0.17\xa0to\xa0−0.01)</span>'
    assert f"−0.09 {nowrap} &lt;i&gt;" in html


def test_a_table_without_a_header_has_none_in_html_and_latex():
    sections = [Section("", table=(("", ""), ("AUC", "0.83")))]

    assert "<th" not in format_html(sections)
    assert "midrule" not in format_latex(sections)


def test_latex_escapes_every_special_character():
    (line,) = format_latex([Section("", ("50% of {a_b} & #1 ~ ^ $ \\ ≥ −1–2 < 3",))]).splitlines()

    assert line == (
        r"50\% of \{a\_b\} \& \#1 \textasciitilde{} \textasciicircum{} \$ \textbackslash{} "
        r"$\geq$ $-$1--2 $<$ 3"
    )


def test_latex_aligns_columns_and_wraps_prose():
    table = (("", "AUC", "why"), ("a", "0.83", "a long sentence"))
    latex = format_latex([Section("", table=table, prose_last=True)])

    assert latex.startswith("\\begin{tabular}{lrp{0.5\\linewidth}}\n\\toprule\n")
    assert "a & 0.83 & a long sentence \\\\\n\\bottomrule" in latex


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed")
def test_latex_compiles(tmp_path):
    cells = tuple((text, "1") for text in [*HOSTILE, *PLAIN])
    body = format_latex([Section("Title", tuple(HOSTILE), (("name", "value"), *cells))])
    page = "\\documentclass{article}\\usepackage{booktabs}\\begin{document}\n%s\n\\end{document}"
    (tmp_path / "page.tex").write_text(page % body)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]

    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 0

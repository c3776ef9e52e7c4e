"""The report page without data: the reader opens a table in it, and the page itself evaluates it.

The page has the scripts of every report and those of `EMPTY_PAGE_SCRIPTS`, which read a table and
make the document that `report_document` makes. What does not depend on the rows (the catalogue of
metrics, labels, texts of charts) is written into the page: the document of a few rows whose names
are placeholders, without its models.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from tradeoff.core.ranked_models import RankedModels
from tradeoff.core.ranking import Ranking
from tradeoff.report.document import report_document
from tradeoff.report.page import SCRIPTS, STYLES, page_html, require_page_name, write_html
from tradeoff.stats.special import kolmogorov_quantile
from tradeoff.uncertainty.confidence import DEFAULT_CONFIDENCE
from tradeoff.views.chart_labels import GENERIC_CLASS_NAMES

EMPTY_PAGE_SCRIPTS = (
    "special.js",
    "sentences.js",
    "cell_values.js",
    "text_source.js",
    "csv_table.js",
    "column_roles.js",
    "table_rows.js",
    "row_rankings.js",
    "estimates.js",
    "score_axis.js",
    "slider_stops.js",
    "roc_bands.js",
    "reliability.js",
    "row_warnings.js",
    "auc_comparison.js",
    "operating_threshold.js",
    "default_cutoffs.js",
    "rows_document.js",
    "chooser.js",
)
"""Scripts that only the page without data has, each after those that it depends on."""
TITLE = "Where to put the threshold?"
LEAD = "Open a table of actual classes and scores: this page evaluates it, here in your browser."
WITHOUT_SCRIPT = "<p>This page evaluates a table in your browser: enable scripts to open one.</p>"
SHARED_ENTRIES = ("schema", "level", "z", "by_class", "metrics", "labels")
"""Entries of the document that do not depend on the rows."""
POSITIVE, NEGATIVE, MODEL = "⟦positive⟧", "⟦negative⟧", "⟦model⟧"
"""Placeholders of names in texts."""
PROBABILITIES = np.array([0.9, 0.6, 0.4, 0.1])
WIDE_SCORES = np.array([1e6, 3.0, 2.0, 1.0])
"""Scores that are drawn on a logarithmic axis."""


def page(path: str | os.PathLike[str]) -> None:
    """Write the report page without data, for people without Python.

    Its reader drops a CSV file or pastes a table and chooses its columns. The page evaluates the
    rows in the browser, with the numbers of this library: it needs no network, and nothing is
    uploaded. What needs resampling is left out, such as out-of-sample estimates.

    Args:
        path: File to write.

    Example:
        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "judge.html")
        >>> page(path)
        >>> os.path.getsize(path) < 500_000
        True
    """
    require_page_name(path)
    write_html(empty_page_html(), path)


def empty_page_html() -> str:
    """HTML text of the report page without data."""
    *scripts, main_script = SCRIPTS
    return page_html(
        empty_document(),
        styles=(*STYLES, "chooser.css"),
        scripts=(*scripts, *EMPTY_PAGE_SCRIPTS, main_script),
    )


def empty_document() -> dict[str, Any]:
    """The document of the page without data.

    Example:
        >>> document = empty_document()
        >>> document["empty"], [summary["name"] for summary in document["summaries"]][:2]
        (True, ['auc', 'ks'])
    """
    named = _document(PROBABILITIES, POSITIVE, NEGATIVE)
    generic_name = min(GENERIC_CLASS_NAMES)
    generic = _document(PROBABILITIES, generic_name, NEGATIVE)
    wide = _document(WIDE_SCORES, POSITIVE, NEGATIVE)
    (model,) = named["models"]
    return {
        **{name: named[name] for name in SHARED_ENTRIES},
        "empty": True,
        "title": TITLE,
        "lead": LEAD,
        "static": WITHOUT_SCRIPT,
        "warnings": [],
        "models": [],
        "version": named["how"][0],
        "kolmogorov": kolmogorov_quantile(1 - DEFAULT_CONFIDENCE.level),
        "summaries": [
            {key: summary[key] for key in ("name", "follows", "label")}
            for summary in model["summaries"]
        ],
        "charts": {
            "named": _with_score_axes(named["charts"], wide["charts"]),
            "generic": _with_score_axes(generic["charts"], wide["charts"]),
            "probabilities": [name for name in named["charts"] if name not in wide["charts"]],
            "generic_names": sorted(GENERIC_CLASS_NAMES),
        },
    }


def _document(scores: Any, positive: str, negative: str) -> dict[str, Any]:
    """Document of four rows with these scores."""
    ranking = Ranking.of(
        scores,
        np.array([True, True, False, False]),
        positive=positive,
        negative=negative,
        name=MODEL,
    )
    return report_document(RankedModels({MODEL: ranking}))


def _with_score_axes(charts: dict[str, Any], wide_charts: dict[str, Any]) -> dict[str, Any]:
    """Texts of charts in which the kind of each axis that depends on the scores is "score"."""

    def axis(name: str, side: str) -> dict[str, str]:
        shown: dict[str, str] = charts[name][side]
        kind = wide_charts.get(name, charts[name])[side]["kind"]
        return shown if kind == shown["kind"] else {**shown, "kind": "score"}

    return {
        name: {**texts, "x": axis(name, "x"), "y": axis(name, "y")}
        for name, texts in charts.items()
    }

"""docs/explanation/coverage.md, made of what `make coverage` measured."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1] / "tests"
sys.path.insert(0, str(TESTS))
from simulations.coverage import ENOUGH, KEPT, denominators, error  # noqa: E402
from simulations.populations import POPULATIONS  # noqa: E402

BEFORE = KEPT.with_name("coverage_before.json")
BANDS = KEPT.with_name("bands.md")
LOWEST, HIGHEST = 0.92, 0.98
HEADLINES = (
    "accuracy",
    "true_positive_rate",
    "precision",
    "f_measure",
    "matthews_correlation",
    "cohens_kappa",
    "markedness",
    "frequency_bias",
    "lift",
    "net_benefit",
    "expected_cost",
)
OPENING = """\
# How often intervals hold the truth

Made by `make docs` from what `make coverage` measured. Rows are drawn at random from populations
whose true numbers are known: both classes normal with equal spread, scores the true
probabilities; 100, 300 and 1,000 rows, 5, 10 and 30% positive, areas of 0.7 and 0.85. The number
of positives is random, as it is in users' data. A 95% interval should hold the true value in 95
of 100 sets of rows; 92 to 98 is good. *Before* is the version that took class totals as given.

A number is judged where at least {enough} rows are expected in its own denominators: positives,
negatives, rows predicted positive or negative, as it has them. With fewer, intervals may hold
less often than they say, and the lowest coverage of all populations is given beside. What covers
less than 92% there, beyond twice the Monte Carlo error, is set in bold; above 98% it is called
conservative. Sets in which the number is undefined or has no interval are left out.

These populations are also those on which the methods were chosen, with other random numbers:
several formulas were tried for each kind of number, and the one that held best was kept (decision
23 names them). Other populations, such as tied, skewed or badly calibrated scores, may do worse;
only areas and bands were measured on such ones too."""


def coverage() -> str:
    """The page."""
    after, before = (json.loads(path.read_text()) for path in (KEPT, BEFORE))
    parts = [
        OPENING.format(enough=ENOUGH),
        _metrics(after["metrics"], before["metrics"]),
        _cells(after["metrics"], before["metrics"]),
        _summaries(after["summaries"], before["summaries"]),
        _plain(
            "Numbers whose threshold the rows choose",
            after["readings"],
            "Lift at a depth, precision at a recall and the like. With few rows at the cut they "
            "are conservative.",
        ),
        _plain(
            "Averages over three classes",
            after["classes"],
            "Half, three and two tenths of the rows; 100, 300 and 1,000 rows.",
        ),
        _plain(
            "Differences of two models on the same rows",
            after["comparisons"],
            "Equally good models whose scores correlate by 0.5 in each class; areas by DeLong, all "
            "else by a bootstrap standard error of the shared rows.",
        ),
        _plain(
            "Gaps between three segments, all at once",
            after["segments"],
            "Each segment as large as the population says, all alike: the share of sets in which "
            "all three simultaneous intervals hold 0. Areas of segments with fewer than 30 rows in "
            "a class come with a caution.",
        ),
        _plain(
            "Bands of reliability diagrams",
            after["reliability"],
            "The probabilities are right, so the line should lie in its band, at scores from low "
            "to high.",
        ),
        _bands(),
        AREAS,
    ]
    return "\n\n".join(parts) + "\n"


def _metrics(after: dict[str, Any], before: dict[str, Any]) -> str:
    """One line a metric: the lowest and highest coverage, before and after."""
    new, old = (_by_metric(own) for own in (after, before))
    lines = ["| metric | lowest before | lowest | highest | lowest, few rows too |"]
    lines.append("| :-- | --: | --: | --: | --: |")
    for name, shares in new.items():
        judged = [share for share, enough in shares if enough]
        if not judged:
            continue
        earlier = [share for share, enough in old.get(name, []) if enough]
        cells = [
            _percent(min(earlier)) if earlier else "–",
            _shown(min(judged), after["sets"]),
            _highest(judged),
            _percent(min(share for share, _ in shares)),
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return (
        "## Metrics at a threshold\n\n"
        "At two thresholds: the prevalence, and where as many rows are predicted positive as are. "
        f"{after['sets']:,} sets of rows in each of 18 populations; before, {before['sets']}.\n\n"
    ) + "\n".join(lines)


def _by_metric(shares: dict[str, Any]) -> dict[str, list[tuple[float, bool]]]:
    by_name: dict[str, list[tuple[float, bool]]] = {}
    for population in POPULATIONS:
        enough = denominators(population)
        for key, share in shares[str(population)].items():
            name, place = key.split("/")
            by_name.setdefault(name, []).append((share, enough[name, place] >= ENOUGH))
    return by_name


def _cells(after: dict[str, Any], before: dict[str, Any]) -> str:
    """Some metrics in every population, before → after."""
    place = "at the prevalence"
    lines = [f"| rows, positive, AUC | {' | '.join(HEADLINES)} |"]
    lines.append(f"| :-- |{' --: |' * len(HEADLINES)}")
    for population in map(str, POPULATIONS):
        cells = []
        for name in HEADLINES:
            key = _key(name, place, after[population])
            old, new = before[population].get(key), after[population].get(key)
            cells.append("–" if new is None else f"{_percent(old)} → {_percent(new)}")
        lines.append(f"| {population} | {' | '.join(cells)} |")
    return "### Some of them in every population, before → after\n\nAt the prevalence.\n\n" + (
        "\n".join(lines)
    )


def _key(name: str, place: str, shares: dict[str, float]) -> str:
    """The metric's key, whatever parameters it was measured with."""
    keys = (key for key in shares if key.partition("(")[0] == name or key == f"{name}/{place}")
    return next((key for key in keys if key.endswith(f"/{place}")), f"{name}/{place}")


def _summaries(after: dict[str, Any], before: dict[str, Any]) -> str:
    """One line a summary; where at least so many positives are expected."""
    large = [str(p) for p in POPULATIONS if p.rows * p.prevalence >= ENOUGH]
    names = dict.fromkeys(name for own in large for name in after[own])
    lines = ["| summary | lowest before | lowest | highest | lowest, few positives too |"]
    lines.append("| :-- | --: | --: | --: | --: |")
    for name in names:
        judged = [after[own][name] for own in large if name in after[own]]
        earlier = [before[own][name] for own in large if name in before[own]]
        everywhere = [after[str(p)].get(name, 1.0) for p in POPULATIONS]
        cells = [
            _percent(min(earlier)) if earlier else "–",
            _shown(min(judged), after["sets"]),
            _highest(judged),
            _percent(min(everywhere)),
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    without = [name for name in before[large[0]] if name not in names]
    return (
        "## Summaries\n\n"
        f"{after['sets']:,} sets in each population; before, {before['sets']}. No interval now, "
        f"as none held its level: {', '.join(without)}.\n\n"
    ) + "\n".join(lines)


def _plain(title: str, shares: dict[str, Any], text: str) -> str:
    sets = shares["sets"]
    populations = [own for own in shares if own != "sets"]
    few = {str(p) for p in POPULATIONS if p.rows * p.prevalence < ENOUGH}
    names = dict.fromkeys(name for own in populations for name in shares[own])
    lines = ["| number | lowest | highest | lowest, few positives too |"]
    lines.append("| :-- | --: | --: | --: |")
    for name in names:
        known = {own: shares[own][name] for own in populations if name in shares[own]}
        judged = [share for own, share in known.items() if own not in few]
        cells = _shown(min(judged), sets), _highest(judged), _percent(min(known.values()))
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return f"## {title}\n\n{text} {sets:,} sets in each population.\n\n" + "\n".join(lines)


def _bands() -> str:
    return (
        "## Bands of curves\n\n"
        "The height of the band at six places, and the whole curve at once; in parentheses where "
        f"fewer than {ENOUGH} rows are expected. 1,000 sets each.\n\n" + BANDS.read_text().strip()
    )


AREAS = """\
## Areas under the ROC curve

[The study of methods for areas](areas-study.md) has 384 populations, also skewed, tied and
contaminated ones."""


def _shown(share: float, sets: int) -> str:
    low = share + 2 * error(LOWEST, sets) < LOWEST
    return f"**{_percent(share)}**" if low else _percent(share)


def _highest(shares: list[float]) -> str:
    most = max(shares)
    return f"{_percent(most)} (conservative)" if most > HIGHEST else _percent(most)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"

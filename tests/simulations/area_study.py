"""Which interval for an area holds what it promises: all methods on the same data sets.

`python tests/simulations/area_study.py --write` makes docs/explanation/areas-study.md.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from simulations.area_methods import (
    METHODS,
    POPULATIONS,
    Z,
    likelihood,
    likelihood_ratio,
    sample_sets,
)

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "areas-study.md"
DEFAULT = "Pohar Perme–Manevski"
ROWS = (50, 100, 300, 1000)
PREVALENCES = (0.05, 0.1, 0.3, 0.5)
AREAS = (0.6, 0.7, 0.85, 0.95)
ENOUGH = 15
"""Expected rows in the smaller class from which an interval is asked to hold."""
FEW, TOO_FEW = 30, 10
"""Below so many rows in the smaller class an interval is less, and much less, to be trusted."""
MISPLACED = 6
"""The same where the area is so near 1 that fewer rows than this stand for all pairs lost."""
SETS = 5000
WIDTHS = 100
"""Data sets on which the ends of the empirical likelihood interval are found: it is slow."""


@dataclass(frozen=True)
class Cell:
    """What one method does in one population, size, prevalence and area."""

    coverage: float
    width: float
    too_low: float
    too_high: float
    """Shares of sets whose whole interval is below, or above, the truth."""


@dataclass(frozen=True)
class Measured:
    """One population, size, prevalence and area."""

    cells: dict[str, Cell]
    left_out: int


def measured(population, rows, prevalence, area, sets=SETS, seed=1, methods=METHODS):
    """All methods on the same data sets."""
    samples = sample_sets(population, rows, prevalence, area, sets, seed)
    cells = {}
    for name in methods:
        if name == "empirical likelihood":
            is_covered = likelihood_ratio(samples, area) <= Z**2
            low, high = likelihood(samples[slice(WIDTHS)])
            below = ~is_covered & (samples.area < area)
            cells[name] = _cell(is_covered, (high - low).mean(), below)
            continue
        low, high = METHODS[name](samples)
        is_covered = (low <= area) & (area <= high)
        cells[name] = _cell(is_covered, (high - low).mean(), high < area)
    return Measured(cells, sets - len(samples.area))


def _cell(is_covered, width, below):
    return Cell(
        float(is_covered.mean()),
        float(width),
        float(below.mean()),
        float((~is_covered & ~below).mean()),
    )


def study(sets=SETS):
    """The whole grid."""
    return {
        key: measured(*key, sets=sets) for key in product(POPULATIONS, ROWS, PREVALENCES, AREAS)
    }


def enough(key):
    """Whether so many rows are expected in the smaller class that an interval should hold."""
    return key[1] * key[2] >= ENOUGH


OPENING = """\
# Which interval for an area

Made by `make coverage` from `tests/simulations/area_study.py`. For each of {cells} cells (six
populations × 50, 100, 300 and 1,000 rows × 5, 10, 30 and 50% positive × areas of 0.6, 0.7, 0.85
and 0.95) {sets:,} data sets are drawn at random, so that class totals vary too; the true area is
known by formula or quadrature. A 95% interval should hold it in 95 of 100 sets. The same data sets
serve all methods. {left_out:,} sets that had fewer than two rows of a class were left out, most
of them of 50 rows at 5%.

{populations}

The methods:

* **DeLong**: the variance of DeLong, DeLong & Clarke-Pearson (1988, doi:10.2307/2531595), symmetric
  around the area; pROC's. **Logit**: the same variance on the logit scale.
* **Pohar Perme–Manevski** (2019, doi:10.1177/0962280218814556): DeLong's variances of placements in
  the exact formula for the variance of a Mann–Whitney statistic, on the logit scale; as in the
  authors' own code in auRoc. Where every pair is won or lost they move one class until few
  resamples would still be perfect, which depends on the distances of scores and not only on their
  order. The first line has our exact-type bound instead, the second their move.
* **Newcombe, method 5** (2006, doi:10.1002/sim.2324): a score interval with Hanley & McNeil's
  variance, a function of the area and the class totals alone.
* **Empirical likelihood** of the positives' placements (Qin & Zhou 2006,
  doi:10.1111/j.1541-0420.2005.00453.x), scaled by DeLong's variance; widths on {widths} sets a
  cell.
* **Shrunk**: DeLong's variances mixed with those of Newcombe's model, as if that had been seen on
  √rows rows. Published nowhere; the default of earlier versions, now `delong-logit-shrunk`.
"""

CHOICE = """\
## What follows

The default is **Pohar Perme–Manevski**. Of the published methods it is nearest to 95% where 15
rows or more are expected in each class, and where it falls short the reason can be seen in the
data: few rows, or an area so near 1 that few pairs are lost. More rows mend it, and it takes its
variance from the same placements as the comparison of two areas. Newcombe's method 5 has the better
worst cell and is better on fewer rows, but where the classes differ in spread it falls short at
every size ({least:.0f} to {most:.0f}% with 1,000 rows of which 5 to 30% are positive), and
nothing in the output could say so. The shrunk variance covers better than all of them, but nobody
else has published or tested it; it can be asked for by name.
"""


COLUMNS = """\
*Off*: the mean distance from 95. *Low*, *high*: of 100 intervals, how many lie wholly
below the truth, and above it."""

TRUST = """\
By the rows expected in the smaller class. *Misplaced*: these rows times one minus the area, as if
so many of them lost all their pairs and the others none. Where coverage is poor, the output repeats
these numbers beside the interval."""


def page(results, sets):
    """The page of the docs."""
    left_out = sum(study.left_out for study in results.values())
    populations = "\n".join(
        f"* *{name}*: {description}." for name, (_, description) in POPULATIONS.items()
    )
    parts = [
        OPENING.format(
            cells=len(results), sets=sets, left_out=left_out, populations=populations, widths=WIDTHS
        ),
        _summary("At least 15 rows expected in the smaller class", results, enough),
        _summary("Fewer than 15", results, lambda key: not enough(key)),
        _by_population(results),
        _choice(results),
        _trust(results),
        _cells(results),
    ]
    return "\n".join(parts).rstrip() + "\n"


def _summary(title, results, chosen):
    """One line a method."""
    studies = [study for key, study in results.items() if chosen(key)]
    lines = [
        f"## {title}\n",
        f"{len(studies)} cells. {COLUMNS}\n",
        _head(
            "method", ["least", "most", "off", "cells below 92", "above 98", "width", "low", "high"]
        ),
    ]
    for name in METHODS:
        cells = [study.cells[name] for study in studies]
        coverage = 100 * np.array([cell.coverage for cell in cells])
        width, low, high = (
            np.mean([getattr(cell, part) for cell in cells])
            for part in ("width", "too_low", "too_high")
        )
        lines.append(
            f"| {name} | {coverage.min():.1f} | {coverage.max():.1f} "
            f"| {np.abs(coverage - 95).mean():.2f} | {(coverage < 92).sum()} "
            f"| {(coverage > 98).sum()} | {width:.3f} "
            f"| {100 * low:.1f} | {100 * high:.1f} |"
        )
    return "\n".join(lines) + "\n"


def _choice(results):
    coverage = [
        100 * study.cells["Newcombe, method 5"].coverage
        for key, study in results.items()
        if key[:2] == ("unequal", 1000) and key[2] < 0.5
    ]
    return CHOICE.format(least=min(coverage), most=max(coverage))


def _by_population(results):
    lines = [
        "## By population\n",
        "With 15 rows or more: the least coverage, and the mean distance from 95.\n",
        _head("method", list(POPULATIONS)),
    ]
    for name in METHODS:
        cells = []
        for population in POPULATIONS:
            coverage = 100 * np.array(
                [
                    study.cells[name].coverage
                    for key, study in results.items()
                    if key[0] == population and enough(key)
                ]
            )
            cells.append(f"{coverage.min():.1f}, {np.abs(coverage - 95).mean():.2f}")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


BANDS = (
    f"fewer than {TOO_FEW}",
    f"{TOO_FEW} to {FEW - 1}",
    f"{FEW} or more, fewer than {MISPLACED} misplaced",
    f"{FEW} or more, others",
)


def band(key):
    """How far the default can be trusted in a cell, by the rows expected in its smaller class."""
    _, rows, prevalence, area = key
    smaller = rows * prevalence
    if smaller < FEW:
        return BANDS[smaller >= TOO_FEW]
    misplaced = round(smaller * (1 - area), 6)
    return BANDS[2 + (misplaced >= MISPLACED)]


def _trust(results):
    lines = [
        "## How far the default can be trusted\n",
        f"{TRUST}\n",
        _head("rows in the smaller class", ["cells", "least", "most", "below 92"]),
    ]
    for name in BANDS:
        shares = [
            study.cells[DEFAULT].coverage for key, study in results.items() if band(key) == name
        ]
        coverage = 100 * np.array(shares)
        lines.append(
            f"| {name} | {len(coverage)} | {coverage.min():.1f} | {coverage.max():.1f} "
            f"| {(coverage < 92).sum()} |"
        )
    return "\n".join(lines) + "\n"


def _cells(results):
    lines = ["## The default, cell by cell\n", "Below 92 and above 98 in bold.\n"]
    for population in POPULATIONS:
        lines += [
            f"### {population.capitalize()}\n",
            _head("rows, positive", [f"AUC {a}" for a in AREAS]),
        ]
        for rows, prevalence in product(ROWS, PREVALENCES):
            coverage = [
                results[population, rows, prevalence, area].cells[DEFAULT].coverage
                for area in AREAS
            ]
            texts = [
                f"{100 * share:.1f}" if 0.92 <= share <= 0.98 else f"**{100 * share:.1f}**"
                for share in coverage
            ]
            lines.append(f"| {rows:,}, {prevalence:.0%} | {' | '.join(texts)} |")
        lines.append("")
    return "\n".join(lines)


def _head(first, others):
    return f"| {first} | {' | '.join(others)} |\n| :-- |{' --: |' * len(others)}"


if __name__ == "__main__":
    sets = SETS if "--write" in sys.argv else 200
    written = page(study(sets), sets)
    if "--write" in sys.argv:
        PAGE.write_text(written, encoding="utf-8")
    else:
        print(written)

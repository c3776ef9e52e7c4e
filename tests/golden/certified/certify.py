"""The certified data sets: their rows, and what they must give, as exact fractions.

Everything is computed from its definition, by looking at every pair of rows, with Python's
`fractions` and nothing else: no float is added, and no line is shared with the package. Run this
file to write `src/tradeoff/data/certified.json` again; a test tells when that file is stale.
"""

import json
import sys
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

HALF = Fraction(1, 2)
WRITTEN = Path(__file__).parents[3] / "src" / "tradeoff" / "data" / "certified.json"


class Row(NamedTuple):
    """A score as text, the class, and how much the row counts."""

    score: str
    positive: bool
    weight: Fraction


class DataSet(NamedTuple):
    """Rows under a name; `weights` says what their weights are, where they have any."""

    name: str
    title: str
    rows: list[Row]
    weights: str | None = None


class Undefined(Exception):  # noqa: N818 - it is an answer, not a mistake
    """Why there is no number."""


# The rows. A score is text, so that everybody parses the same double; each ends in its class.


def plain(text):
    """Rows such as "0.75+ 0.5-": a score, and its class."""
    return [Row(word[:-1], word[-1] == "+", Fraction(1)) for word in text.split()]


def weighed(text):
    """Rows such as "0.75+*3": a score, its class, and the row's weight."""
    rows = []
    for word in text.split():
        row, weight = word.split("*")
        rows.append(Row(row[:-1], row[-1] == "+", Fraction(weight)))
    return rows


def rated(positives, negatives):
    """Counts by rating, the lowest rating, 1, first."""
    rows = []
    for rating, counts in enumerate(zip(positives, negatives, strict=True), 1):
        for positive, count in zip((True, False), counts, strict=True):
            if count:
                rows.append(Row(str(rating), positive, Fraction(count)))
    return rows


SETS = [
    DataSet(
        "ten-rows",
        "Five rows of each class, and two ties between the classes",
        plain("0.9+ 0.8+ 0.8- 0.7+ 0.6- 0.5+ 0.5- 0.4- 0.3+ 0.1-"),
    ),
    DataSet("one-row-each", "One row of each class, correctly ranked", plain("0.75+ 0.25-")),
    DataSet("one-row-each-tied", "One row of each class, with one score", plain("0.5+ 0.5-")),
    DataSet("all-tied", "Every row has the same score", plain("0.25+ " * 3 + "0.25- " * 4)),
    DataSet(
        "perfect",
        "Every positive scores above every negative",
        plain("1+ 0.875+ 0.75+ 0.75+ 0.625- 0.5- 0.5- 0.25- 0-"),
    ),
    DataSet(
        "inverted",
        "Every negative scores above every positive",
        plain("1- 0.875- 0.75- 0.75- 0.625+ 0.5+ 0.5+ 0.25+ 0+"),
    ),
    DataSet(
        "alternating",
        "The classes take turns, without a tie",
        plain(" ".join(f"{(31 - 2 * i) / 32}{'+-'[i % 2]}" for i in range(16))),
    ),
    DataSet(
        "heavy-ties",
        "Thirty rows and three scores",
        plain("0.75+ " * 7 + "0.75- " * 2 + "0.5+ " * 4 + "0.5- " * 6 + "0.25+ " + "0.25- " * 10),
    ),
    DataSet(
        "five-ratings",
        "Ratings from 1 to 5 with counts (the table of Hanley & McNeil 1982)",
        rated([3, 2, 2, 11, 33], [33, 6, 6, 11, 2]),
        "frequency",
    ),
    DataSet(
        "two-strata",
        "Ranked perfectly in each of two strata and poorly in both together, as in Simpson's "
        "paradox: scores of the second stratum, with few positives, are 8 higher",
        plain("4+ 3+ 3.5+ 4.5+ 2- 12+ 11- 10.5- 10- 10- 9.5- 9-"),
    ),
    DataSet(
        "ends-on-a-line",
        "Three operating points on one straight line, the middle one of which is not a vertex",
        plain("0.875+ 0.875+ 0.75+ 0.75- 0.5+ 0.5- 0.25- 0.25-"),
    ),
    DataSet(
        "tiny-scores",
        "Scores down to the smallest double, some of them subnormal",
        plain(
            "1e-300+ 2e-300- 2.2250738585072014e-308+ 1e-308- 1e-310+ 1e-310- 1e-322+ 5e-324- "
            "0- 3e-300+"
        ),
    ),
    DataSet(
        "neighbouring-scores",
        "Neighbouring doubles as scores: only equal scores are ties",
        plain(
            "1+ 0.9999999999999999- 0.9999999999999998+ 0.5000000000000001+ 0.5- "
            "0.49999999999999994+ 0.49999999999999994- 0.1-"
        ),
    ),
    DataSet(
        "signs",
        "Scores of both signs from the largest double down; 0 and -0 are equal",
        plain("1.7976931348623157e308+ 1e308- 2.5+ 0+ -0- -2.5- -2.5+ -1e308- -1.5e308+"),
    ),
    DataSet(
        "infinities",
        "Infinite scores, which rank like any others",
        plain("inf+ inf+ inf- 1+ 0- -1+ -inf- -inf- -inf+"),
    ),
    DataSet(
        "one-positive",
        "One positive row among forty",
        plain("0.75+ 0.875- 0.75- " + " ".join(f"{i / 64}-" for i in range(37))),
    ),
    DataSet(
        "two-positives",
        "Two positive rows among fifty",
        plain("0.75+ 0.375+ 0.875- 0.375- " + " ".join(f"{i / 64}-" for i in range(46))),
    ),
    DataSet(
        "one-negative",
        "One negative row among twenty",
        plain("0.5- " + " ".join(f"{i / 16}+" for i in range(1, 17)) + " 0.5+ 0.5+ 0.5+"),
    ),
    DataSet("no-negatives", "Positive rows alone", plain("0.75+ 0.5+ 0.5+ 0.25+")),
    DataSet("no-positives", "Negative rows alone", plain("0.75- 0.5- 0.5- 0.25-")),
    DataSet(
        "confident",
        "Probabilities within 2^-10 to 2^-50 of 0 and 1, one of them on the wrong side",
        plain(
            " ".join(f"{Decimal(1 - 2**-k)}+ {Decimal(2**-k)}-" for k in (20, 30, 40, 50))
            + f" {Decimal(2**-10)}+ {Decimal(1 - 2**-10)}-"
        ),
    ),
    DataSet(
        "huge-counts",
        "Five ratings of about 10^15 rows each",
        rated(
            [104_857_600_000_001, 99_999_999_999_989, 524_287_999_999_999, 10**15, 2 * 10**15 + 1],
            [3 * 10**15 + 7, 10**15 + 3, 500_000_000_000_009, 250_000_000_000_013, 10**14 + 31],
        ),
        "frequency",
    ),
    DataSet(
        "beyond-2-53",
        "Counts whose sums no double represents exactly",
        rated(
            [9_007_199_254_740_991, 3, 9_007_199_254_740_989],
            [9_007_199_254_740_991, 9_007_199_254_740_881, 1],
        ),
        "frequency",
    ),
    DataSet(
        "rare-positives",
        "Five positive rows among 10^15",
        rated([1, 0, 2, 2], [9 * 10**14, 99_999_999_999_000, 900, 95]),
        "frequency",
    ),
    DataSet(
        "nearly-perfect",
        "Of 10^18 pairs, all but five in ten million are concordant",
        rated([1, 999_999_998, 1], [999_999_000, 999, 1]),
        "frequency",
    ),
    DataSet(
        "nearly-inverted",
        "Of 10^18 pairs, all but five in ten million are discordant",
        rated([999_999_000, 999, 1], [1, 999_999_998, 1]),
        "frequency",
    ),
    DataSet(
        "a-hair-below-1",
        "Placement values that differ by 10^-15 or less, with an AUC that close to 1",
        rated([0, 5, 0, 3], [10**15 + 1, 0, 1, 0]),
        "frequency",
    ),
    DataSet(
        "a-hair-above-0",
        "Placement values that differ by 10^-15 or less, with an AUC that close to 0",
        rated([10**15 + 1, 0, 1, 0], [0, 5, 0, 3]),
        "frequency",
    ),
    DataSet(
        "dyadic-weights",
        "Weights that are sums of powers of 2, one of them 0, whose row does not count",
        weighed(
            "0.875+*1.5 0.75-*0.25 0.75+*0.625 0.5+*2 0.5-*1.125 0.375-*0 0.25+*0.0625 "
            "0.25-*3.75 0.125-*0.5"
        ),
        "importance",
    ),
    DataSet(
        "uneven-weights",
        "Weights from 2^-30 to 2^20",
        weighed(
            f"0.875+*{Decimal(2**-30)} 0.75-*{Decimal(2**-20)} 0.75+*0.5 0.625+*1048576 "
            f"0.5-*1024 0.375+*{Decimal(2**-10)} 0.25-*524288 0.125+*3"
        ),
        "importance",
    ),
]


# The definitions. phi is 1 where the positive row scores higher, 1/2 where they tie, else 0.


def number(score):
    """The double that a score's text means, exactly; infinities as they are."""
    value = float(score)
    return value if value in (float("inf"), float("-inf")) else Fraction(value)


def phi(positive, negative):
    first, second = number(positive.score), number(negative.score)
    return Fraction(1) if first > second else HALF if first == second else Fraction(0)


def classes(rows):
    up, down = [r for r in rows if r.positive], [r for r in rows if not r.positive]
    return up, down


def total(rows):
    return sum((row.weight for row in rows), Fraction(0))


def demand_both(rows):
    up, down = classes(rows)
    if not total(up):
        raise Undefined("no row is positive")
    if not total(down):
        raise Undefined("no row is negative")
    return up, down


def auc(rows):
    up, down = demand_both(rows)
    won = sum(p.weight * n.weight * phi(p, n) for p in up for n in down)
    return won / (total(up) * total(down))


def delong_variance(rows):
    up, down = demand_both(rows)
    if min(total(up), total(down)) < 2:
        raise Undefined("a class has fewer than two rows")
    area = auc(rows)
    of_up = [sum(n.weight * phi(p, n) for n in down) / total(down) for p in up]
    of_down = [sum(p.weight * phi(p, n) for p in up) / total(up) for n in down]
    variance = Fraction(0)
    for class_rows, placements in ((up, of_up), (down, of_down)):
        pairs = zip(class_rows, placements, strict=True)
        squares = sum(row.weight * (placement - area) ** 2 for row, placement in pairs)
        variance += squares / (total(class_rows) - 1) / total(class_rows)
    return variance


def at(rows, threshold):
    """The weights of positive and negative rows at or above a threshold; None: no row."""
    called = [] if threshold is None else [r for r in rows if number(r.score) >= threshold]
    up, down = classes(called)
    return total(up), total(down)


def thresholds(rows):
    """None predicted positive, and then every distinct score, the highest first."""
    present = {number(row.score) for row in rows if row.weight}
    return [None, *sorted(present, reverse=True)]


def average_precision(rows):
    up, _ = classes(rows)
    if not total(up):
        raise Undefined("no row is positive")
    precision_sum = Fraction(0)
    for row in up:
        if row.weight:
            hits, alarms = at(rows, number(row.score))
            precision_sum += row.weight * hits / (hits + alarms)
    return precision_sum / total(up)


def brier(rows):
    return sum(r.weight * (number(r.score) - r.positive) ** 2 for r in rows) / total(rows)


def points(rows):
    """The operating points (false positive rate, true positive rate), from (0, 0) to (1, 1)."""
    up, down = demand_both(rows)
    counts = [at(rows, threshold) for threshold in thresholds(rows)]
    return [(alarms / total(down), hits / total(up)) for hits, alarms in counts]


def hull(rows):
    """Both ends, and every point that no mix of two others equals or beats in both rates."""
    candidates = list(dict.fromkeys(points(rows)))

    def is_beaten(point):
        others = [candidate for candidate in candidates if candidate != point]
        return any(
            left[0] <= point[0] and height(left, right, min(point[0], right[0])) >= point[1]
            for at, left in enumerate(others)
            for right in others[at:]
        )

    ends = (candidates[0], candidates[-1])
    return [point for point in candidates if point in ends or not is_beaten(point)]


def height(left, right, x):
    """How high the segment between two points is at x: at a vertical one, its upper end."""
    if left[0] == right[0]:
        return right[1]
    return left[1] + (right[1] - left[1]) * (x - left[0]) / (right[0] - left[0])


def area_under(corners, limit):
    """The area under straight lines between corners, from 0 to a limit."""
    area = Fraction(0)
    for left, right in pairwise(corners):
        if left[0] < limit and right[0] > left[0]:
            stop = min(right[0], limit)
            area += (stop - left[0]) * (left[1] + height(left, right, stop)) / 2
    return area


def hull_area(rows):
    return area_under(hull(rows), 1)


def partial_auc(rows, limit):
    return area_under(points(rows), limit)


def mcclish(rows, limit):
    least, most = limit**2 / 2, limit
    return (1 + (partial_auc(rows, limit) - least) / (most - least)) / 2


def best_cost(rows, false_positive, false_negative):
    """The least mean cost of a row, over all thresholds and none."""
    positives = total(classes(rows)[0])
    costs = [
        alarms * false_positive + (positives - hits) * false_negative
        for hits, alarms in (at(rows, threshold) for threshold in thresholds(rows))
    ]
    return min(costs) / total(rows)


QUANTITIES = {
    "auc": auc,
    "delong_variance": delong_variance,
    "average_precision": average_precision,
    "brier": brier,
    "hull": hull,
    "hull_area": hull_area,
    "partial_auc_1/8": lambda rows: partial_auc(rows, Fraction(1, 8)),
    "partial_auc_1/2": lambda rows: partial_auc(rows, HALF),
    "mcclish_1/8": lambda rows: mcclish(rows, Fraction(1, 8)),
    "mcclish_1/2": lambda rows: mcclish(rows, HALF),
    "best_cost_1_1": lambda rows: best_cost(rows, 1, 1),
    "best_cost_1_4": lambda rows: best_cost(rows, 1, 4),
    "best_cost_4_1": lambda rows: best_cost(rows, 4, 1),
}
DEFINITIONS = {
    "auc": "The proportion of pairs of a positive and a negative row in which the positive row "
    "has the higher score; a tie counts as half, and a pair has the product of its rows' weights.",
    "delong_variance": "DeLong's variance of auc, S10 / P + S01 / N. S10 is the sum of "
    "w (V - auc)^2 over the positive rows, divided by P - 1, where V is the proportion "
    "of negatives with a lower score, a tie counting half; S01 is the same sum over the negative "
    "rows, with V the proportion of positives with a higher score, divided by N - 1. P and N are "
    "the sums of the weights w of both classes. Certified if weights are frequencies or all 1.",
    "average_precision": "The mean, over the positive rows, of the precision with the row's score "
    "as the threshold, at or above which all rows are predicted positive.",
    "brier": "The mean of (score - class)^2, with class 1 or 0. Certified if every score is "
    "between 0 and 1 and its decimal value is exactly that of a double.",
    "hull": "The vertices (false positive rate, true positive rate) of the upper convex hull of "
    "all operating points, from (0, 0) to (1, 1). Both ends are vertices; a point on a straight "
    "line between two others is not.",
    "hull_area": "The area under this hull.",
    "partial_auc_1/8": "The area under the ROC curve for false positive rates from 0 to 1/8; tied "
    "rows give one straight segment.",
    "partial_auc_1/2": "The same from 0 to 1/2.",
    "mcclish_1/8": "The partial area up to f = 1/8, standardized as by McClish: "
    "(1 + (A - f^2/2) / (f - f^2/2)) / 2.",
    "mcclish_1/2": "The same for f = 1/2.",
    "best_cost_1_1": 'The lowest mean cost per row over all thresholds and "none", if a false '
    "positive costs 1 and a false negative 1.",
    "best_cost_1_4": "The same if a false positive costs 1 and a false negative 4.",
    "best_cost_4_1": "The same if a false positive costs 4 and a false negative 1.",
}


def applies(quantity, data_set):
    """Whether a quantity has an undisputed definition for a set."""
    if quantity == "delong_variance":
        return data_set.weights != "importance"
    if quantity == "brier":
        return all(is_probability(row.score) for row in data_set.rows)
    return True


def is_probability(score):
    return Decimal(score) == Decimal(float(score)) and 0 <= float(score) <= 1


def written(value):
    if isinstance(value, list):
        return [[str(x), str(y)] for x, y in value]
    return str(value)


def certified(data_set):
    """One set as JSON holds it."""
    values, undefined = {}, {}
    for quantity, definition in QUANTITIES.items():
        if applies(quantity, data_set):
            try:
                values[quantity] = written(definition(data_set.rows))
            except Undefined as reason:
                values[quantity], undefined[quantity] = None, str(reason)
    weights = [str(row.weight) for row in data_set.rows] if data_set.weights else None
    return {
        "name": data_set.name,
        "title": data_set.title,
        "score": [row.score for row in data_set.rows],
        "positive": [int(row.positive) for row in data_set.rows],
        "weight": weights,
        "weights_are": data_set.weights,
        "certified": values,
        "undefined": undefined,
    }


def document():
    """All sets, with what their numbers mean."""
    return {
        "about": "Certified ROC data sets: every number is an exact fraction. A score means the "
        "double nearest to its decimals; a weight is an exact fraction, which the nearest double "
        "represents exactly.",
        "definitions": DEFINITIONS,
        "sets": [certified(data_set) for data_set in SETS],
    }


def text():
    """The file, one line a list."""
    whole = document()
    sets = [
        "    {\n"
        + ",\n".join(f"      {json.dumps(key)}: {_value(value)}" for key, value in data_set.items())
        + "\n    }"
        for data_set in whole["sets"]
    ]
    return (
        "{\n"
        f'  "about": {json.dumps(whole["about"])},\n'
        f'  "definitions": {_value(whole["definitions"], 4)},\n'
        '  "sets": [\n' + ",\n".join(sets) + "\n  ]\n}\n"
    )


def _value(value, indent=8):
    if not isinstance(value, dict) or not value:
        return json.dumps(value)
    inner = ",\n".join(f"{' ' * indent}{json.dumps(k)}: {json.dumps(v)}" for k, v in value.items())
    return "{\n" + inner + "\n" + " " * (indent - 2) + "}"


if __name__ == "__main__":
    WRITTEN.write_text(text(), encoding="utf-8")
    sys.stdout.write(f"wrote {len(SETS)} sets to {WRITTEN}\n")

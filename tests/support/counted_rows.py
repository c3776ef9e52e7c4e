"""Rows for laws on counting: some without a score, class or segment, in folds, with weights."""

from dataclasses import fields

import numpy as np
from hypothesis import strategies as st
from strategies import SCORES

import tradeoff as to
from tradeoff.sources.columns import Columns
from tradeoff.sources.options import ReadOptions
from tradeoff.sources.row_policy import RowPolicy

ROWS = {
    "actual": ["yes", "no", "yes", "no", None, "yes", "no", "perhaps", "yes", "no", "no", "yes"],
    "score": [0.5, 0.5, -0.0, 0.0, 0.25, np.inf, -np.inf, 1e300, np.nan, 5e-324, np.nan, -1e-300],
    "weight": [1, 2, 0, 3, 1, 1, 1, 2, 1, 1, 0, 1],
    "fold": ["10", "9", "10", "9", "9", "10", "9", "10", "9", "10", "9", "10"],
    "segment": ["b", None, "a", "b", "a", None, "b", "b", "a", "b", "a", "b"],
}
ROLES = {"actual": "actual", "score": ["score"], "fold": "fold", "segment": "segment"}
SCORED = st.one_of(SCORES, st.just(np.nan))
# Sums of eighths are exact in any order.
WEIGHTS = {"whole": st.integers(0, 3), "real": st.integers(0, 24).map(lambda eighths: eighths / 8)}
TWO_CLASSES = st.sampled_from(["yes", "no"])
THREE_CLASSES = st.sampled_from(["yes", "no", "perhaps", None])


def objects(values):
    """An array that keeps what it is given, None included."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


@st.composite
def rows(draw, weights, actual=TWO_CLASSES, scores=SCORED):
    records = draw(
        st.lists(
            st.tuples(
                actual,
                scores,
                weights,
                st.sampled_from(["fold 2", "fold 10", "fold 1"]),
                st.sampled_from(["south", "north", None]),
            ),
            min_size=1,
            max_size=30,
        )
    )
    names = ("actual", "score", "weight", "fold", "segment")
    return dict(zip(names, map(list, zip(*records, strict=True)), strict=True))


def from_arrays(given_rows, **options):
    """The evaluation of the rows themselves."""
    texts = {role: objects(given_rows[role]) for role in ("actual", "segment")}
    return to.evaluate(**{**given_rows, **texts}, positive="yes", **options)


def require_equal(models, expected):
    """Equal in every count and note, with folds and segments in the same order."""
    name = next(iter(models.rankings))
    assert models.rankings[name] == expected.ranking
    for mine, theirs in ((models.folds, expected.folds), (models.segments, expected.segments)):
        assert list(mine[name].items()) == list(theirs[name].items())


def with_keywords(models):
    """A function of columns, policy and options, to be called as `tradeoff.evaluate` is."""

    def ask(data, *, actual="actual", score=(), **more):
        meant = {part.name: more.pop(part.name) for part in fields(RowPolicy) if part.name in more}
        others = {role: more.pop(role, None) for role in ("weight", "fold", "segment")}
        return models(data, Columns(actual, score, **others), RowPolicy(**meant), **more)

    return ask


def read_by(models):
    """The same, of a function that takes options too."""

    def ask(data, columns, policy, **more):
        return models(data, columns, policy, ReadOptions(**more))

    return with_keywords(ask)

"""Random data for laws: few distinct scores, so that ties, empty classes and ends are common."""

import numpy as np
from hypothesis import strategies as st

from tradeoff import ConfusionMatrix, Ranking

SCORES = st.one_of(
    st.integers(-4, 4).map(float),
    st.floats(allow_nan=False, width=64),
    st.sampled_from([0.0, -0.0, 5e-324, -5e-324, np.inf, -np.inf, 1e300, -1e300]),
)
UGLY = st.one_of(
    SCORES,
    st.sampled_from([0.0, 1.0]),  # spikes
    st.floats(0, 1, width=16),  # heavy ties
    st.integers(-300, 300).map(lambda power: 10.0**power),
)
COUNTS = st.one_of(st.integers(0, 5), st.integers(0, 10**6))


@st.composite
def scored(draw, scores=SCORES, min_size=0, max_size=40):
    """Scores, which rows are positive, and integer weights (some 0)."""
    rows = draw(
        st.lists(
            st.tuples(scores, st.booleans(), st.integers(0, 3)),
            min_size=min_size,
            max_size=max_size,
        )
    )
    columns = list(zip(*rows, strict=True)) or [(), (), ()]
    return (
        np.array(columns[0], np.float64),
        np.array(columns[1], np.bool_),
        np.array(columns[2], np.int64),
    )


@st.composite
def matrices(draw, rejected=False):
    """Two-class matrices, empty margins included."""
    counts = [draw(COUNTS) for _ in range(6 if rejected else 4)]
    return ConfusionMatrix(*counts)


def rankings(**options):
    return scored(**options).map(lambda rows: Ranking.of(rows[0], rows[1]))


def columns(ranking):
    """What must be equal for two rankings to be the same."""
    return (
        ranking.thresholds.tolist(),
        ranking.true_positives.tolist(),
        ranking.false_positives.tolist(),
    )

"""Columns that are not named are inferred in the same way from every source, or listed."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import tradeoff as to
from tradeoff.errors import ColumnError, InputError
from tradeoff.sources.unclear_roles import UnclearRoles

FRAME = pd.DataFrame(
    {
        "id": np.arange(40) * 31 % 41,
        "churned": [0, 1, 1, 0] * 10,
        "p_a": np.arange(40) / 40,
        "p_b": np.arange(40) * 7 % 40 / 40,
    }
)
WORDS = FRAME.assign(churned=FRAME["churned"].map({0: "no", 1: "yes"}))


def csv(frame, folder):
    frame.to_csv(folder / "rows.csv")
    return folder / "rows.csv"


SOURCES = {
    "pandas": lambda frame, _: frame,
    "polars": lambda frame, _: pl.from_pandas(frame),
    "lazy": lambda frame, _: pl.from_pandas(frame).lazy(),
    "csv": csv,
    "query": lambda frame, folder: to.Query(f"FROM '{csv(frame, folder)}'"),
    "list": lambda frame, folder: [str(csv(frame, folder))],
}
every_source = pytest.mark.parametrize("source", SOURCES)


@every_source
def test_roles_are_inferred_and_noted(source, tmp_path):
    e = to.evaluate(SOURCES[source](FRAME, tmp_path))

    assert list(e.rankings) == ["p_a", "p_b"]
    assert e.rankings["p_a"].notes[-1] == (
        "columns were inferred: class churned (1 is positive), scores p_a and p_b"
    )
    assert e["p_a"].auc.value == to.auc(FRAME["churned"], FRAME["p_a"])


@every_source
def test_the_positive_class_of_words_is_never_guessed(source, tmp_path):
    data = SOURCES[source](WORDS, tmp_path)

    with pytest.raises(UnclearRoles) as problem:
        to.evaluate(data)

    message = str(problem.value)
    assert message.startswith("'churned' holds 'no' and 'yes'. Which one is positive?")
    assert "actual='churned', positive='yes', score=['p_a', 'p_b']" in message
    assert to.evaluate(data, positive="yes").rankings["p_a"].positive == "yes"


@pytest.mark.parametrize("function", [to.evaluate, to.compare, to.check])
def test_every_entry_point_infers(function, tmp_path):
    inferred = function(csv(FRAME, tmp_path)).to_csv()
    named = function(csv(FRAME, tmp_path), ["p_a", "p_b"], actual="churned").to_csv()

    assert inferred == named


def test_a_role_that_is_named_is_kept():
    assert list(to.evaluate(FRAME, "p_b").rankings) == ["p_b"]
    assert list(to.evaluate(FRAME, actual="churned").rankings) == ["p_a", "p_b"]
    assert list(to.evaluate(FRAME, "p_*", actual="churned").rankings) == ["p_a", "p_b"]
    assert list(to.evaluate(FRAME, ["p_b,p_a"]).rankings) == ["p_b", "p_a"]


@pytest.mark.parametrize("roles", [{"score": "p_c"}, {"actual": "churn"}])
def test_a_name_that_no_column_has_is_refused(roles):
    with pytest.raises(ColumnError, match="There is no column"):
        to.evaluate(FRAME, **roles)


@pytest.mark.parametrize("data", [[1, 0, 1], ["yes", "no"], np.array([1, 0]), None])
def test_classes_without_scores_are_no_table(data):
    with pytest.raises(InputError, match="There are no scores"):
        to.evaluate(data)

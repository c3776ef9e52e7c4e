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


KIND_STEPS = {"cat": 7, "dog": 11, "fox": 13}
KINDS = pd.DataFrame(
    {
        "kind": ["cat", "dog", "fox", "dog"] * 10,
        "guess": ["cat", "dog", "fox", "fox"] * 10,
        **{f"p_{kind}": np.arange(40) * step % 40 / 40 for kind, step in KIND_STEPS.items()},
    }
)
PREDICTIONS = pd.DataFrame({"ill": [0, 1, 1, 0] * 10, "rule": [0, 1, 0, 0] * 10, "age": range(40)})


@every_source
def test_scores_of_several_classes_are_inferred_and_noted(source, tmp_path):
    data = SOURCES[source](KINDS.drop(columns="guess"), tmp_path)
    scores = {kind: f"p_{kind}" for kind in KIND_STEPS}
    named = to.evaluate_classes(KINDS, actual="kind", score=scores)

    for inferred in (
        to.evaluate_classes(data),
        to.evaluate_classes(data, actual="kind"),
        to.evaluate_classes(data, scores),
    ):
        assert inferred.notes[0] == (
            "columns were inferred: class kind, scores p_cat, p_dog and p_fox"
        )
        assert inferred.area("hand_till") == named.area("hand_till")


def test_unclear_scores_of_several_classes_are_listed():
    with pytest.raises(UnclearRoles) as problem:
        to.evaluate_classes(KINDS)

    assert str(problem.value).startswith("Several columns may be the actual class: 'kind' and")
    assert "actual='kind', score={'cat': 'p_cat', 'dog': 'p_dog'" in str(problem.value)
    with pytest.raises(InputError, match="There are no scores: use evaluate"):
        to.evaluate_classes(["cat", "dog"])


@every_source
def test_the_class_of_predictions_is_inferred_and_noted(source, tmp_path):
    data = SOURCES[source](PREDICTIONS, tmp_path)
    labels = to.evaluate_labels(data, "rule")
    named = to.evaluate_labels(PREDICTIONS, "rule", actual="ill")

    assert labels.rows.notes == (
        "columns were inferred: class ill (1 is positive), predicted class rule",
    )
    assert labels.matrix.to_dict() == named.matrix.to_dict()


def test_an_unclear_class_of_predictions_is_listed():
    with pytest.raises(UnclearRoles) as problem:
        to.evaluate_labels(PREDICTIONS.assign(smoker=PREDICTIONS["rule"]), "rule")

    assert "may hold the actual class of 'rule': 'ill' and 'smoker'." in str(problem.value)
    assert "actual='ill', positive='1' and predicted=['rule']." in str(problem.value)


def test_predictions_without_scores_name_the_function_for_them():
    with pytest.raises(UnclearRoles, match=r"Use evaluate_labels, .* predicted=.'yhat'"):
        to.evaluate(PREDICTIONS.rename(columns={"rule": "yhat"})[["ill", "yhat"]])
    with pytest.raises(UnclearRoles, match="evaluate_labels with actual='kind' and predicted="):
        to.evaluate(KINDS[["kind", "guess"]].rename(columns={"guess": "predicted"}))

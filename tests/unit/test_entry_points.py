"""Irregular input: odd types, odd names, extreme counts. Correct, or an error that says why."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

import tradeoff as to
from tradeoff.measures.averages import average


def write(folder, text, name="rows.csv"):
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", ["x[1].csv", "x?.csv", "x*.csv", "a file.csv"])
def test_a_file_name_is_never_read_as_a_glob_pattern(tmp_path, name):
    write(tmp_path, "y,s\n1,0.1\n0,0.9\n", "x1.csv")
    path = write(tmp_path, "y,s\n1,0.9\n0,0.8\n1,0.7\n", name)

    assert to.evaluate(path, actual="y", score="s").ranking.rows == 3


@pytest.mark.parametrize("cell", ["", "NA"])
def test_an_empty_class_in_a_file_is_missing_not_a_class(tmp_path, cell):
    path = write(tmp_path, f"y,s\nyes,0.9\nno,0.2\n{cell},0.3\n")

    with pytest.raises(to.TradeoffError, match="1 of 3 rows has no class"):
        to.evaluate(path, actual="y", score="s", positive="yes")
    dropped = to.evaluate(path, actual="y", score="s", positive="yes", missing="drop").ranking
    assert (dropped.rows, dropped.negative) == (2, "no")
    assert dropped.notes == ("1 row without a class: left out",)


def test_text_among_scores_is_refused_with_its_row():
    with pytest.raises(to.TradeoffError, match="'n/a' in row 3"):
        to.auc(["a", "b", "c", "a", "b"], [0.9, 0.2, "n/a", 0.8, 0.1], positive="a")
    with pytest.raises(to.TradeoffError, match="'Spam' in row 1"):
        to.auc(["spam", "not spam"], ["Spam", "not spam"], positive="spam")


def test_predicted_classes_refuse_lower_is_positive():
    with pytest.raises(to.TradeoffError, match="which have no direction"):
        to.auc(["y", "n"], ["y", "n"], positive="y", lower_is_positive=True)


def test_if_every_row_is_rejected_measures_give_that_reason():
    e = to.evaluate(actual=[0, 1, 1], score=[np.nan] * 3, missing="reject")

    assert e.summary("brier").reason == "every row is rejected"
    assert e.metric("kappa").reason == "every row is rejected"
    assert "There are no rows" not in str(e)


@pytest.mark.parametrize("rejected", [0, 0.0, "0"])
def test_a_falsy_rejected_label_is_respected(rejected):
    matrix = to.confusion_matrix([1, -1, 1, 1], [1, 0, -1, 0], rejected=rejected)

    assert (matrix.rows, matrix.rejected_positives, matrix.rejected_negatives) == (4, 1, 1)


def test_booleans_match_the_classes_1_and_0():
    assert to.confusion_matrix([True, False, True], [1, 0, 1]).correct == 3
    assert to.confusion_matrix([1, 0, 1], [True, False, True]).correct == 3


@pytest.mark.parametrize(
    ("actual", "predicted", "options", "message"),
    [
        (["?", "b"], ["b", "?"], {"rejected": "?"}, "also an actual class"),
        (["rejected", "b"], ["b", "?"], {"rejected": "?"}, "no class can be called"),
        ([1, 0, 1], [0.9, 0.2, 0.7], {}, "look like scores"),
    ],
)
def test_invalid_confusion_matrices_are_refused(actual, predicted, options, message):
    with pytest.raises(to.TradeoffError, match=message):
        to.confusion_matrix(actual, predicted, **options)


def test_classes_of_weight_0_are_absent():
    matrix = to.confusion_matrix(["a", "b", "c"], ["a", "b", "c"], weight=[1, 1, 0], positive="a")

    assert (matrix.rows, matrix.negative) == (2, "b")


def test_counts_and_weights_of_any_size_do_not_overflow():
    e = to.evaluate(actual=[1, 0, 1, 0], score=[4, 3, 2, 1], weight=[2**62] * 4)
    unsigned = to.evaluate(actual=[1, 0], score=[2, 1], weight=np.array([2**63, 1], np.uint64))
    matrix = to.matrix_of_counts([[2**62, 2**62], [2**62, 2**62]])

    assert float(e.auc) == 0.75
    assert float(e.metric("accuracy", threshold=2.5)) == 0.5
    assert float(unsigned.auc) == 1
    assert matrix.rows == 2.0**64
    with pytest.raises(to.TradeoffError, match="exceeds the range of floating point"):
        to.matrix_of_counts("1e308 1e308; 1e308 1")


@pytest.mark.parametrize(
    "scores",
    [
        np.array([2**53, 2**53 + 1], object),
        [2**53, 2**53 + 1],
        pd.Series([2**53, 2**53 + 1], dtype="Int64"),
        pd.Series([2**53 + 1, None, 2**53], dtype="Int64"),
    ],
)
def test_large_integer_scores_that_would_tie_are_refused(scores):
    with pytest.raises(to.TradeoffError, match="cannot distinguish"):
        to.auc([1, 0, 1][: len(scores)], scores, missing="drop")


def test_large_integers_are_distinct_classes():
    ranking = to.evaluate(actual=[2**53, 2**53 + 1], score=[0.9, 0.1], positive=2**53 + 1).ranking

    assert (ranking.positives, ranking.positive) == (1, str(2**53 + 1))


def test_rows_of_negligible_weight_do_not_break_the_hull():
    e = to.evaluate(actual=[1, 1, 0, 0], score=[4, 3, 2, 1], weight=[1e17, 1, 1e17, 1])

    assert float(e.auc) == 1
    assert float(e.summary("h_measure")) == pytest.approx(1)


def test_averages_of_infinite_values_have_a_reason():
    table = np.array([[5, 0, 0], [0, 0, 3], [0, 2, 0]])
    matrix = to.ClassMatrix(table, ("a", "b", "c"))

    estimate = average(matrix, to.METRICS["log_odds_ratio"], "macro")

    assert not estimate.is_defined
    assert "infinite" in estimate.reason
    empty = to.ClassMatrix(np.array([[3, 1, 2], [1, 4, 0], [0, 0, 0]]), ("a", "b", "c"))
    assert average(empty, to.METRICS["frequency_bias"], "weighted").is_defined


@pytest.mark.parametrize("name", ["krippendorffs_alpha", "adjusted_rand_index"])
def test_measures_of_counts_are_undefined_for_proportions(name):
    estimate = to.METRICS[name].estimate(to.ConfusionMatrix(0.4, 0.1, 0.1, 0.4))

    assert not estimate.is_defined
    assert "proportions" in estimate.reason


@pytest.mark.parametrize("threshold", [math.nan, [0.1, 0.5], "x"])
def test_a_threshold_must_be_one_number(threshold):
    with pytest.raises(to.TradeoffError, match="A threshold must be a single number"):
        to.evaluate(actual=[1, 0], score=[0.9, 0.1]).at(threshold)


@pytest.mark.parametrize(
    ("measure", "subject", "message"),
    [
        ("recall", to.matrix_of_counts("3 0 2; 0 1 1; 0 2 3"), "needs two classes"),
        ("mcc", [[7, 2], [4, 1]], "is a metric of a confusion matrix"),
    ],
)
def test_a_metric_of_an_invalid_subject_is_refused(measure, subject, message):
    with pytest.raises(to.TradeoffError, match=message):
        to.METRICS[measure](subject)


def test_a_summary_is_not_a_metric_and_needs_a_ranking():
    with pytest.raises(to.TradeoffError, match="summary of a whole ranking"):
        to.SUMMARIES["auc"](to.ConfusionMatrix(7, 2, 4, 1))
    with pytest.raises(to.TradeoffError, match=r"'auc' is a summary .* not a metric"):
        _ = to.METRICS["auc"]


@pytest.mark.parametrize(
    ("name", "message"),
    [("f_measure(beta=foo)", "cannot take beta=foo"), ("distance_to_perfect(weight=2)", "between")],
)
def test_invalid_parameters_of_metrics_are_refused(name, message):
    with pytest.raises(to.TradeoffError, match=message):
        to.METRICS[name](to.ConfusionMatrix(7, 2, 4, 1))


def test_extreme_betas_give_recall_and_precision():
    matrix = to.ConfusionMatrix(7, 2, 4, 1)
    f = to.METRICS["f_measure"]

    assert f.with_parameters(beta=1e200)(matrix) == pytest.approx(7 / 9)
    assert f.with_parameters(beta=1e-200)(matrix) == pytest.approx(7 / 11)


@pytest.mark.parametrize("digits", [400, -1, 1.5])
def test_digits_must_be_a_small_whole_number(digits):
    with pytest.raises(to.TradeoffError, match="`digits` must be a whole number"):
        to.auc([1, 0], [0.9, 0.1], digits=digits)


@pytest.mark.parametrize(
    ("frame", "options", "message"),
    [
        (pd.DataFrame({"y": [1, 0], "s": [0.9, 0.1]}), {"actual": pd.Series([1, 0])}, "by strings"),
        (pd.DataFrame([[1, 0.9], [0, 0.1]]), {"actual": 0, "score": 1}, "by strings"),
        (pl.DataFrame({"y": [1, 0], "s": [[0.9], [0.1]]}), {}, "not one value per row"),
        (pd.DataFrame([[1, 0, 0.9]], columns=["y", "y", "s"]), {}, "cannot be read"),
        (pd.DataFrame({"y": [1, 0], "s": [0.9, 0.1]}), {"score": []}, "at least one column"),
    ],
)
def test_invalid_dataframes_are_refused(frame, options, message):
    with pytest.raises(to.TradeoffError, match=message):
        to.evaluate(frame, **{"actual": "y", "score": "s", **options})


def test_sentences_have_no_unfilled_placeholders():
    e = to.evaluate(actual=[1, 0, 1], score=[0.9, 0.4, 0.3])
    from tradeoff.render.sections import format_text

    assert "{" not in format_text(e.sections(everything=True))


def test_models_evaluated_on_different_rows_are_noted():
    frame = pd.DataFrame({"y": [1, 0, 1], "a": [0.9, 0.1, None], "b": [0.9, 0.1, 0.3]})
    e = to.evaluate(frame, actual="y", score=["a", "b"], missing="drop")

    assert "different rows" in str(e)
    assert [model["rows"] for model in e.to_dict()["models"]] == [2, 3]


def test_rejected_rows_are_counted_in_the_curve():
    e = to.evaluate(actual=[1, 0, 1], score=[0.9, 0.4, np.nan], missing="reject")
    columns = e.curve("roc").columns()

    assert columns["rejected_positives"].tolist() == [1, 1, 1]


def test_an_estimate_formats_and_compares_like_a_number():
    auc = to.evaluate(actual=[1, 0], score=[0.9, 0.1]).auc

    assert f"{auc:.2f}" == "1.00"
    assert auc > 0.5
    assert not auc < 0.5


def test_rankings_compare_by_value(tmp_path):
    ranking = to.evaluate(actual=[1, 0], score=[0.9, 0.1]).ranking
    ranking.save(tmp_path / "r")

    assert to.Ranking.load(tmp_path / "r") == ranking
    assert ranking != ranking.named("other")
    assert sum([ranking, to.evaluate(actual=[], score=[]).ranking]) == ranking
    assert str(ranking.confusion) == "ConfusionMatrix(at 3 thresholds)"


def test_long_names_are_truncated_in_tables():
    matrix = to.ConfusionMatrix(1, 2, 3, 4, positive="x" * 300, negative="y")

    assert max(map(len, str(matrix).splitlines())) < 200


def test_the_hint_about_reversed_scores_needs_significance():
    rng = np.random.default_rng(3)
    actual = rng.integers(0, 2, 200)

    assert "worse than chance" in str(to.evaluate(actual=actual, score=-actual + rng.random(200)))
    assert "worse than chance" not in str(to.evaluate(actual=[1, 0, 1], score=[0.2, 0.3, 0.4]))


def test_average_precision_without_positives_follows_scikit_learn_on_request():
    ranking = to.evaluate(actual=[0, 0], score=[0.2, 0.3]).ranking

    assert to.SUMMARIES["average_precision"](ranking, undefined="scikit-learn") == 0
    assert np.isnan(to.SUMMARIES["average_precision"](ranking))
    with pytest.raises(to.TradeoffError, match='a number or "scikit-learn"'):
        to.SUMMARIES["average_precision"](ranking, undefined="sklearn")


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_duplicate_column_names_are_refused(tmp_path, separator):
    lines = [["y", "s", "s"], ["1", "0.9", "0.1"], ["0", "0.2", "0.8"]]
    path = write(tmp_path, "\n".join(map(separator.join, lines)) + "\n")

    with pytest.raises(to.TradeoffError, match="several columns called 's'"):
        to.evaluate(path, actual="y", score="s")


def test_a_column_name_with_a_numeric_suffix_is_not_a_duplicate(tmp_path):
    path = write(tmp_path, "y,s,s_1\n1,0.9,0.1\n0,0.2,0.8\n")

    assert float(to.evaluate(path, actual="y", score="s").auc) == 1

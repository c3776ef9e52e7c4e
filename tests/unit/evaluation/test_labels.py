"""Evaluation of predicted labels: worked by hand, against scores of 0 and 1, and compared."""

import numpy as np
import pytest

import tradeoff as to
from tradeoff.errors import InputError, UnknownName
from tradeoff.stats.paired_labels import mcnemar_test, paired_difference_interval

RNG = np.random.default_rng(5)
ACTUAL = (RNG.random(300) < 0.3).astype(int)
LABELS = {
    name: np.where(RNG.random(300) < error, 1 - ACTUAL, ACTUAL)
    for name, error in {"good": 0.1, "fair": 0.25, "poor": 0.4}.items()
}
E = to.evaluate_labels(ACTUAL, LABELS)


def test_metrics_and_intervals_are_those_of_the_matrix():
    evaluation = to.evaluate_labels([1] * 9 + [0] * 11, [1] * 6 + [0] * 3 + [1] * 2 + [0] * 9)
    matrix = evaluation.matrix

    assert matrix.counts.tolist() == [[6, 3], [2, 9]]
    assert evaluation.metric("sensitivity").value == pytest.approx(6 / 9)
    assert evaluation.metric("ppv").value == pytest.approx(6 / 8)
    by_scores = to.evaluate([1] * 9 + [0] * 11, [1] * 6 + [0] * 3 + [1] * 2 + [0] * 9)
    for name in ("sensitivity", "specificity", "ppv", "npv", "lr+", "mcc", "f1"):
        assert evaluation.metric(name) == by_scores.metric(name, 0.5)


def test_labels_are_never_given_an_auc_or_a_threshold():
    text = str(E)

    assert "AUC" not in text
    assert "threshold 0.5" not in text
    assert "Labels have no threshold" in text


def test_the_roc_point_is_that_of_the_labels_with_intervals():
    chart = E["good"].chart()
    (point,) = (layer for layer in chart.layers if type(layer).__name__ == "Points")

    assert point.x[0] == E["good"].metric("fpr").value
    assert point.y[0] == E["good"].metric("tpr").value
    across = chart.layers[1]
    assert across.x.tolist() == [E["good"].metric("fpr").low, E["good"].metric("fpr").high]


def test_a_ranking_of_labels_says_that_its_auc_is_of_a_point():
    (note,) = E["good"].rankings["good"].notes

    assert "the AUC is that of this point" in note
    auc = to.SUMMARIES["auc"](E["good"].rankings["good"])
    assert auc == pytest.approx(E["good"].metric("balanced accuracy").value)


def test_a_prevalence_moves_predictive_values():
    rare = to.evaluate_labels(ACTUAL, LABELS["good"], prevalence=0.02)
    tpr, fpr = rare.metric("tpr").value, rare.metric("fpr").value

    assert rare.metric("ppv").value == pytest.approx(0.02 * tpr / (0.02 * tpr + 0.98 * fpr))


# Comparison of labels


def test_a_difference_of_accuracies_is_newcombes_with_mcnemars_p_value():
    first, second = LABELS["good"] == ACTUAL, LABELS["fair"] == ACTUAL
    table = [
        int((first & second).sum()),
        int((first & ~second).sum()),
        int((~first & second).sum()),
        int((~first & ~second).sum()),
    ]
    difference = next(d for d in E.compare("accuracy").differences if d.second == "fair")

    assert difference.value == pytest.approx(first.mean() - second.mean())
    assert (difference.low, difference.high) == paired_difference_interval(*table)
    assert difference.p_value == mcnemar_test(table[1], table[2]).p_value
    assert difference.adjusted >= difference.p_value


@pytest.mark.parametrize(
    ("metric", "of_rows", "value"),
    [("sensitivity", ACTUAL == 1, 1), ("specificity", ACTUAL == 0, 0), ("fpr", ACTUAL == 0, 1)],
)
def test_rates_are_compared_on_the_rows_of_their_class(metric, of_rows, value):
    good, fair = (LABELS[name][of_rows] == value for name in ("good", "fair"))
    (difference, *_) = E.compare(metric).differences

    assert difference.value == pytest.approx(good.mean() - fair.mean())
    test = mcnemar_test(int((good & ~fair).sum()), int((~good & fair).sum()))
    assert difference.p_value == test.p_value


def test_the_accuracy_test_equals_that_of_compare():
    comparison = to.compare(ACTUAL, LABELS)
    (difference, *_) = E.compare("accuracy").differences

    assert difference.p_value == comparison.mcnemar("good", "fair").p_value


def test_other_metrics_are_bootstrapped_and_need_no_threshold_in_their_name():
    (difference, *_) = E.compare("precision").differences

    assert difference.metric == "precision"
    assert difference.metric_label == "precision"
    assert difference.low < difference.value < difference.high
    assert "bootstrap" in difference.method


def test_frequencies_count_as_rows():
    actual, a, b = [1, 1, 0, 0], [1, 0, 0, 1], [0, 0, 1, 0]
    sizes = [3, 2, 5, 1]
    weighted = to.evaluate_labels(actual, {"a": a, "b": b}, weight=sizes).compare("accuracy")
    repeated = to.evaluate_labels(
        np.repeat(actual, sizes), {"a": np.repeat(a, sizes), "b": np.repeat(b, sizes)}
    ).compare("accuracy")

    assert weighted.differences == repeated.differences


def test_models_are_compared_on_the_rows_that_all_of_them_predicted():
    labels = {"a": ["y", None, "n", "y"], "b": ["n", "y", "n", "y"]}
    evaluation = to.evaluate_labels(["y", "y", "n", "n"], labels, positive="y", missing="drop")

    assert evaluation.compare().rows.rows == 3
    assert evaluation.matrices["b"].rows == 4


def test_more_classes_are_compared_by_accuracy():
    actual = ["a", "b", "c", "a", "b"]
    models = {"m": ["a", "b", "c", "b", "b"], "n": ["b", "b", "a", "b", "b"]}
    comparison = to.evaluate_labels(actual, models).compare()

    assert [d.metric for d in comparison.differences] == ["accuracy"]
    assert comparison.differences[0].value == pytest.approx(0.4)
    with pytest.raises(InputError, match="compared by accuracy, not by f1"):
        to.evaluate_labels(actual, models).compare("f1")


def test_what_labels_cannot_do_is_said():
    with pytest.raises(InputError, match="two or more models"):
        E["good"].compare()
    with pytest.raises(UnknownName, match="No model is called 'god'"):
        E["god"]
    with pytest.raises(InputError, match="choose one, for example"):
        _ = E.matrix
    with pytest.raises(TypeError, match="use evaluate_labels"):
        to.evaluate(ACTUAL, predicted=LABELS["good"])
    with pytest.raises(InputError, match="McNemar's test needs weights that are counts"):
        to.evaluate_labels(ACTUAL, LABELS, weight=RNG.random(300) + 0.1).compare()
    with pytest.raises(InputError, match="no ROC plane"):
        to.evaluate_labels(["a", "b", "c"], ["a", "b", "c"]).chart()


def test_the_table_and_csv_have_a_row_per_model_and_metric():
    columns = E.columns(metric=["tpr", "ppv"])

    assert columns["model"] == ["good"] * 2 + ["fair"] * 2 + ["poor"] * 2
    assert columns["label"][:2] == ["tpr", "ppv"]
    assert E.to_csv(metric=["tpr"]).splitlines()[0] == ",".join(columns)

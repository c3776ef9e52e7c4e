"""Trees learned like those of Weka's J48, prediction for prediction."""

from importlib.resources import files
from math import log2, sqrt

import numpy as np
import pytest
from golden.reference import DATA, document, table
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.model_selection import cross_val_predict
from weka_data import read_table

import tradeoff as to
from tradeoff.crossval.folds import make_folds, weka_splits
from tradeoff.crossval.weka_j48 import (
    Examples,
    Node,
    NodeRows,
    Split,
    WekaJ48,
    choose_split,
    collapse_tree,
    estimate_leaf_errors,
    grow_tree,
    prune_tree,
)
from tradeoff.errors import InputError

WEATHER = files("tradeoff.data") / "weather.arff"
SETS = ["weather", "weather_numeric", "breast_cancer", "iris", "mixed", "weighted"]


def data(name):
    return read_table(WEATHER if name == "weather" else DATA / f"{name}.arff")


def weka_predictions(name, run, classes):
    """Actual and predicted classes and the class probabilities of each row in Weka."""
    columns = table(f"weka_j48_{name}.csv")
    rows = columns["run"] == run
    probabilities = np.column_stack([columns[label][rows] for label in classes])
    return columns["actual"][rows].tolist(), columns["predicted"][rows].tolist(), probabilities


@pytest.mark.parametrize("name", SETS)
def test_cross_validated_probabilities_equal_wekas(name):
    rows, values, actual, classes, weights = sheet = data(name)
    order, fold_probabilities = [], []
    for train, test in weka_splits(sheet.codes):
        model = WekaJ48(values=values).fit(rows[train], actual[train], weights[train])
        fold_probabilities.append(sheet.in_order_of_header(model.predict_proba(rows[test]), model))
        order += test.tolist()
    probabilities = np.concatenate(fold_probabilities)
    labels, predicted, expected = weka_predictions(name, "cross-validation", classes)

    assert actual[order].tolist() == labels
    np.testing.assert_allclose(probabilities, expected, rtol=0, atol=1e-14)
    assert np.array(classes)[probabilities.argmax(axis=1)].tolist() == predicted


@pytest.mark.parametrize("name", SETS)
def test_the_tree_of_all_rows_equals_wekas(name):
    rows, values, actual, classes, weights = sheet = data(name)
    model = WekaJ48(values=values).fit(rows, actual, weights)
    probabilities = sheet.in_order_of_header(model.predict_proba(rows), model)
    _, _, expected = weka_predictions(name, "training", classes)
    summary = document("weka_j48_summary.json")[name]

    assert (model.tree_.leaf_count, model.tree_.node_count) == (summary["leaves"], summary["nodes"])
    np.testing.assert_allclose(probabilities, expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("path", "actual", "positive"),
    [
        (WEATHER, "play", "yes"),
        (DATA / "weather_numeric.arff", "play", "yes"),
        (DATA / "breast_cancer.arff", "Class", "recurrence-events"),
    ],
    ids=["weather", "weather_numeric", "breast_cancer"],
)
def test_cross_validated_aucs_and_confusion_matrices_equal_wekas(path, actual, positive):
    validation = to.cross_validate(
        path, actual=actual, positive=positive, models=["weka-j48"], way="weka", jobs=1
    )
    sheet = read_table(path)
    summary = document("weka_j48_summary.json")[path.name.removesuffix(".arff")]
    index = sheet.classes.index(positive)
    matrix = np.array(summary["matrix"])[[index, 1 - index]][:, [index, 1 - index]]

    _, _, expected = weka_predictions(
        path.name.removesuffix(".arff"), "cross-validation", [positive]
    )
    order = np.concatenate([test for _, test in weka_splits(sheet.codes)])
    np.testing.assert_allclose(
        validation.scores["weka-j48"][order], expected[:, 0], rtol=0, atol=1e-14
    )
    assert validation.evaluation.auc.value == pytest.approx(summary["areas"][index], abs=1e-12)
    assert validation.evaluation.at(0.5).counts.tolist() == matrix.tolist()


def test_the_weather_tree_has_28_and_a_half_of_45_concordant_pairs():
    validation = to.cross_validate(
        WEATHER, actual="play", positive="yes", models=["weka-j48"], way="weka", jobs=1
    )

    assert validation.evaluation.ranking.twice_pairs_won() == 57
    assert validation.evaluation.auc.value == pytest.approx(28.5 / 45, abs=1e-15)


def test_training_rows_are_in_wekas_order():
    positive = np.arange(20) % 3 == 0
    folds = make_folds(positive, folds=4, seed=7, scheme="weka")
    splits = weka_splits(positive.astype(int), folds=4, seed=7)

    for fold, (train, test) in zip(folds, splits, strict=True):
        assert fold.train_rows.tolist() == train.tolist()
        assert fold.test_rows.tolist() == test.tolist()


def test_folds_and_classifier_work_in_scikit_learns_cross_validation():
    rows, _, actual, _, _ = sheet = data("weather")
    splits = list(weka_splits(sheet.codes))
    order = np.concatenate([test for _, test in splits])
    probabilities = cross_val_predict(
        clone(WekaJ48()), rows, actual, cv=splits, method="predict_proba"
    )
    _, _, expected = weka_predictions("weather", "cross-validation", ["no", "yes"])

    np.testing.assert_allclose(probabilities[order], expected, rtol=0, atol=1e-15)


# Splits by hand.


def training_examples(matrix, classes, sizes, weights=None):
    """Examples and rows of the root node of a tree."""
    matrix = np.array(matrix, dtype=float)
    codes = np.array(classes)
    examples = Examples(matrix, sizes, codes, int(codes.max()) + 1, matrix)
    return examples, NodeRows(np.arange(len(codes)), np.array(weights or np.ones(len(codes))))


def entropy(*proportions):
    return -sum(p * log2(p) for p in proportions)


def test_the_first_split_of_the_weather_tree_worked_by_hand():
    # Quinlan (1986): the outlook gains 0.247 bits, more than any other column. sunny has 2 of 5
    # days with a game, overcast 4 of 4, rainy 3 of 5.
    gain = entropy(9 / 14, 5 / 14) - 5 / 14 * entropy(2 / 5, 3 / 5) - 5 / 14 * entropy(3 / 5, 2 / 5)
    split_bits = entropy(5 / 14, 4 / 14, 5 / 14)
    rows, values, actual, _, _ = data("weather")
    split = WekaJ48(values=values).fit(rows, actual).tree_.split

    assert split.column == 0
    assert split.gain == pytest.approx(gain, abs=1e-12)
    assert split.gain_ratio == pytest.approx(gain / split_bits, abs=1e-12)
    assert (round(split.gain, 3), round(split.gain_ratio, 3)) == (0.247, 0.156)


def test_the_gain_of_a_cut_is_reduced_by_its_choice_and_the_cut_lies_at_a_value():
    # Cuts after 2, 3 and 10 leave two rows on either side. After 3 the classes are separated: 1 bit
    # is gained, and log₂ 3 bits for choosing among three cuts are shared by six rows.
    split = choose_split(
        *training_examples([[1], [2], [3], [10], [11], [12]], [0, 0, 0, 1, 1, 1], (0,))
    )

    assert split.gain == pytest.approx(1 - log2(3) / 6, abs=1e-12)
    assert split.gain_ratio == pytest.approx(1 - log2(3) / 6, abs=1e-12)
    assert split.cut == 3


def test_a_cut_lies_at_a_value_even_of_rows_without_a_class():
    rows = [[1.0], [2.0], [3.0], [10.0], [11.0], [12.0], [5.0]]
    actual = np.array([*"aaabbb", None], dtype=object)

    # Half-way from 3 to 10 is 6.5. Weka prints "x <= 5" for these rows.
    assert WekaJ48().fit(rows, actual).tree_.split.cut == 5


def test_rows_with_missing_values_are_split_among_branches_worked_by_hand():
    # Three times u, all yes; three times v, all no; one yes without a value. Of 7 rows 6 are known,
    # which gain 1 bit each; the missing value is a third outcome of the split.
    rows = [["u"], ["u"], ["u"], ["v"], ["v"], ["v"], [None]]
    model = WekaJ48().fit(rows, [1, 1, 1, 0, 0, 0, 1])
    split = model.tree_.split

    assert split.gain == pytest.approx(6 / 7, abs=1e-12)
    assert split.gain_ratio == pytest.approx(6 / 7 / entropy(3 / 7, 3 / 7, 1 / 7), abs=1e-12)
    # Half of the last row is in either branch: u holds 3.5 yes, v 3 no and 0.5 yes.
    np.testing.assert_allclose(model.tree_.counts, [[0, 3.5], [3, 0.5]])
    np.testing.assert_allclose(model.predict_proba([["u"], ["v"]]), [[0, 1], [6 / 7, 1 / 7]])
    np.testing.assert_allclose(model.predict_proba([[None]]), [[3 / 7, 4 / 7]])


# 32 rows, half of them of class 1. Column 0 separates four rows of class 0: it gains
# 1 - 28/32 · H(12/28) = 0.1379 bits, over 0.5436 bits of splitting (ratio 0.254). Column 1 has
# eight values, each three to one for a class: it gains 1 - H(1/4) = 0.1887 bits over 3 (0.063).
SEPARATED_FEW = [0] * 4 + [1] * 28
EIGHT_VALUES = [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 5, 6, 7, 0, 1, 2, 3, *[4, 5, 6, 7] * 3]
HALVES = [0] * 16 + [1] * 16


def test_a_split_must_have_at_least_the_average_gain():
    examples, node_rows = training_examples(
        np.transpose([SEPARATED_FEW, EIGHT_VALUES]), HALVES, (2, 8)
    )
    single_column_split = choose_split(
        *training_examples(np.transpose([SEPARATED_FEW]), HALVES, (2,))
    )
    split = choose_split(examples, node_rows)

    assert single_column_split.gain == pytest.approx(
        1 - 28 / 32 * entropy(12 / 28, 16 / 28), abs=1e-12
    )
    assert single_column_split.gain_ratio == pytest.approx(
        single_column_split.gain / entropy(1 / 8, 7 / 8), abs=1e-12
    )
    assert split.gain == pytest.approx(1 - entropy(1 / 4, 3 / 4), abs=1e-12)
    assert split.gain_ratio == pytest.approx(split.gain / 3, abs=1e-12)
    # The average is 0.1633: column 1 is taken although its ratio is lower.
    assert split.column == 1


def test_a_column_of_many_values_is_left_out_of_the_average_gain():
    # With ten declared values, 0.3 a row and more, the average is the gain of column 0 alone.
    examples, node_rows = training_examples(
        np.transpose([SEPARATED_FEW, EIGHT_VALUES]), HALVES, (2, 10)
    )

    assert choose_split(examples, node_rows).column == 0


def test_each_side_of_a_cut_has_a_tenth_of_the_mean_class_size():
    # 60 rows of two classes: a cut leaves 0.1 · 60 / 2 = 3 rows. The two rows of class 1 at the end
    # cannot be cut off alone; 60 rows of three classes may be cut there.
    values = np.arange(60.0)[:, None]
    two_classes = [0] * 58 + [1] * 2
    three_classes = [2] * 1 + [0] * 57 + [1] * 2

    assert choose_split(*training_examples(values, two_classes, (0,))).cut == 56
    assert choose_split(*training_examples(values, three_classes, (0,))).cut == 57


# Pruning by hand.


def upper_errors(rows, errors):
    """Wilson's upper limit of the error rate with half an error added, times the rows."""
    z = 0.6744897501960817  # the normal quantile at 0.75
    rate = (errors + 0.5) / rows
    standard_error = sqrt(rate * (1 - rate) / rows + z**2 / (4 * rows**2))
    return rows * (rate + z**2 / (2 * rows) + z * standard_error) / (1 + z**2 / rows)


def test_estimated_errors_worked_by_hand():
    # No error in 6 rows: the rate is at most 1 - 0.25^(1/6) with confidence 0.75.
    no_error = 6 * (1 - 0.25 ** (1 / 6))
    # Half an error: what is added lies half-way between that of none and of one.
    half_error = 0.5 + (no_error + upper_errors(6, 1) - 1) / 2

    assert estimate_leaf_errors(np.array([6.0, 0.0])) == pytest.approx(no_error, abs=1e-12)
    assert estimate_leaf_errors(np.array([4.0, 2.0])) == pytest.approx(
        upper_errors(6, 2), abs=1e-12
    )
    assert estimate_leaf_errors(np.array([5.5, 0.5])) == pytest.approx(half_error, abs=1e-12)
    # 2.7 errors in 3 rows and half an error more are all of them; no rows have no errors.
    assert estimate_leaf_errors(np.full(10, 0.3)) == pytest.approx(3, abs=1e-12)
    assert estimate_leaf_errors(np.zeros(2)) == 0


def test_a_split_that_saves_no_errors_is_collapsed():
    # u: 3 yes, 1 no; v: 2 yes, 1 no. The split gains a little, and errs in 2 rows as one leaf does.
    examples, node_rows = training_examples([[0]] * 4 + [[1]] * 3, [1, 1, 1, 0, 1, 1, 0], (2,))
    tree = grow_tree(examples, node_rows)

    assert (tree.node_count, tree.errors(), tree.errors_as_leaf()) == (3, 2, 2)
    assert collapse_tree(tree).node_count == 1
    assert collapse_tree(tree).counts.tolist() == [[2, 5]]


def test_subtree_raising_worked_by_hand():
    # Column 1 determines the class of all 12 rows, column 0 separates one row of each class.
    matrix = [[0, 0], [0, 1], *[[1, 0]] * 5, *[[1, 1]] * 5]
    examples, node_rows = training_examples(matrix, [0, 1, *[0] * 5, *[1] * 5], (2, 2))
    by_first, by_second = (Split(column, 2, None, 0.0, 0.0) for column in (0, 1))
    separated, rest = by_first.branch_rows(examples.matrix, node_rows, np.array([2 / 12, 10 / 12]))
    low, high = by_second.branch_rows(examples.matrix, rest, np.array([0.5, 0.5]))
    tree = Node(
        node_rows,
        np.array([[1.0, 1.0], [5.0, 5.0]]),
        by_first,
        (
            Node(separated, np.array([[1.0, 1.0]])),
            Node(
                rest,
                np.array([[5.0, 0.0], [0.0, 5.0]]),
                by_second,
                (Node(low, np.array([[5.0, 0.0]])), Node(high, np.array([[0.0, 5.0]]))),
            ),
        ),
    )
    errors_of_tree = upper_errors(2, 1) + 2 * 5 * (1 - 0.25 ** (1 / 5))  # 1.77 + 2.42
    errors_of_raised = 2 * 6 * (1 - 0.25 ** (1 / 6))  # 2.48
    raised = prune_tree(tree, examples)

    assert tree.estimated_errors() == pytest.approx(errors_of_tree, abs=1e-12)
    assert raised.split is by_second
    assert raised.counts.tolist() == [[6, 0], [0, 6]]
    assert raised.estimated_errors() == pytest.approx(errors_of_raised, abs=1e-12)


# The estimator.


def test_a_declared_value_without_rows_has_the_class_proportions_of_its_node():
    model = WekaJ48(values={0: ["a", "b", "c"]}).fit([["a"]] * 3 + [["b"]] * 2, [1, 1, 1, 0, 0])

    assert model.tree_.leaf_count == 3
    np.testing.assert_allclose(model.predict_proba([["a"], ["c"]]), [[0, 1], [2 / 5, 3 / 5]])
    with pytest.raises(InputError, match="Column 0 has the value 'd' in row 2"):
        model.predict_proba([["a"], ["d"]])
    with pytest.raises(InputError, match="which is not declared"):
        WekaJ48(values={0: ["a"]}).fit([["a"], ["b"]], [1, 0])


def test_an_unseen_value_is_treated_as_missing():
    model = WekaJ48().fit([["a"]] * 3 + [["b"]] * 2, [1, 1, 1, 0, 0])

    assert model.tree_.leaf_count == 2
    np.testing.assert_array_equal(model.predict_proba([["new"]]), model.predict_proba([[None]]))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_dataframes_declare_their_categories(library):
    frames = pytest.importorskip(library)
    values = ["a", "b", "c"]
    kind = frames.CategoricalDtype(values) if library == "pandas" else frames.Enum(values)
    letters, numbers = ["a", "b", None, "a", "b", "a"], [1.0, 2.0, None, 4.0, 2.0, 1.5]
    frame = frames.DataFrame({"x": frames.Series(letters, dtype=kind), "n": numbers})
    actual = [1, 0, 0, 1, 0, 1]
    array = np.array([letters, numbers], dtype=object).T
    model = WekaJ48().fit(frame, actual)
    expected = WekaJ48(values={0: values}).fit(array, actual)

    assert model.tree_.leaf_count == expected.tree_.leaf_count == 3
    np.testing.assert_array_equal(model.predict_proba(frame), expected.predict_proba(array))


def test_rows_of_one_class_or_without_signal_make_one_leaf():
    assert WekaJ48().fit([[1.0], [2.0], [3.0], [4.0]], ["x"] * 4).tree_.leaf_count == 1
    model = WekaJ48().fit([["a"], ["a"], ["b"], ["b"]], [0, 1, 0, 1])

    assert model.tree_.leaf_count == 1
    assert model.predict_proba([["a"]]).tolist() == [[0.5, 0.5]]


def test_empty_columns_and_rows_without_a_class_are_ignored():
    table = np.array([["a", None]] * 4 + [["b", None]] * 5, dtype=object)
    full_model = WekaJ48().fit(table, np.array([*"xxxxyyyy", None], dtype=object))
    reduced_model = WekaJ48().fit(table[:8, :1], [*"xxxxyyyy"])

    assert (full_model.tree_.leaf_count, full_model.tree_.weight) == (2, 8)
    np.testing.assert_array_equal(
        full_model.predict_proba(table), reduced_model.predict_proba(table[:, :1])
    )


@pytest.mark.parametrize(
    ("x", "y", "weights", "message"),
    [
        ([["a"], ["b"]], [1], None, "each row needs one"),
        ([["a"]], [None], None, "no row with a class"),
        ([["a"]], [1], [-1], "non-negative"),
        ([["a"]], [1], [1, 2], "one per row"),
        ([["a"], ["b"]], [1, 0], [0, 0], "Every weight is zero"),
        (np.empty((2, 0)), [1, 0], None, "no column to learn from"),
        (np.array([[1j], [2j]]), [1, 0], None, "Complex data not supported"),
        (csr_array([[1.0], [0.0]]), [1, 0], None, "not a sparse one"),
        ([[np.inf], [1.0]], [1, 0], None, "infinite"),
        (["a", "b"], [1, 0], None, "must be a table"),
        ([["a"]], [[1]], None, "One value per row"),
    ],
)
def test_invalid_training_data_are_refused(x, y, weights, message):
    with pytest.raises(InputError, match=message):
        WekaJ48().fit(x, y, weights)


def test_rows_to_predict_must_have_the_columns_of_the_training_data():
    model = WekaJ48().fit([[1.0, "a"], [2.0, "b"]], [0, 1])

    with pytest.raises(InputError, match="1 columns, but the model was trained on 2"):
        model.predict([[1.0]])
    with pytest.raises(InputError, match="numeric in training but now holds 'x'"):
        model.predict(np.array([["x", "a"]], dtype=object))


# Laws.

CELLS = st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False))
WORDS = st.one_of(st.none(), st.sampled_from("abcd"))


@given(
    st.lists(
        st.tuples(CELLS, WORDS, st.sampled_from("xyz"), st.floats(0.01, 10)),
        min_size=1,
        max_size=40,
    )
)
def test_probabilities_sum_to_one_and_leaves_hold_all_rows(rows):
    # Numbers of every size: no cut leaves a branch without rows, so that growing comes to an end.
    table = np.array([row[:2] for row in rows], dtype=object)
    weights = np.array([row[3] for row in rows])
    model = WekaJ48().fit(table, [row[2] for row in rows], weights)
    probabilities = model.predict_proba(table)

    assert (probabilities >= 0).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-9)
    assert sum(leaf_weights(model.tree_)) == pytest.approx(weights.sum(), rel=1e-4)


def leaf_weights(node):
    if node.split is None:
        return [node.weight]
    return [weight for branch in node.branches for weight in leaf_weights(branch)]


@given(st.lists(st.integers(1, 4), min_size=8, max_size=8), st.integers(0, 2**16))
def test_integer_weights_equal_repeated_rows_of_nominal_columns(weights, seed):
    random = np.random.default_rng(seed)
    table = random.choice(np.array(["a", "b", None], dtype=object), (8, 3), p=[0.4, 0.4, 0.2])
    actual = random.choice(["x", "y"], 8)
    weighted = WekaJ48().fit(table, actual, sample_weight=weights)
    repeated = WekaJ48().fit(np.repeat(table, weights, axis=0), np.repeat(actual, weights))

    np.testing.assert_allclose(
        weighted.predict_proba(table), repeated.predict_proba(table), rtol=0, atol=1e-9
    )


@given(st.integers(0, 2**16))
def test_the_order_of_rows_does_not_matter(seed):
    random = np.random.default_rng(seed)
    numbers = random.integers(0, 9, (40, 2)).astype(object)
    numbers[random.random((40, 2)) < 0.1] = None
    actual = random.choice(["x", "y"], 40)
    order = random.permutation(40)

    np.testing.assert_allclose(
        WekaJ48().fit(numbers, actual).predict_proba(numbers),
        WekaJ48().fit(numbers[order], actual[order]).predict_proba(numbers),
        rtol=0,
        atol=1e-9,
    )

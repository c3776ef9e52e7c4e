"""Which columns are the class and the scores, if nobody says so: every rule by itself."""

import numpy as np
import pytest

from tradeoff.errors import ColumnError
from tradeoff.sources.column_patterns import expand_columns
from tradeoff.sources.column_summaries import summarize_columns
from tradeoff.sources.role_inference import (
    example_roles,
    infer_roles,
    is_id_column,
    likely_positive,
    likely_role,
)

ROWS = 40
CLASSES = [0, 1, 1, 0] * 10
WORDS = ["no", "yes", "yes", "no"] * 10
SCORES = (np.arange(ROWS) * 7 % ROWS / ROWS).tolist()
PERCENT = (np.arange(ROWS) * 7 % ROWS * 2.5).tolist()
SIDES = ["left", "right"] * 20


def inferred(columns, **named):
    return infer_roles(summaries(columns), **named)


def summaries(columns):
    return summarize_columns({name: np.array(column) for name, column in columns.items()})


class TestTheClass:
    @pytest.mark.parametrize(
        ("values", "positive"),
        [
            (CLASSES, "1"),
            ([2 * c - 1 for c in CLASSES], "1"),
            ([float(c) for c in CLASSES], "1"),
            ([bool(c) for c in CLASSES], "True"),
        ],
    )
    def test_numbers_and_booleans_say_which_class_is_positive(self, values, positive):
        roles = inferred({"c": values, "p": SCORES})

        assert (roles.actual, roles.positive, roles.problem) == ("c", positive, "")

    @pytest.mark.parametrize("values", [WORDS, [c + 1 for c in CLASSES]])
    def test_other_values_do_not(self, values):
        roles = inferred({"c": values, "p": SCORES})

        assert (roles.actual, roles.positive) == ("c", None)
        assert "Which one is positive? Add positive=" in roles.problem

    def test_the_positive_class_may_be_named(self):
        roles = inferred({"c": WORDS, "p": SCORES}, positive="yes")

        assert (roles.positive, roles.scores, roles.problem) == ("yes", ("p",), "")

    def test_two_candidates_are_ambiguous(self):
        roles = inferred({"c": CLASSES, "side": SIDES, "p": SCORES})

        assert roles.actual is None
        assert roles.problem.endswith("may be the class: 'c' and 'side'.")

    @pytest.mark.parametrize("name", ["outcome", "y_true", "Actual", "true class"])
    def test_the_usual_name_decides_between_them(self, name):
        assert inferred({name: CLASSES, "side": SIDES, "p": SCORES}).actual == name

    def test_two_usual_names_decide_nothing(self):
        assert inferred({"label": CLASSES, "target": SIDES, "p": SCORES}).actual is None

    @pytest.mark.parametrize("name", ["pred_class", "y_pred", "predicted", "fold", "split", "yhat"])
    def test_predictions_and_folds_are_no_classes(self, name):
        assert inferred({"c": CLASSES, name: SIDES, "p": SCORES}).actual == "c"

    def test_more_than_two_classes_are_named_in_the_message(self):
        roles = inferred({"kind": ["a", "b", "c", "d"] * 10, "p": SCORES})

        assert "'kind' has more" in roles.problem
        assert "tradeoff classes" in roles.problem

    def test_a_constant_is_no_class(self):
        assert inferred({"c": ["x"] * ROWS, "p": SCORES}).problem == (
            "No column has two values, as a class would."
        )


def test_an_example_takes_a_yes_for_positive_or_else_the_rarer_class():
    frequent_yes = ["Yes"] * 30 + ["No"] * 10
    frequent_good = ["good"] * 30 + ["poor"] * 10

    assert likely_positive(summaries({"c": frequent_yes})[0]) == "Yes"
    assert likely_positive(summaries({"c": frequent_good})[0]) == "poor"


class TestTheScores:
    @pytest.mark.parametrize(
        "name", ["p", "p_model", "P.Model", "prob", "Probability", "score_a", "prediction", "pred1"]
    )
    def test_are_named_like_scores_whatever_their_range(self, name):
        assert inferred({"c": CLASSES, name: PERCENT, "dose": SCORES}).scores == (name,)

    def test_else_they_are_the_columns_within_0_to_1(self):
        columns = {"c": CLASSES, "logistic": SCORES, "age": PERCENT, "boosting": SCORES[::-1]}

        assert inferred(columns).scores == ("logistic", "boosting")

    def test_else_they_are_unclear(self):
        roles = inferred({"c": CLASSES, "age": PERCENT, "dose": PERCENT})

        assert roles.scores == ()
        assert "none is within 0 to 1" in roles.problem

    def test_two_values_are_no_scores(self):
        assert inferred({"outcome": WORDS, "p_a": CLASSES, "p_b": SCORES}).scores == ("p_b",)

    def test_one_for_each_class_leaves_that_of_the_positive(self):
        columns = {"c": WORDS, "p_no": SCORES[::-1], "p_yes": SCORES}

        assert inferred(columns, positive="yes").scores == ("p_yes",)
        assert inferred(columns, positive="no").scores == ("p_no",)

    def test_a_model_may_be_named_like_one_class(self):
        columns = {"c": CLASSES, "p_1": SCORES, "p_2": SCORES[::-1]}

        assert inferred(columns).scores == ("p_1", "p_2")

    def test_named_columns_are_kept(self):
        roles = inferred({"c": CLASSES, "age": PERCENT, "p": SCORES}, scores=["age"])

        assert (roles.actual, roles.scores) == ("c", ("age",))

    def test_a_named_score_is_not_the_class(self):
        roles = inferred({"c": CLASSES, "label": SIDES, "p": SCORES}, scores=["label"])

        assert roles.actual == "c"


class TestIds:
    @pytest.mark.parametrize(
        ("name", "values"),
        [
            ("Unnamed: 0", range(ROWS)),
            ("", range(29, 29 + ROWS)),
            ("column0", [f"r{i}" for i in range(ROWS)]),
            ("n", range(1, ROWS + 1)),
            ("customer_id", np.arange(ROWS) * 13 % 997),
            ("patientID", np.arange(ROWS) * 13 % 997),
            ("email", [f"{i}@example.org" for i in range(ROWS)]),
        ],
    )
    def test_number_or_name_rows(self, name, values):
        (column,) = summaries({name: values})

        assert is_id_column(column)

    @pytest.mark.parametrize(
        ("name", "values"),
        [
            ("income", np.arange(ROWS) * 13 % 997),
            ("p_id", SCORES),
            ("town", ["a", "b"] * 20),
            ("day", [f"2024-01-{i:02}" for i in range(1, 31)]),
            ("customer_id", [1, 1, 2, 2] * 10),
            ("paid", range(100, 100 + ROWS)),
        ],
    )
    def test_other_columns_are_data(self, name, values):
        (_, column) = summaries({"first": values, name: values})

        assert not is_id_column(column)


def test_each_column_gets_its_likely_role():
    columns = {
        "": range(ROWS),
        "c": CLASSES,
        "pred": CLASSES,
        "p": SCORES,
        "q": PERCENT,
        "town": ["a", "b", "c", "d"] * 10,
        "one": [1] * ROWS,
        "none": [np.nan] * ROWS,
    }
    roles = inferred(columns)

    assert [likely_role(column, roles) for column in summaries(columns)] == [
        *("index", "class", "predicted class", "probability", "score?", "segment?", "constant"),
        "empty",
    ]


def test_columns_named_like_predictions_may_be_those_of_an_unclear_class():
    columns = {"pred": CLASSES, "predicted kind": ["a", "b", "c", "d"] * 10, "p": SCORES}
    roles = inferred(columns)

    assert [likely_role(column, roles) for column in summaries(columns)] == [
        *("predicted class?", "predicted class?", "probability"),
    ]


def test_an_example_has_the_score_of_its_positive_class():
    columns = {"c": WORDS, "p_yes": SCORES, "p_no": SCORES[::-1]}

    assert example_roles(inferred(columns), summaries(columns)) == ("c", "yes", ("p_yes",))


def test_the_positive_class_decides_between_columns_of_two_values():
    columns = {
        "contract": ["monthly", "yearly"] * 20,
        "churned": ["no", "yes"] * 20,
        "logistic": SCORES,
    }

    assert inferred(columns).problem.startswith("Several columns have two values")
    assert inferred(columns, positive="yes").actual == "churned"
    assert inferred(columns, positive="maybe").actual is None
    roles, all_summaries = inferred(columns), summaries(columns)
    assert example_roles(roles, all_summaries) == ("churned", "yes", ("logistic",))


class TestPredictedClasses:
    @pytest.mark.parametrize(
        "name",
        ["predicted", "pred_label", "yhat", "y_hat", "Prediction", ".pred_class", "class_pred"],
    )
    def test_are_named_like_predictions_and_have_the_values_of_the_class(self, name):
        assert inferred({"c": CLASSES, name: CLASSES[::-1]}).predicted == (name,)

    def test_may_be_booleans_beside_numbers(self):
        columns = {"c": CLASSES, "yhat": [bool(c) for c in CLASSES]}

        assert inferred(columns).predicted == ("yhat",)

    @pytest.mark.parametrize("values", [SIDES, SCORES, [1] * ROWS])
    def test_have_no_other_values(self, values):
        assert inferred({"c": CLASSES, "predicted": values}).predicted == ()

    def test_tell_which_of_several_columns_is_the_class(self):
        columns = {"side": SIDES, "c": WORDS, "predicted": WORDS[::-1]}

        assert inferred(columns).actual == "c"
        assert inferred(columns | {"d": WORDS}).actual is None

    def test_are_no_scores(self):
        kinds = [0, 1, 2, 3] * 10
        roles = inferred({"kind": kinds, "pred": kinds[::-1]}, actual="kind", positive="2")

        assert (roles.scores, roles.predicted) == ((), ("pred",))
        assert roles.problem == "No column could be a score, but 'pred' holds predicted classes."


class TestNamesOfSeveralColumns:
    COLUMNS = ("p_a", "p_b", "q", "x,y", "p*")

    @pytest.mark.parametrize(
        ("names", "columns"),
        [
            (["p_a,q"], ["p_a", "q"]),
            (["p_a, q"], ["p_a", "q"]),
            (["p_*"], ["p_a", "p_b"]),
            (["p_?,q"], ["p_a", "p_b", "q"]),
            (["x,y"], ["x,y"]),
            (["p*"], ["p*"]),
            (["p_a", "p_*"], ["p_a", "p_b"]),
        ],
    )
    def test_are_lists_and_patterns_unless_a_column_has_the_name(self, names, columns):
        assert expand_columns(names, self.COLUMNS) == columns

    @pytest.mark.parametrize("name", ["z*", "p_a,z"])
    def test_that_match_no_column_are_refused(self, name):
        with pytest.raises(ColumnError, match="There is no column 'z"):
            expand_columns([name], self.COLUMNS)


def test_classes_that_differ_only_in_case_or_spaces_are_named():
    columns = {"churned": ["no", "yes", "NO", "yes "] * 10, "p_model": SCORES}

    assert inferred(columns).problem == (
        "'churned' holds 'NO', 'no', 'yes' and 'yes ', which differ only in case or spaces: write "
        "each of the two classes in one way."
    )


def test_a_first_line_of_numbers_is_no_header():
    roles = inferred({"0": [1, 0] * 20, "0.73": SCORES})

    assert roles.problem.startswith("The first line holds '0' and '0.73', not names of columns")
    assert roles.scores == ()

"""Columns of scores that are named after classes, in all the ways that programs write."""

import pytest

from tradeoff.sources.class_score_names import named_scores

CLASSES = ["cat", "dog", "new york"]


def complete_ways(classes, columns, **options):
    return [way.columns for way in named_scores(classes, columns, **options) if way.is_complete]


@pytest.mark.parametrize(
    "pattern",
    [
        *("{}", "p_{}", "P.{}", "p ({})", "P({})", "prob_{}", "prob-{}", "score_{}", ".pred_{}"),
        *("{}_probability", "P (kind={})", "confidence({})", "Forest score of {}"),
    ],
)
def test_the_names_of_classes_are_recognized_in_those_of_columns(pattern):
    columns = [pattern.format(name) for name in CLASSES]

    assert complete_ways(CLASSES, ["age", *columns]) == [dict(zip(CLASSES, columns, strict=True))]


def test_case_and_punctuation_may_differ():
    columns = ["p_Cat", "P.DOG", "p new.york"]

    assert complete_ways(CLASSES, columns) == [dict(zip(CLASSES, columns, strict=True))]


def test_other_words_will_do_for_proportions():
    columns = ["forest cat", "forest dog", "forest new york"]

    assert complete_ways(CLASSES, columns) == []
    assert complete_ways(CLASSES, columns, proportions=columns) == [
        dict(zip(CLASSES, columns, strict=True))
    ]


def test_numbered_features_are_not_scores_of_numbered_classes():
    columns = ["x0", "x1", "x2"]

    assert complete_ways(["0", "1", "2"], columns, proportions=columns) == []
    assert complete_ways(["0", "1", "2"], ["p0", "p1", "p2"]) == [{"0": "p0", "1": "p1", "2": "p2"}]
    assert complete_ways(["0", "1", "2"], ["0", "1", "2"]) == [{"0": "0", "1": "1", "2": "2"}]


def test_all_columns_are_named_in_the_same_way():
    assert complete_ways(["a", "b"], ["p_a", "prob_b"]) == []


def test_classes_that_differ_only_in_case_share_no_columns():
    assert named_scores(["A", "a"], ["p_A", "p_B"]) == []


def test_several_ways_are_all_listed_the_complete_ones_first():
    ways = named_scores(
        ["a", "b", "c"],
        ["score_a", "score_b", "p_a", "p_b", "p_c", "prob_a", "pr_a", "pr_b", "pr_c"],
    )

    assert [(way.before, way.is_complete) for way in ways] == [
        *(("p_", True), ("pr_", True), ("score_", False)),
    ]

"""A table of cut-offs as text and JSON: undefined values, prevalence and notes."""

import tradeoff as to

E = to.evaluate([0, 0, 1, 0, 1, 1, 0, 1], {"marker": [1, 2, 3, 4, 5, 6, 7, 8]})


def test_undefined_values_are_said_and_not_printed_as_numbers():
    lines = str(E.cutoffs(9, metric=["sensitivity", "ppv"])).splitlines()

    assert lines[3].split()[:5] == ["9", "0", "0", "4", "4"]
    assert lines[3].endswith("undefined")


def test_the_prevalence_line_names_the_predictive_values_that_depend_on_it():
    text = str(E.cutoffs(5))
    assert text.endswith("(4 of 8); PPV and NPV hold at this prevalence.")
    assert str(E.cutoffs(5, metric="tpr")).endswith("Prevalence 50.0% (4 of 8).")
    rare = to.evaluate([0, 1], {"m": [1, 2]}, prevalence=0.1).cutoffs(2)
    assert "PPV and NPV hold at a prevalence of 10.0%; in the rows it is 50.0%" in str(rare)


def test_the_confidence_level_is_said_once():
    assert str(E.cutoffs()).count("95% CI") == 1
    assert "CI" not in str(to.evaluate([0, 1], [1, 2], level=None).cutoffs())


def test_the_document_has_the_counts_and_metrics_of_each_cutoff():
    (model,) = E.cutoffs([3, 5]).to_dict()["models"]

    assert [cutoff["cutoff"] for cutoff in model["cutoffs"]] == [3, 5]
    assert model["cutoffs"][1]["confusion"]["true_positives"] == 3
    assert model["cutoffs"][1]["metrics"]["precision"]["value"] == 0.75
    assert "out_of_bag" not in model

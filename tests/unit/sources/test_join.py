"""Join of two tables on their shared rows: the result, its notes, and invalid input."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from tradeoff.errors import ColumnError, InputError
from tradeoff.sources.join import join_tables

OLD = pd.DataFrame(
    {
        "id": [11, 12, 13, 14],
        "y": ["no", "yes", "no", "yes"],
        "p": [0.1, 0.8, 0.4, 0.6],
        "w": [1, 2, 3, 4],
        "patient": ["a", "a", "b", "c"],
    }
)
NEW = pd.DataFrame({"id": [14, 99, 12, 11], "y": ["yes", "no", "yes", "no"], "p": [0.7, 0, 0.9, 0]})


def join(old=OLD, new=NEW, **more):
    return join_tables(old, new, **{"actual": "y", "score": "p", "on": "id", **more})


def test_rows_are_matched_by_id_in_the_order_of_the_baseline():
    joined = join(weight="w", cluster="patient")

    assert joined.actual.tolist() == ["no", "yes", "yes"]
    assert joined.baseline.tolist() == [0.1, 0.8, 0.6]
    assert joined.candidate.tolist() == [0, 0.9, 0.7]
    assert joined.weight.tolist() == [1, 2, 4]
    assert joined.cluster.tolist() == ["a", "a", "c"]


def test_rows_in_only_one_table_are_counted_in_a_note():
    assert join().notes == (
        "3 rows are in both; 1 of the baseline and 1 of the candidate are left out",
    )
    assert join(new=NEW[:1]).notes == (
        "1 row is in both; 3 of the baseline and 0 of the candidate are left out",
    )
    assert join(new=OLD[::-1]).notes == ()


def test_the_result_equals_an_inner_join_in_pandas():
    random = np.random.default_rng(3)
    old, new = (
        pd.DataFrame({"id": ids, "y": ids % 2, "p": random.random(600)})
        for ids in (random.permutation(1000)[:600], random.permutation(1000)[:600])
    )

    joined = join(old, new)
    expected = old.merge(new, on="id")

    assert joined.actual.tolist() == expected.y_x.tolist()
    assert joined.baseline.tolist() == expected.p_x.tolist()
    assert joined.candidate.tolist() == expected.p_y.tolist()


def test_files_and_frames_of_different_libraries_are_joined_alike(tmp_path):
    OLD.to_csv(tmp_path / "old.csv", index=False)
    pl.from_pandas(NEW).write_parquet(tmp_path / "new.parquet")

    for old, new in [(tmp_path / "old.csv", tmp_path / "new.parquet"), (OLD, pl.from_pandas(NEW))]:
        joined = join(old, new)
        assert joined.baseline.tolist() == [0.1, 0.8, 0.6]
        assert joined.candidate.tolist() == [0, 0.9, 0.7]


def test_ids_match_as_numbers_and_as_strings():
    for kind in (str, float, "uint64", "int32"):
        assert join(new=NEW.astype({"id": kind})).candidate.tolist() == [0, 0.9, 0.7]


def test_large_ids_keep_all_their_digits():
    base = 2**60
    old = OLD.assign(id=np.array([base, base + 1, base + 2, base + 3]))
    new = NEW.assign(id=np.array([base + 3, base + 9, base + 1, base], dtype="uint64"))

    assert join(old, new).candidate.tolist() == [0, 0.9, 0.7]


def test_the_candidate_may_have_a_different_score_column():
    new = NEW.rename(columns={"p": "q"})

    assert join(new=new, candidate_score="q").candidate.tolist() == [0, 0.9, 0.7]
    with pytest.raises(ColumnError, match=r"In the candidate: There is no column 'p'\."):
        join(new=new)


def test_a_missing_column_is_reported_with_its_table():
    with pytest.raises(ColumnError, match=r"In the baseline: There is no column 'weight'\."):
        join(weight="weight")


def test_duplicate_ids_are_listed():
    with pytest.raises(InputError) as twice:
        join(old=OLD.assign(id=[7, 7, 8, 9]))
    assert str(twice.value) == (
        "1 ID occurs more than once in 'id' of the baseline, 7: each row needs a unique ID."
    )

    many = pd.concat([OLD.assign(id=[f"{k}{letter}" for letter in "abcd"]) for k in (1, 2, 1, 2)])
    with pytest.raises(InputError) as often:
        join(new=many)
    assert "8 IDs occur more than once in 'id' of the candidate, '1a', '1b', '1c', 5 more:" in str(
        often.value
    )


def test_rows_without_an_id_are_rejected():
    for ids in ([11, None, 12, 13], ["a", None, "b", "c"]):
        with pytest.raises(InputError, match=r"1 row of the candidate without an ID .*row 2"):
            join(new=NEW.assign(id=ids))


def test_tables_without_shared_ids_are_rejected_with_examples():
    with pytest.raises(InputError) as none:
        join(new=NEW.assign(id=["a1", "a2", "a3", "a4"]))
    assert str(none.value) == (
        "The tables share no ID in 'id': the baseline has '11', '12', '13', 1 more, the candidate "
        "'a1', 'a2', 'a3', 1 more."
    )


def test_classes_that_differ_are_reported_with_examples():
    with pytest.raises(InputError) as wrong:
        join(new=NEW.assign(y=["no", "no", "yes", "yes"]))
    assert str(wrong.value) == (
        "The actual classes in 'y' differ in 2 of 3 rows: ID 11 is 'no' in the baseline but 'yes' "
        "in the candidate; ID 14 is 'yes' in the baseline but 'no' in the candidate. A row has "
        "only one actual class: correct one of the tables."
    )


@pytest.mark.parametrize("kind", [float, bool, str, object])
def test_the_same_classes_may_be_written_differently(kind):
    classes = np.array([0, 1, 0, 1])
    new = OLD.assign(y=classes.astype(kind))

    assert len(join(OLD.assign(y=classes), new).actual) == 4


def test_a_class_missing_in_one_table_differs_but_missing_in_both_matches():
    incomplete = OLD.assign(y=[0, 1, np.nan, 1])

    assert len(join(incomplete, incomplete).actual) == 4
    with pytest.raises(InputError, match="ID 13 is missing in the baseline but 0 in the candidate"):
        join(incomplete, OLD.assign(y=[0, 1, 0, 1]))


def test_without_ids_rows_are_paired_in_order():
    joined = join_tables(OLD, OLD.assign(p=[1, 2, 3, 4]), actual="y", score="p", weight="w")

    assert joined.candidate.tolist() == [1, 2, 3, 4]
    assert joined.weight.tolist() == [1, 2, 3, 4]
    assert "no ID column was named" in joined.notes[0]


def test_without_ids_different_numbers_of_rows_are_rejected():
    with pytest.raises(InputError, match="The baseline has 4 rows and the candidate 1 row"):
        join(new=NEW[:1], on=None)


def test_without_ids_different_classes_are_rejected():
    with pytest.raises(InputError) as wrong:
        join(on=None)
    assert "differ in 4 of 4 rows: row 1 is 'no' in the baseline but 'yes'" in str(wrong.value)
    assert "name an ID column" in str(wrong.value)


def test_escape_sequences_from_data_are_not_printed():
    with pytest.raises(InputError) as wrong:
        join(old=OLD.assign(id=["\x1b[31m", "\x1b[31m", "b", "c"]))
    assert "\x1b" not in str(wrong.value)


def test_empty_tables_have_nothing_in_common():
    with pytest.raises(InputError, match="The tables share no ID in 'id'"):
        join(OLD[:0], NEW)
    assert len(join(OLD[:0], NEW[:0], on=None).actual) == 0

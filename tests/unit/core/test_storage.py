"""Saving and loading rankings, and refusal of malformed files."""

import json

import numpy as np
import pytest
from strategies import columns

import tradeoff as to


@pytest.fixture
def ranking():
    return to.evaluate(
        actual=[1, 0, 1, 0], score=[0.9, 0.4, np.nan, 0.1], weight=[1, 2, 3, 0.5], missing="reject"
    ).ranking


def test_a_loaded_ranking_equals_the_saved_one(ranking, tmp_path):
    path = tmp_path / "one.ranking"
    ranking.save(path)
    loaded = to.Ranking.load(path)

    assert columns(loaded) == columns(ranking)
    for name in ("rows", "positive", "negative", "name", "notes", "rejected_positives", "exact"):
        assert getattr(loaded, name) == getattr(ranking, name)
    assert path.stat().st_mode & 0o444


def test_files_are_written_atomically(ranking, tmp_path, monkeypatch):
    path = tmp_path / "one.ranking"
    path.write_text("old content")

    def raise_disk_full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", raise_disk_full)
    with pytest.raises(to.TradeoffError, match="ranking cannot be written: No space left"):
        ranking.save(path)

    assert path.read_text() == "old content"
    assert [p.name for p in tmp_path.iterdir()] == ["one.ranking"]


def test_saving_to_a_symbolic_link_writes_its_target(ranking, tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "real.ranking")
    ranking.save(tmp_path / "link")

    assert (tmp_path / "link").is_symlink()
    assert to.Ranking.load(tmp_path / "real.ranking") == ranking


def test_a_missing_folder_is_reported(ranking, tmp_path):
    with pytest.raises(to.TradeoffError, match="cannot be written: No such file"):
        ranking.save(tmp_path / "none" / "one.ranking")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": "tradeoff/ranking/9"}, "its schema is 'tradeoff/ranking/9'"),
        ({"positive": 3}, "its positive must be a string, not 3"),
        ({"rows": True}, "its rows must be a whole number of at least 0, not True"),
        ({"rows": -2}, "its rows must be a whole number of at least 0, not -2"),
        ({"rows": 3}, "it has 3 rows, but counts 2"),
        ({"lower_is_positive": "false"}, "its lower_is_positive must be true or false"),
        ({"rejected_positives": -1}, "its rejected_positives must be a number of at least 0"),
        ({"rejected_negatives": np.nan}, "its rejected_negatives must be a number of at least 0"),
        ({"rejected_negatives": False}, "its rejected_negatives must be a number of at least 0"),
        ({"exact": 1}, "its exact must be true or false, not 1"),
        ({"notes": "none"}, "its notes must be a list, not 'none'"),
        ({"notes": [3]}, "its notes are not all strings"),
        ({"names": "a"}, "it has an unknown field 'names'"),
        ({"pairs": [3, 0.0, 0.0]}, "its pairs are malformed"),  # there is only one pair
        ({"pairs": [True, 0.0, 0.0]}, "its pairs are malformed"),
        ({"pairs": [1, -1.0, 0.0]}, "its pairs are malformed"),
        ({"pairs": [1, 0.0]}, "its pairs are malformed"),
        ({"thresholds": np.array([np.inf, 1.0, 2.0])}, "out of order"),
        ({"thresholds": np.array([1.0, 0.5, 0.2])}, 'no row "none"'),
        ({"thresholds": np.array(["inf", "1", "0"])}, "thresholds are malformed"),
        ({"true_positives": np.array([0, 2, 1])}, "counts are malformed"),
        ({"false_positives": np.array([0, 1])}, "counts are malformed"),
        ({"false_positives": np.array([0.0, 0.0, np.inf])}, "counts are malformed"),
        ({"thresholds": np.array([np.inf, 2.0, np.nan])}, "thresholds are malformed"),
    ],
)
def test_malformed_files_are_refused(change, message, tmp_path):
    path = tmp_path / "one.ranking"
    to.Ranking.of(np.array([2.0, 1.0]), np.array([True, False])).save(path)
    with np.load(path) as file:
        parts = dict(file)
    description = json.loads(str(parts.pop("description")))
    description |= {k: v for k, v in change.items() if not isinstance(v, np.ndarray)}
    parts |= {k: v for k, v in change.items() if isinstance(v, np.ndarray)}
    with path.open("wb") as file:
        np.savez(file, description=np.array(json.dumps(description)), **parts)

    with pytest.raises(to.TradeoffError, match=message):
        to.Ranking.load(path)


def test_nothing_is_unpickled(tmp_path):
    path = tmp_path / "one.ranking"
    with path.open("wb") as file:
        np.savez(file, description=np.array([object()], dtype=object))

    with pytest.raises(to.TradeoffError, match="is not a ranking"):
        to.Ranking.load(path)


def test_rankings_saved_in_two_files_can_be_merged(tmp_path):
    expected = to.evaluate(actual=[1, 0, 1, 0], score=[0.9, 0.4, 0.4, 0.1]).ranking
    for name, part in (("a", slice(2)), ("b", slice(2, None))):
        rows = to.evaluate(actual=[1, 0, 1, 0][part], score=[0.9, 0.4, 0.4, 0.1][part])
        rows.ranking.save(tmp_path / name)

    merged = sum(to.Ranking.load(tmp_path / name) for name in "ab")

    assert columns(merged) == columns(expected)
    assert merged.rows == 4

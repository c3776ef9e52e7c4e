"""Rankings on disk."""

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


def test_everything_comes_back(ranking, tmp_path):
    path = tmp_path / "one.ranking"
    ranking.save(path)
    loaded = to.Ranking.load(path)

    assert columns(loaded) == columns(ranking)
    for name in ("rows", "positive", "negative", "name", "notes", "rejected_positives", "exact"):
        assert getattr(loaded, name) == getattr(ranking, name)
    assert path.stat().st_mode & 0o444


def test_a_file_is_whole_or_absent(ranking, tmp_path, monkeypatch):
    path = tmp_path / "one.ranking"
    path.write_text("before")

    def full_disk(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full_disk)
    with pytest.raises(to.TradeoffError, match="ranking cannot be written: No space left"):
        ranking.save(path)

    assert path.read_text() == "before"
    assert [p.name for p in tmp_path.iterdir()] == ["one.ranking"]


def test_a_link_stays_and_what_it_leads_to_is_written(ranking, tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "real.ranking")
    ranking.save(tmp_path / "link")

    assert (tmp_path / "link").is_symlink()
    assert to.Ranking.load(tmp_path / "real.ranking") == ranking


def test_a_folder_that_does_not_exist_is_told(ranking, tmp_path):
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
        ({"pairs": [3, 0.0, 0.0]}, "its pairs are malformed"),  # one pair can be won twice at most
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
def test_a_wrong_file_is_never_a_wrong_number(change, message, tmp_path):
    path = tmp_path / "one.ranking"
    to.Ranking.of(np.array([2.0, 1.0]), np.array([True, False])).save(path)
    with np.load(path) as file:
        parts = dict(file)
    described = json.loads(str(parts.pop("description")))
    described |= {k: v for k, v in change.items() if not isinstance(v, np.ndarray)}
    parts |= {k: v for k, v in change.items() if isinstance(v, np.ndarray)}
    with path.open("wb") as file:
        np.savez(file, description=np.array(json.dumps(described)), **parts)

    with pytest.raises(to.TradeoffError, match=message):
        to.Ranking.load(path)


def test_nothing_is_unpickled(tmp_path):
    path = tmp_path / "one.ranking"
    with path.open("wb") as file:
        np.savez(file, description=np.array([object()], dtype=object))

    with pytest.raises(to.TradeoffError, match="is not a ranking"):
        to.Ranking.load(path)


def test_parts_saved_in_two_places_merge(tmp_path):
    whole = to.evaluate(actual=[1, 0, 1, 0], score=[0.9, 0.4, 0.4, 0.1]).ranking
    for name, part in (("a", slice(2)), ("b", slice(2, None))):
        rows = to.evaluate(actual=[1, 0, 1, 0][part], score=[0.9, 0.4, 0.4, 0.1][part])
        rows.ranking.save(tmp_path / name)

    merged = sum(to.Ranking.load(tmp_path / name) for name in "ab")

    assert columns(merged) == columns(whole)
    assert merged.rows == 4

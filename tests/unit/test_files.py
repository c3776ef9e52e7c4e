"""Temporary folders are removed, whenever the program is interrupted."""

import os
import signal
import tempfile

import pytest

from tradeoff.files import missing_file, temporary_folder


def test_a_temporary_folder_is_removed_at_the_end():
    with temporary_folder() as folder:
        (folder / "piece").write_bytes(b"0")
        existed = folder.exists()

    assert (existed, folder.exists()) == (True, False)


@pytest.fixture
def sigint_enabled():
    """SIGINT raises KeyboardInterrupt, also in a process that a shell starts in the background."""
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, previous)


@pytest.mark.usefixtures("sigint_enabled")
def test_an_interrupt_during_creation_still_removes_the_folder(monkeypatch, tmp_path):
    mkdtemp = tempfile.mkdtemp

    def interrupted_mkdtemp(*arguments):
        folder = mkdtemp(*arguments)
        os.kill(os.getpid(), signal.SIGINT)
        return folder

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(tempfile, "mkdtemp", interrupted_mkdtemp)
    with pytest.raises(KeyboardInterrupt), temporary_folder():
        pytest.fail("the request to stop was lost")

    assert list(tmp_path.iterdir()) == []


def test_signal_handlers_are_restored():
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with temporary_folder():
        inside = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]

    assert inside == before


def test_a_file_of_the_same_name_with_another_extension_is_suggested(tmp_path):
    (tmp_path / "scores.csv").write_text("y,p\n")

    for name in ("scores.xlsx", "scores.parquet", "scores.dta"):
        assert f"Did you mean '{tmp_path / 'scores.csv'}'?" in str(missing_file(tmp_path / name))

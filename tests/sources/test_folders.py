"""Folders for a while: nothing is left of them, whenever the program is stopped."""

import os
import signal
import tempfile

import pytest

from tradeoff.files import passing_folder


def test_a_folder_is_gone_at_the_end():
    with passing_folder() as folder:
        (folder / "piece").write_bytes(b"0")
        there = folder.exists()

    assert (there, folder.exists()) == (True, False)


@pytest.fixture
def listening():
    """Ctrl-C is heard, as it is not by what a shell starts in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("listening")
def test_a_stop_while_the_folder_is_made_waits_until_it_can_be_removed(monkeypatch, tmp_path):
    made = tempfile.mkdtemp

    def stopped(*asked):
        found = made(*asked)
        os.kill(os.getpid(), signal.SIGINT)
        return found

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(tempfile, "mkdtemp", stopped)
    with pytest.raises(KeyboardInterrupt), passing_folder():
        pytest.fail("the request to stop was lost")

    assert list(tmp_path.iterdir()) == []


def test_handlers_of_signals_are_left_as_they_were():
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with passing_folder():
        inside = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]

    assert inside == before

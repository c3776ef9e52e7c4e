"""Files appear under their names only when complete."""

import os
import stat

import pytest

from tradeoff.errors import StorageError
from tradeoff.files import atomic_write
from tradeoff.files.atomic_write import write_atomically


@pytest.fixture(params=["unnamed", "renamed"])
def either_way(request, monkeypatch):
    """With unnamed files, and where the file system does not support them."""
    if request.param == "renamed":
        monkeypatch.setattr(atomic_write, "_open_unnamed_file", lambda folder: None)  # noqa: ARG005


def fail(file):
    file.write(b"half")
    raise ValueError("disk on fire")


@pytest.mark.usefixtures("either_way")
def test_a_file_is_replaced_with_the_permissions_of_a_new_one(tmp_path):
    path = tmp_path / "report.html"
    path.write_text("old")
    write_atomically(path, lambda file: file.write(b"new"))
    mask = os.umask(0)
    os.umask(mask)

    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


@pytest.mark.usefixtures("either_way")
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "report.html"
    path.write_text("old")
    with pytest.raises(ValueError, match="on fire"):
        write_atomically(path, fail)

    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


def test_a_link_is_kept_and_its_target_replaced(tmp_path):
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    target.write_text("old")
    link.symlink_to(target)
    write_atomically(link, lambda file: file.write(b"new"))

    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_folder_is_not_a_file(tmp_path):
    with pytest.raises(StorageError, match="is a directory: name a file"):
        write_atomically(tmp_path, lambda file: file.write(b""))


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(StorageError, match="cannot be written: No such file or directory"):
        write_atomically(tmp_path / "nowhere" / "x.json", lambda file: file.write(b""))

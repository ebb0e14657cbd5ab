"""Where the data folder is, and who can look into it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from app.storage.folder.errors import FolderUnusable
from app.storage.folder.paths import DataFolder, data_dir


def test_the_option_comes_before_the_environment_and_that_before_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIPTYCH_DATA_DIR", str(tmp_path / "environment"))
    assert data_dir(tmp_path / "option") == tmp_path / "option"
    assert data_dir() == tmp_path / "environment"
    monkeypatch.setenv("TRIPTYCH_DATA_DIR", "")
    assert data_dir().name == "Triptych"
    assert data_dir().is_absolute()


def test_a_relative_folder_and_a_tilde_are_made_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert data_dir("here") == tmp_path / "here"
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_dir("~/mine") == tmp_path / "mine"


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_d2_the_folder_is_for_the_user_alone(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "some" / "三联 data")
    folder.create()
    folder.create()
    for path in (folder.root, folder.profiles, folder.backups, folder.attachments, folder.logs):
        assert path.stat().st_mode & 0o777 == 0o700, path


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_a_folder_with_other_things_in_it_is_not_closed_to_others(tmp_path: Path) -> None:
    (tmp_path / "theirs.txt").touch()
    tmp_path.chmod(0o755)
    DataFolder(tmp_path).create()
    assert tmp_path.stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "profiles").stat().st_mode & 0o777 == 0o700


def test_R05_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FolderUnusable) as caught:
        DataFolder(tmp_path / "file" / "data").create()
    assert str(tmp_path) in caught.value.message
    assert caught.value.hint

"""Where files for the person lie (ruling 48)."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.storage.folder.export_folder import export_folder
from app.storage.folder.paths import DataFolder


def test_the_chosen_folder_else_the_documents_else_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_documents_dir", lambda: str(tmp_path / "Documents"))
    usual, named = DataFolder(tmp_path / "data", "usual"), DataFolder(tmp_path / "data", "named")
    assert export_folder(usual) == tmp_path / "data" / "exports", "there are no documents"
    (tmp_path / "Documents").mkdir()
    assert export_folder(usual) == tmp_path / "Documents" / "Triptych"
    assert export_folder(named) == tmp_path / "data" / "exports"
    for data in (usual, named):
        assert export_folder(data, str(tmp_path / "mine")) == tmp_path / "mine"
        assert export_folder(data, "not whole") == tmp_path / "data" / "exports"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["Documents"], (
        "nothing is made before something is written"
    )

"""Where tools and exports write for the person (ruling 48): the folder they chose, else Documents/Triptych."""

from __future__ import annotations

from pathlib import Path

from .paths import DataFolder

NAME = "Triptych"


def export_folder(data: DataFolder, chosen: str = "") -> Path:
    """Nothing is made here. A data folder named by hand keeps its exports inside: nobody's documents are meant."""
    inside = data.root / "exports"
    if chosen.strip():
        wanted = Path(chosen.strip()).expanduser()
        return wanted if wanted.is_absolute() else inside
    if data.how == "named":
        return inside
    documents = _documents()
    return documents / NAME if documents is not None and documents.is_dir() else inside


def _documents() -> Path | None:
    from platformdirs import user_documents_dir

    place = user_documents_dir()
    return Path(place) if place else None

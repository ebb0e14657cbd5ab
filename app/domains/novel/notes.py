"""What a picked folder says of itself: which book is in it, so that no model has to ask."""

from __future__ import annotations

from pathlib import Path

from app.core.errors import ToolError
from app.core.workspace import FolderNotes
from app.domains.kit.folder.root import open_root
from app.domains.kit.text_file import Binary, read_text

from .store.folder import CHAPTERS, MOST_FILES, PROJECT, is_novel

MOST = 4_000
_LARGEST = 1_000_000


def notes_of(folder: Path) -> FolderNotes:
    """Empty where there is no book, or none that can be read."""
    try:
        with open_root(folder) as root:
            if not is_novel(root):
                return FolderNotes()
            text = read_text(root.read(PROJECT, _LARGEST)).plain.strip()
            entries, _cut = root.entries(CHAPTERS, MOST_FILES) if root.place(CHAPTERS).kind == "folder" else ([], False)
    except (ToolError, Binary, OSError):
        return FolderNotes()
    chapters = sum(one.kind == "file" and one.name.endswith(".md") for one in entries)
    head = text if len(text) <= MOST else f"{text[:MOST]}\n[…]"
    return FolderNotes(f"{head}\n\nchapters in the folder: {chapters}", (PROJECT,))

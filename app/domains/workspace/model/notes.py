"""What a folder says of itself: AGENTS.md, else the beginning of its README."""

from __future__ import annotations

from pathlib import Path

from app.core.errors import ToolError
from app.core.workspace import FolderNotes
from app.domains.kit.folder.root import open_root
from app.domains.kit.text_file import Binary, read_text

_INSTRUCTIONS = ("AGENTS.md", "CLAUDE.md", ".github/copilot-instructions.md")
_READMES = ("README.md", "README.rst", "README.txt", "README", "README.zh-CN.md", "自述.md")
MOST = 8_000
"""Characters of instructions; of a README a quarter of them."""
_LARGEST = 1_000_000


def notes_of(folder: Path) -> FolderNotes:
    """Empty where there is nothing readable."""
    for names, most in ((_INSTRUCTIONS, MOST), (_READMES, MOST // 4)):
        for name in names:
            text = _text(folder, name)
            if text:
                return FolderNotes(text if len(text) <= most else f"{text[:most]}\n[…]", (name,))
    return FolderNotes()


def _text(folder: Path, name: str) -> str:
    try:
        with open_root(folder) as root:
            return read_text(root.read(name, _LARGEST)).plain.strip()
    except (ToolError, Binary, OSError):
        return ""

"""What a run has changed, file by file, from its journal and what is there now."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from app.core.errors import ToolError
from app.domains.kit.folder.root import Root
from app.domains.kit.text_file import Binary, read_text

from .diff import diff_of
from .journal import UNDONE, Journal

Op = Literal["new", "changed", "moved", "trashed", "restored"]
_LARGEST = 5_000_000


@dataclass(frozen=True, slots=True)
class FileChange:
    op: Op
    path: str
    added: int = 0
    removed: int = 0

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def changes_of(root: Root, journal: Journal) -> list[FileChange]:
    """Since the last undo; a file that was written several times stands once, with the whole difference."""
    written: dict[str, str | None] = {}
    """Path now → content before, as a SHA-256."""
    others: list[FileChange] = []
    for line in journal.made():
        match line.get("op"):
            case "write":
                written.setdefault(str(line["path"]), line.get("before"))
            case "move":
                source, target = str(line["source"]), str(line["target"])
                for path in [path for path in written if path == source or path.startswith(f"{source}/")]:
                    written[target + path[len(source) :]] = written.pop(path)
                others.append(FileChange("moved", f"{source} → {target}"))
            case "trash":
                path = str(line["path"])
                written = {one: sha for one, sha in written.items() if one != path and not one.startswith(f"{path}/")}
                others.append(FileChange("trashed", path))
            case "restore":
                others.append(FileChange("restored", str(line["path"])))
            case op if op == UNDONE:
                written, others = {}, []
    return [_written(root, journal, path, sha) for path, sha in written.items()] + others


def _written(root: Root, journal: Journal, path: str, before: str | None) -> FileChange:
    op: Op = "new" if before is None else "changed"
    try:
        old = read_text((journal.folder / "before" / before).read_bytes()).plain if before else ""
        new = read_text(root.read(path, _LARGEST)).plain
    except (OSError, Binary, ToolError):
        return FileChange(op, path)
    added, removed = diff_of(old, new).counts
    return FileChange(op, path, added, removed)

"""What a run changes in the folder, written down before it is done, so that all of it can be taken back.

    <state>/<run>/journal.jsonl      one line per change, on the disk before the change is made
    <state>/<run>/before/<sha256>    contents as they were
    <state>/trash/<id>/              what was moved to the bin, with `<id>.json` that says from where

Undo goes through the lines from the last to the first. What a line says is compared with what is there: a change that
was never made is skipped, one that somebody has changed since is kept and told. So undo can be broken off at any
place and begun again.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.core.errors import ToolError
from app.core.text.i18n import N_
from app.core.text.os_errors import os_words
from app.domains.kit.folder.root import Root, new_beside

from .trash import Trash

FILE = "journal.jsonl"
UNDO_TOOL = "undo_run"
"""The tool that takes back what a run has changed."""
UNDONE = "undone"
VOID = "void"
"""The line before it was not made."""


@dataclass
class Outcome:
    """Of an undo."""

    restored: list[str] = field(default_factory=list)
    kept: list[tuple[str, str]] = field(default_factory=list)
    """Path and reason, marked for translation: it is not what the run left."""


class Journal:
    """Of one run, and of the runs inside it."""

    def __init__(self, state: Path, run: str) -> None:
        self.folder = state / run
        self.trash = Trash(state / "trash")

    @property
    def exists(self) -> bool:
        return (self.folder / FILE).is_file()

    # ------------------------------------------------------------ changing, each written down first

    def write(self, root: Root, path: str, data: bytes, base: str | None) -> None:
        """`base` is the SHA-256 of the file as it is; None: it is new. Missing folders are made."""
        place = root.place(path) if base is not None else None
        if base is None:
            self._make_parents(root, path)
            place = root.place(path)
        assert place is not None
        if base is not None:
            before = root.read(place.text, 1 << 40)
            if hashlib.sha256(before).hexdigest() != base:
                raise ToolError("STALE", N_("{path} has changed since it was read"), values={"path": place.text})
            self._keep(before, base)
        after = hashlib.sha256(data).hexdigest()
        if base is None and place.facts is not None:
            raise ToolError("EXISTS", N_("{path} is there already"), values={"path": place.text})
        beside = new_beside()
        with self._noted("write", root, path=place.text, before=base, after=after, beside=beside):
            root.write(place.text, data, base=base, beside=beside)

    def move(self, root: Root, source: str, target: str) -> None:
        self._make_parents(root, target)
        one, other = root.place(source, follow=False), root.place(target, follow=False)
        root._refuse_move(one, other, source, target)  # noqa: SLF001 - so that nothing is noted that cannot be done
        with self._noted("move", root, source=one.text, target=other.text):
            root.move(one.text, other.text)

    def bin(self, root: Root, path: str) -> str:
        """Into the bin of the program; returns the id there."""
        place = root.place(path, follow=False)
        if place.facts is None:
            raise ToolError("NOT_FOUND", N_("there is no {path}"), values={"path": path[:120]})
        id = secrets.token_hex(6)
        with self._noted("trash", root, path=place.text, item=id):
            self.trash.take(root, place.text, id)
        return id

    def restore(self, root: Root, id: str, path: str) -> None:
        self._make_parents(root, path)
        with self._noted("restore", root, path=path, item=id):
            self.trash.give_back(root, id, path)

    def _make_parents(self, root: Root, path: str) -> None:
        above = path.rpartition("/")[0]
        for folder in root.make_folder(above) if above else ():
            self._note("folder", path=folder)
            root.add_folder(folder)

    # ------------------------------------------------------------ reading

    def made(self) -> list[dict[str, Any]]:
        """Every change that was made, and every undo."""
        return _made(list(self.lines()))

    def lines(self) -> Iterator[dict[str, Any]]:
        """Whole lines only: one that was cut off in the writing was never followed by its change."""
        try:
            text = (self.folder / FILE).read_text(encoding="utf-8")
        except FileNotFoundError:
            return
        for line in text.splitlines():
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            if isinstance(entry, dict):
                yield entry

    @property
    def is_undone(self) -> bool:
        last = None
        for last in self.lines():  # noqa: B007 - the last one counts
            pass
        return last is not None and last.get("op") == UNDONE

    # ------------------------------------------------------------ taking back

    def undo(self, root: Root) -> Outcome:
        """Raises ToolError NOTHING where the run has changed nothing, or has been undone."""
        lines = list(self.lines())
        if not lines or lines[-1].get("op") == UNDONE:
            raise ToolError("NOTHING", N_("there is nothing to undo"))
        if any(line.get("root", str(root.path)) != str(root.path) for line in lines):
            raise ToolError("OUTSIDE", N_("that run has worked in another folder"), hint=N_("pick that folder first"))
        since = max((n for n, line in enumerate(lines) if line.get("op") == UNDONE), default=-1)
        outcome = Outcome()
        for line in reversed(_made(lines[since + 1 :])):
            try:
                self._take_back(root, line, outcome)
            except ToolError as error:
                path = str(line.get("path") or line.get("target", ""))
                outcome.kept.append((path, error.message))
        if not outcome.kept:
            self._note(UNDONE)
        return outcome

    def _take_back(self, root: Root, line: Mapping[str, Any], outcome: Outcome) -> None:
        path = str(line.get("path", ""))
        match line.get("op"):
            case "write":
                self._take_back_write(root, path, line, outcome)
            case "move":
                source, target = str(line["source"]), str(line["target"])
                if root.place(target, follow=False).facts is None:
                    return  # it was never made, or is taken back already
                if root.place(source, follow=False).facts is not None and source.casefold() != target.casefold():
                    outcome.kept.append((target, N_("something else has its old name now")))
                    return
                root.move(target, source)
                outcome.restored.append(source)
            case "trash":
                self.trash.remove_part(root, path, str(line["item"]))
                if not self.trash.has(str(line["item"])):
                    return
                if root.place(path, follow=False).facts is not None:
                    if self.trash.is_whole_beside(root, str(line["item"]), path):
                        self.trash.forget(str(line["item"]))  # it was cut off in the copying; all is in its place
                        return
                    outcome.kept.append((path, N_("something else has its old name now")))
                    return
                self.trash.give_back(root, str(line["item"]), path)
                outcome.restored.append(path)
            case "restore":
                self.trash.remove_part(root, path, str(line["item"]))
                if root.place(path, follow=False).facts is None or self.trash.has(str(line["item"])):
                    return
                self.trash.take(root, path, str(line["item"]))
                outcome.restored.append(path)
            case "folder":
                root.remove_empty(path)

    def _take_back_write(self, root: Root, path: str, line: Mapping[str, Any], outcome: Outcome) -> None:
        beside = str(line.get("beside", ""))
        if beside:
            root.remove_beside(path, beside)
        now, before, after = root.sha(path), line.get("before"), str(line["after"])
        if now == before or (now is None and before is None):
            return
        if now != after:
            outcome.kept.append((path, N_("it has been changed since")))
        elif before is None:
            root.remove_file(path, after)
            outcome.restored.append(path)
        else:
            root.write(path, (self.folder / "before" / str(before)).read_bytes(), base=after, beside=beside)
            outcome.restored.append(path)

    # ------------------------------------------------------------ on the disk

    @contextmanager
    def _noted(self, op: str, root: Root, **more: object) -> Generator[None, None, None]:
        """What is refused or fails inside is noted as not made."""
        self._note(op, root=str(root.path), **more)
        try:
            yield
        except Exception:
            with suppress(ToolError):
                self._note(VOID)
            raise

    def _note(self, op: str, **more: object) -> None:
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with (self.folder / FILE).open("ab") as file:
                file.write(json.dumps({"op": op, **more}, ensure_ascii=True).encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            words = N_("the change could not be noted, so it was not made: {why}")
            raise ToolError("FAILED", words, values={"why": os_words(error)}) from error

    def _keep(self, data: bytes, sha: str) -> None:
        place = self.folder / "before" / sha
        try:
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not place.exists():
                beside = place.with_suffix(".part")
                with beside.open("wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                beside.replace(place)
        except OSError as error:
            words = N_("the change could not be noted, so it was not made: {why}")
            raise ToolError("FAILED", words, values={"why": os_words(error)}) from error


def _made(lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    for line in lines:
        if line.get("op") != VOID:
            made.append(line)
        elif made:
            made.pop()
    return made

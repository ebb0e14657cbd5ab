"""The file of answers: one JSON object per line, on disk before the next question is begun.

A batch that was killed goes on behind its last whole line; half a line at the end is cut off. An answer that took the
place of a failed one stands behind it until the batch ends: then the file is written anew with one line per question.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from app.core.errors import BadInput
from app.core.text.i18n import _

if sys.platform == "win32":
    fcntl = None
else:
    import fcntl


@dataclass(frozen=True, slots=True)
class BatchAnswer:
    id: str
    mark: str
    """`BatchQuestion.mark` of the question."""
    query: str
    agent: str
    mode: str
    model: str
    ok: bool
    answer: str = ""
    stop_reason: str = ""
    error: Mapping[str, Any] | None = None
    """code, message, retryable."""
    usage: Mapping[str, int] = field(default_factory=dict)
    """input, output, reasoning, cached."""
    money: Mapping[str, float] = field(default_factory=dict)
    """Currency → amount; only what has a price."""
    seconds: float = 0.0
    steps: int = 0
    tools: tuple[str, ...] = ()
    calls: tuple[Mapping[str, Any], ...] = ()
    """Of every call, in order: name, args, result ("ok", or the code of its error), and text, what the model read of
    it. The text is not stored."""
    files: Mapping[str, str | None] = field(default_factory=dict)
    """Of the copy of the folder it worked in: what is new or changed, by path; None: it is gone."""
    attempts: int = 1
    earlier_usage: Mapping[str, int] = field(default_factory=dict)
    """Of the attempts before this one that failed; `earlier_money` what they cost."""
    earlier_money: Mapping[str, float] = field(default_factory=dict)
    structured: Any = None

    def to_json(self) -> dict[str, Any]:
        line = {name: getattr(self, name) for name in self.__slots__}
        line["calls"] = [{name: value for name, value in call.items() if name != "text"} for call in self.calls]
        empty = ("earlier_usage", "earlier_money", "files")
        return {name: value for name, value in line.items() if value is not None and (value or name not in empty)}

    def after(self, earlier: BatchAnswer | None) -> BatchAnswer:
        """With what an attempt before it has used."""
        if earlier is None:
            return self
        usage, money = dict(self.earlier_usage), dict(self.earlier_money)
        for used in (earlier.usage, earlier.earlier_usage):
            for name, count in used.items():
                usage[name] = usage.get(name, 0) + count
        for spent in (earlier.money, earlier.earlier_money):
            for currency, amount in spent.items():
                money[currency] = money.get(currency, 0.0) + amount
        return replace(self, earlier_usage=usage, earlier_money=money)

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> BatchAnswer:
        """Raises TypeError for a line that is none of ours."""
        fields = {name: value for name, value in line.items() if name in cls.__slots__}
        return cls(**{**fields, "tools": tuple(fields.get("tools", ())), "calls": tuple(fields.get("calls", ()))})


class AnswerStore(Protocol):
    async def open(self, *, resumes: bool) -> dict[str, BatchAnswer]:
        """What is there already, by id: the last answer counts. Raises BadInput where it would be overwritten."""

    async def add(self, answer: BatchAnswer) -> None:
        """Kept when it returns."""

    async def close(self) -> None: ...


class AnswerFile:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None
        self._ids: set[str] = set()
        self._has_replaced = False

    async def open(self, *, resumes: bool) -> dict[str, BatchAnswer]:
        return await asyncio.to_thread(self._open, resumes=resumes)

    async def add(self, answer: BatchAnswer) -> None:
        await asyncio.to_thread(self._add, answer)

    async def close(self) -> None:
        if self._file is not None:
            await asyncio.to_thread(self._close, self._file)
            self._file = None

    def _open(self, *, resumes: bool) -> dict[str, BatchAnswer]:
        there = self._path.exists() and self._path.stat().st_size > 0
        if there and not resumes:
            words = _("{file} holds answers already; go on with --resume, or name another file")
            raise BadInput(words.format(file=self._path.name))
        file = self._path.open("r+b" if there else "wb")
        try:
            self._lock(file)
            answers: dict[str, BatchAnswer] = {}
            end = 0
            for raw in file if there else ():
                if not raw.endswith(b"\n"):
                    break
                end += len(raw)
                if (answer := _read(raw)) is not None:
                    self._has_replaced |= answer.id in answers
                    answers[answer.id] = answer
            file.seek(end)
            file.truncate(end)
        except BaseException:
            file.close()
            raise
        self._file, self._ids = file, set(answers)
        return answers

    def _lock(self, file: BinaryIO) -> None:
        """Of two batches that write into one file each would lose what the other has answered."""
        if fcntl is None:
            return
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            words = _("another batch writes into {file}").format(file=self._path.name)
            raise BadInput(words) from error
        except OSError:  # a file system without locks
            return

    def _add(self, answer: BatchAnswer) -> None:
        assert self._file is not None, "the file is open"
        self._file.write(
            json.dumps(answer.to_json(), ensure_ascii=False, default=str).encode("utf-8", "replace") + b"\n"
        )
        self._file.flush()
        os.fsync(self._file.fileno())
        self._has_replaced |= answer.id in self._ids
        self._ids.add(answer.id)

    def _close(self, file: BinaryIO) -> None:
        try:
            if self._has_replaced:
                self._write_last_answers()
        finally:
            file.close()

    def _write_last_answers(self) -> None:
        last: dict[str, bytes] = {}
        with self._path.open("rb") as file:
            for raw in file:
                answer = _read(raw)
                name = answer.id if answer is not None else f"\n{len(last)}"
                last.pop(name, None)
                last[name] = raw
        beside = self._path.with_name(f".{self._path.name}.tmp")
        with beside.open("wb") as file:
            file.writelines(last.values())
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(self._path, beside)
        beside.replace(self._path)


def _read(raw: bytes) -> BatchAnswer | None:
    try:
        return answer_of(json.loads(raw))
    except (ValueError, RecursionError):
        return None


def answer_of(line: Any) -> BatchAnswer | None:
    """None for a line that is none of ours."""
    try:
        return BatchAnswer.from_json(line)
    except (ValueError, TypeError, AttributeError):
        return None

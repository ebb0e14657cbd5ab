"""The file of answers: one JSON object per line, on disk before the next question is begun.

A batch that was killed goes on behind its last whole line; half a line at the end is cut off.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from app.core.errors import BadInput
from app.core.text.i18n import _


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
    """name and args of every call, in order."""
    attempts: int = 1
    structured: Any = None

    def to_json(self) -> dict[str, Any]:
        line = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in line.items() if value is not None}

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

    async def open(self, *, resumes: bool) -> dict[str, BatchAnswer]:
        return await asyncio.to_thread(self._open, resumes=resumes)

    async def add(self, answer: BatchAnswer) -> None:
        await asyncio.to_thread(self._add, answer)

    async def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open(self, *, resumes: bool) -> dict[str, BatchAnswer]:
        there = self._path.exists() and self._path.stat().st_size > 0
        if there and not resumes:
            words = _("{file} holds answers already; go on with --resume, or name another file")
            raise BadInput(words.format(file=self._path.name))
        answers: dict[str, BatchAnswer] = {}
        end = 0
        if there:
            with self._path.open("rb") as file:
                for raw in file:
                    if not raw.endswith(b"\n"):
                        break
                    end += len(raw)
                    if (answer := _read(raw)) is not None:
                        answers[answer.id] = answer
        self._file = self._path.open("r+b" if there else "wb")
        self._file.truncate(end)
        self._file.seek(end)
        return answers

    def _add(self, answer: BatchAnswer) -> None:
        assert self._file is not None, "the file is open"
        self._file.write(
            json.dumps(answer.to_json(), ensure_ascii=False, default=str).encode("utf-8", "replace") + b"\n"
        )
        self._file.flush()
        os.fsync(self._file.fileno())


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

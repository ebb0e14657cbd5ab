"""The file of questions: one JSON object or text per line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from app.core.errors import BadInput
from app.core.text.i18n import _

LARGEST_LINE: Final = 2_000_000
_QUESTION_NAMES: Final = ("query", "question", "message", "prompt", "text")


@dataclass(frozen=True, slots=True)
class EarlierMessage:
    query: str
    mode: str = ""
    model: str = ""
    stop_at: str = ""


@dataclass(frozen=True, slots=True)
class BatchQuestion:
    """`id` is that of the line, else its number; empty fields are those of the whole batch."""

    id: str
    query: str
    agent: str = ""
    mode: str = ""
    model: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    before: tuple[EarlierMessage, ...] = ()
    """What is said before it in the same session."""
    folder: str = ""
    """It works in a copy of it."""
    stop_at: str = ""
    """Its run is stopped, as a person would, as soon as this text has been written by the model or into a tool's
    output. Such an answer counts as one."""
    line: Mapping[str, Any] = field(default_factory=dict)
    """As it was read, for those who need more of it."""
    number: int = 0
    """Of its line in the file."""

    @property
    def mark(self) -> str:
        """Changes with whatever is asked: a stored answer of another question is no answer."""
        asked: list[Any] = [self.query, self.agent, self.mode, self.model, dict(self.settings)]
        if self.before or self.folder:
            asked += [[asdict(one) for one in self.before], self.folder]
        if self.stop_at:
            asked.append(self.stop_at)
        content = json.dumps(asked, sort_keys=True, default=str)
        return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:16]


def read_questions(path: Path) -> list[BatchQuestion]:
    """Raises BadInput naming the line, before anything is asked; OSError."""
    questions: dict[str, BatchQuestion] = {}
    with path.open("rb") as file:
        for number, raw in enumerate(file, 1):
            if not raw.strip():
                continue
            if len(raw) > LARGEST_LINE:
                raise _bad(path, number, _("it is longer than {most} bytes").format(most=f"{LARGEST_LINE:,}"))
            question = _question(path, number, raw)
            if question.id in questions:
                raise _bad(path, number, _("the id {id} is there twice").format(id=question.id))
            questions[question.id] = question
    if not questions:
        raise BadInput(_("{file} holds no question").format(file=path.name))
    return list(questions.values())


def _question(path: Path, number: int, raw: bytes) -> BatchQuestion:
    try:
        line = json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise _bad(path, number, _("it is no JSON")) from error
    line = {"query": line} if isinstance(line, str) else line
    if not isinstance(line, dict):
        raise _bad(path, number, _("it is neither a text nor an object"))
    query = next((line[name] for name in _QUESTION_NAMES if line.get(name)), None)
    if not isinstance(query, str) or not query.strip():
        raise _bad(path, number, _("it holds no question"))
    settings = line.get("settings") or {}
    texts = {name: line.get(name) or "" for name in ("agent", "mode", "model", "stop_at")}
    if not isinstance(settings, dict) or not all(isinstance(text, str) for text in texts.values()):
        raise _bad(path, number, _("agent, mode, model and stop_at are texts, settings is an object"))
    folder = line.get("folder") or ""
    if not isinstance(folder, str) or (folder and not (path.parent / folder).is_dir()):
        raise _bad(path, number, _("there is no folder {folder}").format(folder=folder))
    return BatchQuestion(
        str(line.get("id", number)), query, **texts, settings=settings, before=_before(path, number, line),
        folder=str(path.parent / folder) if folder else "", line=line, number=number,
    )  # fmt: skip


def _before(path: Path, number: int, line: Mapping[str, Any]) -> tuple[EarlierMessage, ...]:
    messages = []
    for one in line.get("before") or ():
        fields = {"query": one} if isinstance(one, str) else one
        if (
            not isinstance(fields, dict)
            or not str(fields.get("query", "")).strip()
            or fields.keys() - {"query", "mode", "model", "stop_at"}
            or not all(isinstance(value, str) for value in fields.values())
        ):
            raise _bad(path, number, _("before is a list of texts, or of objects with query, mode, model and stop_at"))
        messages.append(EarlierMessage(**fields))
    return tuple(messages)


def at_line(path: Path, question: BatchQuestion, why: str) -> BadInput:
    return _bad(path, question.number, f"{question.id}: {why}")


def _bad(path: Path, number: int, why: str) -> BadInput:
    words = _("{file}, line {number}: {why}").format(file=path.name, number=number, why=why)
    return BadInput(words)

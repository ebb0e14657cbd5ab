"""Feeds recorded bytes to the reader of answers, cut and decorated as a test wants."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.core.errors import ModelError
from app.core.run.chat_model import CallDelta, Finished, ModelChunk, ReasoningDelta, Reclassified, TextDelta, ToolSpec
from app.providers.chat.assembler import Assembler
from app.providers.chat.stream import AnswerReader
from app.providers.text_calls.reader import TextCalls


@dataclass(frozen=True)
class Outcome:
    """What came of one stream: the whole message or an error, and the deltas on the way."""

    chunks: list[ModelChunk]
    finished: Finished | None
    error: ModelError | None
    partial: str

    @property
    def shown(self) -> str:
        """The text a view has on screen at the end."""
        text = ""
        for chunk in self.chunks:
            if isinstance(chunk, TextDelta):
                text += chunk.text
            elif isinstance(chunk, Reclassified):
                text = ""
        return text

    @property
    def thought(self) -> str:
        thought = text = ""
        for chunk in self.chunks:
            if isinstance(chunk, ReasoningDelta):
                thought += chunk.text
            elif isinstance(chunk, TextDelta):
                text += chunk.text
            elif isinstance(chunk, Reclassified):
                thought, text = thought + text, ""
        return thought

    @property
    def summary(self) -> tuple[object, ...]:
        """All that must not depend on how the bytes were cut."""
        if self.finished is None:
            return (type(self.error).__name__, self.partial)
        turn = self.finished.turn
        calls = tuple((c.name, c.args_text, json.dumps(c.args), c.error, c.wire_id) for c in turn.calls)
        return (turn.text, turn.reasoning, calls, self.finished.raw_finish, self.finished.usage, turn.echo)


def replay(
    data: bytes, size: int = 4096, *, keys: tuple[str, ...] = (), options: Mapping[str, Any] | None = None
) -> Outcome:
    """`options` go to the assembler; with `offered`, calls of these tools are read out of the text too."""
    given = dict(options or {})
    if (names := given.pop("offered", None)) is not None:
        tools = [ToolSpec(name, "", {"type": "object"}) for name in names]
        given["written"] = TextCalls(tools, eager=given.get("dialect", "native") != "native")
    assembler = Assembler(ids=(f"id{n}" for n in itertools.count()), **given)
    reader = AnswerReader(assembler, keys)
    chunks: list[ModelChunk] = []
    try:
        for at in range(0, len(data), size):
            chunks += reader.feed(data[at : at + size])
            reader.check()
            if reader.ended:
                break
        chunks += reader.close()
        finished = reader.finish()
    except ModelError as error:
        return Outcome(chunks, None, error, assembler.text)
    return Outcome(chunks, finished, None, assembler.text)


def call_deltas(outcome: Outcome) -> dict[int, str]:
    """The arguments as a view saw them grow, by position."""
    grown: dict[int, str] = {}
    for chunk in outcome.chunks:
        if isinstance(chunk, CallDelta):
            grown[chunk.position] = grown.get(chunk.position, "") + chunk.args_text
    return grown


def with_crlf(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def with_noise(data: bytes, seed: int = 0) -> bytes:
    """Comments, retry, id and event lines and empty data between the events."""
    chance = random.Random(seed)
    noise = [b": ping\n\n", b"retry: 100\n\n", b"id: 7\n\n", b"event: ping\n\n", b"data:\n\n", b"data: \n\n", b":\n"]
    events = data.replace(b"\r\n", b"\n").split(b"\n\n")
    return b"\n\n".join(b"".join(chance.choices(noise, k=chance.randint(0, 2))) + event for event in events)


def is_event_stream(data: bytes) -> bool:
    return data.lstrip(b"\xef\xbb\xbf\r\n ")[:1] not in (b"{", b"<", b"[", b"")


def own_streams(folder: Path) -> Iterator[tuple[str, bytes, dict[str, Any]]]:
    for file in sorted(folder.glob("*.sse")):
        yield file.stem, file.read_bytes(), json.loads(file.with_suffix(".json").read_text("utf-8"))

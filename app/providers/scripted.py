"""`script/path.json`: a model that plays a file, turn by turn.

Bug reports and tests are written in it (agents.md 1.6): `{"turns": [turn…], "repeat_last": false}`.
A turn may have

    content      the text, streamed in small pieces          reasoning   the thinking before it
    tool_calls   [{name, arguments: object or raw text}]     chunks      the pieces themselves: texts,
    raise        timeout | 429 | 500 | … | disconnect_after:n             or {text} | {reasoning}
                 | hang_after:n
    finish       a finish reason, to play a cut answer       usage       {input, output, reasoning, cached}
    delay        seconds before each piece

After `hang_after:n` pieces nothing comes any more, until the request is given up.
With `chunks` the message is what the chunks say. Each request takes the next turn; a script
that runs out raises `ScriptEnded`. Where tools are offered in the dialects tags, json or auto, calls
written into the text are read as they are from any other model.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from app.core.errors import (
    AccessRefused,
    BadInput,
    ContentFiltered,
    ContextOverflow,
    IncompleteStream,
    KeyRefused,
    ModelError,
    ModelTimeout,
    NetworkFailed,
    NotFound,
    QuotaUsedUp,
    RateLimited,
    RequestRefused,
    ScriptEnded,
    ServerFailed,
)
from app.core.run.chat_model import (
    CallDelta,
    CallTurn,
    FinishReason,
    ModelChunk,
    ModelRequest,
    ModelTraits,
    ReasoningDelta,
    TextDelta,
    Usage,
)

from .http.endpoint_quirks import EndpointQuirks
from .simulated_stream import make_call, pieces
from .text_calls.local_reply import Heard

MAX_SCRIPT_BYTES = 16 * 1024 * 1024
MAX_DELAY = 60.0

FAULTS: Mapping[str, Callable[[], ModelError]] = {
    "timeout": lambda: ModelTimeout("the script says: timeout"),
    "network": lambda: NetworkFailed("the script says: no connection"),
    "context_overflow": lambda: ContextOverflow("the script says: too long", status=400),
    "content_filter": lambda: ContentFiltered("the script says: filtered"),
    "400": lambda: RequestRefused("the script says: 400"),
    "401": lambda: KeyRefused("the script says: 401", status=401),
    "402": lambda: QuotaUsedUp("the script says: 402", status=402),
    "403": lambda: AccessRefused("the script says: 403", status=403),
    "404": lambda: NotFound("the script says: 404", status=404),
    "429": lambda: RateLimited("the script says: 429", retry_after=0.0),
    "500": lambda: ServerFailed("the script says: 500", status=500),
    "503": lambda: ServerFailed("the script says: 503", status=503),
}
"""What `raise` may name, raised before the first piece."""

DISCONNECT, HANG = "disconnect_after:", "hang_after:"


@dataclass(frozen=True, slots=True)
class ScriptTurn:
    stream: tuple[TextDelta | ReasoningDelta, ...] = ()
    calls: tuple[tuple[str, dict[str, Any] | str], ...] = ()
    fault: str = ""
    disconnect_after: int | None = None
    hang_after: int | None = None
    finish: FinishReason = "stop"
    usage: Usage | None = None
    delay: float = 0.0

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.stream if isinstance(piece, TextDelta))

    @property
    def reasoning(self) -> str:
        return "".join(piece.text for piece in self.stream if isinstance(piece, ReasoningDelta))


@dataclass(frozen=True, slots=True)
class Script:
    turns: tuple[ScriptTurn, ...]
    repeat_last: bool = False


class ScriptedModel:
    """Plays one script. `requests` keeps every request it was sent."""

    def __init__(self, script: Script, *, ref: str = "script/memory") -> None:
        self._script, self._ref, self._next = script, ref, 0
        self._learned = EndpointQuirks()
        self.requests: list[ModelRequest] = []

    @property
    def ref(self) -> str:
        return self._ref

    @property
    def traits(self) -> ModelTraits:
        return ModelTraits(local=True)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        self.requests.append(request)
        turn = self._take()
        if turn.fault:
            error: ModelError = FAULTS[turn.fault]()
            raise error
        calls = tuple(make_call(name, arguments) for name, arguments in turn.calls)
        reply = Heard(request, self._learned, calls)
        for position, chunk in enumerate(_chunks(turn, calls)):
            if position == turn.disconnect_after:
                break
            if position == turn.hang_after:
                await asyncio.Event().wait()
            await asyncio.sleep(turn.delay)
            for shown in reply.hear(chunk):
                yield shown
        if turn.hang_after is not None:
            await asyncio.Event().wait()
        for shown in reply.end():
            yield shown
        if turn.disconnect_after is not None:
            error = IncompleteStream(f"the script cuts the stream after {turn.disconnect_after} chunks")
            error.partial = reply.text
            raise error
        yield reply.finished(turn.finish, turn.usage)

    async def aclose(self) -> None:
        """Nothing is open."""

    def _take(self) -> ScriptTurn:
        turns = self._script.turns
        if self._next < len(turns):
            self._next += 1
            return turns[self._next - 1]
        if turns and self._script.repeat_last:
            return turns[-1]
        raise ScriptEnded(f"the script has {len(turns)} turns, this is request {len(self.requests)}")


def _chunks(turn: ScriptTurn, calls: Sequence[CallTurn]) -> Iterator[TextDelta | ReasoningDelta | CallDelta]:
    yield from turn.stream
    for position, call in enumerate(calls):
        yield CallDelta(position, name=call.name, args_text=call.args_text)


# ---------------------------------------------------------------- reading the file


def load_script(path: str | Path) -> ScriptedModel:
    """The model of `script/<path>`; the path is relative to the working folder.

    Raises BadInput that names the file and the place in it.
    """
    file = Path(path)
    try:
        raw = file.read_bytes()
    except OSError as error:
        message = f"cannot read the script {file}: {error.strerror}"
        raise BadInput(message, reason="FILE_UNREADABLE", file=file.name, path=str(file)) from error
    if len(raw) > MAX_SCRIPT_BYTES:
        message = f"the script {file} is larger than {MAX_SCRIPT_BYTES} bytes"
        raise BadInput(message, reason="PROFILE_LARGE", most=MAX_SCRIPT_BYTES, path=str(file))
    try:
        data = json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        message = f"the script {file} is not JSON: {error}"
        raise BadInput(message, reason="NOT_JSON", line=line, path=str(file)) from error
    return ScriptedModel(read_script(data, name=str(file)), ref=f"script/{file.as_posix()}")


def read_script(data: Any, *, name: str = "script") -> Script:
    """Check the form of a script; `name` is at the head of the complaint."""
    try:
        fields = _object(data, "", {"turns", "repeat_last"})
        turns = tuple(_turn(item, f"turns.{n}") for n, item in enumerate(_list(fields.get("turns"), "turns")))
        return Script(turns, repeat_last=_typed(fields.get("repeat_last", False), bool, "repeat_last"))
    except _FaultError as fault:
        place = fault.place or "top"
        message = f"{name}: {place}: {fault.what}"
        raise BadInput(message, reason="SCRIPT_PLACE", file=name, place=place) from None


class _FaultError(Exception):
    def __init__(self, place: str, what: str) -> None:
        super().__init__(place, what)
        self.place, self.what = place, what


_TURN = {"content", "reasoning", "tool_calls", "chunks", "raise", "finish", "usage", "delay"}


def _turn(data: Any, place: str) -> ScriptTurn:
    fields = _object(data, place, _TURN)
    calls = tuple(
        _call(item, f"{place}.tool_calls.{n}")
        for n, item in enumerate(_list(fields.get("tool_calls") or [], f"{place}.tool_calls"))
    )
    fault, ends = _raise(_typed(fields.get("raise") or "", str, f"{place}.raise"), f"{place}.raise")
    finish: FinishReason = fields.get("finish") or ("tool_calls" if calls else "stop")
    if finish not in get_args(FinishReason):
        raise _FaultError(f"{place}.finish", f"one of {', '.join(get_args(FinishReason))}")
    delay = _typed(fields.get("delay", 0.0), (int, float), f"{place}.delay")
    if not 0 <= delay <= MAX_DELAY:
        raise _FaultError(f"{place}.delay", f"0 to {MAX_DELAY:g} seconds")
    return ScriptTurn(
        stream=tuple(_stream(fields, place)),
        calls=calls,
        fault=fault,
        disconnect_after=ends.get(DISCONNECT),
        hang_after=ends.get(HANG),
        finish=finish,
        usage=_usage(fields.get("usage"), f"{place}.usage"),
        delay=float(delay),
    )


def _stream(fields: Mapping[str, Any], place: str) -> Iterator[TextDelta | ReasoningDelta]:
    reasoning = _typed(fields.get("reasoning") or "", str, f"{place}.reasoning")
    content = _typed(fields.get("content") or "", str, f"{place}.content")
    yield from (ReasoningDelta(piece) for piece in pieces(reasoning))
    if fields.get("chunks") is None:
        yield from (TextDelta(piece) for piece in pieces(content))
        return
    for n, chunk in enumerate(_list(fields["chunks"], f"{place}.chunks")):
        where = f"{place}.chunks.{n}"
        if isinstance(chunk, str):
            yield TextDelta(chunk)
            continue
        parts = _object(chunk, where, {"text", "reasoning"})
        if "reasoning" in parts:
            yield ReasoningDelta(_typed(parts["reasoning"], str, f"{where}.reasoning"))
        if "text" in parts:
            yield TextDelta(_typed(parts["text"], str, f"{where}.text"))


def _call(data: Any, place: str) -> tuple[str, dict[str, Any] | str]:
    fields = _object(data, place, {"name", "arguments"})
    name = _typed(fields.get("name"), str, f"{place}.name")
    arguments = fields.get("arguments", {})
    if not isinstance(arguments, (dict, str)):
        raise _FaultError(f"{place}.arguments", "an object, or the raw text of one")
    return name, arguments


def _raise(word: str, place: str) -> tuple[str, Mapping[str, int]]:
    """A fault, or after how many pieces the stream ends in which way."""
    for way in (DISCONNECT, HANG):
        if word.startswith(way):
            count = word.removeprefix(way)
            if not (count.isascii() and count.isdigit() and len(count) < 7):
                raise _FaultError(place, f"{way}n needs a whole number")
            return "", {way: int(count)}
    if word and word not in FAULTS:
        raise _FaultError(place, f"one of {', '.join(FAULTS)}, {DISCONNECT}n, {HANG}n")
    return word, {}


def _usage(data: Any, place: str) -> Usage | None:
    if data is None:
        return None
    fields = _object(data, place, {"input", "output", "reasoning", "cached"})
    for key, value in fields.items():
        if _typed(value, int, f"{place}.{key}") < 0:
            raise _FaultError(f"{place}.{key}", "0 or more")
    return Usage(**fields)


_JSON_NAMES: Mapping[type, str] = {
    dict: "an object", list: "a list", str: "a text", int: "a whole number", float: "a number",
    bool: "true or false", type(None): "nothing",
}  # fmt: skip


def _object(data: Any, place: str, known: set[str]) -> dict[str, Any]:
    fields: dict[str, Any] = _typed(data, dict, place)
    if unknown := sorted(set(fields) - known):
        raise _FaultError(f"{place}.{unknown[0]}".strip("."), f"unknown field; known are {', '.join(sorted(known))}")
    return fields


def _list(data: Any, place: str) -> list[Any]:
    value: list[Any] = _typed(data, list, place)
    return value


def _typed(value: Any, kind: type | tuple[type, ...], place: str) -> Any:
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        names = " or ".join(_JSON_NAMES[k] for k in (kind if isinstance(kind, tuple) else (kind,)))
        raise _FaultError(place, f"{names} expected, {_JSON_NAMES[type(value)]} found")
    return value

"""A reply that is made here and not read from a wire: calls written into its text told apart from the text.

For models that are no servers (`scripted.py`), so that they speak every dialect a server's model speaks.
"""

from __future__ import annotations

from collections.abc import Iterator

from app.core.ids import new_id
from app.core.run.chat_model import (
    AssistantTurn,
    CallDelta,
    CallTurn,
    Finished,
    FinishReason,
    ModelRequest,
    ModelTraits,
    ReasoningDelta,
    TextDelta,
    Usage,
)
from app.providers.http.endpoint_quirks import EndpointQuirks
from app.providers.request.build import UsedDialect, dialect_of, offered_tools
from app.providers.text_calls.output import Piece
from app.providers.text_calls.parse import FoundCall
from app.providers.text_calls.select import call_turn, reader_for

Spoken = TextDelta | ReasoningDelta | CallDelta


class Heard:
    """`hear` every chunk, then `end`; what they yield may be shown. `finished` is the whole message."""

    def __init__(self, request: ModelRequest, learned: EndpointQuirks, calls: tuple[CallTurn, ...]) -> None:
        traits = ModelTraits()
        self._learned, self._calls = learned, calls
        self._auto = request.dialect == "auto"
        self._dialect: UsedDialect = dialect_of(request, traits, learned)
        # In the dialect native a script's calls are its `tool_calls`, and markup is what its text says.
        reads = request.dialect != "native" and not calls
        self._reader = reader_for(request, self._dialect, offered_tools(request, traits)) if reads else None
        self._drops = not request.tools or request.tool_choice == "none"
        self._goes_on = request.goes_on
        self._found: list[FoundCall] = []
        self._dropped = False
        self.text = self.reasoning = ""

    def hear(self, chunk: Spoken) -> Iterator[Spoken]:
        if isinstance(chunk, TextDelta) and self._reader is not None:
            for piece in self._reader.feed(chunk.text):
                yield from self._say(piece)
        else:
            self._note(chunk)
            yield chunk

    def end(self) -> Iterator[Spoken]:
        for piece in self._reader.finish() if self._reader is not None else ():
            yield from self._say(piece)

    def _say(self, piece: Piece) -> Iterator[Spoken]:
        chunk: Spoken
        if isinstance(piece, FoundCall):
            if self._drops:
                self._dropped = True
                return
            chunk = CallDelta(len(self._found), piece.name, piece.args_text)
            self._found.append(piece)
        else:
            kind, text = piece
            # White space between the calls of a message is no answer.
            text = text if self.text or self._goes_on else text.lstrip()
            if not text:
                return
            chunk = TextDelta(text) if kind == "text" else ReasoningDelta(text)
        self._note(chunk)
        yield chunk

    def _note(self, chunk: Spoken) -> None:
        if isinstance(chunk, TextDelta):
            self.text += chunk.text
        elif isinstance(chunk, ReasoningDelta):
            self.reasoning += chunk.text

    def finished(self, finish: FinishReason, usage: Usage | None) -> Finished:
        whole = finish not in ("length", "content_filter")
        written = tuple(call_turn(call, new_id(), whole=whole) for call in self._found)
        changes = self._auto and self._dialect == "native" and any(call.args is not None for call in self._found)
        self._learned.writes_calls = self._learned.writes_calls or changes
        return Finished(
            AssistantTurn(self.text, self.reasoning, self._calls + written),
            finish,
            usage,
            raw_finish=finish,
            dialect="tags" if self._found and self._dialect == "native" else self._dialect,
            notices=("dialect_changed",) * changes + ("markup_suppressed",) * self._dropped,
        )

"""Parsed chunks of a stream → deltas for the view and, at the end, the whole message.

Nothing a provider sends raises here: every field is checked before use, and one of the wrong type counts as absent.
Text of one kind is gathered until `drain`, so a read with fifty tokens makes one delta. Errors are only noted
(`failure`); `http/faults.py` names them.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterator
from typing import Any, Final, Literal

from app.core.run.chat_model import (
    AssistantTurn,
    CallDelta,
    CallTurn,
    Finished,
    FinishReason,
    Json,
    ModelChunk,
    ReasoningDelta,
    Reclassified,
    TextDelta,
    Usage,
)
from app.providers.chat.choices import FirstChoice
from app.providers.chat.content import ContentParts, ReasoningDetails, reasoning_of
from app.providers.chat.usage import merged, read_usage
from app.providers.http.error_body import is_complaint
from app.providers.http.finish_reasons import FAILED, NO_WORDS, meaning_of
from app.providers.request.build import UsedDialect
from app.providers.scrub import scrub
from app.providers.text_calls.delimiters import THINKING_ENDS
from app.providers.text_calls.markup import MarkupGuard
from app.providers.text_calls.output import Piece
from app.providers.text_calls.parse import FoundCall
from app.providers.text_calls.reader import TextCalls
from app.providers.text_calls.select import call_turn
from app.providers.text_calls.think_tags import ThinkSplitter
from app.providers.tool_call_parts import CallAssembler

MAX_REASONING_CHARS: Final = 1_000_000
_GATHERED_ARGS: Final = 4_096

_Gathered = Literal["text", "reasoning"]


def new_call_ids() -> Iterator[str]:
    while True:
        yield f"call_{uuid.uuid4().hex[:20]}"


class Assembler:
    """Call `add` for every chunk, `drain` after every read, `finish` once.

    `content` counts what shows progress (text, reasoning, fragments of calls); `failure` is the first error object; the
    caller sets `done` at the end marker.
    """

    def __init__(
        self,
        *,
        ids: Iterator[str] | None = None,
        known_tools: Collection[str] = (),
        think_tags: bool = True,
        think_prefilled: bool = False,
        tools_off: bool = False,
        written: TextCalls | None = None,
        dialect: UsedDialect = "native",
        goes_on: bool = False,
    ) -> None:
        """`written` reads calls out of the text; with `tools_off` what it finds is dropped."""
        self._ids = ids or new_call_ids()
        self._written, self._dialect, self._tools_off = written, dialect, tools_off
        self._goes_on = goes_on
        self._found: list[FoundCall] = []
        self._dropped = False
        self._calls = CallAssembler(self._ids, known_tools)
        marks = THINKING_ENDS if written is not None and not tools_off else ()
        self._splitter = ThinkSplitter(prefilled=think_prefilled, call_marks=marks) if think_tags else None
        self._guard = MarkupGuard() if tools_off else None
        self._out: list[ModelChunk] = []
        self._kind: _Gathered = "text"
        self._pieces: list[str] = []
        self._half_pair: dict[str, str] = {"text": "", "reasoning": ""}
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._reasoning_size = 0
        self._told_apart = False
        self._raw: list[str] = []
        self._parts = ContentParts()
        self._details = ReasoningDetails()
        self._field = ""
        self._usage: Usage | None = None
        self._choices = FirstChoice()
        self._notices: list[str] = []
        self.raw_finish = ""
        self.refusal = False
        self.failure: Json = None
        self._said = 0
        self.done = False

    @property
    def content(self) -> int:
        """Counts up with whatever is worth waiting for."""
        return self._said + self._choices.waited

    # ------------------------------------------------------------ chunks in

    def add(self, chunk: object) -> bool:
        """False when this is nothing a provider of this kind sends (a number, a list, a string)."""
        if not isinstance(chunk, dict):
            return chunk is None
        if "error" in chunk or is_complaint(chunk):
            self._note_failure(chunk)
        choices = chunk.get("choices")
        if choices:
            for choice in self._choices.ours(choices if isinstance(choices, list) else [choices]):
                self._add_choice(choice)
        usage = chunk.get("usage")
        if usage is None and isinstance(groq := chunk.get("x_groq"), dict):
            usage = groq.get("usage")
        if usage is not None:
            self._usage = merged(self._usage, read_usage(usage))
        return True

    def _note_failure(self, chunk: dict[str, Any]) -> None:
        error = chunk.get("error", chunk)
        if error and self.failure is None:
            self.failure = error

    def _add_choice(self, choice: dict[str, Any]) -> None:
        if not self.raw_finish:
            self._add_saying(choice)
        finish = choice.get("finish_reason")
        if isinstance(finish, str) and finish.lower() not in NO_WORDS:
            self.raw_finish = finish[:100]
            if finish.lower() in FAILED:
                self._note_failure({"error": choice.get("error") or {"message": f"finish reason {finish[:100]}"}})
        if choice.get("error"):
            self._note_failure(choice)
        if isinstance(usage := choice.get("usage"), dict):
            self._usage = merged(self._usage, read_usage(usage))

    def _add_saying(self, choice: dict[str, Any]) -> None:
        """What the choice adds to the message; nothing, once the message has said that it is finished."""
        delta, message = choice.get("delta"), choice.get("message")
        if isinstance(delta, dict):
            self._add_delta(delta)
        if isinstance(message, dict) and not self._said:
            # A whole message in place of deltas: a plain JSON answer, or a server that does not stream.
            self._add_delta(message)
        elif isinstance(message, dict) and not self._calls:
            self._add_calls(message)
        elif isinstance(text := choice.get("text"), str) and delta is None:
            self._gather("text", text)

    def _add_delta(self, delta: dict[str, Any]) -> None:
        content = delta.get("content")
        if len(delta) == 1 and type(content) is str:
            if content:
                self._gather("text", content)
            return
        name, thought = reasoning_of(delta, self._details)
        if name and not self._field:
            self._field = name
        if thought:
            self._gather("reasoning", thought)
        if isinstance(content, str):
            if content:
                self._gather("text", content)
        elif isinstance(content, list | dict):
            for kind, text in self._parts.add(content if isinstance(content, list) else [content]):
                self._gather(kind, text)
            self.refusal = self.refusal or self._parts.refusal
        if isinstance(refusal := delta.get("refusal"), str) and refusal:
            self.refusal = True
            self._gather("text", refusal)
        self._add_calls(delta)

    def _add_calls(self, delta: dict[str, Any]) -> None:
        fragments = delta.get("tool_calls")
        if not fragments and isinstance(legacy := delta.get("function_call"), dict):
            fragments = [{"index": 0, "function": legacy}]
        if fragments:
            self._flush()
            for shown in self._calls.add(fragments):
                self._show_call(shown)

    # ------------------------------------------------------------ deltas out

    def drain(self) -> list[ModelChunk]:
        """What may be shown since the last call."""
        self._flush()
        out, self._out = self._out, []
        return out

    def _gather(self, kind: _Gathered, text: str) -> None:
        if kind != self._kind:
            self._flush()
            self._kind = kind
        self._pieces.append(text)
        self._said += 1

    def _flush(self) -> None:
        if not self._pieces:
            return
        text = self._half_pair[self._kind] + "".join(self._pieces)
        self._pieces.clear()
        # Half of a surrogate pair waits for the other half.
        half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        self._half_pair[self._kind] = half
        self._take(self._kind, scrub(text.removesuffix(half)))

    def _take(self, kind: _Gathered, text: str) -> None:
        if kind == "reasoning":
            self._told_apart = True
            if self._splitter is not None:
                self._splitter.settle()
            self._show_reasoning(text)
            return
        self._raw.append(text)
        if self._splitter is None:
            self._show_text(text)
        else:
            self._show_split(self._splitter.feed(text))

    def _show_split(self, pieces: list[tuple[Any, str]]) -> None:
        for kind, text in pieces:
            if kind == "text":
                self._show_text(text)
            elif kind == "reasoning":
                # Some servers write the same thoughts twice: in their field and between tags (MiniMax).
                if not self._told_apart:
                    self._show_reasoning(text)
            elif self._written is not None and self._written.inside:
                # The tag is a part of what a call says.
                self._show_text(text)
            else:
                self._reasoning += self._text
                self._text.clear()
                self._out.append(Reclassified("thinking"))

    def _show_text(self, text: str) -> None:
        if self._written is None:
            self._show_outside(text)
        else:
            self._show_read(self._written.feed(text))

    def _show_read(self, pieces: list[Piece]) -> None:
        for piece in pieces:
            if isinstance(piece, FoundCall):
                self._show_found(piece)
            elif piece[0] == "reasoning":
                self._show_reasoning(piece[1])
            else:
                self._show_outside(piece[1])

    def _show_found(self, call: FoundCall) -> None:
        if self._tools_off:
            self._dropped = True
            return
        self._show_call(CallDelta(len(self._calls) + len(self._found), scrub(call.name), scrub(call.args_text)))
        self._found.append(call)

    def _show_outside(self, text: str) -> None:
        self._show_plain(self._guard.feed(text) if self._guard is not None else text)

    def _show_plain(self, text: str) -> None:
        if not self._text and not self._goes_on:
            # Some models begin every answer with newlines.
            text = text.lstrip()
        if text:
            self._text.append(text)
            self._out.append(TextDelta(text))

    def _show_reasoning(self, text: str) -> None:
        room = MAX_REASONING_CHARS - self._reasoning_size
        if len(text) > room:
            text = text[:room]
            if "reasoning_cut" not in self._notices:
                self._notices.append("reasoning_cut")
        if text:
            self._reasoning_size += len(text)
            self._reasoning.append(text)
            self._out.append(ReasoningDelta(text))

    def _show_call(self, delta: CallDelta) -> None:
        self._said += 1
        last = self._out[-1] if self._out else None
        same = isinstance(last, CallDelta) and last.position == delta.position and not delta.name
        if same and isinstance(last, CallDelta) and len(last.args_text) < _GATHERED_ARGS:
            delta = CallDelta(last.position, last.name, last.args_text + delta.args_text)
            self._out.pop()
        self._out.append(delta)

    # ------------------------------------------------------------ the end

    @property
    def text(self) -> str:
        """The visible text so far."""
        return "".join(self._text)

    @property
    def is_whole(self) -> bool:
        """A finish reason or the end marker came; the end of the bytes alone says nothing."""
        return bool(self.raw_finish) or self.done

    def close(self) -> None:
        """No more chunks: what was held back is text after all. `drain` then gives the rest."""
        for choice in self._choices.otherwise() if self.done else ():
            self._add_choice(choice)
        self._flush()
        for kind in ("text", "reasoning"):
            if self._half_pair[kind]:
                self._half_pair[kind] = ""
                self._take(kind, "\ufffd")
        if self._splitter is not None:
            self._show_split(self._splitter.finish(followed=bool(self._calls)))
        if self._written is not None:
            self._show_read(self._written.finish())
        if self._calls and self._found:
            self._keep_structured_calls()
        if self._guard is not None:
            self._show_plain(self._guard.finish())
            if self._guard.suppressed or self._dropped:
                self._notices.append("markup_suppressed")

    def _keep_structured_calls(self) -> None:
        """Who can make real calls only quotes in the text; or the server left the markup of its calls in."""
        real = [(call.name, call.args) for call in self._calls.finish(whole=True)]
        for call in self._found:
            if (call.name, call.args) not in real:
                self._show_outside(call.raw)
        self._found.clear()

    @property
    def wrote_calls(self) -> bool:
        """Whether calls that can be run stood in the text."""
        return any(call.args is not None for call in self._found)

    def finish(self) -> Finished:
        finish = self._finish_reason()
        whole = finish not in ("length", "content_filter")
        turn = AssistantTurn(
            text=self.text,
            reasoning="".join(self._reasoning),
            calls=(*self._calls.finish(whole=whole), *self._written_calls(whole=whole)),
            echo=self._echo(),
        )
        return Finished(
            turn=turn,
            finish=finish,
            usage=self._usage,
            raw_finish=self.raw_finish,
            refusal=self.refusal,
            dialect="tags" if self._dialect == "native" and self._found else self._dialect,
            notices=tuple(self._notices),
        )

    def _written_calls(self, *, whole: bool) -> list[CallTurn]:
        return [call_turn(call, next(self._ids), whole=whole) for call in self._found]

    def _finish_reason(self) -> FinishReason:
        if not self.raw_finish:
            return "tool_calls" if self._calls or self._found else "stop"
        return meaning_of(self.raw_finish)

    def _echo(self) -> dict[str, Json] | None:
        echo: dict[str, Json] = {}
        if self._field:
            echo["reasoning_field"] = self._field
        if self._details:
            echo["reasoning_details"] = self._details.blocks
        if self._parts.seen:
            echo["content"] = self._parts.merged
        elif self._splitter is not None and self._splitter.saw_tags:
            echo["content"] = "".join(self._raw)
            if self._found:
                echo["calls_in_content"] = True
        return echo or None

"""Tool call fragments → whole calls, whatever a provider does with index, id and name.

Identity is the position in the message. Which call a fragment belongs to is found in this order: its id,
its index, the call that came last. Ids and names are never glued together.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from app.core.run.chat_model import CallDelta, CallTurn, Json
from app.core.text.i18n import N_, Marked
from app.core.tools.tool import LONGEST_ARGUMENTS
from app.providers.scrub import scrub
from app.providers.tool_arguments import read_arguments

MAX_CALLS: Final = 128
_MAX_NAME: Final = 200
_MAX_CHECKS: Final = 16
_CUT: Final = N_("the call was cut off before it was complete and was not run")


@dataclass(slots=True)
class _Open:
    """A call while its fragments arrive."""

    position: int
    index: object
    wire_id: str = ""
    names: list[str] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    size: int = 0
    extra: dict[str, Json] | None = None
    refused: str = ""
    last_delta: int = -1

    checks: int = 0

    def may_be_complete(self) -> bool:
        """Whether the arguments so far are one object. Asked a few times only: each look reads all of them."""
        self.checks += 1
        return self.checks <= _MAX_CHECKS and read_arguments("".join(self.pieces))[0] is not None


class CallAssembler:
    """`known` are the names on offer; they decide only whether a name came in pieces."""

    def __init__(self, ids: Iterator[str], known: Collection[str] = ()) -> None:
        self._ids = ids
        self._known = frozenset(known)
        self._calls: list[_Open] = []
        self._deltas = 0

    def __len__(self) -> int:
        return len(self._calls)

    def add(self, fragments: object) -> Iterator[CallDelta]:
        """The `tool_calls` of one delta; yields what a view may show of it."""
        if isinstance(fragments, dict):
            fragments = [fragments]
        if not isinstance(fragments, list):
            return
        self._deltas += 1
        for fragment in fragments:
            if isinstance(fragment, dict) and (shown := self._add_one(fragment)) is not None:
                yield shown

    def _add_one(self, fragment: dict[str, Any]) -> CallDelta | None:
        function = fragment.get("function")
        if not isinstance(function, dict):
            function = fragment
        wire_id, name = _id(fragment.get("id")), _text(function.get("name"))[:_MAX_NAME]
        args = _args_text(function.get("arguments", function.get("parameters")))
        index = fragment.get("index")
        call = self._find(wire_id, index, name)
        if call is None:
            if len(self._calls) >= MAX_CALLS or not (wire_id or name or args or index is not None):
                return None
            call = _Open(len(self._calls), index)
            if index is not None and not _good_index(index):
                words = N_("the provider gave the call an impossible index ({index})")
                call.refused = Marked(words, index=str(index)[:40])
            self._calls.append(call)
        call.last_delta = self._deltas
        self._fill(call, wire_id, name, args, fragment)
        return CallDelta(call.position, name if call.names == [name] else "", scrub(args))

    def _fill(self, call: _Open, wire_id: str, name: str, args: str, fragment: dict[str, Any]) -> None:
        call.wire_id = call.wire_id or wire_id[:_MAX_NAME]
        if name and len(call.names) < 32:
            call.names.append(name)
        if args:
            call.size += len(args)
            if call.size <= LONGEST_ARGUMENTS:
                call.pieces.append(args)
            else:
                call.refused = Marked(N_("the arguments are longer than {n} kB"), n=LONGEST_ARGUMENTS // 1024)
        if isinstance(extra := fragment.get("extra_content"), dict):
            call.extra = {**(call.extra or {}), **extra}

    # ------------------------------------------------------------ which call a fragment belongs to

    def _find(self, wire_id: str, index: object, name: str) -> _Open | None:
        call: _Open | None
        if wire_id:
            call = self._by_id(wire_id, index)
        elif index is not None:
            call = self._latest(index)
        else:
            call = self._calls[-1] if self._calls else None
            if call is not None and name and call.names and (name != call.names[0] or not call.pieces):
                return None
        if call is None or not name or not call.names:
            return call
        return None if self._starts_anew(call, wire_id, name) else call

    def _by_id(self, wire_id: str, index: object) -> _Open | None:
        for known in reversed(self._calls):
            if known.wire_id == wire_id and (index is None or known.index is None or known.index == index):
                return known
        call = self._latest(index) if index is not None else None
        if call is None and index is None and self._calls and not self._calls[-1].wire_id:
            return self._calls[-1]
        return call

    def _latest(self, index: object) -> _Open | None:
        return next((call for call in reversed(self._calls) if _same(call.index, index)), None)

    def _starts_anew(self, call: _Open, wire_id: str, name: str) -> bool:
        """A fragment with a name for a call that has one: the name again (or its rest), or the next call?"""
        if wire_id and call.wire_id and wire_id != call.wire_id:
            return True
        if call.last_delta == self._deltas:
            return True
        if wire_id:
            return name != call.names[0] and bool(call.pieces) and call.may_be_complete()
        return bool(call.pieces) and call.may_be_complete()

    # ------------------------------------------------------------ the whole calls

    def finish(self, *, whole: bool) -> tuple[CallTurn, ...]:
        """`whole` is False when the message was cut; then no call can be run."""
        return tuple(self._close(call, whole=whole) for call in self._calls)

    def _close(self, call: _Open, *, whole: bool) -> CallTurn:
        name = self._name(call)
        text = scrub("".join(call.pieces)).strip()
        args, error = read_arguments(text)
        if not whole:
            args, error = None, _CUT
        elif call.refused:
            args, error = None, call.refused
        elif not name:
            args, error = None, N_("the call has no name")
        return CallTurn(
            id=next(self._ids),
            name=name,
            args_text=text,
            args=args,
            error=error,
            wire_id=scrub(call.wire_id),
            extra=call.extra,
        )

    def _name(self, call: _Open) -> str:
        if not call.names:
            return ""
        first = scrub(call.names[0])
        joined = scrub("".join(call.names))
        return joined if first not in self._known and joined in self._known else first


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _id(value: object) -> str:
    return str(value) if type(value) is int else _text(value)


def _args_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _good_index(index: object) -> bool:
    return type(index) is int and 0 <= index < MAX_CALLS


def _same(one: object, other: object) -> bool:
    return type(one) is type(other) and one == other

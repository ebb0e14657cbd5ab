"""A rule book: the TOML file of one domain, read once and checked whole.

Texts are templates in English (`texts.py`). docs/offline-rules.md explains every table to the person who wants to
write one.
Whatever is wrong with a book is said with its place, when it is loaded.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.core.errors import BadInput
from app.core.run.plan import MAX_STEPS, references
from app.core.slots import SlotReader
from app.core.text.i18n import SOURCE

from .book_slots import first_unknown_slot
from .extract import KINDS, Kinds
from .filling import names_in
from .intents import CallRule, Intent, RuleBook
from .picking import read_picks
from .template import TemplateError
from .texts import LocalisedText, Words
from .unknown_names import KIND as UNKNOWN_NAME
from .withdrawal import read_withdrawals

MESSAGES = ("beyond", "no_tools", "nothing", "unfinished", "plain_results", "no_lookup", "goal", "reasoning")
"""The texts every book must have; `reasoning` is what the thinking pane shows."""


CONDITIONS = (
    "words", "also", "unless", "has", "any", "among", "count", "lacks", "weak", "first", "after", "passing", "aside",
)  # fmt: skip
"""The fields of an intent that say when it fits."""


def load_book(path: Path, readers: Iterable[SlotReader] = ()) -> RuleBook:
    """`readers` are those of the domain. Raises BadInput that names the file and the place."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        book = _Reader(data, {**KINDS, **{reader.kind: reader for reader in readers}}).book()
        if fault := first_unknown_slot(book):
            raise _BookError(*fault)
        return book
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, _BookError, OSError) as error:
        raise BadInput(f"the rule book {path.name}: {error}", path=str(path)) from error


class _BookError(Exception):
    def __init__(self, place: str, what: object) -> None:
        super().__init__(f"{place}: {what}")


@dataclass(slots=True)
class _Reader:
    data: Mapping[str, Any]
    kinds: Kinds
    words: Words = field(default_factory=lambda: Words({}))

    def book(self) -> RuleBook:
        self.words = Words(self.data.get("words", {}))
        follow = self.data.get("follow_up", {})
        slots = {name: self._with_tables(table) for name, table in self.data.get("slots", {}).items()}
        for name, table in slots.items():
            if table.get("kind") not in self.kinds:
                raise _BookError(f"slots.{name}", f"kind is one of {', '.join(self.kinds)}")
        messages = self.data.get("messages", {})
        if missing := [name for name in MESSAGES if name not in messages]:
            raise _BookError("messages", f"missing {', '.join(missing)}")
        return RuleBook(
            subject=str(follow.get("subject", "")),
            subjects=str(follow.get("subjects", "")),
            bound=tuple(follow.get("bound", ())),
            passing_keeps=tuple(follow.get("passing_keeps", ())),
            hidden=tuple(self.data.get("hidden", ())),
            inherit=tuple(self.data.get("inherit", ())),
            asks=tuple(self.data.get("asks", ())),
            withdraw=read_withdrawals(self.data.get("withdraw", {})),
            words=self.words,
            change_words=tuple(follow.get("change", ())),
            follow_words=tuple(follow.get("words", ())),
            facts=tuple(follow.get("facts", ())),
            plain=tuple(follow.get("plain", ())),
            asking=tuple(follow.get("asking", ())),
            adds=tuple((str(one), str(other)) for one, other in follow.get("adds", {}).items()),
            corrections=tuple(follow.get("corrections", ())),
            undo=tuple(follow.get("undo", ())),
            replaces={name: tuple(slots) for name, slots in follow.get("replaces", {}).items()},
            shares={name: tuple(parts) for name, parts in self.data.get("shares", {}).items()},
            pick=read_picks(self.data.get("pick", {})),
            slots=slots,
            kinds=self.kinds,
            unknown_names=self._unknown_names(slots, messages),
            recall=self.data.get("recall", {}),
            recall_fields={name: tuple(fields) for name, fields in self.data.get("recall_fields", {}).items()},
            intents=tuple(self._intent(raw, n) for n, raw in enumerate(self._raw_intents(), 1)),
            messages={name: self._text(text, f"messages.{name}") for name, text in messages.items()},
        )

    def _with_tables(self, table: Mapping[str, Any]) -> Mapping[str, Any]:
        """`with` names other slots whose tables the reader gets too, each under its name."""
        return {**table, **{name: self.data["slots"][name] for name in table.get("with", ())}}

    def _unknown_names(self, slots: Mapping[str, Any], messages: Mapping[str, Any]) -> Mapping[str, str]:
        tables = {name: table for name, table in slots.items() if table["kind"] == UNKNOWN_NAME}
        for name, table in tables.items():
            if missing := [key for key in ("of", "before", "behind", "near_only", "stops") if key not in table]:
                raise _BookError(f"slots.{name}", f"missing {', '.join(missing)}")
        if tables and "unknown_name" not in messages:
            raise _BookError("messages", "missing unknown_name, which a slot of this kind needs")
        return {name: str(table["of"]) for name, table in tables.items()}

    def _raw_intents(self) -> list[Mapping[str, Any]]:
        """`like` takes over what another intent does and says, not when it fits."""
        by_name = {raw.get("name", ""): raw for raw in self.data.get("intent", ())}
        return [self._whole(raw, by_name, ()) for raw in by_name.values()]

    def _whole(
        self, raw: Mapping[str, Any], by_name: Mapping[str, Mapping[str, Any]], inner: tuple[str, ...]
    ) -> Mapping[str, Any]:
        name, like = raw.get("name", "?"), raw.get("like", "")
        if like and (like not in by_name or like in (*inner, name)):
            raise _BookError(f"intent {name}", f"like names no other intent: {like}")
        base = self._whole(by_name[like], by_name, (*inner, name)) if like else {}
        own = {**raw, "call": list(self._expanded(raw["call"], name))} if "call" in raw else raw
        return {**{k: v for k, v in base.items() if k not in CONDITIONS}, **own}

    def _expanded(self, calls: Iterable[Mapping[str, Any]], intent: str) -> Iterator[Mapping[str, Any]]:
        """`use` stands for the calls of a group."""
        for call in calls:
            if "use" not in call:
                yield call
            elif call["use"] in self.data.get("calls", {}):
                yield from self.data["calls"][call["use"]]
            else:
                raise _BookError(f"intent {intent}", f"use names no group of calls: {call['use']}")

    def _intent(self, raw: Mapping[str, Any], number: int) -> Intent:
        place = f"intent {number} ({raw.get('name', '?')})"
        calls = tuple(self._call(call, f"{place}, call {n}", n) for n, call in enumerate(raw.get("call", ()), 1))
        for n, call in enumerate(calls, 1):
            if unknown := set(names_in(call.args)) - {earlier.name for earlier in calls[: n - 1]}:
                raise _BookError(f"{place}, call {n}", f"${min(unknown)} is not an earlier call")
        if sum(not (call.all or call.unless) for call in calls) > MAX_STEPS:
            raise _BookError(place, f"at most {MAX_STEPS} calls")
        if not any(raw.get(key) for key in ("words", "has", "any")):
            raise _BookError(place, "needs words, has or any, else it fits every question")
        names = {call.name for call in calls}
        if unknown := set(raw.get("answer_needs", ())) - names:
            raise _BookError(place, f"answer_needs names no call: {', '.join(sorted(unknown))}")
        if raw.get("needs") and "ask" not in raw:
            raise _BookError(place, "needs a text to ask with, `ask`")
        return Intent(
            name=str(raw.get("name") or _missing(place, "name")),
            words=tuple(raw.get("words", ())),
            also=tuple(tuple(group) for group in raw.get("also", ())),
            unless=tuple(raw.get("unless", ())),
            has=tuple(raw.get("has", ())),
            any=tuple(raw.get("any", ())),
            among=tuple(raw.get("among", ())),
            count=int(raw.get("count", 0)),
            lacks=tuple(raw.get("lacks", ())),
            needs=tuple(raw.get("needs", ())),
            defaults=raw.get("defaults", {}),
            weak=bool(raw.get("weak", False)),
            first=bool(raw.get("first", False)),
            after=tuple(raw.get("after", ())),
            passing=bool(raw.get("passing", False)),
            aside=bool(raw.get("aside", False)),
            keeps=str(raw.get("keeps", "")),
            changes=bool(raw.get("changes", False)),
            drops=tuple(raw.get("drops", ())),
            calls=calls,
            goal=self._text(raw.get("goal") or _missing(place, "goal"), f"{place}, goal"),
            answer=self._text(raw.get("answer") or _missing(place, "answer"), f"{place}, answer"),
            answer_needs=tuple(raw.get("answer_needs", ())),
            ask=self._text(raw["ask"], f"{place}, ask") if "ask" in raw else None,
            lets=raw.get("let", {}),
            words_used=_words(raw),
            sums={name: tuple(tuple(p.split(".")) for p in paths) for name, paths in raw.get("sums", {}).items()},
        )

    def _call(self, raw: Mapping[str, Any], place: str, number: int) -> CallRule:
        args = raw.get("args", {})
        if late := [n for n in references(args) if not 1 <= n < number]:
            raise _BookError(place, f"${late[0]} is not an earlier call")
        tool = str(raw.get("tool") or _missing(place, "tool"))
        return CallRule(
            tool=tool,
            name=str(raw.get("as", tool)),
            args=args,
            when=tuple(raw.get("when", ())),
            all=tuple(raw.get("all", ())),
            unless=tuple(raw.get("unless", ())),
            description=self._text(raw.get("does") or _missing(place, "does"), f"{place}, does"),
        )

    def _text(self, raw: Any, place: str) -> LocalisedText:
        tables = isinstance(raw, dict) and SOURCE in raw and all(isinstance(text, str) for text in raw.values())
        if not isinstance(raw, str) and not tables:
            raise _BookError(place, 'a text is written "…", or {en = "…", zh = "…"} with its translations')
        try:
            return LocalisedText(raw, self.words)
        except TemplateError as error:
            raise _BookError(place, error) from error


def _words(raw: Mapping[str, Any]) -> frozenset[str]:
    text = str({key: value for key, value in raw.items() if key not in ("name", "words", "also")})
    return frozenset("".join(char if char.isalnum() or char == "_" else " " for char in text).split())


def _missing(place: str, name: str) -> Any:
    raise _BookError(place, f"{name} is missing")

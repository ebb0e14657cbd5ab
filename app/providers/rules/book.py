"""A rule book: the TOML file of one domain, read once and checked whole.

Texts are written twice, `{zh = "…", en = "…"}`, as templates. docs/offline-rules.md explains every table to the
person who wants to write one.
Whatever is wrong with a book is said with its place, when it is loaded.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from app.core.errors import BadInput
from app.core.run.plan import MAX_STEPS, references
from app.core.slots import SlotReader

from .extract import KINDS, Kinds
from .filling import names_in
from .picking import Picks, read_picks
from .template import Template, TemplateError
from .withdrawal import Withdrawals, read_withdrawals
from .wording import filters

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, ...] = ("zh", "en")

MESSAGES = ("beyond", "no_tools", "nothing", "unfinished", "plain_results", "no_lookup", "goal", "reasoning")
"""The texts every book must have; `reasoning` is what the thinking pane shows."""


CONDITIONS = ("words", "also", "unless", "has", "any", "lacks", "weak", "first", "after", "passing")
"""The fields of an intent that say when it fits."""


@dataclass(frozen=True, slots=True)
class CallRule:
    """One tool call of an intent. References `$n.path` in `args` count the calls of the intent."""

    tool: str
    name: str
    """Under this name the answer finds the result."""
    args: Mapping[str, Any]
    when: tuple[str, ...]
    """Only if one of these is known (`budget`, `said.adults`); empty = always."""
    all: tuple[str, ...]
    """Only if each of these is known."""
    unless: tuple[str, ...]
    """Not if one of these is known."""
    description: Mapping[Language, Template]


@dataclass(frozen=True, slots=True)
class Intent:
    name: str
    words: tuple[str, ...]
    also: tuple[tuple[str, ...], ...]
    unless: tuple[str, ...]
    has: tuple[str, ...]
    """Slots the question itself must fill."""
    any: tuple[str, ...]
    """Slots of which the question itself must fill one."""
    lacks: tuple[str, ...]
    """Slots the question itself must not fill."""
    needs: tuple[str, ...]
    """Slots without which the intent asks back."""
    defaults: Mapping[str, Any]
    weak: bool
    """Tried only when the question is no follow-up either."""
    first: bool
    """Tried before a question is taken for a change to the one before it."""
    after: tuple[str, ...]
    """Only behind one of these intents; all that was said then still holds."""
    passing: bool
    """A remark in passing: the next follow-up goes back to what was before it."""
    keeps: str
    """Under this name later questions find the slots of this one."""
    drops: tuple[str, ...]
    """Slots that hold for this question only."""
    calls: tuple[CallRule, ...]
    goal: Mapping[Language, Template]
    answer: Mapping[Language, Template]
    answer_needs: tuple[str, ...]
    """Results without which the answer cannot be worded."""
    ask: Mapping[Language, Template]
    sums: Mapping[str, tuple[tuple[str, ...], ...]]
    """Names for sums over paths, for the answer."""
    lets: Mapping[str, Any]
    """Values put together from slots before the calls are made."""
    words_used: frozenset[str] = frozenset()
    """Every word of its calls, conditions and texts: a slot among them counts for it."""

    def uses(self, slot: str) -> bool:
        """Whether one of its calls takes or waits for the slot."""
        return any(slot in call.when or "{" + slot + "}" in str(call.args) for call in self.calls)


@dataclass(frozen=True, slots=True)
class RuleBook:
    subject: str
    """The slot that says what a conversation is about, and the slot of several such; "" = there is none."""
    subjects: str
    bound: tuple[str, ...]
    """Slots that are forgotten with the subject, when another one is named."""
    passing_keeps: tuple[str, ...]
    """Slots that a remark in passing does not change for the questions after it."""
    hidden: tuple[str, ...]
    """Slots that repeat what others say; they are not shown among what was understood."""
    inherit: tuple[str, ...]
    """Slots taken over from earlier questions."""
    asks: tuple[str, ...]
    """Slots a person is asked for where a question was not understood."""
    withdraw: Withdrawals
    words: Mapping[Language, Mapping[str, str]]
    """What codes and slots are called."""
    change_words: tuple[str, ...]
    follow_words: tuple[str, ...]
    facts: tuple[str, ...]
    """Slots that alone make a remark a change to the question before, where that one uses them."""
    plain: tuple[str, ...]
    """Those of the facts that go before a question of its own: "budget 4000" behind a plan changes the plan."""
    asking: tuple[str, ...]
    """Words of a question that is one of its own."""
    replaces: Mapping[str, tuple[str, ...]]
    """What earlier slots are forgotten when one is said anew."""
    pick: Picks
    shares: Mapping[str, tuple[str, ...]]
    """Slots reckoned from others of the same question: the first, divided by the rest as far as they are said."""
    slots: Mapping[str, Mapping[str, Any]]
    kinds: Kinds
    """The readers of the slots, by kind."""
    recall: Mapping[str, Mapping[str, str]]
    """What is remembered of earlier results: name → tool → path into its data. The newest result of one of the
    tools decides; an empty path forgets."""
    intents: tuple[Intent, ...]
    messages: Mapping[str, Mapping[Language, Template]]


def load_book(path: Path, readers: Iterable[SlotReader] = ()) -> RuleBook:
    """`readers` are those of the domain. Raises BadInput that names the file and the place."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return _Reader(data, {**KINDS, **{reader.kind: reader for reader in readers}}).book()
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, _BookError, OSError) as error:
        raise BadInput(f"the rule book {path.name}: {error}", path=str(path)) from error


class _BookError(Exception):
    def __init__(self, place: str, what: object) -> None:
        super().__init__(f"{place}: {what}")


@dataclass(slots=True)
class _Reader:
    data: Mapping[str, Any]
    kinds: Kinds
    filters: Mapping[Language, Mapping[str, Any]] = field(default_factory=dict)

    def book(self) -> RuleBook:
        words = self.data.get("words", {})
        self.filters = {language: filters(language, words.get(language, {})) for language in LANGUAGES}
        follow = self.data.get("follow_up", {})
        slots = self.data.get("slots", {})
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
            words={language: words.get(language, {}) for language in LANGUAGES},
            change_words=tuple(follow.get("change", ())),
            follow_words=tuple(follow.get("words", ())),
            facts=tuple(follow.get("facts", ())),
            plain=tuple(follow.get("plain", ())),
            asking=tuple(follow.get("asking", ())),
            replaces={name: tuple(slots) for name, slots in follow.get("replaces", {}).items()},
            shares={name: tuple(parts) for name, parts in self.data.get("shares", {}).items()},
            pick=read_picks(self.data.get("pick", {})),
            slots=slots,
            kinds=self.kinds,
            recall=self.data.get("recall", {}),
            intents=tuple(self._intent(raw, n) for n, raw in enumerate(self._raw_intents(), 1)),
            messages={name: self._texts(text, f"messages.{name}") for name, text in messages.items()},
        )

    def _raw_intents(self) -> list[Mapping[str, Any]]:
        """`like` takes over what an earlier intent does and says, not when it fits."""
        done: dict[str, Mapping[str, Any]] = {}
        for raw in self.data.get("intent", ()):
            base = done.get(raw.get("like", ""), {})
            if raw.get("like") and not base:
                raise _BookError(f"intent {raw.get('name', '?')}", f"like names no earlier intent: {raw['like']}")
            done[raw.get("name", "")] = {**{k: v for k, v in base.items() if k not in CONDITIONS}, **raw}
        return list(done.values())

    def _intent(self, raw: Mapping[str, Any], number: int) -> Intent:
        place = f"intent {number} ({raw.get('name', '?')})"
        calls = tuple(self._call(call, f"{place}, call {n}", n) for n, call in enumerate(raw.get("call", ()), 1))
        for n, call in enumerate(calls, 1):
            if unknown := set(names_in(call.args)) - {earlier.name for earlier in calls[: n - 1]}:
                raise _BookError(f"{place}, call {n}", f"${min(unknown)} is not an earlier call")
        if sum(not (call.all or call.unless) for call in calls) > MAX_STEPS:
            raise _BookError(place, f"at most {MAX_STEPS} calls")
        if not raw.get("words") and not raw.get("has"):
            raise _BookError(place, "needs words or has, else it fits every question")
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
            lacks=tuple(raw.get("lacks", ())),
            needs=tuple(raw.get("needs", ())),
            defaults=raw.get("defaults", {}),
            weak=bool(raw.get("weak", False)),
            first=bool(raw.get("first", False)),
            after=tuple(raw.get("after", ())),
            passing=bool(raw.get("passing", False)),
            keeps=str(raw.get("keeps", "")),
            drops=tuple(raw.get("drops", ())),
            calls=calls,
            goal=self._texts(raw.get("goal") or _missing(place, "goal"), f"{place}, goal"),
            answer=self._texts(raw.get("answer") or _missing(place, "answer"), f"{place}, answer"),
            answer_needs=tuple(raw.get("answer_needs", ())),
            ask=self._texts(raw["ask"], f"{place}, ask") if "ask" in raw else {},
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
            description=self._texts(raw.get("does") or _missing(place, "does"), f"{place}, does"),
        )

    def _texts(self, raw: Any, place: str) -> Mapping[Language, Template]:
        if not isinstance(raw, dict) or set(raw) != set(LANGUAGES):
            raise _BookError(place, 'a text is written {zh = "…", en = "…"}')
        try:
            return {language: Template(raw[language].strip("\n"), self.filters[language]) for language in LANGUAGES}
        except TemplateError as error:
            raise _BookError(place, error) from error


def _words(raw: Mapping[str, Any]) -> frozenset[str]:
    text = str({key: value for key, value in raw.items() if key not in ("name", "words", "also")})
    return frozenset("".join(char if char.isalnum() or char == "_" else " " for char in text).split())


def _missing(place: str, name: str) -> Any:
    raise _BookError(place, f"{name} is missing")

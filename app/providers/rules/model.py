"""`offline/rules`: answers by rules when there is no key and no network.

An ordinary `ChatModel`: it streams reasoning and answers, calls tools and writes plans as JSON. The rule book of a
domain (resources/<id>/offline.toml) and the domain's readers and names define what it can do; otherwise it answers that
it is a set of rules and no language model.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.core.domain import Domain
from app.core.run.chat_model import (
    AssistantTurn,
    CallDelta,
    Finished,
    FinishReason,
    ModelChunk,
    ModelRequest,
    ModelTraits,
    SlotsUnderstood,
    Usage,
)
from app.core.run.understood import UnderstoodSlot
from app.core.slots import Names
from app.core.system.clock import CLOCK, Clock
from app.core.text.i18n import speaks_chinese

from ..simulated_stream import make_call, say, think
from . import OFFLINE
from .book import load_book
from .conversation import PLAN_STEP, Conversation, read_conversation
from .intents import RuleBook
from .memory import restored, state_of
from .slot_report import slots_of
from .template import walk
from .understanding import Reader, Understanding
from .working import CallOutcome, CallProgress, PlannedCall, plan_calls, progress, pruned, recall

NOTICE = "offline_rules"
"""Goes up with every answer: rules spoke, no language model."""
PACE = 0.004
"""Seconds between two pieces: enough that an answer is seen arriving."""
_SAID_ONCE = 2
"""Lines of a thought that hold for the whole question: its goal and what is known."""
TITLE = 48
"""Characters of a title."""


def offline_model(domain: Domain) -> OfflineRules | None:
    """The rules of a domain, None if it has none. Raises BadInput if its book is damaged."""
    if domain.rules is None:
        return None
    return OfflineRules(load_book(domain.rules, domain.slots), domain.names(), key=domain.id)


class OfflineRules:
    """The rules of one agent as a model."""

    def __init__(
        self,
        book: RuleBook,
        names: Names,
        *,
        key: str = "",
        pace: float = PACE,
        clock: Clock = CLOCK,
    ) -> None:
        """`key` names the book in what is kept of a question for the next ones."""
        self._key = key
        self._book, self._names, self._pace, self._clock = book, names, pace, clock
        self._reader = Reader(book, names)

    @property
    def ref(self) -> str:
        return OFFLINE

    @property
    def traits(self) -> ModelTraits:
        return ModelTraits(local=True, think_tags=False, reads_everything=True)

    async def aclose(self) -> None:
        """Nothing is open."""

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        turn, understood = self._turn(request)
        if understood is not None:
            yield understood
        async for thought in think(turn.reasoning, pace=self._pace):
            yield thought
        async for piece in say(turn.text, pace=self._pace):
            yield piece
        for position, call in enumerate(turn.calls):
            yield CallDelta(position, name=call.name, args_text=call.args_text)
        finish: FinishReason = "tool_calls" if turn.calls else "stop"
        is_answer = not turn.calls and request.purpose in ("step", "answer")
        notices = (NOTICE,) if is_answer else ()
        yield Finished(turn, finish, Usage(), raw_finish=finish, notices=notices)

    def _turn(self, request: ModelRequest) -> tuple[AssistantTurn, SlotsUnderstood | None]:
        conversation = read_conversation(request.turns)
        if request.purpose == "title":
            return AssistantTurn(text=self._title(conversation)), None
        if request.purpose == "summary":
            return AssistantTurn(text=self._summary(conversation)), None
        earlier = [restored(state, self._book, self._key) for state in conversation.states]
        try:
            return self._understood_turn(request, conversation, earlier)
        except (TypeError, ValueError, LookupError, AttributeError):
            if not any(earlier):
                raise
            # A session that came from outside may say anything of what was understood: its texts are read again.
            return self._understood_turn(request, conversation, ())

    def _understood_turn(
        self, request: ModelRequest, conversation: Conversation, known: Sequence[Understanding | None]
    ) -> tuple[AssistantTurn, SlotsUnderstood]:
        understood = self._reader.understand(
            conversation.question, conversation.earlier, self._clock.today(), self._memories(conversation), known
        )
        offered = tuple(tool.name for tool in request.tools)
        if request.purpose == "plan":
            # While it plans a model is handed the reading tools only; all that a plan may name are in the remark.
            offered += _words(conversation.remark)
        task = _Task(self._book, self._names, understood, conversation, offered)
        turn = task.plan() if request.purpose == "plan" else task.step(request.purpose)
        results = recall(self._book.recall, conversation.outcomes)
        fields = self._book.recall_fields
        kept = {name: pruned(value, fields[name]) for name, value in results.items() if name in fields}
        understood = replace(understood, memory={**understood.memory, **kept})
        return turn, SlotsUnderstood(task.slots(), state_of(understood, self._key))

    def _memories(self, conversation: Conversation) -> list[Mapping[str, Any]]:
        """What was remembered of results when each question was asked."""
        seen: list[CallOutcome] = []
        memories: list[Mapping[str, Any]] = [{}]
        for outcomes in conversation.past:
            seen += outcomes
            memories.append(recall(self._book.recall, seen))
        return memories

    def _title(self, conversation: Conversation) -> str:
        first = (*conversation.earlier, conversation.question)[0]
        understood = self._reader.understand(first, (), self._clock.today())
        task = _Task(self._book, self._names, understood, conversation, ())
        title = " ".join((task.goal() if understood.intent else first).split())
        return title if len(title) <= TITLE else f"{title[: TITLE - 1]}…"

    def _summary(self, conversation: Conversation) -> str:
        """The questions so far and how each answer began: rules cannot condense more."""
        lines = []
        for question, answer in conversation.exchanges:
            if not answer:
                continue
            first = next((line.strip("# ") for line in answer.splitlines() if line.strip()), "")
            lines.append(f"- {_cut(question)}" + (f" → {_cut(first)}" if first else ""))
        return "\n".join(lines)


def _words(text: str) -> tuple[str, ...]:
    """What may be names of tools."""
    return tuple("".join(c if c.isalnum() or c == "_" else " " for c in text).split())


def _cut(text: str, limit: int = 160) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


class _Task:
    """One understood question and what can be done about it."""

    def __init__(
        self,
        book: RuleBook,
        names: Names,
        understood: Understanding,
        conversation: Conversation,
        offered: Sequence[str],
    ) -> None:
        self._book, self._names, self._understood = book, names, understood
        self._conversation, self._offered = conversation, offered
        every_tool = {call.tool for call in understood.intent.calls} if understood.intent else set()
        # A last request without tools still has to know which result belongs to which call.
        self._possible = set(offered) or every_tool
        self._values = self._known()

    @property
    def _language(self) -> str:
        return self._understood.language

    def goal(self) -> str:
        intent = self._understood.intent
        texts = intent.goal if intent else self._book.messages["goal"]
        return texts[self._language].render(self._values).strip()

    def slots(self) -> tuple[UnderstoodSlot, ...]:
        return slots_of(self._understood, self._book, self._values)

    def plan(self) -> AssistantTurn:
        """The plan as JSON; without anything to look up one step without a tool."""
        calls = plan_calls(self._understood, self._values, self._possible)
        calls = progress(calls, self._conversation.outcomes).remaining()
        steps = [_step(call) for call in calls]
        if not steps:
            steps = [{"step": 1, "action": "none", "params": {}, "description": self.goal(), "needs": []}]
        goal = self.goal()
        text = json.dumps({"goal": goal[:1].upper() + goal[1:], "steps": steps}, ensure_ascii=False, indent=1)
        return AssistantTurn(text=text, reasoning=self._thought(calls))

    def step(self, purpose: str) -> AssistantTurn:
        """The calls that are due, else the answer."""
        calls = plan_calls(self._understood, self._values, self._possible)
        if self._conversation.remark.startswith(PLAN_STEP):
            # The one step of a plan without look-ups; the answer follows by itself.
            return AssistantTurn(text=self._message("no_lookup", self._values))
        state = progress(calls, self._conversation.outcomes)
        due = state.due() if self._offered and purpose != "answer" else []
        if due:
            calls_due = tuple(make_call(call.tool, args) for call, args in due)
            return AssistantTurn(reasoning=self._thought([call for call, _args in due], state), calls=calls_due)
        return AssistantTurn(text=self._answer(calls, state), reasoning=self._thought([], state))

    # ------------------------------------------------------------ words

    def _answer(self, calls: Sequence[PlannedCall], state: CallProgress) -> str:
        understood, intent = self._understood, self._understood.intent
        named = state.named()
        values = {**self._values, **named, "failed": state.failed(), "results": self._texts()}
        if intent is None:
            return self._message("plain_results" if self._conversation.outcomes else "beyond", values)
        if self._has_unknown_name():
            return self._message("unknown_name", values)
        if understood.missing:
            assert intent.ask is not None, "a book without it is refused"
            return intent.ask[self._language].render(values).strip()
        if intent.calls and not calls:
            return self._message("no_tools", {**values, "tools": [call.tool for call in intent.calls]})
        if calls and not state.results:
            return self._message("no_tools", {**values, "tools": [call.tool for call in calls]})
        if any(name not in named for name in intent.answer_needs):
            return self._message("nothing" if state.failed() else "plain_results", values)
        sums = {name: _sum(values, paths) for name, paths in intent.sums.items()}
        answer = intent.answer[self._language].render({**values, **sums}).strip()
        return f"{answer}\n\n{self._message('unfinished', values)}" if state.failed() else answer

    def _has_unknown_name(self) -> bool:
        """Whether a slot is missing because the question fills it with a name that the data do not have."""
        understood = self._understood
        names = self._book.unknown_names.items()
        return any(name in understood.own and of in understood.missing for name, of in names)

    def _texts(self) -> list[dict[str, str]]:
        return [{"tool": o.tool, "text": _cut(o.text, 600)} for o in self._conversation.outcomes if o.ok]

    def _message(self, name: str, values: Mapping[str, Any]) -> str:
        return self._book.messages[name][self._language].render(values).strip()

    def _thought(self, due: Sequence[PlannedCall], state: CallProgress | None = None) -> str:
        """Goal, what is known, what is missing, what comes next – one line each; later only what is new."""
        missing = [call.description for call in due] or list(self._understood.missing)
        next_tools = [call.tool for call in due]
        done = [o.tool for o in state.results.values() if o.ok] if state else []
        values = {**self._values, "goal": self.goal(), "missing": missing, "next": next_tools, "done": done}
        lines = self._message("reasoning", values).splitlines()
        is_first = state is None or not state.results
        return "\n".join(lines if is_first else lines[_SAID_ONCE:]) + "\n"

    def _known(self) -> dict[str, Any]:
        """What every template may use: the slots, what was assumed, names instead of ids."""
        understood, chinese = self._understood, speaks_chinese(self._understood.language)
        values: dict[str, Any] = {"style": self._conversation.style, **understood.slots}
        values["assumed"] = understood.assumed
        values["said"] = understood.said
        values["own"] = understood.own
        values["question"] = understood.question
        values.update(self._names.shown(understood.slots, chinese))
        visible = [name for name in understood.said if name not in self._book.hidden]
        values["facts"] = [_fact(name, values.get(f"{name}_name", understood.slots[name])) for name in visible]
        values["defaults"] = [_fact(name, value) for name, value in understood.assumed.items()]
        return values


def _sum(values: Mapping[str, Any], paths: Sequence[Sequence[str]]) -> float:
    results = [walk(values, path) for path in paths]
    numbers = [item for one in results for item in (one if isinstance(one, list) else [one])]
    return sum(item for item in numbers if isinstance(item, int | float))


def _fact(name: str, value: Any) -> dict[str, str]:
    return {"name": name, "value": "/".join(map(str, value)) if isinstance(value, list) else str(value)}


def _step(call: PlannedCall) -> dict[str, Any]:
    return {
        "step": call.number,
        "action": call.tool,
        "params": call.args,
        "description": call.description[:1].upper() + call.description[1:],  # in a sentence it begins small
        "needs": list(call.needs),
    }

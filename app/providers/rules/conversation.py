"""What a rule model takes from the turns of a request: the question, earlier ones, the results.

The run itself adds remarks to a request ("answer now", "make a plan …"): a user turn at the very
end, behind the question or a result. They are no questions of the person.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.core.profile import REPLY_STYLES
from app.core.run.chat_model import AssistantTurn, ResultTurn, SystemTurn, Turn, UserTurn

from .working import CallOutcome

PLAN_STEP = "Work off step "
PRESSED = "[The person pressed "
REMARKS = (
    "This is reflection round ",
    "Answer the question now",
    "Write the answer as ordinary text",
    "Your last reply was empty",
    "Make a plan for the request above",
    "The plan cannot be used",
    "Every step of the plan ",
    PLAN_STEP,
)
"""How the remarks of a run begin (agent/request/prompts.py, which this floor cannot see; a test compares)."""
ADDITIONS = (
    "\n\n[Folder: ",
    "\n\n[No folder is picked for this session",
    "\n\n[What is remembered from earlier sessions",
    "\n\n[@",
)
"""How begins what a run puts behind a question, for a model to read: no words of the person (as above)."""


@dataclass(frozen=True, slots=True)
class Conversation:
    exchanges: tuple[tuple[str, str], ...]
    """Question and answer of each earlier turn, the present one last."""
    outcomes: tuple[CallOutcome, ...]
    """The tool results of the present question."""
    remark: str = ""
    """What the run itself added."""
    past: tuple[tuple[CallOutcome, ...], ...] = ()
    """The results of each earlier question, oldest first."""
    states: tuple[Mapping[str, Any] | None, ...] = ()
    """How each earlier question was understood (`AssistantTurn.understood`), oldest first."""
    style: str = ""
    """How the profile wants it said; a style the person asks for goes before it."""

    @property
    def question(self) -> str:
        return self.exchanges[-1][0] if self.exchanges else ""

    @property
    def earlier(self) -> tuple[str, ...]:
        return tuple(question for question, _answer in self.exchanges[:-1])


def read_conversation(turns: Sequence[Turn]) -> Conversation:
    exchanges: list[tuple[str, str]] = []
    outcomes: list[CallOutcome] = []
    past: list[tuple[CallOutcome, ...]] = []
    states: list[Mapping[str, Any] | None] = []
    said, remark = _without_remark(turns)
    for turn in said:
        if isinstance(turn, UserTurn):
            if not (words := _without_additions(_without_deeds(turn.text))):
                continue
            if exchanges:
                past.append(tuple(outcomes))
            exchanges.append((words, ""))
            states.append(None)
            outcomes = []
        elif isinstance(turn, ResultTurn):
            outcomes.append(CallOutcome(turn.name, not turn.is_error, turn.text, _data(turn)))
        elif isinstance(turn, AssistantTurn) and exchanges:
            states[-1] = turn.understood or states[-1]
            if turn.text and not turn.calls:
                exchanges[-1] = (exchanges[-1][0], turn.text)
    return Conversation(tuple(exchanges), tuple(outcomes), remark, tuple(past), tuple(states[:-1]), _style(turns))


def _without_deeds(text: str) -> str:
    """What the person did by buttons is no question, and may be in front of one: each is one line."""
    while text.startswith(PRESSED):
        text = text.partition("\n")[2].strip()
    return text


def _without_additions(text: str) -> str:
    return text[: min((at for mark in ADDITIONS if (at := text.find(mark)) != -1), default=len(text))]


def _style(turns: Sequence[Turn]) -> str:
    text = "".join(turn.text for turn in turns if isinstance(turn, SystemTurn))
    return next((style for style, words in REPLY_STYLES.items() if words in text), "")


def _without_remark(turns: Sequence[Turn]) -> tuple[Sequence[Turn], str]:
    last = turns[-1] if turns else None
    if isinstance(last, UserTurn) and len(turns) > 1 and _is_remark(last.text):
        return turns[:-1], last.text
    return turns, ""


def _is_remark(text: str) -> bool:
    return text.startswith(REMARKS) or (text.startswith("Step ") and " of the plan failed" in text[:40])


def _data(turn: ResultTurn) -> Any:
    """The data of a result, also out of its envelope. Of a stored result there is the text only, its data behind the
    summary; what was cut cannot be read and is nothing."""
    data = turn.data
    if data is None and not turn.is_error and (at := f"\n{turn.text}".rfind("\n{")) != -1:
        try:
            data = json.loads(turn.text[at:])
        except (ValueError, RecursionError):
            return None
    if isinstance(data, Mapping) and "ok" in data and "data" in data:
        return data["data"]
    return data

"""What a row of the chat shows: plain facts, handed in by the presenter.

Wording has happened before (a stop reason arrives as words); times and counts arrive as numbers
and are written out by the rows.
To add a kind of row: a dataclass here, a widget in this folder, one entry in `factory.ROW_WIDGETS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from app.core.run.analysis.round_report import RoundReport
from app.core.run.understood import UnderstoodSlot
from app.core.run.view import WorkSummary
from app.ui.chat.rows.row_actions import RowAction

ToolState = Literal["waiting", "running", "done", "failed", "stopped", "skipped", "unknown", "asks"]
Level = Literal["info", "warn", "error"]


@dataclass(frozen=True, slots=True)
class Action:
    """A button: `what` comes back in `ChatView.row_action`."""

    what: RowAction
    label: str
    checked: bool = False
    """The state it stands for holds, e.g. a thumb that was given."""
    is_link: bool = False
    """In a remark: a link beside the text, in place of a button below it."""


@dataclass(frozen=True, slots=True)
class Variant:
    """Which of several forms of this message is shown, counted from 1."""

    number: int
    count: int


@dataclass(frozen=True, slots=True)
class TextPart:
    """Markdown of the answer. Its id separates the texts of steps from each other."""

    id: str
    text: str
    is_remark: bool = False
    """It belongs to the step it was said in, not to the answer."""


@dataclass(frozen=True, slots=True)
class HelperStep:
    """One call of a helper."""

    name: str
    state: ToolState
    summary: str = ""
    milliseconds: float | None = None


@dataclass(frozen=True, slots=True)
class HelperRun:
    """A run inside a call: another agent at work. Its steps are read when somebody looks."""

    run: str
    agent: str
    is_read: bool = False
    steps: tuple[HelperStep, ...] = ()
    tokens: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class ToolPart:
    """A tool call with its result, foldable."""

    id: str
    name: str
    state: ToolState = "running"
    summary: str = ""
    """The result in half a line."""
    arguments: str = ""
    result: str = ""
    milliseconds: float | None = None
    repeated: bool = False
    """Answered from an earlier call; nothing ran."""
    age: float | None = None
    """Seconds, where the result was kept from an earlier run."""
    kept: int = 0
    chars: int = 0
    """Characters the model read of the result and those it had; 0 = it was not cut."""
    is_whole: bool = False
    """`result` is all of it."""
    mended: str = ""
    """What was read forgivingly of the arguments."""
    helpers: tuple[HelperRun, ...] = ()
    title: str = ""
    """In place of the tool's, for a step of a plan that names none."""
    plan_step: int = 0
    """The step of the plan it works for, while that step can be steered."""


@dataclass(frozen=True, slots=True)
class RoundPart:
    """A reflection round, foldable; of a report without a limit only what is known."""

    id: str
    report: RoundReport


@dataclass(frozen=True, slots=True)
class NotePart:
    """A remark within an answer: a fallback, a cut result, an interrupted text."""

    id: str
    text: str
    level: Level = "info"
    actions: tuple[Action, ...] = ()
    hint: str = ""
    """In small letters below."""
    is_fault: bool = False
    """The answer failed: a card of its own, with the way to its details."""


@dataclass(frozen=True, slots=True)
class CardPart:
    """A result drawn by a widget of its own; the view asks its card factory for it."""

    id: str
    payload: object
    message: str = ""
    call: str = ""
    """Where it came from, if not from its row: a card's button has put a newer one in its place."""


PLAN_PART = "plan"
"""Id of the part: a run has one plan, however often it changes."""


@dataclass(frozen=True, slots=True)
class PlanPartStep:
    title: str
    state: ToolState = "waiting"
    note: str = ""


@dataclass(frozen=True, slots=True)
class PlanCardPart:
    """The plan of the run: read, changed, accepted and steered in its card while it is the newest."""

    id: str
    goal: str
    steps: tuple[PlanPartStep, ...] = ()


Part = TextPart | ToolPart | RoundPart | NotePart | CardPart | PlanCardPart


@dataclass(frozen=True, slots=True)
class File:
    """Something that went along with a message."""

    name: str
    picture: str = ""
    """Address of the picture it is, if it is one."""
    note: str = ""
    """What is in it, in a few words."""


@dataclass(frozen=True, slots=True)
class UserRow:
    id: str
    text: str
    time: str = ""
    attachments: tuple[File, ...] = ()
    variant: Variant | None = None
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class Pause:
    """A provider is asked again when it is over."""

    until: float
    """In seconds of the run."""
    seconds: float


@dataclass(frozen=True, slots=True)
class AssistantRow:
    id: str
    agent: str
    icon: str = "sparkles"
    time: str = ""
    mode: str = ""
    """The badge: the mode's name in words."""
    mode_icon: str = ""
    mode_reason: str = ""
    """Why that one, where the program chose; shown while it runs and under the pointer."""
    parts: tuple[Part, ...] = ()
    is_action: bool = False
    """A person pressed a button of a card: what the button's tool shows is what they wanted to see."""
    busy: bool = False
    """The run goes on; what it does stands in `status`."""
    status: str = ""
    waits: bool = False
    """The run stands still until the person decides."""
    work: WorkSummary | None = None
    """What was done for it, counted; None before anything was."""
    understood: tuple[UnderstoodSlot, ...] = ()
    skills: tuple[str, ...] = ()
    """Names of the skills whose instructions the model read for it."""
    began: float | None = None
    """By the monotonic clock, while it is busy."""
    pause: Pause | None = None
    answer: str = ""
    """What the run came down to, once it has; what it said before a call is no part of it."""
    stop_reason: str = ""
    seconds: float | None = None
    tokens: int | None = None
    variant: Variant | None = None
    actions: tuple[Action, ...] = ()
    """Further buttons of the hover bar, beside Copy."""


@dataclass(frozen=True, slots=True)
class NoticeRow:
    id: str
    text: str
    level: Level = "info"
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class ErrorRow:
    id: str
    text: str
    """What happened."""
    hint: str = ""
    """What was kept and what to do."""
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class SeparatorRow:
    id: str
    text: str


Row = UserRow | AssistantRow | NoticeRow | ErrorRow | SeparatorRow


@dataclass(frozen=True, slots=True)
class LaterRow:
    """A row that is made when it comes into sight; until then only its length in characters is known."""

    id: str
    length: int
    make: Callable[[], Row]


def text_length(row: Row | LaterRow) -> int:
    """Characters of the row, for the estimate of its height."""
    match row:
        case LaterRow(length=length):
            return length
        case AssistantRow(parts=parts):
            return sum(len(part.text) if isinstance(part, TextPart) else 80 for part in parts)
        case SeparatorRow(text=text) | UserRow(text=text) | NoticeRow(text=text) | ErrorRow(text=text):
            return len(text)


def answer_of(row: Row) -> str:
    """What "Copy" gives: of a run its answer, else what it has said since its last call, or all it has said."""
    if not isinstance(row, AssistantRow):
        return markdown_of(row)
    last = max((n for n, part in enumerate(row.parts) if isinstance(part, ToolPart)), default=-1)
    return row.answer.strip("\n") or markdown_of(replace(row, parts=row.parts[last + 1 :])) or markdown_of(row)


def markdown_of(row: Row) -> str:
    """All that a row says: the source, as it came."""
    match row:
        case AssistantRow(parts=parts):
            return "\n\n".join(part.text.strip("\n") for part in parts if isinstance(part, TextPart) and part.text)
        case SeparatorRow(text=text) | UserRow(text=text) | NoticeRow(text=text) | ErrorRow(text=text):
            return text

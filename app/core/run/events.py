"""Every fact a run reports while it happens (interfaces.md 4): one list, to read from top to bottom.

Events carry numbers and codes; `core.wording` and the window find the words. The window, the log, the command line
and the local API read this one stream. A mode yields events; the run stamps each with its place (`Stamped`). The
last one is always exactly one `LoopEnd` or `LoopError`.

To add an event: a dataclass here, its name in `RunEvent`. The type checker then names every `match` that must learn it;
`transcript` passes on events it does not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from .chat_model import Usage
from .event_values import BudgetScope, CallStatus, ErrorInfo, ErrorReason, ModeName, PhaseName, StopReason
from .plan import PlanStep, PlanStepStatus
from .understood import UnderstoodSlot


@dataclass(frozen=True, slots=True)
class LoopStart:
    type: ClassVar[str] = "loop_start"
    agent: str
    mode: ModeName
    model: str
    query: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    """The effective per-agent settings."""


@dataclass(frozen=True, slots=True)
class ModeSelected:
    type: ClassVar[str] = "mode_selected"
    mode: ModeName
    reason: str
    """A code: greeting, planning_words, day_count, lookup_words, direct_words, default, preference."""
    matched: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PhaseStart:
    type: ClassVar[str] = "phase_start"
    phase: PhaseName
    title: str = ""
    """What the phase is about, if more is known than its name: the recognised intent, a goal."""


@dataclass(frozen=True, slots=True)
class StepStart:
    type: ClassVar[str] = "step_start"
    step: int
    limit: int
    tools_offered: int


@dataclass(frozen=True, slots=True)
class RoundStart:
    type: ClassVar[str] = "round_start"
    round: int
    limit: int


@dataclass(frozen=True, slots=True)
class RoundVerdict:
    type: ClassVar[str] = "round_verdict"
    round: int
    verdict: Literal["enough", "more"]
    missing: str | None = None
    quality: int | None = None
    confidence: int | None = None
    next: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Thinking:
    type: ClassVar[str] = "thinking"
    step: int
    text: str


@dataclass(frozen=True, slots=True)
class Token:
    """Visible text of a step. The answer is the one of `LoopEnd`."""

    type: ClassVar[str] = "token"
    step: int
    text: str


@dataclass(frozen=True, slots=True)
class Discard:
    """What step `step` has shown so far is taken back; it is about to be asked again."""

    type: ClassVar[str] = "discard"
    step: int


@dataclass(frozen=True, slots=True)
class Reclassify:
    """The text of `step` so far is of the other kind: thinking, or visible text."""

    type: ClassVar[str] = "reclassify"
    step: int
    to: Literal["thinking", "token"]


@dataclass(frozen=True, slots=True)
class PlanMade:
    """The current plan; sent again at every change, with the next `version`."""

    type: ClassVar[str] = "plan"
    goal: str
    steps: tuple[PlanStep, ...]
    version: int


@dataclass(frozen=True, slots=True)
class PlanStepChanged:
    type: ClassVar[str] = "plan_step"
    step: int
    status: PlanStepStatus
    error: str | None = None


@dataclass(frozen=True, slots=True)
class ToolCalled:
    """The model, or a plan step, asks for a tool; whether it runs is decided next."""

    type: ClassVar[str] = "tool_call"
    step: int
    id: str
    name: str
    args: Mapping[str, Any]
    dialect: str = "native"
    why: str | None = None
    plan_step: int | None = None
    mended: tuple[Mapping[str, str], ...] = ()
    """What was read forgivingly (`core.arguments.Note`): path, code, given, taken. The corrected form is what runs."""


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """The call passed every check and runs now."""

    type: ClassVar[str] = "tool_start"
    step: int
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class ToolText:
    """What a running tool writes, as it comes (delta); its result says what became of it."""

    type: ClassVar[str] = "tool_text"
    step: int
    id: str
    text: str


@dataclass(frozen=True, slots=True)
class ToolReturned:
    type: ClassVar[str] = "tool_result"
    step: int
    id: str
    name: str
    ok: bool
    status: CallStatus
    summary: str
    text: str
    """What the model reads: summary and data, cut to the limit."""
    chars: int
    kept_chars: int
    truncated: bool
    ms: int
    cached: bool = False
    repeat: str | None = None
    """The id of the first call with the same name and arguments."""
    display: Mapping[str, Any] | None = None
    """The card: {card, payload}."""
    error: Mapping[str, Any] | None = None
    untrusted: bool = False
    """Written by others: from here on the run is tainted."""
    inside: bool = False
    """Untrusted, and all of it from the folder of the session."""
    private: bool = False
    """The person's own: a file, a memory, a document of a knowledge base."""
    age: float | None = None
    """Seconds since the result was fetched, where it was kept from an earlier run and nothing ran in this one."""

    @property
    def card(self) -> Mapping[str, Any] | None:
        """What is painted; of a repeat that was not run nothing, since it stands where the first call stands."""
        return None if self.status == "repeat" else self.display


@dataclass(frozen=True, slots=True)
class Approval:
    type: ClassVar[str] = "approval"
    id: str
    tool_call_id: str
    name: str
    args: Mapping[str, Any]
    rule: str
    choices: tuple[str, ...] = ("once", "run", "always", "deny")
    sources: tuple[str, ...] = ()
    """Where untrusted content came from, if that is why it asks."""
    private: tuple[str, ...] = ()
    """Pieces of the arguments that are in something private: they would leave this computer."""
    until: float = 0.0
    """Seconds since 1970 at which no answer becomes a no; 0 in logs of before."""
    text: Mapping[str, str] = field(default_factory=dict)
    """What the call would do, by language, from the tool's own code; empty for tools that others wrote."""
    careful: str = ""
    """What deserves a second look, so that no key allows it: exec, delete, outside (a path), host (a new one)."""
    preview: Mapping[str, Any] | None = None
    """A card of what would change. A diff that `builds` an argument can be taken hunk by hunk: the pieces of the text,
    those that change with `hunk`, `old` and `new`."""
    agent: str = ""
    """The helper that asks; empty: the agent of the run itself."""


@dataclass(frozen=True, slots=True)
class ApprovalAnswer:
    type: ClassVar[str] = "approval_answer"
    id: str
    choice: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class StepEnd:
    type: ClassVar[str] = "step_end"
    step: int
    finish_reason: str
    usage: Usage
    ms: int
    ttft_ms: int | None = None
    """From the request to the first text or thinking."""
    echo: Mapping[str, Any] | None = None
    """What the provider needs back on this message in later requests; opaque."""


@dataclass(frozen=True, slots=True)
class Compacted:
    type: ClassVar[str] = "compacted"
    before_chars: int
    after_chars: int
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BudgetLevel:
    type: ClassVar[str] = "budget"
    kind: str
    used: float
    limit: float
    level: Literal["warn", "pause"]
    scope: BudgetScope = "run"
    """Whose budget it is."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the person should know; `code` finds the sentence, `text` is it in plain English."""

    type: ClassVar[str] = "notice"
    code: str
    text: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Retry:
    type: ClassVar[str] = "retry"
    attempt: int
    wait: float
    code: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    type: ClassVar[str] = "question"
    id: str
    text: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    type: ClassVar[str] = "answer"
    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Steered:
    """What the person added during the run; the request of `step` is the first that contains it."""

    type: ClassVar[str] = "steered"
    step: int
    text: str


@dataclass(frozen=True, slots=True)
class Understood:
    """What the question says, as slots; sent again when a slot changes."""

    type: ClassVar[str] = "understood"
    step: int
    slots: tuple[UnderstoodSlot, ...]
    state: Mapping[str, Any] | None = None
    """What the reader needs back to understand later questions of the session (`AssistantTurn.understood`); opaque."""


@dataclass(frozen=True, slots=True)
class SubRun:
    type: ClassVar[str] = "subrun"
    id: str
    agent: str = ""
    call: str = ""
    """The call that started it; several can run at the same time. "" in records from before it was told."""


@dataclass(frozen=True, slots=True)
class LoopEnd:
    type: ClassVar[str] = "loop_end"
    answer: str
    stop_reason: StopReason
    thinking: str = ""
    needs_clarification: bool = False
    usage: Usage = field(default_factory=Usage)
    steps: int = 0
    tools: tuple[str, ...] = ()
    seconds: float = 0.0
    trace: tuple[Mapping[str, Any], ...] = ()
    structured: Any = None
    """The answer as JSON, where the profile asks for a schema and it was met."""
    structured_error: str | None = None
    money: Mapping[str, float] | None = None
    """Currency → amount, by prices the person typed; None where there are none."""


@dataclass(frozen=True, slots=True)
class LoopError:
    type: ClassVar[str] = "loop_error"
    reason: ErrorReason
    error: ErrorInfo
    partial: str = ""
    """The visible text that had arrived."""
    usage: Usage = field(default_factory=Usage)
    steps: int = 0
    tools: tuple[str, ...] = ()
    seconds: float = 0.0
    money: Mapping[str, float] | None = None
    """As that of `LoopEnd`."""


Delta = Token | Thinking
Terminal = LoopEnd | LoopError
RunEvent = (
    LoopStart
    | ModeSelected
    | PhaseStart
    | StepStart
    | RoundStart
    | RoundVerdict
    | Thinking
    | Token
    | Discard
    | Reclassify
    | PlanMade
    | PlanStepChanged
    | ToolCalled
    | ToolStarted
    | ToolText
    | ToolReturned
    | Approval
    | ApprovalAnswer
    | StepEnd
    | Compacted
    | BudgetLevel
    | Notice
    | Retry
    | Question
    | Answer
    | Steered
    | Understood
    | SubRun
    | LoopEnd
    | LoopError
)


def is_terminal(event: RunEvent) -> bool:
    return isinstance(event, LoopEnd | LoopError)

"""Everything a run can tell while it happens (interfaces.md 4), and how one listens to it.

Events are facts: they carry numbers and codes, words are found where a person reads them. The
window, the store, the command line and the local API all read this one stream.

A mode yields bare events; the run stamps each with its place in the run (`Stamped`). The last
one is always exactly one `LoopEnd` or `LoopError`.

Long because it is one list: the whole vocabulary of a run, to be read from top to bottom.

To add an event: a dataclass here, its name in `RunEvent`. The type checker then names every
`match` that must learn it; `transcript` keeps it as it is unless told otherwise.
"""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, get_args

from .chat_model import Usage
from .event_fields import check_fields
from .plan import PlanStep, PlanStepStatus, step_from_json
from .understood import UnderstoodSlot

if TYPE_CHECKING:
    from ..tools.tool import ToolResult as ToolEnvelope
    from .model_call import ModelCall

ModeName = str
PhaseName = Literal["understanding", "planning", "decomposing", "approval", "executing", "answering"]
StopReason = Literal[
    "answered",
    "enough",
    "max_steps",
    "max_rounds",
    "all_duplicates",
    "saturated",
    "failures",
    "budget",
    "user",
    "clarification",
    "plan_only",
    "cut",
    "filtered",
    "fallback",
    "damaged",
]
ErrorReason = Literal["cancelled", "timeout", "api", "budget", "internal"]
BudgetScope = Literal["run", "session", "day"]
CallStatus = Literal["ok", "error", "denied", "blocked", "repeat", "interrupted", "unknown"]


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
    """The plan as it is now; sent again at every change, with the next `version`."""

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
    """What was read forgivingly (`core.arguments.Note`): path, code, given, taken. The mended form is what runs."""


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """The call passed every check and runs now."""

    type: ClassVar[str] = "tool_start"
    step: int
    id: str
    name: str


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
    """Pieces of the arguments that stand in something private: they would leave this computer."""
    until: float = 0.0
    """Seconds since 1970 at which no answer becomes a no; 0 in logs of before."""
    text: Mapping[str, str] = field(default_factory=dict)
    """What the call would do, by language, from the tool's own code; empty for tools that others wrote."""
    careful: str = ""
    """What deserves a second look, so that no key allows it: exec, delete, outside (a path), host (a new one)."""


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
    """What the person said while the run went on; the request of `step` is the first that has it."""

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
class ErrorInfo:
    code: str
    message: str
    hint: str = ""
    retryable: bool = False
    params: Mapping[str, Any] = field(default_factory=dict)


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
EVENT_TYPES: Mapping[str, type[Any]] = {cls.type: cls for cls in get_args(RunEvent)}

FORMAT = 1
"""`v` of every line."""


@dataclass(frozen=True, slots=True)
class Stamped:
    """An event in its place: `seq` counts from 0 without a gap, `t` is seconds since the run began.

    The live stream and the stored log count for themselves: in the log, text that came in pieces is gathered, so
    a line of it may be several of the live stream, with the `t` of the first.
    """

    seq: int
    t: float
    run: str
    session: str
    event: RunEvent
    parent: str | None = None
    """The id of the run this one was started by."""

    def to_json(self) -> dict[str, Any]:
        line: dict[str, Any] = {
            "v": FORMAT,
            "seq": self.seq,
            "t": round(self.t, 4),
            "run": self.run,
            "session": self.session,
        }
        if self.parent:
            line["parent"] = self.parent
        line.update(event_to_json(self.event))
        return line

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> Stamped:
        return cls(
            seq=int(line["seq"]),
            t=float(line["t"]),
            run=str(line["run"]),
            session=str(line["session"]),
            event=event_from_json(line),
            parent=line.get("parent"),
        )


def is_terminal(event: RunEvent) -> bool:
    return isinstance(event, LoopEnd | LoopError)


# ---------------------------------------------------------------- JSON


def event_to_json(event: RunEvent) -> dict[str, Any]:
    """The event's own fields and its type. Optional fields that are None are left out, but those in _ALWAYS."""
    line: dict[str, Any] = {"type": event.type}
    cls: type[Any] = type(event)
    for name in _field_names(cls):
        value = getattr(event, name)
        if value is None and (event.type, name) not in _ALWAYS:
            continue
        line[name] = _plain(value)
    return line


_ALWAYS = {("tool_result", "repeat"), ("step_end", "ttft_ms")}
"""Fields the list of events has without a question mark: null, where there is nothing."""


def event_from_json(line: Mapping[str, Any]) -> RunEvent:
    """Raises KeyError for an unknown type, TypeError for a field that is missing or of another kind.

    Unknown fields are passed over.
    """
    kind = line["type"]
    cls = EVENT_TYPES[kind]
    fields = {name: _READERS.get((kind, name), _same)(line[name]) for name in _field_names(cls) if name in line}
    check_fields(cls, fields)
    event: RunEvent = cls(**fields)
    return event


_FIELD_NAMES: dict[type[Any], tuple[str, ...]] = {}


def _field_names(cls: type[Any]) -> tuple[str, ...]:
    names = _FIELD_NAMES.get(cls)
    if names is None:
        names = _FIELD_NAMES[cls] = tuple(f.name for f in dataclasses.fields(cls))
    return names


def _plain(value: Any) -> Any:
    if isinstance(value, str | int | float | dict):
        return value
    if isinstance(value, PlanStep):
        return value.to_json()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return dict(value)
    return value


def _same(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _known(cls: type[Any], value: Mapping[str, Any]) -> Any:
    fields = {name: value[name] for name in _field_names(cls) if name in value}
    check_fields(cls, fields)
    return cls(**fields)


def _usage(value: Mapping[str, Any]) -> Any:
    return _known(Usage, value)


_READERS: Mapping[tuple[str, str], Callable[[Any], Any]] = {
    ("step_end", "usage"): _usage,
    ("loop_end", "usage"): _usage,
    ("loop_error", "usage"): _usage,
    ("loop_error", "error"): lambda value: _known(ErrorInfo, value),
    ("understood", "slots"): lambda value: tuple(UnderstoodSlot.from_json(slot) for slot in value),
    ("plan", "steps"): lambda value: tuple(step_from_json(step, n) for n, step in enumerate(value, 1)),
}
"""Fields that are more than plain JSON, by event type and name."""


# ---------------------------------------------------------------- listening


class RunHandle(Protocol):
    """One run, as the window and the command line see it."""

    @property
    def id(self) -> str: ...

    @property
    def session(self) -> str: ...

    @property
    def is_running(self) -> bool: ...

    @property
    def seconds(self) -> float:
        """For how long it has been going on, by the clock its events are stamped with."""

    def events(self) -> AsyncIterator[Stamped]:
        """From the first event to the terminal one. Several may listen; each gets all of them."""

    def cancel(self) -> None:
        """Stop. The terminal event follows within 2 s; a second call abandons what still hangs."""

    def answer_now(self) -> None:
        """The next step answers with what there is, tools off."""

    def retry_now(self) -> None:
        """After a `Retry`: do not wait for the rest of the countdown."""

    def one_more_round(self) -> None:
        """Allow one reflection round more than the limit."""

    def steer(self, text: str) -> bool:
        """Said to the model with its next request, then told as `Steered`; False: the run has ended.

        A run that ends before its next request has not taken it: only `Steered` says so.
        """

    def approve(
        self, approval_id: str, choice: str, *, args: Mapping[str, Any] | None = None, reason: str = ""
    ) -> bool:
        """Answer an `Approval`; False if nobody waits for it any more."""

    def answer(self, question_id: str, text: str) -> bool: ...

    def submit_plan(self, goal: str, steps: list[Mapping[str, Any]]) -> bool:
        """The plan as the person wants it; goes on from the approval phase."""

    def keep_plan(self) -> bool:
        """To a new plan for the rest of the work: the old one goes on, without what failed."""
        ...

    def control_plan(self, order: str, step: int = 0, value: Any = None) -> None:
        """While a plan runs: pause, resume, next (one step), skip, retry (`value`: other arguments),
        result (`value`: put in by hand)."""

    def raise_budget(self, limit: float | None) -> bool:
        """Answer a budget that is used up: the new limit, or None for "answer now"."""

    def requests(self) -> list[ModelCall]:
        """What went to the model so far and came back, as it was sent."""

    def full_result(self, call_id: str) -> ToolEnvelope | None:
        """The whole result of a call of this run."""

    async def result(self) -> Terminal:
        """The terminal event; never raises."""

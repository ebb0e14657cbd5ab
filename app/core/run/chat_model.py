"""What the core asks of a model, and what a model gives back.

A `ChatModel` takes one `ModelRequest` and streams `ModelChunk`s; the last chunk is always one
`Finished`. It raises only `ModelError` subclasses (and lets cancellation pass). How a provider
writes reasoning, tool calls and errors on its wire stays below this line.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from .model_call import ModelCall
    from .understood import UnderstoodSlot

Json = Any
FinishReason = Literal["stop", "tool_calls", "length", "content_filter", "other"]
Dialect = Literal["auto", "native", "tags", "json"]
Effort = Literal["auto", "off", "low", "medium", "high"]
"""How long the model shall think before it writes; auto leaves it to the service."""
EffortStyle = Literal[
    "", "levels", "levels_minimal", "levels_none", "switch", "reasoning", "budget", "thinking", "thinking_levels",
    "tokens", "template",
]  # fmt: skip
"""How a service wants to be told; "" = it cannot be told. `providers/request/effort.py` has each."""

# ---------------------------------------------------------------- the conversation, as sent


@dataclass(frozen=True, slots=True)
class SystemTurn:
    text: str


@dataclass(frozen=True, slots=True)
class UserTurn:
    text: str
    images: tuple[str, ...] = ()
    """`data:` URLs, already checked and bounded."""


@dataclass(frozen=True, slots=True)
class CallTurn:
    """One tool call inside an assistant turn.

    Identity is `id`, ours and unique in the history; `wire_id` is only the provider's label.
    `args` is None when the arguments could not be read; then `error` says why.
    """

    id: str
    name: str
    args_text: str
    args: dict[str, Any] | None = None
    error: str | None = None
    wire_id: str = ""
    extra: Mapping[str, Json] | None = None
    """What the provider put beside the call and wants back unchanged (`extra_content`)."""
    why: str = ""
    """What the model says it wants to know; only the json dialect asks for it."""


@dataclass(frozen=True, slots=True)
class AssistantTurn:
    text: str = ""
    reasoning: str = ""
    calls: tuple[CallTurn, ...] = ()
    echo: Mapping[str, Json] | None = None
    """What this provider needs back on this message: the name of its reasoning field,
    `reasoning_details`, the raw content. Opaque above the providers; JSON."""
    understood: Mapping[str, Json] | None = None
    """`Understood.state` of the run this message ended; read by the offline rules, never sent."""


@dataclass(frozen=True, slots=True)
class ResultTurn:
    """The result of one call, as the model reads it."""

    call_id: str
    name: str
    text: str
    is_error: bool = False
    data: Json = None
    """The whole data of the result, for models that are programs (offline rules); never sent."""


Turn = SystemTurn | UserTurn | AssistantTurn | ResultTurn


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as offered to the model."""

    name: str
    description: str
    parameters: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class ModelRequest:
    turns: Sequence[Turn]
    tools: tuple[ToolSpec, ...] = ()
    tool_choice: Literal["auto", "none", "required"] = "auto"
    temperature: float | None = None
    top_p: float | None = None
    effort: Effort = "auto"
    max_output_tokens: int | None = None
    response_schema: Mapping[str, Json] | None = None
    purpose: str = "step"
    """What the request is for – step, plan, answer, summary, title; a rule model looks at it."""
    dialect: Dialect = "auto"
    goes_on: bool = False
    """The text continues one that was cut off: white space at its beginning means something."""
    record: Callable[[ModelCall], None] | None = field(default=None, compare=False, repr=False)
    """Told what went over the wire, once for each attempt; a model without a wire need not."""


# ---------------------------------------------------------------- the stream


@dataclass(frozen=True, slots=True)
class TextDelta:
    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    text: str


@dataclass(frozen=True, slots=True)
class CallDelta:
    """A piece of a tool call, for display only; the whole call is in `Finished`."""

    position: int
    name: str = ""
    args_text: str = ""


@dataclass(frozen=True, slots=True)
class Reclassified:
    """Text already given as an answer turns out to be reasoning (a lone closing think tag)."""

    to: Literal["thinking", "token"] = "thinking"


@dataclass(frozen=True, slots=True)
class SlotsUnderstood:
    """What a model that is a program read from the question; `state` comes back as `AssistantTurn.understood`."""

    slots: tuple[UnderstoodSlot, ...]
    state: Mapping[str, Json] | None = None


@dataclass(frozen=True, slots=True)
class Alive:
    """The provider sent something without content."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request or the sum of several. `exact` is False for our own estimate."""

    input: int = 0
    output: int = 0
    reasoning: int = 0
    cached: int = 0
    exact: bool = True

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.reasoning + other.reasoning,
            self.cached + other.cached,
            self.exact and other.exact,
        )

    @property
    def total(self) -> int:
        return self.input + self.output


@dataclass(frozen=True, slots=True)
class Finished:
    """The whole message. `finish` says whether it is whole; `raw_finish` is the provider's word."""

    turn: AssistantTurn
    finish: FinishReason
    usage: Usage | None = None
    raw_finish: str = ""
    refusal: bool = False
    dialect: Dialect = "native"
    notices: tuple[str, ...] = ()
    """Codes of notices the run passes on (`dialect_changed`, …)."""


ModelChunk = TextDelta | ReasoningDelta | CallDelta | Reclassified | SlotsUnderstood | Alive | Finished


# ---------------------------------------------------------------- the model


@dataclass(frozen=True, slots=True)
class ModelTraits:
    """How a model behaves on the wire; data per provider and model, user-overridable."""

    context_chars: int | None = None
    tools: Literal["native", "text", "none"] = "native"
    parallel_tools: bool = True
    tool_choice: bool = True
    """Whether `tool_choice` other than auto is understood."""
    reasoning_field: str = ""
    """The field reasoning is echoed in; "" = as it came."""
    echo_reasoning: Literal["never", "tool_turns", "always"] = "tool_turns"
    think_tags: bool = True
    ask_for_think: bool = False
    """It does not reason by itself: the system prompt asks it to think inside `<think>` first."""
    think_prefilled: bool = False
    """The template opens the think tag; only the closing one is generated."""
    max_tokens_name: str = "max_tokens"
    drop_params: tuple[str, ...] = ()
    system_role: Literal["system", "developer", "user"] = "system"
    json_schema: Literal["strict", "schema", "object", "none"] = "none"
    final_answer: bool = False
    """It takes tools or a schema in a request, not both: an answer by schema is asked for as a call of a tool."""
    id_style: Literal["any", "mistral9"] = "any"
    include_usage: bool = True
    extra_body: Mapping[str, Json] = field(default_factory=dict)
    effort: EffortStyle = ""
    vision: bool = False
    """It sees images; another one is told that there was one."""
    local: bool = False
    """A server on this machine or a reasoning model: longer clocks (ruling 11)."""
    reads_everything: bool = False
    """A program, not a language model: its conversation is never shortened."""

    def shortened_above(self, wanted: int) -> int:
        """Characters of turns, instructions and tools apart, above which older results are shortened; 0 = never."""
        return 0 if self.reads_everything else min(wanted, self.context_chars or wanted)


class ChatModel(Protocol):
    """A model one can talk to. One object serves many requests, one after the other or at once."""

    @property
    def ref(self) -> str:
        """`provider/model`, as in settings and events."""

    @property
    def traits(self) -> ModelTraits: ...

    def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        """Ends with exactly one `Finished`, or raises a `ModelError`."""

    async def aclose(self) -> None: ...

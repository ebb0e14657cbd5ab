"""What a person can ask for at a row of the chat: a closed union, carried by `ChatView.row_action`.

To add one: a member or a class here; the type checker then names the `match` of
`main_window/row_actions.py` that has to carry it out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from app.ui.texts import NextAction


class Plain(Enum):
    """What needs no further word."""

    COPY = auto()
    """The view does that itself."""
    EDIT = auto()
    REGENERATE = auto()
    FORK = auto()
    DELETE = auto()
    DETAILS = auto()
    REASONING = auto()
    GOOD = auto()
    BAD = auto()
    CONTINUE = auto()
    ONE_MORE_ROUND = auto()
    ANSWER_NOW = auto()
    RETRY_NOW = auto()
    STOP = auto()
    FORGET_RATINGS = auto()


@dataclass(frozen=True, slots=True)
class AskAgainIn:
    """The same question in another mode."""

    mode: str


@dataclass(frozen=True, slots=True)
class ShowVariant:
    """Another form of the message, counted from 1."""

    number: int


@dataclass(frozen=True, slots=True)
class Reveal:
    """The place of a part in the reasoning pane."""

    part: str


@dataclass(frozen=True, slots=True)
class ShowWhole:
    """All of a cut result."""

    part: str


@dataclass(frozen=True, slots=True)
class RaiseLimit:
    """From now on the model reads that much of one result of this agent."""

    characters: int


@dataclass(frozen=True, slots=True)
class PressCardButton:
    message: str
    """"" = the message of the row itself."""
    call: str
    button: str
    values: Mapping[str, Any] = field(default_factory=dict)
    """What the person gave in the card."""


@dataclass(frozen=True, slots=True)
class Follow:
    """The way out that the sentence of an error names."""

    way: NextAction


@dataclass(frozen=True, slots=True)
class UseRound:
    """The answer as it stood after a reflection round."""

    number: int


@dataclass(frozen=True, slots=True)
class TryFrom:
    """The run once more from a call, or from a step of the plan without one, with something else."""

    part: str


@dataclass(frozen=True, slots=True)
class CorrectSlot:
    """Something was understood wrongly: what it is called, and its right value in words."""

    label: str
    words: str


@dataclass(frozen=True, slots=True)
class SteerStep:
    """An order for a step of the plan that is worked off: skip, retry, or change (its arguments)."""

    order: str
    step: int


@dataclass(frozen=True, slots=True)
class ReadHelpers:
    """The steps of the runs inside a call."""

    part: str


@dataclass(frozen=True, slots=True)
class RunFromStep:
    """The run once more from one of its requests on."""

    step: int


@dataclass(frozen=True, slots=True)
class ShowFacts:
    """What of the memory was used for the answer."""

    ids: tuple[str, ...]


RowAction = (
    Plain
    | AskAgainIn
    | ShowVariant
    | Reveal
    | ShowWhole
    | RaiseLimit
    | PressCardButton
    | Follow
    | UseRound
    | RunFromStep
    | ReadHelpers
    | TryFrom
    | SteerStep
    | CorrectSlot
    | ShowFacts
)

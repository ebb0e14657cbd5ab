"""The plan of a game, as a model hands it in and as it is stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from .vocabulary import Dimension, Environment

Short = Annotated[str, Field(min_length=1, max_length=200)]
Text = Annotated[str, Field(min_length=1, max_length=2_000)]
Capacity = Annotated[int, Field(ge=1, le=9)]


class Material(TypedDict):
    name: Short
    household_alternative: NotRequired[str]
    safety_tags: NotRequired[list[str]]


class GameStep(TypedDict):
    title: Short
    instruction: Text
    guidance: NotRequired[str]
    say_examples: NotRequired[list[str]]
    watch_for: NotRequired[list[str]]
    circles_goal: NotRequired[Annotated[int, Field(ge=0, le=100)]]
    if_refuses: NotRequired[str]
    easier: NotRequired[str]
    harder: NotRequired[str]
    minutes: NotRequired[Annotated[float, Field(ge=0, le=45)]]


class Evidence(TypedDict):
    id: Annotated[str, Field(min_length=1, max_length=80, description="of a fact or a card that was read")]
    why: str


class GamePlan(TypedDict):
    title: Short
    summary: Text
    goal: Text
    target_capacities: list[Capacity]
    target_dimensions: list[Dimension]
    strategy: Literal["leverage", "explore", "mixed"]
    age_range_months: Annotated[list[int], Field(min_length=2, max_length=2)]
    duration_min: Annotated[int, Field(ge=5, le=45)]
    environment: Environment
    materials: list[Material]
    preparation: NotRequired[list[str]]
    steps: Annotated[list[GameStep], Field(min_length=4, max_length=6)]
    sensory_adaptations: NotRequired[list[str]]
    calm_down_plan: Text
    safety_notes: list[str]
    stop_signs: Annotated[list[Short], Field(min_length=1)]
    ending_ritual: Text
    evidence: NotRequired[list[Evidence]]
    review_questions: Annotated[list[Short], Field(min_length=3, max_length=3)]


def texts_of(value: Any, where: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a plan with its place, as `steps[2].instruction`; keys count too, a material may hide in one."""
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            place = f"{where}.{key}" if where else str(key)
            if not str(key).isidentifier():
                yield place, str(key)
            yield from texts_of(inner, place)
    elif isinstance(value, Sequence) and not isinstance(value, bytes):
        for number, inner in enumerate(value):
            yield from texts_of(inner, f"{where}[{number}]")

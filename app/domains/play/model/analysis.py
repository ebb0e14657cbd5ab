"""What a model says of a child's interests at the end of the workflow: words and proposals, the numbers are ours."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from .plan import Short, Text
from .vocabulary import Category, Dimension

Strategy = Literal["leverage", "explore", "mixed"]
Objects = Annotated[list[Short], Field(max_length=20)]


class DimensionJudged(TypedDict):
    dimension: Dimension
    strength: Annotated[int, Field(ge=0, le=100)]
    exploration: Annotated[int, Field(ge=0, le=100)]
    category: Category
    specificObjects: Objects
    reasoning: Annotated[str, Field(max_length=1_000)]


class InterestSuggestion(TypedDict):
    targetDimension: Dimension
    strategy: Strategy
    suggestion: Text
    rationale: Text
    exampleActivities: Annotated[list[Short], Field(min_length=1, max_length=6)]


class InterestAnalysis(TypedDict):
    summary: Text
    dimensions: Annotated[list[DimensionJudged], Field(min_length=8, max_length=8)]
    leverageDimensions: list[Dimension]
    exploreDimensions: list[Dimension]
    avoidDimensions: list[Dimension]
    interventionSuggestions: Annotated[list[InterestSuggestion], Field(min_length=3, max_length=5)]

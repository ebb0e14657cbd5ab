"""An agent that is another program: what is started, and asked over its standard streams."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

LONGEST_ARGUMENT = 8_192
OWN = "acp/"
"""Before the id of a mode that is another program's own, and before `agent/model` where the model is."""


class OfferedChoice(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str = Field(min_length=1, max_length=200)
    title: str = Field(max_length=100)
    about: str = Field("", max_length=300)


class AgentOffers(BaseModel):
    """What such an agent lets a person choose: its modes and its models, and those it begins with."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    modes: tuple[OfferedChoice, ...] = Field((), max_length=20)
    mode: str = Field("", max_length=200)
    models: tuple[OfferedChoice, ...] = Field((), max_length=500)
    model: str = Field("", max_length=200)


def own_mode(mode: str) -> str:
    """The id by which the agent knows it; "" for a mode of ours."""
    return mode.removeprefix(OWN) if mode.startswith(OWN) else ""


class AcpProgram(BaseModel):
    """Values of its variables are secrets and stored elsewhere."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    command: str = Field(min_length=1, max_length=4_096)
    args: tuple[str, ...] = Field((), max_length=200)
    env: tuple[str, ...] = Field((), max_length=60)
    """Names only."""
    cwd: str = Field("", max_length=4_096)
    """Where it works in a session without a folder of its own; "": a folder of the program's."""
    mode: str = Field("", max_length=200)
    """One of the agent's own modes, by its id; "" leaves it to the agent."""

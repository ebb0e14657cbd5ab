"""An agent that is another program: what is started, and asked over its standard streams."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

LONGEST_ARGUMENT = 8_192


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

"""What a list of sessions shows of each. No pydantic here: the window needs it before first paint."""

from __future__ import annotations

from dataclasses import dataclass

from ..ids import is_temporary


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One stored conversation, without its messages. Times are seconds since 1970."""

    id: str
    title: str
    """"" until the first question gives one."""
    agent: str
    mode: str
    """The mode the composer had last; "" = the agent's default."""
    model: str
    """A model reference chosen for this session; "" = by the rules of interfaces.md 3."""
    created: float
    updated: float
    pinned: bool = False
    folder: str = ""
    archived: bool = False
    trashed: float | None = None
    """When it was moved to the bin; None = it is not there."""
    preview: str = ""
    """The beginning of the last message, one line."""
    draft: str = ""
    """What stood unsent in the composer."""

    @property
    def is_temporary(self) -> bool:
        """Never on the disk: gone when the program ends."""
        return is_temporary(self.id)

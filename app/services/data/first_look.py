"""The little a window needs before its first paint: read quickly, without the heavy libraries."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from app.core.session.summary import SessionRow


@dataclass(frozen=True, slots=True)
class FirstLook:
    data_dir: Path
    language: str = ""
    theme: str = "system"
    zoom: int = 100
    text_font: str = ""
    code_font: str = ""
    reduced_motion: bool = False
    sessions: tuple[SessionRow, ...] = ()
    session: str | None = None
    """The session to open first, if the command line named one."""
    agent: str = ""
    safe_mode: Literal["", "asked", "failed"] = ""
    """Without plug-ins, servers, own looks and the last session: by `--safe-mode`, or after failed starts."""

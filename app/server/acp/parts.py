"""What the agent side of the protocol works with."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from app.services.data.sessions import SessionService
from app.services.exchange.attachments import AttachmentService
from app.services.runs.chat import ChatService
from app.services.settings.settings import SettingsService
from app.services.tools.grants import GrantService
from app.services.tools.service import ToolService
from app.services.workspace.service import WorkspaceService

if TYPE_CHECKING:
    from acp.schema import ClientCapabilities


@dataclass(frozen=True, slots=True)
class AcpParts:
    settings: SettingsService
    sessions: SessionService
    chat: ChatService
    tools: ToolService
    grants: GrantService
    attachments: AttachmentService
    workspace: WorkspaceService


@dataclass(slots=True)
class EditorSession:
    """A session as the editor has it open."""

    id: str
    folder: Path
    """Where the editor works; an agent that cannot work in a folder has no use for it."""
    can: ClientCapabilities
    notes: list[str] = field(default_factory=list)
    """Sentences the person should read with the next answer."""
    is_busy: bool = False

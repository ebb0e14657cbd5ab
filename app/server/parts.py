"""What the routes of the server are handed."""

from __future__ import annotations

from dataclasses import dataclass

from app.services.api.clients import ApiClientService
from app.services.data.sessions import SessionService
from app.services.exchange.attachments import AttachmentService
from app.services.knowledge.models import KnowledgeModels
from app.services.mcp.served_agents import ServedAgentService
from app.services.runs.chat import ChatService
from app.services.runs.runs import RunService
from app.services.settings.settings import SettingsService
from app.services.tools.service import ToolService

from .metrics import Metrics
from .run_hub import RunHub


@dataclass(frozen=True, slots=True)
class ServerParts:
    clients: ApiClientService
    settings: SettingsService
    sessions: SessionService
    chat: ChatService
    runs: RunService
    tools: ToolService
    attachments: AttachmentService
    embeddings: KnowledgeModels
    served_agents: ServedAgentService
    hub: RunHub
    metrics: Metrics

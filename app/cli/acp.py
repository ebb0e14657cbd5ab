"""`triptych acp`: the agents in an editor that speaks the Agent Client Protocol, over standard input and output."""

from __future__ import annotations

import argparse
from typing import Any

from app.core.text.i18n import _
from app.services.data.sessions import SessionService
from app.services.exchange.attachments import AttachmentService
from app.services.lifecycle import Lifecycle
from app.services.runs.chat import ChatService
from app.services.settings.settings import SettingsService
from app.services.tools.grants import GrantService
from app.services.tools.service import ToolService
from app.services.workspace.service import WorkspaceService

from .console.output import tell


def add(commands: Any) -> None:
    words = _("answer an editor that speaks the Agent Client Protocol (ACP), over standard input")
    parser: argparse.ArgumentParser = commands.add_parser("acp", help=words)
    parser.add_argument("--agent", metavar="ID", dest="acp_agent", default="", help=_("who answers"))
    parser.set_defaults(handler=serve)


async def serve(
    args: argparse.Namespace,
    *,
    lifecycle: Lifecycle,
    settings: SettingsService,
    sessions: SessionService,
    chat: ChatService,
    tools: ToolService,
    grants: GrantService,
    attachments: AttachmentService,
    workspace: WorkspaceService,
) -> int:
    """Ends when the editor closes standard input; what runs for it is stopped then."""
    from app.server.acp.parts import AcpParts
    from app.server.acp.stdio import serve_stdio

    if args.acp_agent:
        settings.profile(args.acp_agent)
    await lifecycle.open()
    lifecycle.begin_keeping()
    parts = AcpParts(settings, sessions, chat, tools, grants, attachments, workspace)
    if why := await serve_stdio(parts, args.acp_agent):
        tell(f"triptych: {why}")
        return 1
    return 0

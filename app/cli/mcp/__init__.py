"""`triptych mcp`: the servers that are set up, and whether one answers."""

from __future__ import annotations

import argparse
from typing import Any

from app.core.errors import BadInput
from app.core.text.i18n import _
from app.services.api.clients import ApiClientService
from app.services.api.serving import DEFAULT_MCP_PORT, LocalApiService
from app.services.lifecycle import Lifecycle
from app.services.mcp.served_agents import ServedAgentService
from app.services.mcp.service import McpService

from ..console.output import json_page, say, table, tell
from ..serve import answer_until_stopped
from .setup import add_setup


def add(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser(
        "mcp", help=_("list, add, approve, check and remove MCP servers")
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="list|check|add|remove|approve|serve")
    listing = actions.add_parser("list", help=_("the servers and how they are"))
    listing.add_argument("--json", action="store_true", help=_("as JSON"))
    listing.set_defaults(handler=list_servers)
    checking = actions.add_parser("check", help=_("start a server that was agreed to and list its tools"))
    checking.add_argument("server", metavar="ID", help=_("see `mcp list`"))
    checking.add_argument("--json", action="store_true", help=_("as JSON"))
    checking.set_defaults(handler=check_server)
    serving = actions.add_parser("serve", help=_("offer the agents to a program that speaks MCP, over standard input"))
    serving.add_argument("--http", action="store_true", help=_("over streamable HTTP instead, for several programs"))
    serving.add_argument(
        "--port", type=int, default=None, metavar="N", help=_("with --http: else 8643; 0 takes a free one")
    )
    serving.set_defaults(handler=serve)
    add_setup(actions)


async def serve(
    args: argparse.Namespace,
    *,
    served_agents: ServedAgentService,
    local_api: LocalApiService,
    api_clients: ApiClientService,
    lifecycle: Lifecycle,
) -> int:
    """Over standard streams, until the program that started it closes standard input; standard output belongs to the
    protocol then. Or over HTTP, until it is stopped."""
    if args.port is not None and not args.http:
        raise BadInput(_("--port is for --http"))
    await lifecycle.open()
    if not args.http:
        await served_agents.serve_stdio()
        return 0
    await local_api.start(DEFAULT_MCP_PORT if args.port is None else args.port, only_mcp=True)
    return await answer_until_stopped(f"{local_api.address}/mcp", local_api, api_clients, lifecycle)


async def list_servers(args: argparse.Namespace, *, mcp: McpService) -> int:
    await mcp.open()
    entries = mcp.servers()
    if args.json:
        json_page(
            [{"id": e.id, "name": e.name, "state": e.state, "tools": e.tool_count, "what": e.what} for e in entries]
        )
    else:
        rows = [(e.id, e.name, e.state, str(e.tool_count), e.what) for e in entries]
        table((_("server"), _("name"), _("state"), _("tools"), _("what it is")), rows)
    return 0


async def check_server(args: argparse.Namespace, *, mcp: McpService) -> int:
    await mcp.open()
    entry = mcp.server(args.server)
    if not (entry.enabled and entry.is_reviewed):
        words = _("{name} has not been agreed to; look at it: triptych mcp approve {id}")
        raise BadInput(words.format(name=entry.name, id=entry.id))
    entry = await mcp.start(args.server)
    review = mcp.reviews.tools(args.server)
    if args.json:
        json_page(
            {
                "id": entry.id,
                "state": entry.state,
                "code": entry.code,
                "why": entry.why,
                "protocol": entry.version,
                "accepted": review.is_accepted,
                "tools": [row.local_name for row in review.rows],
                "left_out": dict(review.left_out),
            }
        )
    else:
        say(f"{entry.name}: {entry.state}" + (f" ({_plain(entry.why)})" if entry.why else ""))
        rows = [(row.local_name, row.word, _plain(row.description)) for row in review.rows]
        table((_("tool"), _("word"), _("what it says it does")), rows)
        for name, why in review.left_out:
            say(_("left out: {names}").format(names=f"{_plain(name)}: {why}"))
    if entry.state == "tools":
        tell(_("Its tools have not been agreed to: triptych mcp approve {id}").format(id=entry.id))
    return 0 if entry.state == "running" else 1


def _plain(text: str) -> str:
    """The first line of what a server wrote, without anything a terminal would obey."""
    line = next((line for line in text.splitlines() if line.strip()), "")[:200]
    return "".join(char if char.isprintable() else "�" for char in line)

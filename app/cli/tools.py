"""`triptych tools`: which there are, and one called by hand."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from app.core.errors import BadInput
from app.core.text.i18n import _
from app.core.tools import finite
from app.services.lifecycle import Lifecycle
from app.services.mcp.service import McpService
from app.services.tools.service import ToolService
from app.services.workspace.service import WorkspaceService

from .console.output import json_page, table
from .console.typed import from_stdin


def add(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("tools", help=_("list tools, call one"))
    actions = parser.add_subparsers(dest="action", required=True, metavar="list|call")
    listing = actions.add_parser("list", help=_("the tools, or those of one agent"))
    listing.add_argument("--agent", dest="tool_agent", default="", metavar="ID", help=_("only what this agent has"))
    listing.add_argument("--json", action="store_true", help=_("as JSON"))
    listing.set_defaults(handler=list_tools)
    calling = actions.add_parser("call", help=_("call a tool without a model; prints its result envelope"))
    calling.add_argument("name", metavar="NAME", help=_("see `tools list`"))
    calling.add_argument(
        "--json", dest="arguments", default="{}", metavar="ARGS|-", help=_("its arguments as one object; - reads them")
    )
    calling.add_argument(
        "--agent", dest="tool_agent", default="", metavar="ID",
        help=_("with the tools, settings and denials of this agent; nothing asks, for you make the call yourself"),
    )  # fmt: skip
    calling.add_argument("--folder", default="", metavar="DIR", help=_("the folder it may work in"))
    calling.add_argument(
        "--secrets",
        action="store_true",
        help=_("also files that hold keys: .env, .git, keys; without it they are refused"),
    )
    calling.set_defaults(handler=call_tool)


async def list_tools(args: argparse.Namespace, *, mcp: McpService, tools: ToolService) -> int:
    if args.tool_agent:
        await mcp.open()
    entries = await tools.tools(args.tool_agent) if args.tool_agent else tools.all_tools()
    if args.json:
        json_page(
            [
                {
                    "name": entry.name,
                    "description": entry.description,
                    "permission": entry.permission,
                    "word": entry.word,
                    "parameters": entry.parameters,
                }
                for entry in entries
            ]
        )
    else:
        rows = [(e.name, e.permission, e.word, (_(e.description).splitlines() or [""])[0]) for e in entries]
        table((_("tool"), _("class"), _("word"), _("what it does")), rows)
    return 0


async def call_tool(
    args: argparse.Namespace, *, tools: ToolService, lifecycle: Lifecycle, workspace: WorkspaceService
) -> int:
    text = from_stdin() if args.arguments == "-" else args.arguments
    try:
        arguments = finite.loads(text)
    except json.JSONDecodeError as error:
        words = _("--json holds no JSON: see line {line}, column {column}")
        raise BadInput(words.format(line=error.lineno, column=error.colno)) from error
    except ValueError as error:
        raise BadInput(_("--json holds a number that is not finite (NaN, Infinity, or too large)")) from error
    if not isinstance(arguments, dict):
        raise BadInput(_("--json must hold one JSON object"))
    await lifecycle.open()
    folder = await workspace.by_hand(Path(args.folder), tools.resources) if args.folder else None
    result = await tools.call(args.name, arguments, args.tool_agent, folder=folder, secrets=args.secrets)
    json_page(result.to_json())
    if result.ok:
        return 0
    return 5 if result.error is not None and result.error.code == "DENIED" else 1

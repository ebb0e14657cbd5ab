"""The agents as an MCP server: each agent a tool, each session a resource."""

from __future__ import annotations

from typing import Any, Final

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from starlette.applications import Starlette

from app.core.errors import TriptychError
from app.core.served_agents import ServedAgent, ServedAgents
from app.core.text.i18n import _

from .serving_http import WatchedClients, while_there

NAME: Final = "triptych"
SCHEME: Final = "triptych://sessions/"
LONGEST_QUESTION: Final = 200_000
MOST_RESOURCES: Final = 200
_INVALID: Final = -32602


def agent_server(agents: ServedAgents, version: str) -> Server[Any]:
    async def list_tools(_ctx: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_tool(one) for one in agents.agents()])

    async def call_tool(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        by_id = {one.id: one for one in agents.agents()}
        if params.name not in by_id:
            raise MCPError(_INVALID, f"unknown tool: {params.name}")
        args = params.arguments or {}
        if fault := _fault(by_id[params.name], args):
            return _result(fault, is_error=True)
        steps = 0

        async def progress(text: str) -> None:
            nonlocal steps
            steps += 1
            await ctx.session.report_progress(float(steps), None, text)

        try:
            asking = agents.ask(
                params.name, args["question"], args.get("mode") or "", args.get("session") or "", progress
            )
            answer = await while_there(ctx.request, asking)
        except TriptychError as error:
            return _result(" ".join(filter(None, (error.message, error.hint))), is_error=True)
        return _result(answer.text, session=answer.session, is_error=answer.is_error)

    async def list_resources(_ctx: Any, _params: Any) -> types.ListResourcesResult:
        sessions = list(await agents.sessions())[:MOST_RESOURCES]
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=f"{SCHEME}{one.id}", name=one.title or one.id, description=one.agent, mime_type="text/markdown"
                )
                for one in sessions
            ]
        )

    async def list_templates(_ctx: Any, _params: Any) -> types.ListResourceTemplatesResult:
        template = types.ResourceTemplate(
            uri_template=SCHEME + "{session}", name="session", mime_type="text/markdown",
            description="a conversation by its id, older ones than those listed too",
        )  # fmt: skip
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(_ctx: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        try:
            text = await agents.session_text(params.uri.removeprefix(SCHEME))
        except TriptychError as error:
            raise MCPError(_INVALID, error.message) from error
        content = types.TextResourceContents(uri=params.uri, mime_type="text/markdown", text=text)
        return types.ReadResourceResult(contents=[content])

    return Server(
        NAME,
        version=version,
        title="Triptych",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
    )


async def serve_stdio(agents: ServedAgents, version: str) -> None:
    """Until the client closes our standard input; standard output belongs to the protocol."""
    server = agent_server(agents, version)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def http_application(agents: ServedAgents, version: str) -> Starlette:
    """The same over streamable HTTP at `/mcp`; who may speak to it is the caller's matter."""
    application = agent_server(agents, version).streamable_http_app()
    application.add_middleware(WatchedClients)
    return application


def _tool(agent: ServedAgent) -> types.Tool:
    schema = {
        "type": "object",
        "properties": {
            "question": {"type": "string", "description": "what the agent is asked, in any language"},
            "mode": {"type": "string", "enum": list(agent.modes), "description": "how it works; else its own"},
            "session": {"type": "string", "description": "goes on with an earlier conversation"},
        },
        "required": ["question"],
        "additionalProperties": False,
    }
    annotations = types.ToolAnnotations(title=agent.title, read_only_hint=False, open_world_hint=True)
    return types.Tool(
        name=agent.id, title=agent.title, description=agent.description, input_schema=schema, annotations=annotations
    )


def _fault(agent: ServedAgent, args: dict[str, Any]) -> str:
    if unknown := args.keys() - {"question", "mode", "session"}:
        return _("unknown argument: {name}").format(name=min(unknown))
    if not all(isinstance(value, str) for value in args.values()):
        return _("the arguments are texts")
    question = args.get("question", "")
    if not question.strip() or len(question) > LONGEST_QUESTION:
        return _("question is empty or too long")
    if args.get("mode") and args["mode"] not in agent.modes:
        return _("mode is one of {modes}").format(modes=", ".join(agent.modes))
    return ""


def _result(text: str, *, session: str = "", is_error: bool = False) -> types.CallToolResult:
    meta = {"session": session} if session else None
    return types.CallToolResult(
        content=[types.TextContent(text=text)], is_error=is_error, _meta=meta,
        structured_content={"answer": text, "session": session} if session else None,
    )  # fmt: skip

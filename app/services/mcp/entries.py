"""What the window and the commands show of an MCP server, from its stored form and its present state."""

from __future__ import annotations

from app.mcp.config import ServerConfig, host_of, is_loopback
from app.mcp.hub import ServerState
from app.mcp.listing import ListedTool, ToolListing, changes, is_suspicious

from .store import Stored
from .views import McpServerEntry, McpStatus, McpToolRow, ToolsReview


def entry_of(stored: Stored, state: ServerState) -> McpServerEntry:
    config, listing = stored.config, state.listing or stored.accepted
    what = config.url if config.transport == "http" else " ".join([config.command, *config.args])
    status = status_of(stored, state)
    has_failed = status == "failed"
    return McpServerEntry(
        config.id, config.title, config.transport, what, config.enabled, status,
        state.code if has_failed else "", state.why if has_failed else "",
        is_running=state.phase in ("starting", "running"),
        tool_count=len(listing.tools) if listing is not None else 0,
        version=state.version,
        is_reviewed=stored.is_reviewed,
        is_plain_http=is_plain_http(config),
        is_usable=status in ("stopped", "starting", "running", "failed"),
    )  # fmt: skip


def status_of(stored: Stored, state: ServerState) -> McpStatus:
    """What a person has to do comes before how the server does."""
    if not stored.config.enabled:
        return "off"
    if not stored.is_reviewed or state.code == "changed":
        return "review"
    if state.phase == "starting":
        return "starting"
    accepted = stored.accepted or ToolListing()  # a server without tools has nothing to accept
    if state.listing is not None and accepted.digest != state.listing.digest:
        return "tools"
    if stored.accepted is None and state.listing is None and state.phase == "stopped":
        return "tools"
    return state.phase


def tools_review(stored: Stored, state: ServerState) -> ToolsReview:
    """The tools as the server lists them, beside those that were accepted."""
    before, listing = stored.accepted, state.listing or stored.accepted
    if listing is None:
        return ToolsReview()
    changed = {one.tool: one for one in changes(before.tools, listing.tools)} if before is not None else {}

    def row(tool: ListedTool) -> McpToolRow:
        change = changed.get(tool.name)
        return McpToolRow(
            tool.name, tool.local_name(stored.config.id), tool.description, tool.description_length,
            tool.written_schema, tool.hints, stored.config.word_of(tool.name),
            "" if change is None else "new" if change.kind == "new" else "changed",
            change.before if change else "", change.after if change else "", is_suspicious(tool),
        )  # fmt: skip

    return ToolsReview(
        tuple(map(row, listing.tools)),
        tuple(name for name, change in changed.items() if change.kind == "gone"),
        tuple((left.name, left.why) for left in listing.left_out),
        listing.digest,
        is_accepted=before is not None and before.digest == listing.digest,
        is_first=before is None,
    )


def is_plain_http(config: ServerConfig) -> bool:
    """Over a network, and not encrypted."""
    return config.url.startswith("http:") and not is_loopback(host_of(config.url))

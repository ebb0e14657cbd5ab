"""Words for the kinds of things that have names: what an error says there is none of."""

from __future__ import annotations

from collections.abc import Mapping

from ..text.i18n import N_

KINDS: Mapping[str, str] = {
    "MCP server": N_("MCP server"),
    "agent": N_("agent"),
    "backup": N_("backup"),
    "client": N_("client"),
    "document": N_("document"),
    "fact": N_("remembered fact"),
    "figure": N_("figure"),
    "knowledge base": N_("knowledge base"),
    "message": N_("message"),
    "mode": N_("mode"),
    "model": N_("model"),
    "order": N_("order"),
    "provider": N_("provider"),
    "response": N_("response"),
    "right": N_("right"),
    "run": N_("run"),
    "search service": N_("search service"),
    "service": N_("service"),
    "session": N_("session"),
    "setting": N_("setting"),
    "skill": N_("skill"),
    "tool": N_("tool"),
    "webhook": N_("webhook"),
    "event": N_("event"),
    "variant": N_("variant"),
}
"""Kind, as `UnknownName` names it → its word."""

"""What names stand for, in words: of what there is none with the name that was given."""

from __future__ import annotations

from collections.abc import Mapping

from ..text.i18n import N_

KINDS: Mapping[str, str] = {
    "MCP server": N_("MCP server"),
    "agent": N_("agent"),
    "backup": N_("backup"),
    "document": N_("document"),
    "fact": N_("remembered fact"),
    "figure": N_("figure"),
    "knowledge base": N_("knowledge base"),
    "message": N_("message"),
    "mode": N_("mode"),
    "model": N_("model"),
    "order": N_("order"),
    "provider": N_("provider"),
    "run": N_("run"),
    "search service": N_("search service"),
    "session": N_("session"),
    "setting": N_("setting"),
    "tool": N_("tool"),
    "variant": N_("variant"),
}

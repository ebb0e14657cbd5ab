"""How MCP servers are, in words and colours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from app.core.text.i18n import N_, _

if TYPE_CHECKING:
    from app.services.mcp.views import McpServerEntry

STATES: Mapping[str, tuple[str, str]] = {
    "off": (N_("off"), "muted"),
    "review": (N_("to be looked at"), "warn"),
    "tools": (N_("look at its tools"), "warn"),
    "stopped": (N_("starts when it is needed"), "muted"),
    "starting": (N_("starting …"), "accent"),
    "running": (N_("up and running"), "ok"),
    "failed": (N_("not running"), "error"),
}
"""State → word and colour token."""

_FAILURES: Mapping[str, str] = {
    "not_found": N_("The program was not found. Install it, or write its whole path."),
    "not_executable": N_("The program may not be run. Check the file and its rights."),
    "batch": N_("A batch file is not started with these arguments: a shell would read signs in them."),
    "offline": N_("Triptych stays offline; only servers on this computer are reached."),
    "address": N_("This address is not asked."),
    "silent": N_("Its log may say why."),
    "ended": N_("Its log may say why; the next call starts it again."),
    "protocol": N_("What answers there does not speak the Model Context Protocol."),
    "sse": N_("This is an address of the old SSE transport, which is not supported. Use the server's /mcp address."),
    "sign_in": N_(
        "The server wants a sign-in, or does not accept the token. Sign in with the browser; or get a token from its"
        " provider and set it in the form as a header: Authorization, with the value “Bearer” and the token."
    ),
    "network": N_("The address cannot be reached. Check it and the network."),
    "often": N_("The server ended three times within five minutes and is left alone. Start it by hand to try again."),
    "secret": N_("A value is missing. Type it into the form and save."),
    "keyring": N_("A stored value cannot be read. Unlock the keyring and start the server again, or type it anew."),
    "safe_mode": N_("In safe mode no server is started."),
}
_SAY_ALL = frozenset({"batch", "offline", "often", "safe_mode", "sign_in", "sse", "keyring"})
"""The sentence says everything there is to say."""


def state_word(entry: McpServerEntry) -> str:
    return _(STATES[entry.state][0])


def state_token(entry: McpServerEntry) -> str:
    return STATES[entry.state][1]


def failure_words(entry: McpServerEntry) -> str:
    """What went wrong and what to do; "" if nothing did."""
    if not entry.code:
        return ""
    sentence = _FAILURES.get(entry.code)
    why = "" if entry.code in _SAY_ALL else entry.why
    why = why[:1].upper() + why[1:]
    lines = (
        [why, _(sentence)] if sentence and entry.code in ("ended", "silent") else [_(sentence) if sentence else "", why]
    )
    return "\n".join(part for part in lines if part)

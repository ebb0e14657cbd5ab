"""Servers of the Model Context Protocol, isolated: one can hang, flood, lie or die, and the chat continues.

`compose` gives a `Hub` to `services/mcp/service.py`, the only caller. The SDK (`mcp`) is imported on the I/O thread
when the first server starts. Consents and their storage belong to the service, permissions to the gate.

    config      what a person sets up                names      how a server's tool is called here
    facts       what would run, and its fingerprint  schemas    foreign schemas, made small and harmless
    texts       text of a server, for model and eye  results    an answer as our envelope
    listing     a list of tools, read leniently      session    the SDK's session, read leniently
    log         what a server writes to stderr       hub        all servers, on their own thread
    pictures    pictures of an answer                transport  the two ways to a server
    connection  one server: the task that owns it
"""

from .config import ServerConfig
from .hub import Hub

__all__ = ["Hub", "ServerConfig"]

"""Servers of the Model Context Protocol, made safe to live with: one can hang, flood, lie or die, the chat goes on.

`compose` hands a `Hub` to `services/mcp/service.py`; nothing else comes in. The SDK (`mcp`) is imported on the I/O
thread when the first server is started, never before. What a person agreed to, and where that is stored, is left to the
service; what a tool may do is left to the gate.

    config      what a person sets up                paste      the JSON everybody passes around
    facts       what would run, and its fingerprint  names      how a server's tool is called here
    texts       text of a server, for model and eye  schemas    foreign schemas, made small and harmless
    listing     a list of tools, read leniently      results    an answer as our envelope
    log         what a server says on stderr
    pictures    those of an answer, kept to be seen
    wire        bytes to JSON, with limits           processes  a program of its own, and its end
    stdio, http the two ways to a server             session    the SDK's session, behind a lenient eye
    connection  one server: the task that owns it    hub        all of them, on a thread of their own
"""

from .config import ServerConfig
from .hub import Hub

__all__ = ["Hub", "ServerConfig"]

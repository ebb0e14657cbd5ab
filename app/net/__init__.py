"""HTTP for tools: requests to public addresses, guarded, limited and cached.

`compose` builds one `GuardedHttp` and gives it to tools as `ToolContext.http` (the protocol of core/http.py). No other
code opens a connection for a tool; model providers have their own client, which may reach this machine.

    targets    one spelling of an address, checked     addresses  which IP addresses count as public
    pace       how often a host may be called          cache      answers kept for a while
    transport  one request to a checked address        client     the guard around all of it
"""

from .client import GuardedHttp

__all__ = ["GuardedHttp"]

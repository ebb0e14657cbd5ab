"""The one way out for tools: requests to public addresses, guarded, limited and remembered.

`compose` builds one `GuardedHttp` and hands it to tools as `ToolContext.http` (the protocol of core/http.py). Nothing
else in the program opens a connection on behalf of a tool; model providers have their own client, which may reach
this machine. Where requests go and what is done with the answers is left to the tools.

    targets    one spelling of an address, checked     addresses  which IP addresses count as public
    pace       how often a host may be asked           cache      answers kept for a while
    transport  one request to a checked address        proxies    the way through the system's proxy
    client     the guard around it all
"""

from .client import GuardedHttp

__all__ = ["GuardedHttp"]

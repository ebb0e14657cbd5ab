"""Does a model call tools? One small request behind the test button, for information only.

The result allows or forbids nothing: a model whose service refuses tools gets them as text at the first refusal
(`endpoint_quirks`), and the gate decides about every call.
"""

from __future__ import annotations

from contextlib import aclosing
from typing import Final, Literal

from app.core.errors import ModelError
from app.core.run.chat_model import Finished, ModelRequest, ToolSpec, UserTurn
from app.core.system.network import ONLINE, NetworkPolicy
from app.providers.registry.catalog import ProviderConfig, create_model

_TOKENS: Final = 400
"""Room to think before a call."""
_READY: Final = ToolSpec(
    "report_ready",
    "Reports that the connection works.",
    {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
)

ToolUse = Literal["", "native", "text", "unused"]
"""As the service offers it, written into the text, not at all; "" = nobody knows."""


async def try_tools(config: ProviderConfig, key: str, model: str, *, network: NetworkPolicy = ONLINE) -> ToolUse:
    """How it calls a tool it is asked to call. What goes wrong is no finding: that is for `check_connection`."""
    chat = create_model(config, model, key, network=network)
    turn = UserTurn("Call the tool report_ready once, with the word ok. Write nothing else.")
    request = ModelRequest([turn], tools=(_READY,), max_output_tokens=_TOKENS, purpose="test")
    try:
        if chat.traits.tools == "none":
            return "unused"
        async with aclosing(chat.stream(request)) as chunks:
            async for chunk in chunks:
                if isinstance(chunk, Finished):
                    return _found(chunk)
    except ModelError:
        return ""
    finally:
        await chat.aclose()
    return ""


def _found(finished: Finished) -> ToolUse:
    if finished.turn.calls:
        return "native" if finished.dialect == "native" and "dialect_changed" not in finished.notices else "text"
    return "" if finished.finish == "length" else "unused"

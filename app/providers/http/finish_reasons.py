"""The words providers have for the end of a message."""

from __future__ import annotations

from typing import Final

from app.core.run.chat_model import FinishReason

_FINISH: Final[dict[str, FinishReason]] = {
    "stop": "stop",
    "end_turn": "stop",
    "eos": "stop",
    "eos_token": "stop",
    "stop_sequence": "stop",
    "completed": "stop",
    "complete": "stop",
    "tool_calls": "tool_calls",
    "tool_call": "tool_calls",
    "tool_use": "tool_calls",
    "function_call": "tool_calls",
    "length": "length",
    "max_tokens": "length",
    "max_output_tokens": "length",
    "model_length": "length",
    "model_context_window_exceeded": "length",
    "content_filter": "content_filter",
    "content-filter": "content_filter",
    "sensitive": "content_filter",
    "safety": "content_filter",
    "refusal": "content_filter",
    "prohibited_content": "content_filter",
    "recitation": "content_filter",
}
FAILED: Final = ("error", "network_error", "malformed_function_call")
"""The provider's own fault."""
NO_WORDS: Final = ("", "null", "none")
"""What some servers write in every piece before the last."""


def meaning_of(word: str) -> FinishReason:
    return _FINISH.get(word.lower(), "other")

"""Conversations as other programs export them, as documents of ours.

Known: lists of chat messages of the APIs, the `conversations.json` of ChatGPT, Claude and DeepSeek. Of
branching conversations the line that was shown last is read. What has no place here is counted, each kind
of it, in the remarks. Nothing imported can run.
"""

from __future__ import annotations

from typing import Any

from .document import Body, SessionDocument
from .foreign_chatgpt import read_chatgpt
from .foreign_claude import read_claude
from .foreign_deepseek import is_deepseek, read_deepseek
from .foreign_openai import is_chat_list, read_openai
from .foreign_parts import ImportContext, body_of
from .strict_json import ImportRefused

MOST_SESSIONS = 20_000
_UNKNOWN = "this is no conversation this program knows how to read"


def read_foreign(value: Any, reading: ImportContext) -> list[SessionDocument]:
    """Raises ImportRefused if it is nothing that is known, or has no message."""
    if isinstance(value, dict):
        value = [value]
    if not isinstance(value, list) or not value or not all(isinstance(item, dict) for item in value):
        raise ImportRefused(_UNKNOWN, reason="NO_CONVERSATION")
    if len(value) > MOST_SESSIONS:
        message = f"there are more than {MOST_SESSIONS} conversations"
        raise ImportRefused(message, reason="MOST_SESSIONS", most=MOST_SESSIONS)
    if is_chat_list(value):
        return [read_openai(value, reading)]
    documents = [_conversation(item, reading) for item in value]
    whole = [document for document in documents if document.messages]
    if not whole:
        raise ImportRefused("there is no message of a person or a model in it", reason="NO_MESSAGE")
    reading.remarks.add("empty", len(documents) - len(whole))
    return whole


def _conversation(item: Body, reading: ImportContext) -> SessionDocument:
    if "mapping" in item:
        return read_deepseek(item, reading) if is_deepseek(item) else read_chatgpt(item, reading)
    if "chat_messages" in item:
        return read_claude(item, reading)
    listed = item.get("messages", body_of(item.get("chat")).get("messages"))
    if isinstance(listed, list) and all(isinstance(one, dict) for one in listed) and is_chat_list(listed):
        return read_openai(listed, reading, item)
    raise ImportRefused(_UNKNOWN, reason="NO_CONVERSATION")

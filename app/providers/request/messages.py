"""Our turns → the messages of the chat completions API, in the form this provider wants.

What a provider sent beside the text (reasoning field, details, signatures, raw content) goes back to the same provider
unchanged; another provider gets the plain parts only. Ids of calls are ours and are mapped here.

In a text dialect calls and results are text: see `tool_prompt.py`.
"""

from __future__ import annotations

import hashlib
import json
import string
from collections.abc import Mapping, Sequence
from typing import Any, Final

from app.core.run.chat_model import (
    AssistantTurn,
    CallTurn,
    Json,
    ModelTraits,
    ResultTurn,
    SystemTurn,
    ToolSpec,
    Turn,
    UserTurn,
)
from app.providers.request.tool_prompt import TextDialect, offer, responses, spoken
from app.providers.scrub import scrub

_NAME_CHARS: Final = frozenset(string.ascii_letters + string.digits + "_-")
_ID_CHARS: Final = string.ascii_letters + string.digits
_MAX_ID: Final = 64
_MAX_NAME: Final = 64

_UNSEEN: Final = "[images are attached that you cannot see]"

Message = dict[str, Any]


def to_messages(
    turns: Sequence[Turn], traits: ModelTraits, *, provider: str = "", reasoning_apart: bool = False
) -> list[Message]:
    """`reasoning_apart`: the template refuses reasoning and text beside tool calls, so they are left out there."""
    ids = _wire_ids(turns, traits)
    messages: list[Message] = []
    system = [turn.text for turn in turns if isinstance(turn, SystemTurn) and turn.text]
    if system:
        messages.append({"role": traits.system_role, "content": scrub("\n\n".join(system))})
    at = 0
    while at < len(turns):
        turn = turns[at]
        at += 1
        if isinstance(turn, UserTurn):
            messages.append({"role": "user", "content": _user_content(turn, traits)})
        elif isinstance(turn, AssistantTurn):
            messages.append(_assistant(turn, traits, provider, ids, bare=reasoning_apart and bool(turn.calls)))
        elif isinstance(turn, ResultTurn):
            results = [turn]
            while at < len(turns) and isinstance(following := turns[at], ResultTurn):
                results.append(following)
                at += 1
            messages += _results(results, turns, at - len(results), ids)
    return messages


def to_text_messages(
    turns: Sequence[Turn],
    traits: ModelTraits,
    dialect: TextDialect,
    tools: Sequence[ToolSpec] = (),
    *,
    provider: str = "",
    required: bool = False,
) -> list[Message]:
    """The same for a model that knows tools only as text: nobody but system, user and assistant speaks."""
    ids = _wire_ids(turns, traits)
    system = [turn.text for turn in turns if isinstance(turn, SystemTurn) and turn.text]
    if tools:
        system.append(offer(tools, dialect, required=required))
    messages: list[Message] = []
    if system:
        messages.append({"role": traits.system_role, "content": scrub("\n\n".join(system))})
    results: list[ResultTurn] = []
    for turn in turns:
        if isinstance(turn, ResultTurn):
            results.append(turn)
            continue
        told, results = responses(results, ids), []
        if isinstance(turn, UserTurn):
            # One message: servers that want user and assistant to take turns refuse two.
            joined = "\n\n".join(part for part in (told, turn.text) if part)
            messages.append({"role": "user", "content": _user_content(UserTurn(joined, turn.images), traits)})
            continue
        if told:
            messages.append({"role": "user", "content": scrub(told)})
        if isinstance(turn, AssistantTurn):
            messages.append(_text_assistant(turn, traits, dialect, provider, ids))
    if results:
        messages.append({"role": "user", "content": scrub(responses(results, ids))})
    return messages


def _text_assistant(
    turn: AssistantTurn, traits: ModelTraits, dialect: TextDialect, provider: str, ids: Mapping[str, str]
) -> Message:
    echo = _echo_for(turn, provider)
    raw = echo.get("content") if not turn.calls or echo.get("calls_in_content") else None
    message: Message = {"role": "assistant", "content": raw or scrub(spoken(turn, dialect, ids))}
    if not raw and _echoes_reasoning(turn, traits):
        _add_reasoning(message, turn, traits, echo)
    return message


# ---------------------------------------------------------------- user and assistant


def _user_content(turn: UserTurn, traits: ModelTraits) -> str | list[Message]:
    if not turn.images:
        return scrub(turn.text)
    if not traits.vision:
        return scrub(f"{turn.text}\n\n{_UNSEEN}".strip())
    parts: list[Message] = [{"type": "text", "text": scrub(turn.text)}] if turn.text else []
    return parts + [{"type": "image_url", "image_url": {"url": url}} for url in turn.images]


def _assistant(
    turn: AssistantTurn, traits: ModelTraits, provider: str, ids: Mapping[str, str], *, bare: bool
) -> Message:
    echo = _echo_for(turn, provider)
    # Raw content in which the calls stand as text would make them twice.
    raw = None if echo.get("calls_in_content") else echo.get("content")
    content: Any = None if bare else raw or scrub(turn.text)
    message: Message = {"role": "assistant", "content": content or ("" if not turn.calls else None)}
    if turn.calls:
        message["tool_calls"] = [_call(call, ids, same=bool(echo) or not provider) for call in turn.calls]
    if not bare and not raw and _echoes_reasoning(turn, traits):
        _add_reasoning(message, turn, traits, echo)
    return message


def _echo_for(turn: AssistantTurn, provider: str) -> Mapping[str, Json]:
    """The echo, if it was written by this provider; nobody else understands it."""
    echo = turn.echo or {}
    return echo if not provider or echo.get("provider", provider) == provider else {}


def _echoes_reasoning(turn: AssistantTurn, traits: ModelTraits) -> bool:
    if traits.echo_reasoning == "never":
        return False
    return traits.echo_reasoning == "always" or bool(turn.calls)


def _add_reasoning(message: Message, turn: AssistantTurn, traits: ModelTraits, echo: Mapping[str, Json]) -> None:
    if details := echo.get("reasoning_details"):
        message["reasoning_details"] = details
    name = traits.reasoning_field or echo.get("reasoning_field") or ""
    if not name or (details and not traits.reasoning_field):
        return
    # A model that wants its reasoning back refuses a call without it, so an unknown one is sent empty.
    if turn.reasoning or (traits.reasoning_field and turn.calls):
        message[str(name)] = scrub(turn.reasoning)


def _call(call: CallTurn, ids: Mapping[str, str], *, same: bool) -> Message:
    message: Message = {
        "id": ids[call.id],
        "type": "function",
        "function": {"name": safe_name(call.name), "arguments": _arguments(call)},
    }
    if call.extra and same:
        message["extra_content"] = dict(call.extra)
    return message


def _arguments(call: CallTurn) -> str:
    """Always JSON: several servers parse the history and fail on what their own model wrote."""
    if call.args is not None:
        return scrub(json.dumps(call.args, ensure_ascii=False))
    return json.dumps({"unreadable": call.args_text[:2000]}, ensure_ascii=True) if call.args_text.strip() else "{}"


def safe_name(name: str) -> str:
    """A function name every provider accepts in a history."""
    return "".join(c if c in _NAME_CHARS else "_" for c in name[:_MAX_NAME]) or "unnamed"


# ---------------------------------------------------------------- results


def _results(results: list[ResultTurn], turns: Sequence[Turn], start: int, ids: Mapping[str, str]) -> list[Message]:
    """In the order of the calls they answer; a result nobody asked for is told as a remark."""
    caller = turns[start - 1] if start else None
    order = [call.id for call in caller.calls] if isinstance(caller, AssistantTurn) else []
    place = {call_id: number for number, call_id in enumerate(order)}
    ordered = sorted((r for r in results if r.call_id in place), key=lambda r: place[r.call_id])
    stray = [r for r in results if r.call_id not in place]
    return [{"role": "tool", "tool_call_id": ids[r.call_id], "content": scrub(r.text)} for r in ordered] + [
        {"role": "user", "content": scrub(f"Result of {safe_name(r.name)}: {r.text}")} for r in stray
    ]


def _wire_ids(turns: Sequence[Turn], traits: ModelTraits) -> dict[str, str]:
    """Our id → the one on the wire: the provider's own where it is unique in the history, else ours."""
    calls = [call for turn in turns if isinstance(turn, AssistantTurn) for call in turn.calls]
    taken: set[str] = set()
    ids: dict[str, str] = {}
    for call in calls:
        label = call.wire_id if 0 < len(call.wire_id) <= _MAX_ID and call.wire_id.isprintable() else call.id[:_MAX_ID]
        if traits.id_style == "mistral9":
            label = call.wire_id if _is_mistral_id(call.wire_id) else _mistral_id(call.id)
        if label in taken:
            label = _mistral_id(call.id) if traits.id_style == "mistral9" else call.id[:_MAX_ID]
        taken.add(label)
        ids[call.id] = label
    return ids


def _is_mistral_id(label: str) -> bool:
    return len(label) == 9 and label.isascii() and label.isalnum()


def _mistral_id(call_id: str) -> str:
    """Nine letters and digits, the same for the same call in every request (prompt caches depend on it)."""
    number = int.from_bytes(hashlib.sha256(call_id.encode("utf-8", "replace")).digest()[:8])
    new_id = ""
    for _ in range(9):
        number, digit = divmod(number, len(_ID_CHARS))
        new_id += _ID_CHARS[digit]
    return new_id

"""Conversations of other programs become sessions of ours."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.core.run.messages import Call, Message
from app.services.container import Services

# ---------------------------------------------------------------- other programs


async def imported(services: Services, value: Any) -> list[Message]:
    report = await services.transfer.import_data([json.dumps(value).encode()])
    return await services.sessions.messages(report.sessions[0].id)


async def test_a_list_of_chat_messages_is_read(services: Services) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": '{"q": "茶"}'}}
    question, answer = await imported(services, [
        {"role": "system", "content": "be nice"},
        {"role": "user", "content": [{"type": "text", "text": "Hello"}, {"type": "image_url", "image_url": {}}]},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "two hits"},
        {"role": "assistant", "content": "Hi there"},
    ])  # fmt: skip
    assert (question.text, answer.text, answer.parent) == ("Hello", "Hi there", question.id)
    assert [part.result.text for part in answer.parts if isinstance(part, Call) and part.result] == ["two hits"]


async def test_conversations_of_chatgpt_are_read_along_the_shown_line(services: Services) -> None:
    def node(id: str, parent: str | None, role: str, text: str) -> dict[str, Any]:
        message = {"author": {"role": role}, "content": {"content_type": "text", "parts": [text]}, "create_time": 7.5}
        return {"id": id, "parent": parent, "message": message}

    mapping = {
        "root": {"id": "root", "parent": None, "message": None},
        "a": node("a", "root", "user", "Question"),
        "b": node("b", "a", "assistant", "Old answer"),
        "c": node("c", "a", "assistant", "New answer"),
    }
    talk = {"title": "Tea", "create_time": 5.0, "mapping": mapping, "current_node": "c", "conversation_id": "g1"}
    report = await services.transfer.import_data([json.dumps([talk]).encode()])
    assert [message.text for message in await services.sessions.messages("g1")] == ["Question", "New answer"]
    assert (await services.sessions.row("g1")).title == "Tea"
    assert "1 messages of other branches" in report.remarks[0]


async def test_a_circle_in_a_foreign_tree_ends(services: Services) -> None:
    message = {"author": {"role": "user"}, "content": {"parts": ["x"]}}
    mapping = {"a": {"parent": "b", "message": message}, "b": {"parent": "a", "message": message}}
    assert len(await imported(services, [{"title": "", "mapping": mapping, "current_node": "a"}])) == 1


async def test_conversations_of_claude_are_read(services: Services) -> None:
    question, answer = await imported(services, [{
        "uuid": "u1", "name": "Tea", "created_at": "2026-01-02T03:04:05Z", "updated_at": "x",
        "chat_messages": [
            {"sender": "human", "text": "Which?", "attachments": [{"file_name": "a", "extracted_content": "leaf"}]},
            {"sender": "assistant", "text": "", "content": [
                {"type": "thinking", "thinking": "hm"},
                {"type": "tool_use", "id": "t1", "name": "search", "input": {"q": 1}},
                {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "leaves"}]},
                {"type": "text", "text": "Green."},
            ]},
        ],
    }])  # fmt: skip
    assert (question.text, answer.text) == ("Which?", "Green.")
    assert [type(part).__name__ for part in answer.parts] == ["Reasoning", "Call", "Text"]
    assert (await services.sessions.row("u1")).created == pytest.approx(1767323045)


ODD: list[Any] = [None, True, -1, 1e308, "", "\ud800", [], {}, [[]], {"": None}]


@pytest.mark.parametrize("odd", ODD, ids=repr)
async def test_what_other_programs_leave_out_or_misuse_never_stops_the_rest(services: Services, odd: Any) -> None:
    """Each name, each time and each list of the three forms in turn is something else."""
    function = {"name": "search", "arguments": "{}"}
    openai = [
        {"role": "user", "content": odd},
        {"role": "assistant", "content": "Hi", "tool_calls": [{"id": odd, "function": function}, odd]},
        {"role": "tool", "tool_call_id": odd, "content": odd},
    ]
    said = {"author": {"role": "user"}, "content": {"parts": ["Hi", odd]}, "create_time": odd}
    chatgpt = {
        "title": odd, "create_time": odd, "conversation_id": odd, "current_node": odd,
        "mapping": {"a": {"parent": odd, "message": said}, "b": odd},
    }  # fmt: skip
    blocks = [
        {"type": "tool_use", "id": odd, "name": odd, "input": odd}, {"type": "tool_result", "tool_use_id": odd},
        {"type": "text", "text": "Hi"}, odd,
    ]  # fmt: skip
    claude = {
        "uuid": odd, "name": odd, "created_at": odd,
        "chat_messages": [{"sender": "assistant", "content": blocks, "attachments": [{"file_name": odd}]}, odd],
    }  # fmt: skip
    for value in (openai, [chatgpt], [claude]):
        messages = await imported(services, value)
        assert any("Hi" in message.text for message in messages)
    assert await services.verify() == []

"""Conversations of other programs become sessions of ours."""

from __future__ import annotations

import base64
import json
import random
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from app.core.exchange.document import read_document
from app.core.exchange.foreign import read_foreign
from app.core.exchange.foreign_parts import ImportContext
from app.core.exchange.pictures import picture_refs
from app.core.exchange.remarks import Remarks
from app.core.exchange.strict_json import ImportRefused
from app.core.run.messages import Attachment, Call, Message, Part, Reasoning, Text
from app.core.text.i18n import set_language
from app.services.container import Services
from tests.pictures import png

from .foreign import chatgpt, deepseek, fragments, node, pointer, zipped

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
    talk = chatgpt(node("a", None, "user", "Question"), node("b", None, "assistant", "Old answer"))
    talk["mapping"]["c"] = node("c", "a", "assistant", "New answer")
    report = await services.transfer.import_data([json.dumps([talk | {"current_node": "c"}]).encode()])
    assert [message.text for message in await services.sessions.messages("g1")] == ["Question", "New answer"]
    assert (await services.sessions.row("g1")).title == "Tea"
    assert report.remarks == ()
    assert [message.text for message in await stored(services, "g1")] == ["Question", "Old answer", "New answer"]


async def stored(services: Services, id: str) -> list[Message]:
    """The messages of every version."""
    return await services.sessions._store.messages(id)


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


# ---------------------------------------------------------------- nothing is dropped in silence


PICTURE = png(20, 10)
THOUGHT = {"summary": "Weighing", "content": "Green or black?", "chunks": [], "finished": True}
SEARCHED = {"content_type": "code", "language": "unknown", "text": '{"search_query": [{"q": "tea"}]}'}
CITED = "Green\ue200cite\ue202turn0search1\ue201. Black\ue200cite\ue202turn0search2\ue201."
REFERENCES = [{"matched_text": "\ue200cite\ue202turn0search1\ue201", "alt": " ([leaf](https://leaf.test))"}]
WHOLE_TALK = chatgpt(
    node("s", None, "system", "You are ChatGPT", metadata={"is_visually_hidden_from_conversation": True}),
    node("i", None, "user", {"content_type": "user_editable_context", "user_profile": "p", "user_instructions": "x"}),
    node("q", None, "user", {"content_type": "multimodal_text", "parts": [
        pointer("file-AbC123"), pointer("file_00ff", "sediment"), "Which tea is this?",
        {"content_type": "audio_transcription", "text": "and why", "direction": "in"},
        {"content_type": "audio_asset_pointer", "asset_pointer": "sediment://file_sound", "format": "wav"},
    ]}, metadata={"attachments": [
        {"id": "file-AbC123", "name": "cup.png", "mime_type": "image/png", "size": 90},
        {"id": "file-Text99", "name": "list.pdf", "mimeType": "application/pdf", "size": 9},
    ]}),
    node("t", None, "assistant", {"content_type": "thoughts", "thoughts": [THOUGHT], "source_analysis_msg_id": "x"}),
    node("r", None, "assistant", {"content_type": "reasoning_recap", "content": "Thought for 4 seconds"}),
    node("c", None, "assistant", SEARCHED, recipient="web.run"),
    node("w", None, "tool", {"content_type": "tether_browsing_display", "result": "leaf.test", "summary": ""},
         author="web"),
    node("p", None, "assistant", {"content_type": "code", "language": "python", "text": "print(6*7)"},
         recipient="python"),
    node("o", None, "tool", {"content_type": "execution_output", "text": "42"}, author="python"),
    node("d", None, "assistant", '{"prompt": "a cup"}', recipient="dalle.text2im"),
    node("g", None, "tool", {"content_type": "multimodal_text", "parts": [
        pointer("file-Drawn7", dalle={"prompt": "a green cup", "seed": 1}),
    ]}, author="dalle.text2im"),
    node("n", None, "assistant", {"content_type": "super_widget", "widget": {"a": 1}}),
    node("a", None, "assistant", CITED, metadata={"content_references": REFERENCES}),
)  # fmt: skip


async def test_the_archive_of_chatgpt_comes_in_whole(services: Services) -> None:
    files = {
        "file-AbC123-cup.png": PICTURE,
        "file_00ff-sanitized.png": png(30, 30),
        "dalle-generations/file-Drawn7-1.webp": png(8, 8),
        "chat.html": b"<html>",
        "user.json": b"{}",
        "g1/audio/file_sound.wav": b"RIFF",
    }
    report = await services.transfer.import_data([zipped([WHOLE_TALK], files)])
    question, answer = await services.sessions.messages("g1")
    assert (question.text, question.created) == ("Which tea is this?\nand why", 1_730_000_000.5)
    attached = [part for part in question.parts if isinstance(part, Attachment)]
    assert [(part.name, part.is_image) for part in attached] == [
        ("cup.png", True), ("sanitized.png", True), ("list.pdf", False),
    ]  # fmt: skip
    assert await services.attachments.content(attached[0].ref) == PICTURE
    thought = "".join(part.text for part in answer.parts if isinstance(part, Reasoning))
    assert all(words in thought for words in ("Weighing", "Green or black?", "Thought for 4 seconds"))
    calls = [part for part in answer.parts if isinstance(part, Call)]
    assert [(part.call.name, dict(part.call.args), part.result.text) for part in calls if part.result] == [
        ("web.run", {"search_query": [{"q": "tea"}]}, "leaf.test"),
        ("python", {"text": "print(6*7)"}, "42"),
        ("dalle.text2im", {"prompt": "a cup"}, "a green cup"),
    ]
    assert calls[2].result is not None
    drawn = picture_refs([answer])
    assert [await services.attachments.content(ref) for ref in drawn] == [files["dalle-generations/file-Drawn7-1.webp"]]
    assert answer.text == "Green ([leaf](https://leaf.test)). Black."
    assert report.remarks == (
        "Left out: 1 system message, because here the agent has its own",
        "Left out: 1 message with the other program's instructions or memory",
        "Left out: 1 sound or video",
        "1 attached file is not in the file: only its name was kept",
        "Left out: 1 piece of a kind that is not known here (super_widget)",
        "Left out: 1 reference to a source",
        "Not read: 1 other file of the archive (file_sound.wav)",
    )
    assert await services.checks.verify() == []
    (again,) = (await services.transfer.import_data([zipped([WHOLE_TALK], files)])).sessions
    assert again.known


async def test_without_the_archive_the_pictures_of_chatgpt_are_named_and_counted(services: Services) -> None:
    report = await services.transfer.import_data([json.dumps([WHOLE_TALK]).encode()])
    question, _answer = await services.sessions.messages("g1")
    names = [part.name for part in question.parts if isinstance(part, Attachment)]
    assert names == ["cup.png", "picture", "list.pdf"]
    assert "3 pictures are not in the file: only their names were kept" in report.remarks


async def test_conversations_of_deepseek_are_read(services: Services) -> None:
    found = {"results": [{"title": "Leaf", "url": "https://leaf.test", "snippet": "green"}], "query": "tea"}
    today = deepseek(
        fragments(("REQUEST", "哪种茶？"), files=[{"id": "f1", "file_name": "茶单.pdf"}]),
        fragments(("THINK", "想一想"), ("SEARCH", found), ("RESPONSE", "绿茶。"), ("TIP", "AI")),
        fragments(("REQUEST", "为什么？")),
        fragments(("RESPONSE", "因为香。")),
    )
    earlier = deepseek(
        {"files": [], "model": "deepseek-reasoner", "content": "Q", "inserted_at": "2025-01-30T04:49:37+08:00"},
        {"files": [], "model": "deepseek-reasoner", "content": "A", "reasoning_content": "hm", "search_results": None},
        id="d2",
    )
    empty = deepseek(id="d3")
    report = await services.transfer.import_data([zipped([today, earlier, empty], {"user.json": b"{}"})])
    assert [one.messages for one in report.sessions] == [4, 2]
    messages = await services.sessions.messages("d1")
    assert [message.text for message in messages] == ["哪种茶？", "绿茶。", "为什么？", "因为香。"]
    assert [type(part).__name__ for part in messages[1].parts] == ["Reasoning", "Call", "Text"]
    (call,) = (part for part in messages[1].parts if isinstance(part, Call))
    assert (call.call.name, call.call.args) == ("search", {"query": "tea"})
    assert call.result is not None
    assert call.result.text == "Leaf\nhttps://leaf.test\ngreen"
    assert [part.name for part in messages[0].parts if isinstance(part, Attachment)] == ["茶单.pdf"]
    row = await services.sessions.row("d1")
    assert (row.title, round(row.created)) == ("茶", 1743281377)
    old = await services.sessions.messages("d2")
    assert [(message.role, message.text) for message in old] == [("user", "Q"), ("assistant", "A")]
    assert [part.text for part in old[1].parts if isinstance(part, Reasoning)] == ["hm"]
    assert report.remarks == (
        "1 attached file is not in the file: only its name was kept",
        "Left out: 1 message that the other program did not show",
        "Left out: 1 conversation without a message",
    )  # fmt: skip


SEARCH = {"type": "tool_use", "id": None, "name": "web_search", "input": {"query": "tea"}, "message": "Searching"}
FOUND = [{"type": "knowledge", "title": "Leaf", "url": "https://leaf.test", "text": "green"}]
CLAUDE = {
    "uuid": "u1", "name": "Tea", "created_at": "2026-01-02T03:04:05.000000Z", "account": {"uuid": "x"},
    "chat_messages": [
        {"uuid": "1", "parent_message_uuid": "0", "sender": "human", "text": "Which?",
         "files": [{"file_uuid": "f", "file_name": "cup.png", "file_kind": "image"}]},
        {"uuid": "2", "parent_message_uuid": "1", "sender": "assistant", "text": "Old."},
        {"uuid": "3", "parent_message_uuid": "1", "sender": "assistant", "text": "Green.", "content": [
            {"type": "thinking", "thinking": "", "summaries": [{"summary": "Looking it up"}]},
            SEARCH,
            {"type": "tool_result", "tool_use_id": None, "name": "web_search", "content": FOUND, "is_error": False},
            {"type": "text", "text": "Green.", "citations": [{"url": "https://leaf.test"}]},
            {"type": "token_budget", "remaining": None},
        ]},
    ],
}  # fmt: skip


async def test_claude_without_ids_of_calls_and_with_files_and_branches(services: Services) -> None:
    report = await services.transfer.import_data([zipped([CLAUDE], {"memories.json": b"[]", "users.json": b"[]"})])
    question, answer = await services.sessions.messages("u1")
    assert [part.name for part in question.parts if isinstance(part, Attachment)] == ["cup.png"]
    assert answer.text == "Green.\n\n1. <https://leaf.test>"
    assert [message.text for message in await stored(services, "u1")][1] == "Old."
    assert [part.text for part in answer.parts if isinstance(part, Reasoning)] == ["Looking it up"]
    results = [part.result.text for part in answer.parts if isinstance(part, Call) and part.result]
    assert results == ["Leaf\nhttps://leaf.test\ngreen"]
    assert report.remarks == (
        "1 picture is not in the file: only its name was kept", "Not read: 1 other file of the archive (memories.json)",
    )  # fmt: skip


def lists() -> Iterator[tuple[str, Any, list[str], list[str]]]:
    """What it is, the list, the texts of its messages, and what is remarked."""
    data = f"data:image/png;base64,{base64.b64encode(PICTURE).decode()}"
    written = json.dumps([{"type": "text", "text": "Written"}, {"type": "text", "text": " twice"}])
    yield "written as JSON", [{"role": "user", "content": written}], ["Written twice"], []
    parts = [{"type": "text", "text": "Look"}, {"type": "image_url", "image_url": {"url": data}}]
    yield "a picture in it", [{"role": "user", "content": parts}], ["Look[picture]"], []
    web = [{"type": "input_text", "text": "Look "}, {"type": "input_image", "image_url": "https://a.test/p.png"}]
    remark = "1 picture stands on the web: its address was kept"
    yield "a picture elsewhere", [{"role": "user", "content": web}], ["Look ![picture](https://a.test/p.png)"], [remark]
    sound = [{"type": "text", "text": "Hear"}, {"type": "input_audio", "input_audio": {"data": "", "format": "wav"}}]
    yield "a sound", [{"role": "user", "content": sound}], ["Hear"], ["Left out: 1 sound or video"]
    odd = [{"type": "text", "text": "x"}, {"type": "hologram"}, {"type": "hologram"}]
    remark = "Left out: 2 pieces of kinds that are not known here (hologram)"
    yield "what nobody knows", [{"role": "user", "content": odd}], ["x"], [remark]
    called = {"type": "tool_use", "id": "t", "name": "search", "input": {"q": 1}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "hits"}]}
    block_list = [
        {"role": "user", "content": "Q"}, {"role": "assistant", "content": [called]},
        {"role": "user", "content": [result]}, {"role": "assistant", "content": [{"type": "text", "text": "A"}]},
    ]  # fmt: skip
    yield "blocks of the Messages API", block_list, ["Q", "(search: hits)A"], []
    yield "items of the Responses API", [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Q"}]},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
        {"type": "function_call", "call_id": "c", "name": "search", "arguments": '{"q": 1}'},
        {"type": "function_call_output", "call_id": "c", "output": "hits"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "A"}]},
    ], ["Q", "(search: hits)A"], []  # fmt: skip
    orphan = [{"role": "user", "content": "Q"}, {"role": "tool", "tool_call_id": "gone", "content": "hits"}]
    yield "a result without a call", orphan, ["Q", "(tool: hits)"], [
        "1 result of a tool had no call and stands alone",
    ]  # fmt: skip
    yield "a title around it", {"title": "T", "messages": [{"role": "user", "content": "Q"}]}, ["Q"], []
    chat = {"id": "w", "title": "T", "chat": {"messages": [{"role": "user", "content": "Q", "timestamp": 1}]}}
    yield "a chat within", [chat], ["Q"], []


async def test_lists_of_chat_messages_lose_nothing_in_silence(services: Services) -> None:
    wrong: list[str] = []
    for name, value, wanted, remarks in lists():
        report = await services.transfer.import_data([json.dumps(value).encode()])
        shown = ["".join(map(shown_part, one.parts)) for one in await services.sessions.messages(report.sessions[0].id)]
        if (shown, list(report.remarks)) != (wanted, remarks):
            wrong.append(f"{name}: {shown} {report.remarks}")
    assert wrong == []


def shown_part(part: Part) -> str:
    if isinstance(part, Call):
        return f"({part.call.name}: {part.result.text if part.result else None})"
    if isinstance(part, Attachment):
        return f"[{part.name}]" if part.is_image else f"<{part.name}>"
    return part.text if isinstance(part, Text) else ""


async def test_what_says_no_time_is_dated_by_its_import_and_known_again(services: Services) -> None:
    data = b'[{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]'
    began = time.time()
    (first,) = (await services.transfer.import_data([data])).sessions
    row = await services.sessions.row(first.id)
    messages = await services.sessions.messages(first.id)
    assert all(moment >= began for moment in (row.created, row.updated, *(message.created for message in messages)))
    assert (await services.transfer.import_data([data])).sessions[0].known
    dated = [{"role": "user", "content": "q", "timestamp": 1_730_000_000_000}, {"role": "assistant", "content": "a"}]
    (second,) = (await services.transfer.import_data([json.dumps(dated).encode()])).sessions
    assert (await services.sessions.row(second.id)).created == 1_730_000_000
    assert [message.created for message in await services.sessions.messages(second.id)] == [1_730_000_000] * 2


async def test_what_was_left_out_is_told_in_the_users_language(services: Services) -> None:
    set_language("zh_CN")
    try:
        report = await services.transfer.import_data([json.dumps([WHOLE_TALK]).encode()])
    finally:
        set_language("en")
    assert len(report.remarks) == 7
    assert not any(re.search("[A-Za-z]{3,}", remark.replace("super_widget", "")) for remark in report.remarks)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in it."""
    if path:
        yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from places(one, (*path, key))


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copied = dict(value) if isinstance(value, dict) else list(value)
    copied[path[0]] = changed(value[path[0]], path[1:], new)
    return copied


def test_whatever_stands_at_any_place_of_these_files_is_read_or_refused() -> None:
    asked = fragments(("REQUEST", "q"), files=[{"id": "f1", "file_name": "x"}])
    said = fragments(("THINK", "a"), ("SEARCH", {"results": [{"title": "t", "url": "u"}]}), ("RESPONSE", "r"))
    kinds = [[WHOLE_TALK], [deepseek(asked, said)], [CLAUDE], *(value for _name, value, _texts, _remarks in lists())]
    odd = [*ODD, 10**400, "[{}]", [None], {"text": None}, {"parts": None}, "file-service://x"]
    chance, failed, count = random.Random(11), [], 0
    for kind in kinds:
        found = list(places(kind))
        for path in chance.sample(found, min(len(found), 80)):
            for new in chance.sample(odd, 4):
                count += 1
                try:
                    remarks = Remarks()
                    for one in read_foreign(changed(kind, path, new), ImportContext(remarks)):
                        read_document(one.to_json(), remarks).digest()
                    remarks.sentences()
                except ImportRefused:
                    pass
                except Exception as error:
                    failed.append(f"{path} = {new!r}: {error!r}")
    assert count > 1_000
    assert failed == []


HOSTILE = {
    "a bomb": {"file-AbC123-cup.png": b"\0" * 9_000_000},
    "no picture": {"file-AbC123-cup.png": b"MZ not a picture"},
    "a path": {"../../file-AbC123-cup.png": b"x"},
    "a larger one": {"file-AbC123-cup.png": PICTURE + bytes(random.Random(1).randbytes(10_000_001))},
}


async def test_a_hostile_archive_of_another_program_writes_nothing(services: Services) -> None:
    for name, files in HOSTILE.items():
        with suppress(ImportRefused):
            await services.transfer.import_data([zipped([WHOLE_TALK], files)])
        assert list((services.data_dir / "attachments").iterdir()) == [], name
    with pytest.raises(ImportRefused):
        await services.transfer.import_data([zipped([])])
    with pytest.raises(ImportRefused):
        await services.transfer.import_data([b"x" + zipped([WHOLE_TALK])])


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
    assert await services.checks.verify() == []

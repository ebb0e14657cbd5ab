"""Samples of what further programs keep or export, with the names of fields their files have."""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

QUESTION, OTHER, SHOWN, MORE = "Which tea?", "Black tea.", "Green tea:\n\n```py\nprint(1)\n```", "And why?"
THOUGHT, MODEL, LINK = "leaf or bud", "qwen-max", "https://leaf.test/a"
CALLED = ("web.search", {"q": "tea"}, "two hits")
SECONDS = 1_730_000_000


def cherry_studio() -> bytes:
    """A question with two answers, of which the second was picked; topics are named in the settings."""
    topics = [{"id": "topic-1", "name": "Tea", "createdAt": "2024-10-27T03:33:20.000Z", "pinned": True}]
    assistants = json.dumps({"assistants": [{"id": "a", "name": "Default", "topics": topics}], "defaultAssistant": {}})
    about = {"assistantId": "a", "topicId": "topic-1", "createdAt": "2024-10-27T03:33:20.000Z", "status": "success"}
    messages = [
        {"id": "m1", "role": "user", "blocks": ["b1", "b9"], **about},
        {"id": "m2", "role": "assistant", "askId": "m1", "modelId": "other", "blocks": ["b2"], **about},
        {"id": "m3", "role": "assistant", "askId": "m1", "blocks": ["b4", "b3", "b6", "b5", "b7"], "foldSelected": True,
         "model": {"id": MODEL, "provider": "dashscope"}, **about},
        {"id": "m4", "role": "user", "blocks": ["b8"], **about},
    ]  # fmt: skip
    blocks = [
        block("b1", "m1", "main_text", content=QUESTION), block("b2", "m2", "main_text", content=OTHER),
        block("b3", "m3", "tool", toolId="c1", toolName=CALLED[0], arguments=CALLED[1],
              content={"content": [{"type": "text", "text": CALLED[2]}]}),
        block("b4", "m3", "thinking", content=THOUGHT, thinking_millsec=5),
        block("b5", "m3", "citation", response={"source": "bing", "results": [{"title": "Leaf", "url": LINK}]}),
        block("b6", "m3", "main_text", content=SHOWN), block("b7", "m3", "error", error={"message": "cut"}),
        block("b8", "m4", "main_text", content=MORE),
        block("b9", "m1", "image", file={"id": "3f0c9a52-77aa", "origin_name": "cup.png", "ext": ".png"}),
    ]  # fmt: skip
    tables = {"files": [], "topics": [{"id": "topic-1", "messages": messages}], "message_blocks": blocks}
    settings = {"persist:cherry-studio": json.dumps({"assistants": assistants, "llm": "{}"})}
    return json.dumps({"time": 1, "version": 5, "localStorage": settings, "indexedDB": tables}).encode()


def block(id: str, message: str, kind: str, **fields: Any) -> dict[str, Any]:
    return {"id": id, "messageId": message, "type": kind, "createdAt": "", "status": "success"} | fields


def lobehub() -> bytes:
    place = {"sessionId": "s1", "topicId": "tpc_1"}
    tool = {"id": "call_1", "identifier": "web", "apiName": "search", "arguments": '{"q": "tea"}', "type": "default"}
    messages = [
        message("m5", "user", MORE, 5, **place),
        message("m4", "assistant", SHOWN, 4, parentId="m3", fromModel=MODEL, **place,
                search={"citations": [{"title": "Leaf", "url": LINK}]}),
        message("m1", "user", QUESTION, 1, files=["file_1"], **place),
        message("m2", "assistant", "", 2, parentId="m1", tools=[tool], reasoning={"content": THOUGHT}, **place),
        message("m3", "tool", CALLED[2], 3, parentId="m2", tool_call_id="call_1", plugin=tool, **place),
    ]  # fmt: skip
    topics = [{"id": "tpc_1", "title": "Tea", "sessionId": "s1", "createdAt": SECONDS * 1000, "favorite": True}]
    sessions = [{"id": "s1", "meta": {"title": "Assistant"}, "type": "agent", "model": "x", "config": {}}]
    state = {"messages": messages, "topics": topics, "sessions": sessions, "sessionGroups": []}
    return json.dumps({"exportType": "sessions", "state": state, "version": 7}).encode()


def message(id: str, role: str, content: str, n: int, **fields: Any) -> dict[str, Any]:
    return {"id": id, "role": role, "content": content, "createdAt": SECONDS * 1000 + n} | fields


def lobehub_database() -> bytes:
    """The newer form: rows of its database, where a call of a tool has a row of its own."""
    place: dict[str, Any] = {"sessionId": "s1", "topicId": "tpc_1"}
    tool = {"id": "call_1", "identifier": "web", "apiName": "search", "arguments": '{"q": "tea"}'}
    messages = [
        row("m1", "user", QUESTION, 1, metadata={"activeBranchIndex": 1}, **place),
        row("m2", "assistant", OTHER, 2, parentId="m1", model="other", **place),
        row("m3", "assistant", "", 3, parentId="m1", tools=[tool], reasoning={"content": THOUGHT}, **place),
        row("m4", "tool", CALLED[2], 4, parentId="m3", **place),
        row("m6", "assistant", SHOWN, 5, parentId="m4", model=MODEL, **place,
            search={"citations": [{"title": "Leaf", "url": LINK}]}),
        row("m7", "user", MORE, 6, **place),
    ]  # fmt: skip
    tables = {
        "messages": messages, "messagePlugins": [{"toolCallId": "call_1", **tool, "id": "m4"}],
        "topics": [{"id": "tpc_1", "title": "Tea", "createdAt": "2024-10-27T03:33:20.000Z"}], "sessions": [],
    }  # fmt: skip
    return json.dumps({"data": tables, "mode": "pglite", "schemaHash": "x"}).encode()


def row(id: str, role: str, content: str, n: int, **fields: Any) -> dict[str, Any]:
    return {"id": id, "role": role, "content": content, "createdAt": f"2024-10-27T03:33:2{n}.000Z"} | fields


def open_webui() -> bytes:
    details = (
        f'<details type="reasoning" done="true" duration="2">\n<summary>Thought for 2 seconds</summary>\n'
        f"> {THOUGHT}\n</details>\n"
        '<details type="tool_calls" done="true" id="c1" name="web.search" arguments="&quot;{\\&quot;q\\&quot;: '
        '\\&quot;tea\\&quot;}&quot;" result="&quot;two hits&quot;">\n<summary>Tool Executed</summary>\n</details>\n'
    )
    cited = [{"source": {"name": "Leaf", "url": LINK}, "document": ["x"], "metadata": [{"source": LINK}]}]
    messages: dict[str, dict[str, Any]] = {
        "m1": {"parentId": None, "childrenIds": ["m2", "m3"], "role": "user", "content": QUESTION,
               "files": [{"type": "file", "id": "f", "name": "list.pdf"}]},
        "m2": {"parentId": "m1", "childrenIds": [], "role": "assistant", "content": OTHER, "model": "other"},
        "m3": {"parentId": "m1", "childrenIds": ["m4"], "role": "assistant", "content": details + SHOWN, "model": MODEL,
               "sources": cited, "error": {"content": "cut"}},
        "m4": {"parentId": "m3", "childrenIds": [], "role": "user", "content": MORE},
    }  # fmt: skip
    whole = {id: {"id": id, "timestamp": SECONDS, **one} for id, one in messages.items()}
    chat = {"title": "Tea", "models": [MODEL], "history": {"messages": whole, "currentId": "m4"}, "messages": []}
    about = {"created_at": SECONDS, "updated_at": SECONDS + 9, "archived": False, "pinned": True, "folder_id": None}
    return json.dumps([{"id": "w1", "user_id": "u", "title": "Tea", "chat": chat, **about}]).encode()


def jan() -> bytes:
    """A folder of threads, packed by the person."""
    thread = {"id": "j1", "object": "thread", "title": "Tea", "created": SECONDS, "updated": SECONDS,
              "assistants": [{"assistant_id": "jan", "model": {"id": MODEL, "engine": "llama-cpp"}}]}  # fmt: skip
    called = {
        "type": "tool_call",
        "tool_call_id": "c1",
        "tool_name": CALLED[0],
        "input": CALLED[1],
        "output": CALLED[2],
    }
    written = [
        line("user", [{"type": "text", "text": {"value": QUESTION, "annotations": []}}]),
        line("assistant", [{"type": "reasoning", "text": {"value": THOUGHT, "annotations": []}}, called]),
        line("assistant", [{"type": "text", "text": {"value": SHOWN}}, {"type": "hologram"}]),
        line("user", [{"type": "text", "text": {"value": MORE}}]),
    ]
    files = {"jan/threads/j1/thread.json": json.dumps(thread), "jan/settings.json": "{}"}
    return packed(files | {"jan/threads/j1/messages.jsonl": "\n".join([*written, '{"id": "cut'])})


def line(role: str, content: list[dict[str, Any]]) -> str:
    about = {"object": "thread.message", "thread_id": "j1", "status": "ready", "created_at": SECONDS * 1000}
    return json.dumps({"id": "x", "role": role, "content": content, **about})


def chatbox() -> bytes:
    parts: list[dict[str, Any]] = [
        {"type": "reasoning", "text": THOUGHT},
        {"type": "tool-call", "state": "result", "toolCallId": "c1", "toolName": CALLED[0], "args": CALLED[1],
         "result": CALLED[2]},
        {"type": "text", "text": SHOWN}, {"type": "info", "text": "compacted"},
    ]  # fmt: skip
    other = {"id": "m2", "role": "assistant", "contentParts": [{"type": "text", "text": OTHER}], "model": "other"}
    session = {
        "id": "x1", "type": "chat", "name": "Tea", "starred": True, "threadName": "",
        "messages": [
            {"id": "m0", "role": "system", "contentParts": [{"type": "text", "text": "be nice"}]},
            {"id": "m1", "role": "user", "contentParts": [{"type": "text", "text": QUESTION}],
             "timestamp": SECONDS * 1000, "files": [{"id": "f", "name": "list.pdf", "fileType": "application/pdf"}]},
            {"id": "m3", "role": "assistant", "contentParts": parts, "model": MODEL, "error": "cut"},
            {"id": "m4", "role": "user", "contentParts": [{"type": "text", "text": MORE}]},
        ],
        "threads": [{"id": "t", "name": "Earlier", "createdAt": SECONDS * 1000, "messages": [
            {"id": "e1", "role": "user", "content": "Old form"},
        ]}],
        "messageForksHash": {"m1": {"position": 1, "createdAt": 1, "lists": [
            {"id": "l0", "messages": [other]}, {"id": "l1", "messages": []},
        ]}},
    }  # fmt: skip
    about = {"__exported_items": ["conversations"], "__exported_at": "2026-01-02T03:04:05.000Z", "configVersion": 11}
    return json.dumps(about | {"session:x1": session, "chat-sessions-list": [{"id": "x1", "name": "Tea"}]}).encode()


def pygpt(path: Path) -> Path:
    """Its database, with a view and a trigger besides that want to act when it is read."""
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path)
    database.executescript("""
        CREATE TABLE ctx_meta (id INTEGER PRIMARY KEY, uuid TEXT, created_ts INTEGER, updated_ts INTEGER, name TEXT,
          mode TEXT, model TEXT, is_deleted INTEGER, is_important INTEGER, is_archived INTEGER);
        CREATE TABLE ctx_item (id INTEGER PRIMARY KEY, meta_id INTEGER, input TEXT, output TEXT, input_ts INTEGER,
          output_ts INTEGER, model TEXT, cmds_json TEXT, results_json TEXT, urls_json TEXT, images_json TEXT,
          files_json TEXT, attachments_json TEXT, is_internal INTEGER);
        CREATE VIEW config AS SELECT load_extension('evil');
        CREATE TRIGGER t AFTER INSERT ON ctx_item BEGIN SELECT load_extension('evil'); END;
    """)
    database.execute("DROP TRIGGER t")
    database.executemany("INSERT INTO ctx_meta VALUES (?, ?, ?, ?, ?, 'chat', ?, ?, 1, 0)", [
        (1, "p1", SECONDS, SECONDS, "Tea", MODEL, 0), (2, "p2", SECONDS, SECONDS, "Gone", MODEL, 1),
    ])  # fmt: skip
    calls = json.dumps([{"cmd": CALLED[0], "params": CALLED[1]}])
    results = json.dumps([{"request": {"cmd": CALLED[0]}, "result": CALLED[2]}])
    attached = json.dumps({"f": {"name": "list.pdf", "path": "list.pdf"}})
    items = [
        (1, 1, QUESTION, SHOWN, SECONDS, SECONDS, MODEL, calls, results, json.dumps([LINK]), "", "", attached, 0),
        (2, 1, "tool said", "", SECONDS, SECONDS, MODEL, "", "", "", "", "", "", 1),
        (3, 1, MORE, None, SECONDS, SECONDS, MODEL, "", "", "", "", "", "", 0),
    ]
    database.executemany(f"INSERT INTO ctx_item VALUES ({', '.join('?' * 14)})", items)
    database.commit()
    database.close()
    return path


def packed(files: Mapping[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()

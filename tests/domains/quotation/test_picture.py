"""An inquiry that is a picture: it goes to a model that sees, and each line it has read waits for the person."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.compose import build
from app.core.run.events import LoopEnd, ToolReturned
from app.services.runs.run_options import RunOptions
from tests.pictures import png
from tests.rigs.fault_server import FaultServer
from tests.rigs.speaking_server import speaks

from .rig import call, with_list

READ = """Here it is:
```json
{"lines": [{"name": "PVC直通", "spec": "DN50", "qty": "100", "unit": "个"},
           {"name": "球阀", "spec": "DN25", "qty": "2O?", "unsure": "qty may be 20"},
           {"name": "全新的东西", "qty": 5}, {"name": ""}, "no line"],
 "skipped": ["合计", null]}
```"""


def pictures_in(body: Any) -> list[str]:
    contents = [message["content"] for message in body["messages"] if isinstance(message["content"], list)]
    parts = [part for content in contents for part in content]
    return [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]


async def quoted(
    folder: Path, model: str, turn_of: Callable[[Any], dict[str, Any]]
) -> tuple[list[Any], list[Any], list[Any]]:
    """The events of the run, the requests on the wire, and the quotation before and after its first line is set."""
    picture = folder / "inquiry.png"
    picture.write_bytes(png(8, 8))
    quote = {"name": "run_quotation_fill", "arguments": {"path": str(picture), "customer_level": "B"}}

    def answer(body: Any) -> dict[str, Any]:
        if "You read inquiries" in json.dumps(body["messages"]):
            return turn_of(body)
        is_first = not any(message["role"] == "tool" for message in body["messages"])
        return {"tool_calls": [quote]} if is_first else {"content": "see the card"}

    async with FaultServer(speaks(answer)) as server:
        environ = {"OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": server.base_url, "OPENAI_MODEL": model}
        services = build(folder / "data", environ)
        await services.open()
        try:
            await with_list(services, folder)
            row = await services.sessions.create("quotation")
            options = RunOptions(mode="react", interactive=False, approve="all")
            run = await services.chat.send(row.id, "quote the picture", options=options)
            events = [line.event async for line in run.events()]
            await services.chat.recorded()
            (returned,) = (event for event in events if isinstance(event, ToolReturned))
            stored: list[Any] = []
            if returned.ok and (found := re.search(r"quote-[0-9a-f]{10}", returned.text)):
                for choices in ([], [{"line": 1, "code": "1001"}]):
                    stored.append((await call(services, "select_match", run_id=found[0], choices=choices)).data)
        finally:
            await services.close()
    return events, server.chats, stored


async def test_what_a_model_read_off_a_picture_is_confirmed_line_by_line(tmp_path: Path) -> None:
    events, bodies, (before, after) = await quoted(tmp_path, "gpt-4o", lambda _body: {"content": READ})
    (returned,) = (event for event in events if isinstance(event, ToolReturned))
    assert returned.ok, returned
    sent = [url for body in bodies for url in pictures_in(body)]
    assert sent == [f"data:image/png;base64,{base64.b64encode(png(8, 8)).decode()}"]
    lines = before["lines"]
    assert [(one["request"], one["qty"], one["state"]) for one in lines] == [
        ("PVC直通 DN50", "100", "choose"), ("球阀 DN25", "", "choose"), ("全新的东西", "5", "missing"),
    ]  # fmt: skip
    assert [one["doubts"][0] for one in lines] == ["picture"] * 3
    assert "2O?" in lines[1]["note"]
    assert (before["total"], after["total"]) == ("0.00", "350.00")
    assert isinstance(events[-1], LoopEnd)


async def test_a_model_that_sees_no_pictures_is_said_to_see_none(tmp_path: Path) -> None:
    """By its name, or because its server refuses the picture: what a blind model makes up is no inquiry."""

    def refuses(body: Any) -> dict[str, Any]:
        if pictures_in(body):
            return {"status": 400, "content": "this model does not support image input"}
        return {"content": READ}

    for model in ("test-model", "gpt-4o"):
        (tmp_path / model).mkdir()
        events, _bodies, _stored = await quoted(tmp_path / model, model, refuses)
        (returned,) = (event for event in events if isinstance(event, ToolReturned))
        assert (returned.error or {}).get("code") == "NO_VISION", (model, returned)
        assert isinstance(events[-1], LoopEnd)


async def test_without_a_model_a_sentence_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "inquiry.jpg").write_bytes(b"\xff\xd8\xff\xe0 a photo")
    (tmp_path / "text.png").write_bytes(b"no picture at all")
    services = build(tmp_path / "data", {"TRIPTYCH_OFFLINE": "1", "TRIPTYCH_LANG": "en"})
    await services.open()
    try:
        await with_list(services, tmp_path)
        codes = {}
        for name in ("inquiry.jpg", "text.png", "gone.png"):
            result = await call(services, "parse_inquiry", path=str(tmp_path / name))
            codes[name] = result.error.code if result.error else ""
        row = await services.sessions.create("quotation")
        run = await services.chat.send(row.id, f"quote {tmp_path / 'inquiry.jpg'} at level B", "react")
        (end,) = [line.event async for line in run.events() if isinstance(line.event, LoopEnd)]
        await services.chat.recorded()
    finally:
        await services.close()
    assert codes == {"inquiry.jpg": "NO_MODEL", "text.png": "FORMAT", "gone.png": "NOT_FOUND"}
    assert "language model" in end.answer

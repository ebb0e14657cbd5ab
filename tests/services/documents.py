"""Sessions and documents for the tests of export and import."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from app.core.run.messages import user_message
from app.core.run.transcript import fold
from app.services.container import Services
from tests.storage.talk import WHOLE, stamped


async def talked(services: Services) -> str:
    """A session with a question, a run of eight events and its answer."""
    row = await services.sessions.create("assistant")
    await services.sessions.add(row.id, user_message("q1", "What is it? 是什么", created=5.0))
    answer = replace(fold(WHOLE, "a1", run="r1", created=6.0), parent="q1")
    await services.run_store.start(
        "r1", row.id, replace(answer, parts=(), end=None, state="streaming"), "assistant", "react"
    )
    await services.run_store.save_result("r1", "c1", {"ok": True, "data": {"hits": [1]}, "summary": "one"})
    await services.run_store.finish("r1", stamped(WHOLE), answer)
    return row.id


async def exported(services: Services, *ids: str) -> bytes:
    return (await services.transfer.export(ids, "json")).data


def document(**fields: Any) -> bytes:
    session = {"id": "s9", "title": "t", "agent": "assistant", "mode": "", "created": 1, "updated": 2}
    body = {"format": "triptych.session", "version": 1, "session": session, "messages": [], "runs": []}
    return json.dumps(body | fields).encode()


def user(name: str, **fields: Any) -> dict[str, Any]:
    return {"id": name, "role": "user", "created": 1, "parts": [{"kind": "text", "text": name}]} | fields

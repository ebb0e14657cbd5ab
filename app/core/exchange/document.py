"""A session as a file (interfaces.md 7): read from outside, checked and corrected.

The bodies stay JSON, so that unknown fields survive; they have been read once into messages and events, so that all
known fields are valid. What can be corrected (a missing parent, an invalid date) is corrected and remarked; the rest is
refused.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, get_args

from app.core.ids import new_id
from app.core.run.event_line import Stamped, event_to_json
from app.core.run.events import ToolCalled, ToolReturned
from app.core.run.messages import Attachment, Call, Fact, Message, PlanPart, Reasoning, Text
from app.core.run.outcome import MessageState

from .remarks import Remarks
from .shapes import misfits
from .strict_json import LONGEST_QUOTE, ImportRefused, shortened

FORMAT, VERSION = "triptych.session", 1
MOST_MESSAGES, MOST_EVENTS = 100_000, 2_000_000
LONGEST_ID, LONGEST_TITLE = 200, 1_000
LATEST = 253_402_300_799.0
"""The end of the year 9999."""

SESSION_FIELDS = ("id", "title", "agent", "mode", "created", "updated", "pinned", "folder", "archived")
RUN_FIELDS = ("id", "message", "parent", "started", "ended", "events", "results")
TOP_FIELDS = ("format", "version", "session", "messages", "runs")
NOT_RUN = "not run: it was still open when the conversation was exported"

Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SessionDocument:
    session: Body
    messages: list[Body]
    runs: list[Body] = field(default_factory=list)
    extra: Body = field(default_factory=dict)
    """Unknown fields of the document itself."""
    is_dated: bool = True
    """False for one of another program that says no times: those of the import stand for them."""
    program: str = ""
    """Which other program it comes from."""

    def to_json(self) -> Body:
        fields = {"format": FORMAT, "version": VERSION, "session": self.session}
        return {**self.extra, **fields, "messages": self.messages, "runs": self.runs}

    def digest(self) -> str:
        text = json.dumps(self.to_json(), sort_keys=True, ensure_ascii=True)
        return sha256(text.encode()).hexdigest()


def is_document(value: Any) -> bool:
    return isinstance(value, dict) and value.get("format") == FORMAT


def read_document(value: Any, remarks: Remarks) -> SessionDocument:
    """Raises ImportRefused."""
    body = _object(value, "the document")
    version = body.get("version")
    if isinstance(version, bool) or version != VERSION or not isinstance(version, int):
        message = f"this is version {shortened(version)} of the format; this program reads version {VERSION}"
        raise ImportRefused(message, reason="VERSION", version=shortened(version), ours=VERSION)
    session = _session(_object(body.get("session"), "session"), remarks)
    messages = _list(body.get("messages"), "messages", MOST_MESSAGES)
    runs = _list(body.get("runs", []), "runs", MOST_MESSAGES)
    checked = [_message(_object(one, "a message"), remarks) for one in messages]
    extra = {key: value for key, value in body.items() if key not in TOP_FIELDS}
    return SessionDocument(session, _in_order(checked, remarks), _runs(runs, remarks), extra)


def _session(body: Body, remarks: Remarks) -> Body:
    texts = {name: _text(body.get(name, ""), f"session.{name}") for name in ("id", "title", "agent", "mode", "folder")}
    if len(texts["title"]) > LONGEST_TITLE:
        remarks.add("title")
        texts["title"] = texts["title"][:LONGEST_TITLE]
    times = {name: _time(body.get(name, 0.0), remarks) for name in ("created", "updated")}
    switches = {name: body.get(name) is True for name in ("pinned", "archived")}
    return {**body, **texts, **times, **switches, "id": _id(texts["id"])}


def _message(body: Body, remarks: Remarks) -> Body:
    body = {**body, "created": _time(body.get("created", 0.0), remarks), "id": _id(_text(body.get("id", ""), "id"))}
    if body.get("state") and body["state"] not in get_args(MessageState):
        remarks.add("state", name=str(body["id"]))
        body["state"] = None
    if body.get("role") not in ("user", "assistant"):
        role = shortened(body.get("role"))
        raise ImportRefused(f"a message has the role {role}", reason="ROLE", role=role)
    for name in ("parent", "run"):
        if body.get(name) is not None:
            body[name] = _text(body[name], name)
    try:
        message = Message.from_json(body)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _unreadable_message(body["id"], str(error)[:LONGEST_QUOTE]) from error
    if wrong := _misfit(message):
        raise _unreadable_message(body["id"], f"{wrong} is of the wrong type")
    if message.state in ("pending", "streaming"):
        body["state"] = "interrupted"
    body["parts"] = [_settled(part, raw) for part, raw in zip(message.parts, body["parts"], strict=True)]
    return body


def _unreadable_message(id: str, why: str) -> ImportRefused:
    return ImportRefused(f"message {id} cannot be read: {why}", reason="MESSAGE", id=id)


def _misfit(message: Message) -> str:
    facts: list[Any] = [message.start, message.end]
    for part in message.parts:
        match part:
            case Fact(event):
                facts.append(event)
            case Call(call, _started, result):
                facts += [call, result]
            case PlanPart(plan):
                facts += [plan, *plan.steps]
            case Text() | Reasoning() | Attachment():
                facts.append(part)
    return next((wrong for fact in facts if fact is not None and (wrong := misfits(fact))), "")


def _settled(part: Any, raw: Body) -> Body:
    """A call without a result will never get one here."""
    if not isinstance(part, Call) or part.result is not None:
        return raw
    return {**raw, "result": event_to_json(not_run(part.call))}


def not_run(call: ToolCalled) -> ToolReturned:
    size = len(NOT_RUN)
    return ToolReturned(
        call.step, call.id, call.name, False, "interrupted", NOT_RUN, NOT_RUN, size, size, False, 0,
        error={"code": "INTERRUPTED", "message": NOT_RUN},
    )  # fmt: skip


def _in_order(messages: list[Body], remarks: Remarks) -> list[Body]:
    """Ids are unique and a parent is before its answers, so there is no circle either."""
    before: set[str] = set()
    for message in messages:
        if message["id"] in before:
            remarks.add("id")
            message["id"] = new_id()
        if message.get("parent") is not None and message["parent"] not in before:
            remarks.add("parent")
            message["parent"] = None
        before.add(message["id"])
    return messages


def _runs(bodies: list[Any], remarks: Remarks) -> list[Body]:
    runs: dict[str, Body] = {}
    for one in bodies:
        run = _run(_object(one, "a run"), remarks)
        if run["id"] in runs:
            raise ImportRefused(f"run {run['id']} is there twice", reason="RUN_TWICE", id=run["id"])
        runs[run["id"]] = run
    return list(runs.values())


def _run(body: Body, remarks: Remarks) -> Body:
    run = {**body, "id": _id(_text(body.get("id", ""), "run.id"))}
    for name in ("message", "parent"):
        if run.get(name) is not None:
            run[name] = _text(run[name], f"run.{name}")
    for name in ("started", "ended"):
        if run.get(name) is not None:
            run[name] = _time(run[name], remarks)
    results = run.get("results", {})
    if not isinstance(results, dict) or not all(isinstance(result, dict) for result in results.values()):
        raise ImportRefused(f"the results of run {run['id']} cannot be read", reason="RESULTS", id=run["id"])
    for seq, line in enumerate(_list(run.get("events", []), "events", MOST_EVENTS)):
        _check_line(_object(line, "an event"), seq, run["id"])
    return run


def _check_line(line: Body, seq: int, run: str) -> None:
    try:
        stamped = Stamped.from_json({"session": "", "run": run, **line})
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _unreadable_event(seq, run, str(error)[:LONGEST_QUOTE]) from error
    if wrong := misfits(stamped.event):
        raise _unreadable_event(seq, run, f"{wrong} is of the wrong type")
    if stamped.seq != seq or not math.isfinite(stamped.t):
        raise ImportRefused(f"the events of run {run} are not in order", reason="EVENT_ORDER", id=run)


def _unreadable_event(seq: int, run: str, why: str) -> ImportRefused:
    return ImportRefused(f"event {seq} of run {run} cannot be read: {why}", reason="EVENT", number=str(seq), id=run)


def _object(value: Any, what: str) -> Body:
    if not isinstance(value, Mapping):
        raise ImportRefused(f"{what} is not an object", reason="SHAPE", what=what)
    return dict(value)


def _list(value: Any, what: str, most: int) -> list[Any]:
    if not isinstance(value, list):
        raise ImportRefused(f"{what} is not a list", reason="SHAPE", what=what)
    if len(value) > most:
        message = f"there are {len(value)} {what}; at most {most} are read"
        raise ImportRefused(message, reason="TOO_MANY", what=what, found=len(value), most=most)
    return value


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise ImportRefused(f"{what} is not a text", reason="SHAPE", what=what)
    return value


def _id(value: str) -> str:
    if len(value) > LONGEST_ID:
        raise ImportRefused("an id is too long", reason="LONG_ID")
    return value or new_id()


def _time(value: Any, remarks: Remarks) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= LATEST:
        return float(value)
    remarks.add("date")
    return 0.0

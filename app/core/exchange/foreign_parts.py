"""What the readers of other programs' conversations have in common: a line of messages, pictures, values of any kind.

Nothing here raises for what a value is: what other programs leave out or misuse never stops the rest.
"""

from __future__ import annotations

import binascii
import json
import re
from collections.abc import Callable, Iterable, MutableMapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Literal

from app.core.ids import new_id
from app.core.run.events import LoopStart, ToolCalled, ToolReturned
from app.core.run.messages import Attachment, Call, Message, Part, Text

from .document import LATEST, NOT_RUN, Body, SessionDocument, not_run
from .remarks import Remarks

_MILLISECONDS = 100_000_000_000
"""A time above it counts milliseconds: as seconds it would be after the year 5000."""
_DATA = re.compile(r"data:(image/[a-z+.-]+);base64,([A-Za-z0-9+/=\s]+)")
_LONGEST_DATA = 14_000_000
_NAME = 120
_NO_LINK = re.compile(r"[\s<>]|.{2000}")
_NO_BRACKETS = str.maketrans("[]<>`", "()()'")


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """A file that came with the conversations."""

    name: str
    data: bytes


@dataclass(slots=True)
class Files:
    """`find` looks for a file by part of its name; `picture_kind` is "" for what cannot be shown as a picture."""

    find: Callable[[str], ImportedFile | None] = lambda _id: None
    picture_kind: Callable[[bytes], str] = lambda _data: ""
    kept: MutableMapping[str, bytes] = field(default_factory=dict)
    """Pictures that belong to the conversations, by their hash."""
    room: int = 500_000_000
    """Bytes of pictures that may still be kept; further ones are named only, which is remarked."""

    def picture(self, data: bytes, name: str) -> Attachment | None:
        if not (kind := self.picture_kind(data)):
            return None
        ref = sha256(data).hexdigest()
        if ref not in self.kept:
            if len(data) > self.room:
                return None
            self.room -= len(data)
            self.kept[ref] = data
        return Attachment(ref, name[:_NAME], kind)


@dataclass(slots=True)
class ImportContext:
    """What a reader of a foreign export needs: the files beside it, and where to count what was left out."""

    remarks: Remarks
    files: Files = field(default_factory=Files)

    def picture(self, id: str, name: str) -> Attachment:
        """The file of this id; without it only the name stays, which is remarked."""
        file = self.files.find(id) if id else None
        attachment = self.files.picture(file.data, name or file.name) if file else None
        if attachment is None:
            self.remarks.add("pictures")
        return attachment or Attachment("", (name or "picture")[:_NAME], "")

    def file(self, id: str, name: str, *, is_picture: bool) -> Attachment:
        file = self.files.find(id) if id else None
        if file and (attachment := self.files.picture(file.data, name or file.name)):
            return attachment
        self.remarks.add("pictures" if is_picture else "files")
        return Attachment("", (name or "file")[:_NAME], "")

    def inline_picture(self, address: str, name: str = "") -> Part:
        """Of a `data:` address, or the words that name one on the web."""
        if address.startswith(("https://", "http://")):
            self.remarks.add("remote_pictures")
            return Text(f"![{name or 'picture'}]({address})", 0)
        match = _DATA.fullmatch(address) if len(address) <= _LONGEST_DATA else None
        attachment = None
        if match:
            try:
                attachment = self.files.picture(binascii.a2b_base64(match.group(2)), name or "picture")
            except binascii.Error:
                attachment = None
        if attachment is None:
            self.remarks.add("pictures")
        return attachment or Attachment("", (name or "picture")[:_NAME], "")

    def base64_picture(self, media_type: str, data: str, name: str = "") -> Part:
        return self.inline_picture(f"data:{media_type};base64,{data}", name)

    def role(self, role: Any, *, with_tools: bool = False) -> Literal["user", "assistant"] | None:
        """Who speaks; None for a message that is left out, which is counted. `with_tools`: a message of a tool is a
        part of the answer."""
        if role == "system":
            self.remarks.add("system")
            return None
        if role == "user":
            return "user"
        if role == "assistant" or (with_tools and role == "tool"):
            return "assistant"
        self.unknown(role)
        return None

    def unknown(self, kind: Any) -> None:
        self.remarks.add_named("unknown", text_of(kind) or "?")


# ---------------------------------------------------------------- a line of messages


@dataclass(slots=True)
class MessageBuilder:
    """Neighbours of one role become one message; an answer names the question before it."""

    _messages: list[Message] = field(default_factory=list)
    _open: dict[str, ToolCalled] = field(default_factory=dict)
    """Calls without a result, in their order."""
    _calls: int = 0

    def add(self, role: str, parts: Iterable[Part], created: float = 0.0) -> None:
        # A file of an answer is shown as what a tool returned: that is where answers have pictures.
        new = tuple(self._made(part) if role != "user" and isinstance(part, Attachment) else part for part in parts)
        if not new:
            return
        last = self._messages[-1] if self._messages else None
        if last is not None and last.role == role:
            self._messages[-1] = replace(last, parts=(*last.parts, *new), created=last.created or created)
            return
        if role == "user":
            self._open.clear()
        parent = last.id if role == "assistant" and last is not None else None
        when = created or (last.created if last is not None else 0.0)
        self._messages.append(Message(new_id(), "user" if role == "user" else "assistant", new, when, parent))

    def call(self, step: int, id: str, name: str, args: Any, created: float = 0.0) -> None:
        """A call whose result may follow."""
        fields = args if isinstance(args, dict) else {} if args is None else {"input": args}
        called = ToolCalled(step, id or self._next_id(), name or "tool", fields)
        self._open[called.id] = called
        self.add("assistant", [Call(called, False, not_run(called))], created)

    def result(
        self, id: str, name: str, text: str, *, ok: bool = True, pictures: Iterable[Part] = (), created: float = 0.0
    ) -> bool:
        """The result of the call of this id; without one, of the first open call of this name. False if there is none:
        then it stands as a call of its own.
        """
        called = self._open.get(id) if id else self._first_open(name)
        is_own = called is None
        if called is None:
            called = ToolCalled(len(self._messages) + 1, id or self._next_id(), name or "tool", {})
            self.add("assistant", [Call(called, False, not_run(called))], created)
        self._open.pop(called.id, None)
        self._put(called, returned(called, text, ok=ok, pictures=pictures))
        return not is_own

    def by_model(self, model: str) -> None:
        """Which model gave the answer that was added last; the first that is named counts."""
        last = self._messages[-1] if self._messages else None
        if model and last is not None and last.role == "assistant" and last.start is None:
            self._messages[-1] = replace(last, start=LoopStart("", "", model[:_NAME], ""))

    def copy(self) -> MessageBuilder:
        """For another line that begins in the same way."""
        return MessageBuilder([*self._messages], dict(self._open), self._calls)

    def messages(self) -> list[Message]:
        return self._messages

    def _made(self, file: Attachment) -> Call:
        called = ToolCalled(len(self._messages) + 1, self._next_id(), "picture" if file.is_image else "file", {})
        return returned(called, file.text, pictures=[file])

    def _next_id(self) -> str:
        """Not by chance: the same conversation read again is the same."""
        self._calls += 1
        return f"call-{self._calls}"

    def _first_open(self, name: str) -> ToolCalled | None:
        """Of "web" and "web.run" it is the same tool."""
        group = name.partition(".")[0]
        return next((one for one in self._open.values() if group in ("", one.name.partition(".")[0])), None)

    def _put(self, called: ToolCalled, call: Call) -> None:
        for place in range(len(self._messages) - 1, -1, -1):
            message = self._messages[place]
            if any(isinstance(part, Call) and part.call is called for part in message.parts):
                parts = (call if isinstance(part, Call) and part.call is called else part for part in message.parts)
                self._messages[place] = replace(message, parts=tuple(parts))
                return


def returned(called: ToolCalled, text: str, *, ok: bool = True, pictures: Iterable[Part] = ()) -> Call:
    attachments = [one for one in pictures if isinstance(one, Attachment)]
    items = [{"title": one.name, "image": f"att:{one.ref}"} for one in attachments if one.ref]
    text = "\n".join([*([text] if text else []), *(f"[{one.name}]" for one in attachments if not one.ref)])
    first = text.strip().splitlines()[0][:200] if text.strip() else items[0]["title"] if items else NOT_RUN
    display = {"card": "gallery", "payload": {"items": items}} if items else None
    size = len(text)
    result = ToolReturned(
        called.step, called.id, called.name, ok, "ok" if ok else "error", first, text, size, size, False, 0,
        display=display,
    )  # fmt: skip
    return Call(called, True, result)


def document(
    id: Any, title: Any, created: float, updated: float, messages: list[Message], *, pinned: Any = None,
    archived: Any = None,
) -> SessionDocument:  # fmt: skip
    """Ids follow from what was said, so that the same file read again gives the same document."""
    first = next((message.created for message in messages if message.created), created)
    bodies = [replace(message, created=message.created or first).to_json() for message in messages]
    _name(bodies, title)
    begun = created or first
    last = max((message.created for message in messages), default=0.0)
    session = {
        "id": id if isinstance(id, str) and 0 < len(id) <= 100 else f"{bodies[0]['id']}-s" if bodies else new_id(),
        "title": text_of(title)[:1_000],
        "agent": "", "mode": "", "created": begun, "updated": updated or last or begun,
        "pinned": pinned is True or pinned == 1, "folder": "", "archived": archived is True or archived == 1,
    }  # fmt: skip
    return SessionDocument(session, bodies, is_dated=bool(begun))


def _name(bodies: list[Body], title: Any) -> None:
    content = json.dumps([str(title), [{**body, "id": "", "parent": ""} for body in bodies]], ensure_ascii=True)
    seed = sha256(content.encode()).hexdigest()[:20]
    names = {body["id"]: f"{seed}-{n}" for n, body in enumerate(bodies)}
    for body in bodies:
        body["id"], body["parent"] = names[body["id"]], names.get(body["parent"])


# ---------------------------------------------------------------- values of any kind


def sources(listed: Iterable[Body], reading: ImportContext) -> str:
    """A list of links to stand under an answer, each address once; what names no address is counted."""
    links: dict[str, str] = {}
    for one in listed:
        address = next((found for key in ("url", "link", "uri") if (found := text_of(one.get(key)))), "")
        if address.startswith(("https://", "http://")) and not _NO_LINK.search(address):
            title = " ".join((text_of(one.get("title")) or text_of(one.get("name"))).split())[:_NAME]
            title = title.translate(_NO_BRACKETS)
            links.setdefault(address, f"[{title}](<{address}>)" if title else f"<{address}>")
        else:
            reading.remarks.add("references")
    listing = (f"{n}. {link}" for n, link in enumerate(links.values(), 1))
    return "\n\n" + "\n".join(listing) if links else ""


def texts(text: str, step: int) -> list[Part]:
    return [Text(text, step)] if text else []


def dicts(value: Any) -> list[Body]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_of(value: Any) -> str:
    return value if isinstance(value, str) else ""


def body_of(value: Any) -> Body:
    return value if isinstance(value, dict) else {}


def written_blocks(text: str) -> list[Body]:
    """The pieces of a content list that somebody stored as its own JSON text; [] if it is an ordinary text."""
    if not text.startswith("[{") or not text.rstrip().endswith("}]"):
        return []
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return []
    is_list = isinstance(read, list) and all(
        isinstance(item, dict) and text_of(item.get("type")) in _BLOCKS for item in read
    )
    return read if is_list else []


_BLOCKS = frozenset((
    "text", "input_text", "output_text", "image", "image_url", "input_image", "thinking", "tool_use", "tool_result",
    "refusal", "summary_text",
))  # fmt: skip


def moment(*values: Any) -> float:
    """The first of them that says a time: seconds, milliseconds or ISO 8601; 0.0 if none does."""
    return next((found for value in values if (found := _moment(value))), 0.0)


def _moment(value: Any) -> float:
    if isinstance(value, str):
        try:
            read = datetime.fromisoformat(value)
            return _moment((read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp())
        except (ValueError, OverflowError, OSError):
            return 0.0
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= LATEST * 1000:
        return 0.0
    seconds = value / 1000 if value > _MILLISECONDS else value
    return float(seconds) if seconds <= LATEST else 0.0


def decoded(text: str) -> Any:
    """What a JSON text of arguments says; the text itself if it says nothing."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return {"text": text} if text else {}


def as_text(value: Any) -> str:
    """Any value as a text for a person: structures as JSON."""
    if value is None or value == "":
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1, default=str)

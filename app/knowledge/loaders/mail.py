"""Messages (.eml): who, when, what about, and the text; of several forms the plain one."""

from __future__ import annotations

from collections.abc import Iterator
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path

from app.core.knowledge import Passage

from .html import of_markup

_HEADERS = ("From", "To", "Cc", "Date", "Subject")


def passages(path: Path) -> Iterator[Passage]:
    with path.open("rb") as file:
        message = BytesParser(EmailMessage, policy=policy.default).parse(file)
    subject = str(message.get("Subject", ""))
    head = "\n".join(f"{name}: {message[name]}" for name in _HEADERS if message[name])
    body = message.get_body(("plain", "html"))
    text = ""
    if body is not None:
        data = body.get_payload(decode=True) or b""
        if body.get_content_subtype() == "html":
            text = "\n".join(passage.text for passage in of_markup(data if isinstance(data, bytes) else b""))
        else:
            text = str(body.get_content())
    names = [part.get_filename() for part in message.iter_attachments()]
    files = "\n".join(f"[{name}]" for name in names if name)
    yield Passage("\n\n".join(piece for piece in (head, text.strip(), files) if piece), heading=subject)

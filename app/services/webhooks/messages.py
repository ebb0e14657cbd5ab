"""What is sent of an event, and how it is signed: HMAC-SHA256 over the time and the body."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from app.core.run.events import Approval, LoopError, Terminal

LONGEST: Final = 20_000
"""Characters of an answer."""
SentEvent = Approval | Terminal
"""What other programs are told of."""


def message_of(event: SentEvent, run: str, session: str, agent: str, clean: Callable[[str], str]) -> dict[str, Any]:
    """`clean` takes out what may not leave this computer. The arguments of a call that waits are not sent: they may be
    private."""
    head = {"event": event.type, "run": run, "session": session, "agent": agent}
    if isinstance(event, Approval):
        text = {language: clean(words)[:1_000] for language, words in event.text.items()}
        return {**head, "approval": event.id, "tool": event.name, "text": text}
    if isinstance(event, LoopError):
        error = {"code": event.error.code, "message": clean(event.error.message)[:1_000]}
        return {**head, "reason": event.reason, "error": error, "partial": clean(event.partial)[:LONGEST]}
    usage = {"input": event.usage.input, "output": event.usage.output}
    return {
        **head, "answer": clean(event.answer)[:LONGEST], "stop_reason": event.stop_reason,
        "steps": event.steps, "seconds": round(event.seconds, 3), "usage": usage,
    }  # fmt: skip


def headers_of(message: Mapping[str, Any], delivery: str, secret: str, now: float) -> dict[str, str]:
    stamp = str(int(now))
    signature = hmac.new(secret.encode(), stamp.encode() + b"." + body_of(message), hashlib.sha256).hexdigest()
    return {
        "Content-Type": "application/json; charset=utf-8",
        "X-Triptych-Event": str(message["event"]),
        "X-Triptych-Delivery": delivery,
        "X-Triptych-Signature": f"t={stamp},v1={signature}",
    }


def body_of(message: Mapping[str, Any]) -> bytes:
    """As `HttpRequest.json` is sent."""
    return json.dumps(message, ensure_ascii=False).encode()

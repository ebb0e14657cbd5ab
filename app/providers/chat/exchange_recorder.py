"""Records what went over the wire in one attempt, for `core.run.model_call`.

Only headers that carry no secret are recorded with their value; keys are masked everywhere. Pictures are recorded by
their length.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from app.core.run.model_call import KEPT_HEAD, KEPT_TAIL, MASK, ModelCall, bounded
from app.providers.http.redact import forms_of

_OPEN_HEADERS: Final = frozenset({"accept", "accept-encoding", "content-type", "content-length", "host", "user-agent"})
_SECRET_ANSWERS: Final = frozenset({"set-cookie", "www-authenticate", "proxy-authenticate"})
_IMAGE: Final = "data:"


class ExchangeRecorder:
    """`sent`, `answered`, `read`, then `call`."""

    def __init__(self, secrets: Sequence[str]) -> None:
        self._secrets = [form for secret in secrets for form in forms_of(secret)]
        self._began = time.monotonic()
        self._head, self._tail, self._dropped = bytearray(), bytearray(), 0
        self._method = self._url = self._body = ""
        self._headers: dict[str, str] = {}
        self._answered: dict[str, str] = {}
        self._status = 0
        self._cut = False

    def sent(self, method: str, url: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> None:
        self._method, self._url = method, self._masked(url)
        self._headers = {name: self._header(name, value) for name, value in headers.items()}
        text = json.dumps(_without_images(body), ensure_ascii=False, default=str)
        self._body, self._cut = bounded(self._masked(text))

    def answered(self, status: int, headers: Mapping[str, str]) -> None:
        self._status = status
        self._answered = {
            name: "***" if name.lower() in _SECRET_ANSWERS else self._masked(value) for name, value in headers.items()
        }

    def read(self, data: bytes) -> None:
        room = KEPT_HEAD - len(self._head)
        self._head += data[: max(room, 0)]
        if len(data) <= room:
            return
        self._tail += data[max(room, 0) :]
        if len(self._tail) > 2 * KEPT_TAIL:
            self._dropped += len(self._tail) - KEPT_TAIL
            del self._tail[:-KEPT_TAIL]

    def call(self, *, finish: str = "", error: str = "") -> ModelCall:
        text = self._head.decode("utf-8", "replace")
        if self._dropped:
            text += f"\n[… {self._dropped:,} bytes …]\n"
        text += self._tail.decode("utf-8", "replace")
        return ModelCall(
            method=self._method,
            url=self._url,
            headers=self._headers,
            body=self._body,
            status=self._status,
            response_headers=self._answered,
            response=self._masked(text),
            finish=finish,
            error=self._masked(error),
            ms=int((time.monotonic() - self._began) * 1000),
            cut=self._cut or bool(self._dropped),
        )

    def _header(self, name: str, value: str) -> str:
        if name.lower() in _OPEN_HEADERS:
            return self._masked(value)
        return f"Bearer {MASK}" if value.lower().startswith("bearer ") else MASK

    def _masked(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, MASK)
        return text


def _without_images(value: Any) -> Any:
    if isinstance(value, str):
        is_data = value.startswith(_IMAGE) and len(value) > 200 and ";base64," in value[:100]
        return f"{value[: value.index(',') + 1]}… ({len(value):,} characters)" if is_data else value
    if isinstance(value, Mapping):
        return {key: _without_images(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_images(item) for item in value]
    return value

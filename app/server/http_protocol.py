"""HTTP/1.1 as uvicorn reads it; what is no HTTP is refused in the form of our other errors."""

from __future__ import annotations

import json
import sys
from http import HTTPStatus

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from .errors import ApiError, openai_error_body

_LONG = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE


class HttpProtocol(H11Protocol):
    def send_400_response(self, msg: str) -> None:
        """Called while h11's error is handled, which alone says whether the head was too long. Where an answer has
        begun there is no place for another one: the connection ends."""
        error = sys.exc_info()[1]
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            is_long = isinstance(error, h11.RemoteProtocolError) and error.error_status_hint == _LONG
            self._refuse(
                ApiError(_LONG, "HEADERS_TOO_LARGE", "the head of the request is too long")
                if is_long
                else ApiError(400, "BAD_HTTP", f"{msg.rstrip('.')}: {error}")
            )
        if self.cycle is not None:
            self.cycle.disconnected = True
        self.transport.close()

    def _refuse(self, error: ApiError) -> None:
        body = json.dumps(openai_error_body(error)).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        response = h11.Response(status_code=error.status, headers=headers, reason=HTTPStatus(error.status).phrase)
        for event in (response, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")

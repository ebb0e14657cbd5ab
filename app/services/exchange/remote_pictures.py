"""Fetches an external picture after the person agreed: one request to the address that was shown (T01).

Nothing is stored on disk. A redirect is asked about again.
"""

from __future__ import annotations

from typing import Literal
from urllib.parse import urlsplit

from app.core.errors import BadInput, ToolError
from app.core.http import SingleRequest

from .attachments import LARGEST_PICTURE, MOST_PIXELS
from .picture_facts import picture_facts

Why = Literal["offline", "private", "moved", "large", "no_picture", "address", "refused", "network"]

_WHY: dict[str, Why] = {
    "NETWORK_OFF": "offline",
    "PRIVATE_ADDRESS": "private",
    "BLOCKED_ADDRESS": "address",
    "BLOCKED_SCHEME": "address",
}


class PictureNotLoaded(BadInput):
    """`location` is where the answer sent on to."""

    code = "REMOTE_PICTURE"

    def __init__(self, why: Why, message: str = "", *, location: str = "") -> None:
        super().__init__(message or why, why=why, location=location)
        self.why, self.location = why, location


class RemotePictureService:
    def __init__(self, http: SingleRequest) -> None:
        self._http = http

    async def load(self, address: str) -> bytes:
        """The file at an https address, if it is a picture of a kind that is shown. Raises PictureNotLoaded."""
        if urlsplit(address).scheme != "https":
            raise PictureNotLoaded("address", "only https is asked for a picture")
        try:
            reply = await self._http.once(address)
        except ToolError as error:
            raise PictureNotLoaded(_WHY.get(error.tool_code, "network"), error.message) from error
        if reply.location:
            raise PictureNotLoaded("moved", location=reply.location)
        if reply.status != 200:
            raise PictureNotLoaded("refused", f"status {reply.status}")
        if reply.truncated or len(reply.body) > LARGEST_PICTURE:
            raise PictureNotLoaded("large")
        facts = picture_facts(reply.body)
        if facts is None:
            raise PictureNotLoaded("no_picture")
        if facts.pixels > MOST_PIXELS:
            raise PictureNotLoaded("large")
        return reply.body

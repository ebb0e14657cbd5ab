"""A folder of a WebDAV server, with name and password."""

from __future__ import annotations

import base64
import html
import re
from urllib.parse import quote, unquote, urlsplit

from app.core.exchange.storage_place import PlaceFault
from app.core.system.network import NetworkPolicy

from .requests import PlaceAnswer, PlaceRequests

_HREF = re.compile(rb"<(?:[A-Za-z0-9]{1,20}:)?href>([^<]{1,4000})</")
_ASK = b'<?xml version="1.0"?><propfind xmlns="DAV:"><prop><resourcetype/></prop></propfind>'


class WebDavPlace:
    def __init__(self, address: str, user: str, password: str, network: NetworkPolicy) -> None:
        self._requests = PlaceRequests(address, network)
        name = base64.b64encode(f"{user}:{password}".encode()).decode()
        self._headers = {"Authorization": f"Basic {name}"} if user or password else {}
        self._made: set[str] = set()
        """Folders that are there."""

    async def names(self, folder: str) -> list[str]:
        headers = {"Depth": "1", "Content-Type": "application/xml"}
        answer = await self._send("PROPFIND", f"{folder}/", headers, _ASK)
        if answer.status == 404:
            return []
        if answer.status != 207:
            raise PlaceFault(f"HTTP {answer.status}", reason="PLACE_ODD", status=answer.status)
        own = urlsplit(self._url(f"{folder}/")).path.rstrip("/")
        paths = (
            unquote(urlsplit(html.unescape(one.decode("utf-8", "replace"))).path) for one in _HREF.findall(answer.body)
        )
        within = (path.rstrip("/") for path in paths)
        return sorted({path.rpartition("/")[2] for path in within if path and path != unquote(own)})

    async def get(self, name: str) -> bytes | None:
        answer = await self._send("GET", name)
        if answer.status == 404:
            return None
        return _whole(answer).body

    async def put(self, name: str, data: bytes, *, new: bool = False) -> bool:
        await self._make_folders(name)
        headers = {"Content-Type": "application/octet-stream"}
        # Not every server knows the condition, so it is looked for besides.
        if new and await self.get(name) is not None:
            return False
        answer = await self._send("PUT", name, headers | ({"If-None-Match": "*"} if new else {}), data)
        if new and answer.status == 412:
            return False
        _whole(answer)
        return True

    async def delete(self, name: str) -> None:
        await self._send("DELETE", name)

    async def close(self) -> None:
        await self._requests.close()

    async def _make_folders(self, name: str) -> None:
        folder = ""
        for part in ["", *name.split("/")[:-1]]:
            folder = f"{folder}{part}/" if part else folder
            if folder not in self._made:
                answer = await self._send("MKCOL", folder)
                if answer.status == 409:
                    raise PlaceFault("there is no such folder on the server", reason="PLACE_FOLDER", path=self._url(""))
                self._made.add(folder)

    async def _send(
        self, method: str, name: str, headers: dict[str, str] | None = None, body: bytes = b""
    ) -> PlaceAnswer:
        return await self._requests.send(method, self._url(name), {**self._headers, **(headers or {})}, body)

    def _url(self, name: str) -> str:
        return f"{self._requests.address}/{quote(name)}"


def _whole(answer: PlaceAnswer) -> PlaceAnswer:
    if not 200 <= answer.status < 300:
        raise PlaceFault(f"HTTP {answer.status}", reason="PLACE_ODD", status=answer.status)
    return answer

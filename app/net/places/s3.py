"""A bucket of an S3-compatible store; requests are signed by version 4 of its signature."""

from __future__ import annotations

import hashlib
import hmac
import html
import re
from collections.abc import Mapping
from urllib.parse import quote, urlsplit

from app.core.exchange.storage_place import PlaceFault
from app.core.system.clock import CLOCK, Clock
from app.core.system.network import NetworkPolicy
from app.core.text.moments import utc_time

from .requests import PlaceAnswer, PlaceRequests

_KEY = re.compile(rb"<Key>([^<]{1,4000})</Key>")
_NEXT = re.compile(rb"<NextContinuationToken>([^<]{1,4000})</")
_MOST_PAGES = 1_000


class S3Place:
    """The bucket is part of the path, as every store of this kind takes it."""

    def __init__(
        self, address: str, bucket: str, region: str, key: str, secret: str, network: NetworkPolicy,
        *, clock: Clock = CLOCK,
    ) -> None:  # fmt: skip
        self._requests = PlaceRequests(address, network)
        bucket, _slash, prefix = bucket.strip("/").partition("/")
        if not bucket:
            raise PlaceFault("the bucket has no name", reason="PLACE_ADDRESS")
        self._bucket, self._prefix = bucket, f"{prefix}/" if prefix else ""
        self._region, self._key, self._secret, self._clock = region or "us-east-1", key, secret, clock

    async def names(self, folder: str) -> list[str]:
        prefix = f"{self._prefix}{folder}/"
        found: list[str] = []
        token = ""
        for _page in range(_MOST_PAGES):
            query = {"list-type": "2", "prefix": prefix, **({"continuation-token": token} if token else {})}
            answer = _whole(await self._send("GET", "", query=query))
            keys = [html.unescape(key.decode("utf-8", "replace")) for key in _KEY.findall(answer.body)]
            found += [key.removeprefix(prefix) for key in keys if key.startswith(prefix)]
            following = _NEXT.search(answer.body)
            if following is None:
                break
            token = html.unescape(following.group(1).decode())
        # What lies deeper stands for its folder, as it does on a disk.
        return sorted({name.partition("/")[0] for name in found if name})

    async def get(self, name: str) -> bytes | None:
        answer = await self._send("GET", self._prefix + name)
        return None if answer.status == 404 else _whole(answer).body

    async def put(self, name: str, data: bytes, *, new: bool = False) -> bool:
        if new and await self.get(name) is not None:
            return False
        answer = await self._send("PUT", self._prefix + name, {"If-None-Match": "*"} if new else {}, data)
        if new and answer.status in (409, 412):
            return False
        _whole(answer)
        return True

    async def delete(self, name: str) -> None:
        await self._send("DELETE", self._prefix + name)

    async def close(self) -> None:
        await self._requests.close()

    async def _send(
        self, method: str, name: str, headers: Mapping[str, str] | None = None, body: bytes = b"",
        query: Mapping[str, str] | None = None,
    ) -> PlaceAnswer:  # fmt: skip
        path = f"/{self._bucket}/{quote(name, safe='/~')}" if name else f"/{self._bucket}"
        text = "&".join(f"{quote(k, safe='~')}={quote(v, safe='~')}" for k, v in sorted((query or {}).items()))
        base = urlsplit(self._requests.address)
        path = base.path.rstrip("/") + path
        signed = self._signed(method, base.netloc, path, text, body)
        url = f"{base.scheme}://{base.netloc}{path}" + (f"?{text}" if text else "")
        return await self._requests.send(method, url, {**(headers or {}), **signed}, body)

    def _signed(self, method: str, host: str, path: str, query: str, body: bytes) -> dict[str, str]:
        stamp = utc_time(self._clock.now()).strftime("%Y%m%dT%H%M%SZ")
        digest = hashlib.sha256(body).hexdigest()
        headers = {"host": host, "x-amz-content-sha256": digest, "x-amz-date": stamp}
        names = ";".join(sorted(headers))
        lines = "".join(f"{name}:{headers[name]}\n" for name in sorted(headers))
        whole = "\n".join((method, path, query, lines, names, digest))
        scope = f"{stamp[:8]}/{self._region}/s3/aws4_request"
        text = "\n".join(("AWS4-HMAC-SHA256", stamp, scope, hashlib.sha256(whole.encode()).hexdigest()))
        key = f"AWS4{self._secret}".encode()
        for part in (stamp[:8], self._region, "s3", "aws4_request"):
            key = hmac.new(key, part.encode(), hashlib.sha256).digest()
        signature = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
        credential = f"AWS4-HMAC-SHA256 Credential={self._key}/{scope}"
        del headers["host"]
        return headers | {"Authorization": f"{credential}, SignedHeaders={names}, Signature={signature}"}


def _whole(answer: PlaceAnswer) -> PlaceAnswer:
    if not 200 <= answer.status < 300:
        raise PlaceFault(f"HTTP {answer.status}", reason="PLACE_ODD", status=answer.status)
    return answer

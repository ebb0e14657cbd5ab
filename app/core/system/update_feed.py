"""The signed feed of updates: what is trusted of it, and why a feed is refused.

A feed is a JSON object: `signed`, the text of the statement, and `signature`, that of Ed25519 over it, in Base64. The
statement says its number, until when it holds, and the newest release with its files. Nothing of it is read before the
signature was verified by a key of this program. Numbers only grow, so that an old feed shown again is noticed; one
that has run out says nothing about today.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from ..errors import BadInput

FORMAT, VERSION = "triptych.updates", 1
CONTEXT = b"triptych updates 1\n"
"""Signed before the text, so that a signature made for something else is none here."""
LARGEST = 256_000
PUBLIC_KEYS: tuple[str, ...] = ()
"""Of whoever releases this program, in Base64: `python -m building.update_feed new-key` prints one. A second one is
there while the first is replaced.
"""
_NUMBERS = re.compile(r"(\d{1,6})(?:\.(\d{1,6}))?(?:\.(\d{1,6}))?(?:[-.]?(?:a|b|rc|dev)\.?\d{1,4})?")
_SHA256 = re.compile(r"[0-9a-f]{64}")


class FeedRefused(BadInput):
    """Nothing of the feed is believed; `params["reason"]` says why."""


@dataclass(frozen=True, slots=True)
class ReleaseFile:
    name: str
    system: str
    url: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Feed:
    number: int
    release: str
    """Version of the newest release."""
    released: str
    page: str
    """Where it is described; "" = nowhere."""
    notes: str
    files: tuple[ReleaseFile, ...]


def read_feed(data: bytes, keys: Sequence[str], *, least: int, now: float) -> Feed:
    """`least` is the highest number that was seen before. Raises FeedRefused."""
    if len(data) > LARGEST:
        raise FeedRefused("the feed is too large", reason="FEED_LARGE")
    if not keys:
        raise FeedRefused("this program has no key to verify a feed with", reason="FEED_NO_KEY")
    body = _object(_json(data))
    text, signature = body.get("signed"), body.get("signature")
    if not isinstance(text, str) or not isinstance(signature, str):
        raise FeedRefused("the feed has no signature", reason="FEED_UNSIGNED")
    if not any(_is_signed(text.encode(), signature, key) for key in keys):
        raise FeedRefused("the signature of the feed is not ours", reason="FEED_SIGNATURE")
    statement = _object(_json(text.encode()))
    if statement.get("format") != FORMAT or statement.get("version") != VERSION:
        raise FeedRefused("the feed is of another version", reason="FEED_VERSION")
    number = statement.get("number")
    if not isinstance(number, int) or isinstance(number, bool):
        raise _odd()
    if number < least:
        raise FeedRefused(f"feed {number} is older than {least}, which was seen before", reason="FEED_OLD")
    if not now <= _moment(statement.get("expires")):
        raise FeedRefused("the feed has run out", reason="FEED_EXPIRED")
    return _feed(number, _object(statement.get("release")))


def _feed(number: int, release: dict[str, Any]) -> Feed:
    listed = release.get("files", [])
    if not isinstance(listed, list) or len(listed) > 100:
        raise _odd()
    version = _text(release, "version", 40)
    _numbers(version)
    page = _text(release, "page", 500)
    if page and not page.startswith("https://"):
        raise _odd()
    files = tuple(_file(_object(one)) for one in listed)
    return Feed(number, version, _text(release, "released", 40), page, _text(release, "notes", 20_000), files)


def _file(body: dict[str, Any]) -> ReleaseFile:
    size = body.get("size")
    file = ReleaseFile(
        _text(body, "name", 200), _text(body, "system", 60), _text(body, "url", 1_000),
        size if isinstance(size, int) else -1, _text(body, "sha256", 64),
    )  # fmt: skip
    if not file.url.startswith("https://") or not _SHA256.fullmatch(file.sha256) or file.size < 0:
        raise _odd()
    return file


def is_newer(version: str, than: str) -> bool:
    """Raises FeedRefused for what is no version."""
    return _numbers(version) > _numbers(than)


def _numbers(version: str) -> tuple[int, int, int, bool]:
    match = _NUMBERS.fullmatch(version)
    if match is None:
        raise _odd()
    major, minor, patch = (int(part or 0) for part in match.groups())
    return major, minor, patch, not any(sign.isalpha() for sign in version)


def _is_signed(text: bytes, signature: str, key: str) -> bool:
    # Loaded when a feed is asked for, which is seldom.
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        public = Ed25519PublicKey.from_public_bytes(base64.b64decode(key, validate=True))
        public.verify(base64.b64decode(signature, validate=True), CONTEXT + text)
    except (InvalidSignature, binascii.Error, ValueError):
        return False
    return True


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _odd() from error


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _odd()
    return value


def _text(body: dict[str, Any], name: str, most: int) -> str:
    value = body.get(name, "")
    if not isinstance(value, str) or len(value) > most:
        raise _odd()
    return value


def _moment(value: Any) -> float:
    try:
        moment = datetime.fromisoformat(value)
    except (TypeError, ValueError) as error:
        raise _odd() from error
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _odd() -> FeedRefused:
    return FeedRefused("the feed cannot be read", reason="FEED_ODD")

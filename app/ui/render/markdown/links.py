"""Which addresses in a text may become links, and which may be shown as pictures."""

from __future__ import annotations

import unicodedata
from urllib.parse import urlsplit

from app.core.exchange.pictures import INLINE_PICTURE, STORED_PICTURE

_WEB = ("http", "https")
_HOST_CHARS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.-:[]_")
LONGEST = 2_000
"""Characters of an address that may be pressed."""
_LONGEST_PICTURE = 1_400_000
"""Characters of a `data:` address: a megabyte of picture."""


def safe_href(href: str) -> str | None:
    """The address if it may be clicked: https, http or mailto, spelled without tricks."""
    if len(href) > LONGEST or not href.isascii() or not href.isprintable() or "\\" in href or " " in href:
        return None
    try:
        parts = urlsplit(href)
        host = parts.hostname or ""
    except ValueError:
        return None
    if parts.scheme == "mailto":
        return href if parts.path else None
    if parts.scheme not in _WEB or not host or not _HOST_CHARS.issuperset(host):
        return None
    return href if all(_is_plain(label) for label in host.split(".")) else None


def _is_plain(label: str) -> bool:
    """Whether a label of a host, spelled out, has no characters one cannot see."""
    if not label.startswith("xn--"):
        return True
    try:
        spelled = label[4:].encode().decode("punycode")
    except UnicodeError:
        return False
    return not any(unicodedata.category(char)[0] in "CZ" for char in spelled)


def host_of(address: str) -> str:
    """Where an image would have come from, in a few characters; empty for a relative path."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return address[:40]
    return parts.netloc[:60] or (f"{parts.scheme}:" if parts.scheme else "")


def picture_address(address: str) -> str:
    """The address if a picture is shown from there: the own store, or the text itself; else ""."""
    if len(address) <= _LONGEST_PICTURE and (STORED_PICTURE.fullmatch(address) or INLINE_PICTURE.fullmatch(address)):
        return address
    return ""


def remote_picture(address: str) -> str:
    """The address if a picture may be loaded from there when the person asks for it; else ""."""
    return address if address.startswith("https:") and safe_href(address) else ""

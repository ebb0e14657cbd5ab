"""Answers of a server over HTTP that are not the protocol's, in words: sign-ins, redirects, web pages.

They trigger nothing. What the server wrote is quoted shortened and without hidden characters; of an address only host
and path are shown, since a query may hold secrets.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import urljoin, urlsplit

from app.core.text.i18n import _

from ..texts import for_model

_DESCRIPTION = re.compile(r'error_description\s*=\s*"([^"]{1,400})')
_ERROR = re.compile(r'\berror\s*=\s*"?([A-Za-z_]{1,40})')
_OLD_SSE_PATH = re.compile(r"(?:^|/)sse(?:/|$)")
_MOVED: Final = (301, 302, 303, 307, 308)
LONGEST_QUOTE: Final = 160


@dataclass(frozen=True, slots=True)
class Refusal:
    """One answer that is none of the protocol's."""

    status: int
    kind: str
    """The content type, without parameters."""
    location: str = ""
    asks: str = ""
    """The header WWW-Authenticate."""

    @property
    def wants_sign_in(self) -> bool:
        return self.status == 401 or (self.status == 403 and bool(self.asks))


def refusal_in(status: int, headers: Mapping[str, str], url: str) -> Refusal | None:
    """None for what may be an answer of the protocol."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()[:80]
    asks = headers.get("www-authenticate", "")[:4_000]
    if status in _MOVED:
        return Refusal(status, kind, _place(urljoin(url, headers.get("location", ""))))
    if status >= 400:
        return Refusal(status, kind, asks=asks)
    if status == 200 and kind == "text/html":
        return Refusal(status, kind)
    return None


def is_old_sse(url: str) -> bool:
    """By its path, as servers' documentation writes it."""
    return _OLD_SSE_PATH.search(urlsplit(url).path) is not None


def sign_in_words(refusal: Refusal | None, *, has_token: bool) -> str:
    if has_token:
        sentence = _("the server does not accept the token in the header Authorization (401)")
    else:
        sentence = _("the server wants a sign-in (401)")
    quote = _DESCRIPTION.search(refusal.asks) or _ERROR.search(refusal.asks) if refusal else None
    quoted = for_model(quote[1].strip(), LONGEST_QUOTE) if quote else ""
    return f"{sentence}: {quoted}" if quoted else sentence


def refusal_words(refusal: Refusal, url: str) -> str:
    """For anything but a sign-in."""
    if refusal.status in _MOVED:
        if refusal.location:
            sentence = _("the server sends on to {place}, where nothing is sent; write that address if it is meant")
            return sentence.format(place=refusal.location)
        return _("the server sends on to another address, and does not say which")
    if refusal.status == 407:
        return _("the proxy wants a sign-in (407)")
    if refusal.kind == "text/html" and refusal.status == 200:
        return _("a web page answers at {place}, not a server").format(place=_place(url))
    try:
        phrase = f"{refusal.status} {HTTPStatus(refusal.status).phrase}"
    except ValueError:
        phrase = str(refusal.status)
    return _("the server refuses with HTTP {status}").format(status=phrase)


def _place(url: str) -> str:
    """Host and path of an address a server named."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    host = parts.netloc.rpartition("@")[2]
    return for_model(f"{parts.scheme}://{host}{parts.path}" if host else "", LONGEST_QUOTE)

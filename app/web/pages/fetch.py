"""One address to one readable page, whatever the server sends."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass

from app.core import detached
from app.core.errors import ToolError
from app.core.http import HttpReply, WebClient
from app.core.text.i18n import N_

from .charset import decoded
from .readable import readable
from .robots import asks_not_to

LONGEST_PAGE = 5 * 1024 * 1024
LONGEST_PDF = 30 * 1024 * 1024
LONGEST_TEXT = 1_000_000
EXTRACT_SECONDS = 25.0
PdfReader = Callable[[bytes, int], str]
"""Raises an exception with `why`: `password`, `damaged` or `scan`."""
_TEXTS = (
    "text/",
    "application/json",
    "application/xml",
    "application/javascript",
    "application/x-ndjson",
    "+xml",
    "+json",
)
_REFRESH = re.compile(rb"<meta[^>]{0,100}http-equiv\s{0,3}=\s{0,3}[\"']?refresh", re.IGNORECASE)
_PDF_WHY = {
    "password": N_("the PDF is locked with a password"),
    "damaged": N_("the PDF is damaged"),
    "scan": N_("the PDF holds pictures of pages only, and no text"),
}


@dataclass(frozen=True, slots=True)
class Page:
    url: str
    """Where it came from, after redirects."""
    title: str
    text: str
    kind: str
    """`html`, `pdf` or `text`."""
    encoding: str = ""
    published: str = ""
    truncated: bool = False
    """There was more than is read."""
    robots: bool = True
    """False: the site asks programs not to read it."""
    proxied: bool = False
    notes: tuple[str, ...] = ()
    """Marked sentences."""


async def fetch(http: WebClient, url: str, *, read_pdf: PdfReader | None = None) -> Page:
    """Raises ToolError: what the client raises, NOT_FOUND, NOT_TEXT, TOO_BIG, UPSTREAM."""
    looks_like_pdf = url.partition("?")[0].lower().endswith(".pdf") or "/pdf/" in url
    robots = asyncio.ensure_future(asks_not_to(http, url))
    try:
        reply = await http.get(url, longest=LONGEST_PDF if looks_like_pdf else LONGEST_PAGE)
        _check(reply)
        page = await _page(reply, read_pdf)
        forbids = await robots
    finally:
        robots.cancel()
    return Page(
        page.url, page.title, page.text, page.kind, page.encoding, page.published, page.truncated, not forbids,
        reply.proxied, page.notes,
    )  # fmt: skip


def _check(reply: HttpReply) -> None:
    if reply.status in (404, 410):
        raise ToolError("NOT_FOUND", N_("there is no such page (HTTP {status})"), values={"status": reply.status})
    if reply.status in (401, 402, 403, 451):
        message = N_("the site does not give this page to programs (HTTP {status})")
        raise ToolError("REFUSED", message, values={"status": reply.status})
    if reply.status != 200:
        raise ToolError(
            "UPSTREAM", N_("the site answered with HTTP {status}"), retryable=reply.status >= 500,
            values={"status": reply.status},
        )  # fmt: skip


async def _page(reply: HttpReply, read_pdf: PdfReader | None) -> Page:
    kind = reply.content_type.partition(";")[0].strip().lower()
    head = reply.body[:1024].lstrip()
    if head.startswith(b"%PDF-"):
        return await _pdf_page(reply, read_pdf)
    is_html = kind in ("text/html", "application/xhtml+xml") or (
        kind in ("", "text/plain", "application/octet-stream") and b"<html" in head.lower()
    )
    is_text = is_html or any(one in kind for one in _TEXTS) or (not kind and b"\0" not in head)
    if not is_text or (b"\0" in head and not _is_wide(head)):
        message = N_("the address leads to {kind}, which holds no text to read")
        raise ToolError("NOT_TEXT", message, values={"kind": kind[:60] or "binary data"})
    text, encoding = decoded(reply.body, reply.content_type)
    if not is_html:
        return Page(reply.url, "", text[:LONGEST_TEXT], "text", encoding, truncated=_is_cut(reply, text))
    try:
        article = await asyncio.wait_for(detached.in_thread(readable, text, reply.url), EXTRACT_SECONDS)
    except TimeoutError:
        raise ToolError("TOO_BIG", N_("the page is built so that its text cannot be read in time")) from None
    notes = (N_("the page sends on to another one by itself; that was not followed"),) if _REFRESH.search(head) else ()
    return Page(
        reply.url, article.title, article.text[:LONGEST_TEXT], "html", encoding, article.published,
        _is_cut(reply, article.text), notes=notes,
    )  # fmt: skip


def _is_cut(reply: HttpReply, text: str) -> bool:
    return reply.truncated or len(text) > LONGEST_TEXT


def _is_wide(head: bytes) -> bool:
    """UTF-16 and UTF-32 have zeros in every other place."""
    return head[:2] in (b"\xff\xfe", b"\xfe\xff") or max(head[:400:2].count(0), head[1:400:2].count(0)) > 80


async def _pdf_page(reply: HttpReply, read_pdf: PdfReader | None) -> Page:
    if read_pdf is None:
        raise ToolError("NOT_TEXT", N_("a PDF cannot be read here"))
    if reply.truncated:
        message = N_("the PDF is longer than {n} MB")
        raise ToolError("TOO_BIG", message, values={"n": len(reply.body) // (1024 * 1024)})
    try:
        text = await detached.in_thread(read_pdf, reply.body, LONGEST_TEXT)
    except Exception as error:
        if (why := getattr(error, "why", "")) not in _PDF_WHY:
            raise
        raise ToolError("NOT_TEXT", _PDF_WHY[why]) from error
    title = next((line.strip() for line in text.splitlines() if line.strip() and not line.startswith("[Page ")), "")
    return Page(reply.url, title[:200], text, "pdf", truncated="[Cut here:" in text[-80:])

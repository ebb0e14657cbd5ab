"""The text inside one block: runs of one style each."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from app.core.text.hidden import marked
from app.core.text.i18n import _
from app.ui.render.markdown.links import LONGEST, host_of, picture_address, remote_picture, safe_href
from app.ui.render.markdown.sanitize import displayable, without_breaks

if TYPE_CHECKING:
    from markdown_it.token import Token

STRONG, EMPHASIS, STRUCK, CODE, MUTED, LINK, FORMULA, LOWERED, RAISED = 1, 2, 4, 8, 16, 32, 64, 128, 256

_STYLE_OF = {"strong_open": STRONG, "em_open": EMPHASIS, "s_open": STRUCK}
_LINE_BREAK = "\u2028"
_MAX_LINKS = 500
"""Per block; what comes after is text."""
_ADDRESS = re.compile(r"(?<![A-Za-z0-9_/])https?://[!#$%&'()*+,\-./0-9:;=?@A-Z\[\]_a-z~]+")
_AFTER = ".,;:!?'*_~"
"""What ends a sentence rather than an address."""


class TextRun(NamedTuple):
    text: str
    style: int = 0
    href: str = ""


class _Link(NamedTuple):
    href: str
    safe: str
    """The address to open, empty if it may not be clicked."""


def plain_text(runs: Sequence[TextRun]) -> str:
    return "".join(run.text for run in runs).replace(_LINE_BREAK, "\n")


def tex_of(run: TextRun) -> str:
    """What stands between the marks of a formula."""
    source = without_breaks(run.text)
    marks = 2 if source.startswith(("$$", "\\")) else 1
    return source[marks:-marks]


def runs_of(inline: Token, *, pictures_follow: bool = False) -> tuple[TextRun, ...]:
    """`pictures_follow`: those that can be shown are below, so the text only names them."""
    runs: list[TextRun] = []
    styles = [0]
    links: list[_Link] = []
    seen_links = 0
    for child in inline.children or ():
        style = styles[-1]
        match child.type:
            case "text" | "text_special":
                if child.content and not links and "://" in child.content:
                    for text, href in _addresses(child.content):
                        seen_links += bool(href)
                        leads = href if seen_links <= _MAX_LINKS else ""
                        _add(runs, displayable(text), style | LINK if leads else style, leads)
                elif child.content:
                    _add(runs, _shown(child.content, links), style, links[-1].safe if links else "")
            case "sub" | "sup":
                raised = style | (LOWERED if child.type == "sub" else RAISED)
                _add(runs, _shown(child.content, links), raised, links[-1].safe if links else "")
            case "code_inline":
                _add(runs, _shown(child.content, links), style | CODE, links[-1].safe if links else "")
            case "softbreak" | "hardbreak":
                # A model that begins a new line means it; CommonMark would join the lines.
                _add(runs, _LINE_BREAK, style, "")
            case "link_open":
                href = str(child.attrGet("href") or "")
                seen_links += 1
                safe = safe_href(href) if seen_links <= _MAX_LINKS else None
                links.append(_Link(href, safe or ""))
                styles.append(style | LINK if safe else style)
            case "link_close":
                link = links.pop()
                styles.pop()
                if link.href and not link.safe:
                    # Not clickable, so say where it would have led.
                    _add(runs, displayable(f" ({link.href[:200]})"), MUTED, "")
            case "image":
                _add(runs, _image_text(child, pictures_follow), style | MUTED, links[-1].safe if links else "")
            case "math_inline" | "math_inline_double":
                # Looks like code until it is drawn, and where it cannot be.
                runs.append(TextRun(displayable(_formula(child)), style | CODE | FORMULA))
            case opened if opened in _STYLE_OF:
                styles.append(style | _STYLE_OF[opened])
            case _:
                if child.nesting == -1 and len(styles) > 1:
                    styles.pop()
                elif child.nesting == 0 and child.content:
                    _add(runs, displayable(child.content), style, "")
    return tuple(runs)


def _shown(text: str, links: Sequence[_Link]) -> str:
    """In the label of a link nothing stays unseen: it says where one goes."""
    return displayable(marked(text) if links else text)


def _addresses(text: str) -> Iterator[tuple[str, str]]:
    """The text in pieces, each with where it leads: web addresses that were written out are links to themselves."""
    at = 0
    for found in _ADDRESS.finditer(text):
        if len(found.group()) > LONGEST:
            continue
        address = _without_end(found.group())
        end = found.start() + len(address)
        follows = text[found.end() : found.end() + 1]
        if not safe_href(address) or (follows and unicodedata.category(follows)[0] == "C"):
            continue
        if found.start() > at:
            yield text[at : found.start()], ""
        yield address, address
        at = end
    if at < len(text):
        yield text[at:], ""


def _without_end(address: str) -> str:
    """Without what belongs to the sentence around it: marks, and brackets that were opened before it."""
    spare = {")": address.count(")") - address.count("("), "]": address.count("]") - address.count("[")}
    end = len(address)
    while end and (address[end - 1] in _AFTER or spare.get(address[end - 1], 0) > 0):
        end -= 1
        if address[end] in spare:
            spare[address[end]] -= 1
    return address[:end]


def _add(runs: list[TextRun], text: str, style: int, href: str) -> None:
    if runs and runs[-1].style == style and not style & FORMULA and runs[-1].href == href:
        runs[-1] = TextRun(runs[-1].text + text, style, href)
    else:
        runs.append(TextRun(text, style, href))


def _image_text(image: Token, is_below: bool) -> str:
    alt = displayable(marked(image.content[:200])) or _("no description")
    address = str(image.attrGet("src") or "")
    if is_below and (picture_address(address) or remote_picture(address)):
        return _("[picture: {alt}]").format(alt=alt)
    host = displayable(host_of(address))
    return _("[picture: {alt} ({host}) – not loaded]").format(alt=alt, host=host or _("local"))


def _formula(token: Token) -> str:
    content = token.content.replace("\n", " ")
    if token.markup == "\\(":
        return f"\\({content}\\)"
    if token.markup == "\\[":
        return f"\\[{content}\\]"
    mark = "$$" if token.type == "math_inline_double" else "$"
    return f"{mark}{content}{mark}"

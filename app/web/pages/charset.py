"""Bytes of a page as text: by their mark, by what the answer says, by what the page says, by what they look like."""

from __future__ import annotations

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NAMED = re.compile(
    rb"(?:<meta[^>]{0,200}?charset|<\?xml[^>]{0,100}?encoding)\s{0,5}=\s{0,5}[\"']?\s{0,5}([\w.:-]{2,40})",
    re.IGNORECASE,
)
_HEADER = re.compile(r"charset\s{0,5}=\s{0,5}[\"']?([\w.:-]{2,40})", re.IGNORECASE)
_WIDER = {
    "gb2312": "gb18030", "gbk": "gb18030", "x-gbk": "gb18030", "iso-8859-1": "cp1252", "latin-1": "cp1252",
    "ascii": "cp1252", "us-ascii": "cp1252", "big5": "big5hkscs", "shift_jis": "cp932", "euc-kr": "cp949",
}  # fmt: skip
"""As browsers read them: the name stands for the larger set."""
_LOOKED_AT = 64 * 1024


def decoded(data: bytes, content_type: str = "") -> tuple[str, str]:
    """The text and the encoding it was read by. Never raises: what cannot be read is replaced."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return data.decode(name, "replace"), name.removesuffix("-sig")
    header = _HEADER.search(content_type)
    named = _NAMED.search(data[:4096])
    for said in (header.group(1) if header else "", named.group(1).decode("ascii", "ignore") if named else ""):
        if (text := _strictly(data, said, most_bad=0.01)) is not None:
            return text, said.lower()
    if (text := _strictly(data, "utf-8", most_bad=0.0)) is not None:
        return text, "utf-8"
    guess = _guessed(data)
    if guess and (text := _strictly(data, guess, most_bad=0.02)) is not None:
        return text, guess
    return data.decode("utf-8", "replace"), "utf-8"


def _strictly(data: bytes, name: str, *, most_bad: float) -> str | None:
    """None where the name is unknown, or more than so much of the bytes is not of that encoding."""
    if not name:
        return None
    try:
        codec = codecs.lookup(_WIDER.get(name.lower(), name)).name
        text = data.decode(codec, "replace")
    except (LookupError, ValueError):
        return None
    bad = text.count("\ufffd")
    # A page that is cut, or mixes encodings in a comment, has a few signs that cannot be read.
    return text if bad <= max(1 if most_bad or len(data) > 100_000 else 0, most_bad * len(text)) else None


def _guessed(data: bytes) -> str:
    piece = data[:_LOOKED_AT]
    if (text := _strictly(piece, "gb18030", most_bad=0.002)) is not None:
        chinese = sum("\u4e00" <= char <= "\u9fff" for char in text)
        if chinese * 3 > sum(char > "\x7f" for char in text) * 2:
            return "gb18030"
    if piece[1:400:2].count(0) > 80:
        return "utf-16-le"
    if piece[0:400:2].count(0) > 80:
        return "utf-16-be"
    from charset_normalizer import from_bytes  # 30 ms: only for pages that name no encoding

    best = from_bytes(piece).best()
    return best.encoding if best is not None else ""

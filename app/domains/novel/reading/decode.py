"""Bytes of a text file as text, whatever its encoding: marks, UTF-16 without a mark, UTF-8, GB18030, Big5."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from app.core.errors import ToolError
from app.core.text.i18n import N_

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 65_536
_COMMON = frozenset(
    "的一是不了在人有我他这们来到时大地为子中你说生国年着就那和要她出也得里后自以会的是個來這們說為時國"
)
"""Characters that nearly every Chinese page holds, in both scripts."""


@dataclass(frozen=True, slots=True)
class Decoded:
    text: str
    encoding: str
    damaged: int = 0
    """Places where bytes were no text in this encoding, each shown as U+FFFD."""


def decode(data: bytes) -> Decoded:
    """Line ends become \\n. Raises ToolError ENCODING for what is no text."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _lossy(data[len(mark) :], name)
    if (wide := _wide(data)) is not None:
        return _lossy(data, wide)
    if b"\0" in data[:_SAMPLE]:
        raise ToolError("ENCODING", N_("the file is no text"))
    try:
        return _of(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError as error:
        if _is_damaged_utf8(data, error):
            return _lossy(data, "utf-8")
    return _of_two_bytes(data)


def _of(text: str, encoding: str, damaged: int = 0) -> Decoded:
    return Decoded(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"), encoding, damaged)


def _lossy(data: bytes, encoding: str) -> Decoded:
    text = data.decode(encoding, "replace")
    return _of(text, encoding, text.count("\ufffd"))


def _is_damaged_utf8(data: bytes, error: UnicodeDecodeError) -> bool:
    """Mostly UTF-8: what could be read before the first fault or in the whole has many characters of several bytes."""
    text = data[:_SAMPLE].decode("utf-8", "replace")
    wide = sum(sign > "\x7f" and sign != "\ufffd" for sign in text)
    return wide > 20 * max(1, text.count("\ufffd")) and error.start < len(data)


def _wide(data: bytes) -> str | None:
    """UTF-16 without a mark: of Latin text every other byte is zero; of Chinese text the line ends are."""
    head = data[: min(len(data), _SAMPLE) // 2 * 2]
    if len(head) < 4 or len(data) % 2:
        return None
    even, odd, half = head[0::2].count(0), head[1::2].count(0), len(head) // 2
    if odd > half * 0.3 and even < half * 0.05:
        return "utf-16-le"
    if even > half * 0.3 and odd < half * 0.05:
        return "utf-16-be"
    best = max(("utf-16-le", "utf-16-be"), key=lambda name: _commonness(head.decode(name, "replace")))
    text = head.decode(best, "replace")
    try:
        data[:_SAMPLE].decode("utf-8")
    except UnicodeDecodeError as error:
        is_utf8 = error.start >= len(head) - 4
    else:
        is_utf8 = True
    if is_utf8 or _commonness(text) < 0.08 or text.count("\ufffd") > len(text) * 0.01:
        return None
    return best


def _of_two_bytes(data: bytes) -> Decoded:
    """GB18030 or Big5, by which of them gives more of the common characters; else a Western page."""
    candidates: list[tuple[float, int, str, str]] = []
    for name in ("gb18030", "big5hkscs"):
        text = data.decode(name, "replace")
        faults = text.count("\ufffd")
        if faults <= max(4, len(text) // 200):
            candidates.append((_commonness(text[:_SAMPLE]), -faults, name, text))
    if candidates:
        share, faults, name, text = max(candidates)
        if share > 0.02 or faults == 0:
            return _of(text, name, -faults)
    text = data.decode("cp1252", "replace")
    return _of(text, "cp1252", text.count("\ufffd"))


def _commonness(text: str) -> float:
    signs = [sign for sign in text if sign > "\x7f"]
    return sum(sign in _COMMON for sign in signs) / len(signs) if signs else 0.0

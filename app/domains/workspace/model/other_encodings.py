"""Files that are not UTF-8, made searchable: found by their bytes, and copied as UTF-8 into a folder of ours.

ripgrep's library drops a file where a line it would show is not UTF-8. The copies are searched by the same library, so
that a pattern means the same in every file. All of it is bounded: a folder may hold a hundred thousand files.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from app.core.errors import ToolError
from app.core.text import encodings
from app.domains.kit.folder.handles import FILE
from app.domains.kit.folder.root import Root

MOST_LOOKED_AT = 20_000
"""Files whose bytes are looked at."""
_HEAD = 1 << 20
"""Bytes of each by which it is judged."""
_WIDE_HEAD = 4_096
"""Bytes by which a file that holds zeros is judged; most of those are no text."""
MOST_COPIED, LARGEST, _ALL_BYTES = 1_000, 5_000_000, 40_000_000
"""Files copied, bytes of one, and of all together."""


@dataclass(frozen=True, slots=True)
class Copies:
    folder: Path
    paths: dict[str, str]
    """By the name of a copy: which file it is of."""
    is_cut: bool
    """Whether there are files that were not looked at, or not copied."""


@contextmanager
def copied(opened: Root, paths: Sequence[str]) -> Iterator[Copies]:
    """Copies, as long as they are searched, of those of these files that are text and not UTF-8."""
    with TemporaryDirectory(prefix="triptych-search-") as name:
        folder, copies, budget = Path(name), dict[str, str](), _ALL_BYTES
        is_cut = len(paths) > MOST_LOOKED_AT
        for path in paths[:MOST_LOOKED_AT]:
            if not _may_be_other(opened.path / path):
                continue
            if len(copies) >= MOST_COPIED or budget <= 0:
                is_cut = True
                break
            try:
                data = opened.read(path, LARGEST)
                text = _text(data)
            except ToolError:
                is_cut = True  # too large, or gone
                continue
            except encodings.NoText:
                continue
            budget -= len(data)
            copy = f"{len(copies):06}"
            (folder / copy).write_bytes(text.encode("utf-8", "replace").replace(b"\0", b" "))
            copies[copy] = path
        yield Copies(folder, copies, is_cut)


def _may_be_other(path: Path) -> bool:
    """By its beginning, which is only looked at: what is shown is read from the opened folder."""
    try:
        handle = os.open(path, FILE)
    except OSError:
        return False
    try:
        head = os.read(handle, _HEAD)
    except OSError:
        return False
    finally:
        os.close(handle)
    if b"\0" in head:
        return not head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and _is_wide_text(head[:_WIDE_HEAD])
    return not head.isascii() and not _is_utf8(head, is_whole=len(head) < _HEAD)


def _text(data: bytes) -> str:
    """Raises NoText. UTF-8 with a few damaged signs stays UTF-8."""
    plain = data.decode("utf-8", "replace")
    damaged = plain.count("\ufffd")
    if sum(sign > "\x7f" for sign in plain) > 2 * damaged:
        return plain
    return encodings.decoded(data, exact=True).text


def _is_wide_text(head: bytes) -> bool:
    try:
        return encodings.decoded(head).encoding.startswith(("utf-16", "utf-32"))
    except encodings.NoText:
        return False


def _is_utf8(head: bytes, *, is_whole: bool) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")("strict").decode(head, is_whole)
    except UnicodeDecodeError:
        return False
    return True

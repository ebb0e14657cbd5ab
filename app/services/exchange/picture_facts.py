"""What the head of a picture file says: its kind and size, read without decoding anything.

Only kinds that are shown: PNG, JPEG, GIF and WebP. SVG is a program in disguise and none of them.
"""

from __future__ import annotations

import struct
from typing import NamedTuple


class PictureFacts(NamedTuple):
    mime: str
    width: int
    height: int

    @property
    def pixels(self) -> int:
        return self.width * self.height


def picture_facts(data: bytes) -> PictureFacts | None:
    """None for what is no picture of these kinds, or has a broken head."""
    try:
        if data.startswith(b"\x89PNG\r\n\x1a\n") and data[12:16] == b"IHDR":
            return _sized("image/png", *struct.unpack(">II", data[16:24]))
        if data.startswith((b"GIF87a", b"GIF89a")):
            return _sized("image/gif", *struct.unpack("<HH", data[6:10]))
        if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
            return _webp(data)
        if data.startswith(b"\xff\xd8\xff"):
            return _jpeg(data)
    except (struct.error, IndexError):
        pass
    return None


def _sized(mime: str, width: int, height: int) -> PictureFacts | None:
    return PictureFacts(mime, width, height) if width > 0 and height > 0 else None


def _webp(data: bytes) -> PictureFacts | None:
    kind = data[12:16]
    if kind == b"VP8X":
        width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
    elif kind == b"VP8L":
        (bits,) = struct.unpack("<I", data[21:25])
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    elif kind == b"VP8 ":
        width, height = (size & 0x3FFF for size in struct.unpack("<HH", data[26:30]))
    else:
        return None
    return _sized("image/webp", width, height)


def _jpeg(data: bytes) -> PictureFacts | None:
    """The size is in the first frame header, behind any number of other segments."""
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker in (0x01, *range(0xD0, 0xD9)):
            at += 2
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return _sized("image/jpeg", width, height)
        else:
            (length,) = struct.unpack(">H", data[at + 2 : at + 4])
            at += 2 + max(2, length)
    return None

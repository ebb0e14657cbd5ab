"""Small files for tests, made here: a PNG picture, a PDF document."""

from __future__ import annotations

import struct
import zlib


def png(width: int, height: int, colour: tuple[int, int, int] = (200, 60, 40)) -> bytes:
    """A whole picture of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes(colour) * width) * height
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")


def pdf(*pages: str) -> bytes:
    """One page per text, in Helvetica."""
    count = len(pages)
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(count))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, text in enumerate(pages):
        font, content = "/Resources << /Font << /F1 3 0 R >> >>", 5 + 2 * number
        objects.append(f"<< /Type /Page /Parent 2 0 R {font} /MediaBox [0 0 595 842] /Contents {content} 0 R >>")
        shown = f"BT /F1 12 Tf 50 800 Td ({text}) Tj ET" if text else ""
        objects.append(f"<< /Length {len(shown)} >>\nstream\n{shown}\nendstream")
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode()
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    end = f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n{table}"
    end += f"trailer << /Size {len(places) + 1} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF"
    return out + end.encode()

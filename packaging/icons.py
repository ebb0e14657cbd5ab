"""The program's mark in the forms systems ask for, drawn from resources/brand/triptych.svg by Qt.

`python packaging/icons.py FOLDER` writes triptych-16.png to triptych-1024.png, triptych.ico (Windows) and
triptych.icns (macOS). Nothing but the drawing is kept in the repository.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

DRAWING = Path(__file__).parents[1] / "resources" / "brand" / "triptych.svg"
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512, 1024)
ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)
ICNS_KINDS = {"icp4": 16, "ic11": 32, "icp5": 32, "ic12": 64, "ic07": 128, "ic13": 256, "ic08": 256,
              "ic14": 512, "ic09": 512, "ic10": 1024}  # fmt: skip
_MAC_MARGIN = 100 / 1024
"""Icons of macOS stand in a frame of air; without it ours would be larger than its neighbours."""


def write(folder: Path) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    files = {f"triptych-{size}.png": png(size) for size in SIZES}
    files["triptych.ico"] = ico({size: png(size) for size in ICO_SIZES})
    files["triptych.icns"] = icns({kind: png(size, _MAC_MARGIN) for kind, size in ICNS_KINDS.items()})
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return [folder / name for name in files]


def png(size: int, margin: float = 0.0) -> bytes:
    from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, Qt
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    renderer = QSvgRenderer(QByteArray(DRAWING.read_bytes()))
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    air = size * margin
    renderer.render(painter, QRectF(air, air, size - 2 * air, size - 2 * air))
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data().data())


def ico(pictures: dict[int, bytes]) -> bytes:
    """Windows' form: a directory, and PNG files (read by every Windows since Vista)."""
    place = 6 + 16 * len(pictures)
    directory = struct.pack("<HHH", 0, 1, len(pictures))
    for size, data in pictures.items():
        directory += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(data), place)
        place += len(data)
    return directory + b"".join(pictures.values())


def icns(pictures: dict[str, bytes]) -> bytes:
    """macOS' form: one entry for each kind, with its length."""
    entries = b"".join(kind.encode() + struct.pack(">I", 8 + len(data)) + data for kind, data in pictures.items())
    return b"icns" + struct.pack(">I", 8 + len(entries)) + entries


if __name__ == "__main__":
    for file in write(Path(sys.argv[1])):
        print(file)

"""Each megabyte of a built bundle with its name: `python -m building.bundle_size [FOLDER]` writes docs/bundle.md.

Run in the environment that built it, whose PyInstaller reads what is packed into the program itself.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Dict, List, Tuple

from building.bundle_figures import NAMES
from building.console import say
from building.places import DIST, REPO, WINDOWS

PAGE = REPO / "docs" / "bundle.md"
SMALLEST = 400_000
LARGE_FILE = 900_000
"""Bytes; a file from here on has a line of its own."""
FOR = {
    "libQt6Gui": "Qt: painting, fonts, keyboard and screen readers",
    "libQt6Widgets": "Qt: the window's controls",
    "libQt6Core": "Qt: event loop, files, text",
    "libQt6Network": "Qt: the socket by which a second start finds the first window",
    "libQt6Wayland": "Qt on Wayland desktops",
    "libicu": "Unicode rules and data of Qt; the data is cut to Chinese and English",
    "QtWidgets": "Python's way to Qt",
    "QtGui": "Python's way to Qt",
    "QtCore": "Python's way to Qt",
    "QtNetwork": "Python's way to Qt",
    "_rust.abi3": "cryptography: keys at rest, signed updates, sign-in at tool servers (its own OpenSSL)",
    "libpdfium": "the text of PDF files",
    "libpython": "Python",
    "libcrypto": "OpenSSL of Python: every request over https",
    "etree": "lxml: Word files, the readable text of web pages",
    "_pydantic_core": "pydantic: data of models, tools and settings, checked",
    "python_ripgrep": "search in a folder",
    "__init__.cpython": "apsw: SQLite with full-text search",
    "resvg_py": "formulas and pictures in Word and PDF files",
    "pyrage": "encrypted backups (age)",
    "_python_calamine": "old and new workbooks",
    "STIXTwoMath": "the font of formulas",
    "base_library": "Python's own library, what is needed first",
    "unicodedata": "Python: normal forms of Unicode",
}
"""What a large file is for, by the beginning of its name."""
FOLDERS = {
    "PySide6": "Qt's plug-ins (X11, Wayland, pictures), its smaller libraries and translations",
    "libkrb5": "sign-in at proxies; Qt's network library links it",
    "libssl": "OpenSSL of Python: every request over https",
    "libzstd": "compression; Qt's network library links it",
    "tld": "which part of an address is its owner's: the readable text of web pages",
    "regex": "patterns of the readable text of web pages",
    "ziafont": "formulas",
    "rpds": "arguments of foreign tools, checked by their schemas",
    "jiter": "what the model services' SDK reads JSON with",
    "tzdata": "time zones, where the system has none",
    "charset_normalizer": "texts in unknown encodings",
    "shiboken6": "Python's way to Qt",
}
INSIDE = {
    "app": "this program",
    "openai": "the SDK of the model services",
    "mcp": "the Model Context Protocol",
    "acp": "the Agent Client Protocol",
    "pydantic": "data of models, tools and settings, checked",
    "docx": "Word files",
    "trafilatura": "the readable text of web pages",
    "pygments": "colours of code",
    "babel": "dates and numbers in words",
    "rapidfuzz": "likeness of names",
    "dateutil": "dates",
    "dateparser": "dates in sentences",
    "lxml": "Word files, web pages",
    "cryptography": "keys, backups, sign-in",
    "opentelemetry": "what the Model Context Protocol's library imports",
    "jsonschema": "arguments of foreign tools",
    "asyncpg": "knowledge bases on a PostgreSQL server",
    "markdown_it": "Markdown",
    "latex2mathml": "formulas",
    "ziamath": "formulas",
    "ziafont": "formulas",
    "fontTools": "formulas",
    "holidays": "public holidays",
    "keyring": "the system's key store",
    "starlette": "the local API",
    "uvicorn": "the local API",
    "httpx2": "requests",
    "httpcore2": "requests",
    "anyio": "requests and servers",
    "openpyxl": "workbooks that are filled in",
    "regex": "patterns of the readable text of web pages",
    "the starter and its table": "the program one starts; unpacks nothing, finds its modules",
}
"""What the modules are for that lie compressed in the program itself."""

Row = Tuple[int, str, str]


def rows(folder: Path) -> List[Row]:
    """Bytes, name, purpose; largest first. The rest of a folder counts as that folder."""
    sums: Dict[Tuple[str, str], int] = {}
    for file in folder.rglob("*"):
        if not file.is_file() or file.is_symlink() or file == program(folder):
            continue
        size, parts = file.stat().st_size, file.relative_to(folder).parts
        part = parts[1] if parts[0] == "_internal" and len(parts) > 1 else parts[0]
        purpose = _purpose(file.name, FOR) if size >= LARGE_FILE else ""
        if not purpose:
            purpose = _purpose(part, FOLDERS) or _purpose(part, NAMES)
        is_whole = part == file.name or (size >= LARGE_FILE and _purpose(file.name, FOR) != "")
        key = (file.name if is_whole else f"{part}/", purpose)
        sums[key] = sums.get(key, 0) + size
    for name, size in packed(program(folder)).items():
        sums[f"{name} (Python modules)", INSIDE.get(name, "")] = size
    return sorted(((size, name, purpose) for (name, purpose), size in sums.items()), reverse=True)


def program(folder: Path) -> Path:
    return folder / ("triptych.exe" if WINDOWS else "triptych")


def packed(file: Path) -> Dict[str, int]:
    """Compressed bytes of each package in the program, by its first name."""
    from PyInstaller.archive.readers import CArchiveReader  # only where it was built

    archive = CArchiveReader(str(file))
    sums: Dict[str, int] = {}
    inside = 0
    for name, (_at, size, _whole, _is_packed, kind) in archive.toc.items():
        if kind == "z":
            for module, (_kind, _place, length) in archive.open_embedded_archive(name).toc.items():
                top = module.split(".")[0]
                sums[top] = sums.get(top, 0) + length
            inside += size
    sums["the starter and its table"] = max(0, file.stat().st_size - inside)
    return sums


def _purpose(name: str, words: Dict[str, str]) -> str:
    bare = name[3:] if name.startswith("lib") and name not in words else name
    return next((text for start, text in words.items() if name.startswith(start) or bare.startswith(start)), "")


def page(folder: Path) -> str:
    found = rows(folder)
    whole = sum(size for size, _name, _purpose in found)
    large = [row for row in found if row[0] >= SMALLEST]
    archives = sorted(DIST.glob("triptych-*.tar.xz"))
    sizes = f"{whole / 1e6:.1f} MB unpacked"
    if archives:
        sizes += f", {archives[-1].stat().st_size / 1e6:.1f} MB packed"
    lines = [
        "# What the bundle is made of",
        "",
        "Written by `python -m building.bundle_size` from a bundle of `make bundle`; not to be edited.",
        "",
        f"{sizes}, on {sys.platform} with Python {sys.version_info[0]}.{sys.version_info[1]}.",
        "The goal is 120 MB and 45 MB, or each megabyte with its name and no feature given up for it. What is left out",
        "already, with the reason of each, is in `packaging/left_out.toml`.",
        "",
        "| MB | part | what for |",
        "|---:|---|---|",
    ]
    lines += [f"| {size / 1e6:.1f} | {name} | {purpose} |" for size, name, purpose in large]
    rest = whole - sum(size for size, _name, _purpose in large)
    lines.append(f"| {rest / 1e6:.1f} | {len(found) - len(large)} smaller parts | each below {SMALLEST / 1e6:.1f} MB |")
    return "\n".join(lines) + "\n"


def main(arguments: List[str]) -> int:
    text = page(Path(arguments[0]) if arguments else DIST / "triptych")
    PAGE.write_text(text, encoding="utf-8")
    say(f"==> {PAGE.relative_to(REPO)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

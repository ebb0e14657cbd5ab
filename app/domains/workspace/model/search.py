"""`glob` and `grep` over a folder by ripgrep's own library: in parallel, without links, without what git ignores.

Its search runs without Python's lock, so the window continues. Files of keys are left out unless they are named.

The library opens by whole paths, so what it says is a proposal: a folder may be swapped for a link while it looks. What
is shown has been found again from the opened folder, name by name.
"""

from __future__ import annotations

import codecs
import io
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import BinaryIO

from app.core.errors import ToolError
from app.core.text.i18n import N_
from app.domains.kit.folder.handles import look
from app.domains.kit.folder.names import is_open, is_open_path, is_secret
from app.domains.kit.folder.root import Root

from .other_encodings import copied

MOST_PER_FILE = 200
_NUL = "\0"
_LONGEST = 400
_IGNORE_FILE = 64_000


@dataclass(frozen=True, slots=True)
class LineMatch:
    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Lines:
    rows: list[LineMatch]
    """By path and line."""
    is_cut: bool
    """Whether there are more."""
    unread: bool
    """Whether there may be files in other encodings that were not searched."""


def files(opened: Root, below: str, pattern: str, most: int) -> tuple[list[str], int]:
    """The first paths inside the folder that fit, by name, and how many fit. A pattern without `/` fits at any depth,
    `**` stands for folders."""
    paths = _listed(opened.path, below, pattern)
    return _that_are_there(opened, paths[:most]), len(paths)


def _listed(root: Path, below: str, pattern: str) -> list[str]:
    """By name."""
    from python_ripgrep import files as list_files

    globs = [*([_glob(pattern)] if pattern else []), *_ignored(root)]
    try:
        names = list_files(patterns=[], paths=[_start(root, below)], globs=globs)
    except (ValueError, OSError, RuntimeError) as error:
        raise _bad_pattern(error) from error
    paths = _open_paths(root, names)
    if "/" in pattern:
        fits = _fitting(below, pattern)
        paths = [path for path in paths if fits(path)]
    if lines := _anchored(root):
        ignored = _ignored_by(lines)
        paths = [path for path in paths if not ignored(path)]
    return sorted(paths)


def _that_are_there(root: Root, paths: list[str]) -> list[str]:
    there: set[str] = set()
    for folder, group in groupby(paths, lambda path: path.rpartition("/")[0]):
        with suppress(ToolError), root.folder(tuple(filter(None, folder.split("/"))), folder) as handle:
            there.update(path for path in group if look(handle, path.rpartition("/")[2]) is not None)
    return [path for path in paths if path in there]


def _open_paths(root: Path, names: list[str]) -> list[str]:
    """Inside the folder, without keys and closed names. There may be a hundred thousand: nothing is called in vain."""
    if os.sep == "\\":
        return [path for one in names if is_open_path(path := _inside(root, one))]
    beginning = f"{str(root).rstrip('/')}/"
    inside = [one.removeprefix(beginning) for one in names]
    pieces = [path.rpartition("/") for path in inside]
    opened = {folder for folder in {piece[0] for piece in pieces} if not folder or is_open_path(folder)}
    return [
        path for path, (folder, _slash, name) in zip(inside, pieces, strict=True) if folder in opened and is_open(name)
    ]


def matches(opened: Root, below: str, pattern: str, *, is_regex: bool, include: str, context: int, most: int) -> Lines:
    """Lines that fit."""
    root = opened.path
    wanted = pattern if is_regex else _escaped(pattern)
    globs = [*([_glob(include)] if include else []), *_ignored(root)]
    blocks = _blocks(wanted, _start(root, below), globs, context)
    only = below if below != "." and (root / below).is_file() else ""
    named, fits, ignored = is_secret(below), _fitting(below, include), _ignored_by(_anchored(root))
    rows: list[LineMatch] = []
    # A block is one file: of a word that is everywhere only as many are looked at as are shown.
    for path, block in sorted((_block_path(root, block, only), block) for block in blocks):
        if (named or is_open_path(path)) and fits(path) and not ignored(path):
            hits = [row for line in block.split("\n") if (row := _row(root, line, only)) is not None]
            rows += _as_read(opened, path, hits)
        if len(rows) > most:
            return Lines(rows[:most], is_cut=True, unread=False)
    others, unread = _in_other_encodings(opened, [only] if only else _listed(root, below, include), wanted, context)
    if others:
        again = {row.path for row in others}
        kept = [row for row in rows if row.path not in again]
        rows = sorted((*kept, *others), key=lambda row: (row.path, row.line))
    return Lines(rows[:most], len(rows) > most, unread)


def _in_other_encodings(opened: Root, paths: list[str], wanted: str, context: int) -> tuple[list[LineMatch], bool]:
    """The lines of those files that are not UTF-8, and whether some of them were not searched."""
    with copied(opened, paths) as copies:
        if not copies.paths:
            return [], copies.is_cut
        blocks = _blocks(wanted, str(copies.folder), [], context)
        rows = [row for block in blocks for line in block.split("\n") if (row := _row(copies.folder, line, ""))]
        return [replace(row, path=copies.paths[row.path]) for row in rows if row.path in copies.paths], copies.is_cut


def _blocks(wanted: str, place: str, globs: list[str], context: int) -> list[str]:
    """What the library says: a text for each file with hits. Raises ToolError BAD_PATTERN."""
    from python_ripgrep import search

    try:
        return search(
            patterns=[wanted], paths=[place], globs=globs, heading=False, separator_field_match=_NUL,
            separator_field_context=_NUL, line_number=True, max_count=MOST_PER_FILE,
            before_context=context or None, after_context=context or None,
        )  # fmt: skip
    except (ValueError, OSError, RuntimeError) as error:
        raise _bad_pattern(error) from error


def _bad_pattern(error: Exception) -> ToolError:
    return ToolError("BAD_PATTERN", N_("the pattern cannot be read: {why}"), values={"why": _said(error)})


def _escaped(pattern: str) -> str:
    """Letter by letter, in the library's form: it refuses some of Python's escapes."""
    plain = re.escape(pattern).replace(r"\ ", " ").replace(r"\-", "-").replace(r"\#", "#")
    return plain.replace("\\&", "&").replace("\\~", "~")


def _as_read(root: Root, path: str, hits: list[LineMatch]) -> list[LineMatch]:
    """Those whose line stands in the file of this path, by number."""
    wanted, rows = {hit.line: hit for hit in hits}, []
    with suppress(ToolError, OSError), root.opened(path) as handle, os.fdopen(os.dup(handle), "rb") as file:
        for number, line in enumerate(_lines(file), 1):
            hit = wanted.pop(number, None)
            if hit is not None and _comparable(line) == _comparable(hit.text):
                rows.append(replace(hit, path=path))
            if not wanted:
                break
    return rows


def _lines(file: BinaryIO) -> Iterator[str]:
    mark = file.read(2)
    file.seek(0)
    if mark in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        yield from io.TextIOWrapper(file, "utf-16", "replace", newline="\n")
        return
    for line in file:
        yield line.decode("utf-8", "replace")


def _comparable(line: str) -> str:
    return line.lstrip("\ufeff").rstrip("\r\n")[:_LONGEST].replace("\ufffd", "")


def _block_path(root: Path, block: str, only: str) -> str:
    return only or _inside(root, block.partition(_NUL)[0].lstrip("\n"))


def _row(root: Path, line: str, only: str) -> LineMatch | None:
    """Of a single file the library does not say which it is."""
    path, number, text = (only, *line.partition(_NUL)[::2]) if only else _three(line)
    if not number.isdigit():
        return None
    return LineMatch(path if only else _inside(root, path), int(number), text.rstrip("\r")[:_LONGEST])


def _three(line: str) -> tuple[str, str, str]:
    path, _, rest = line.partition(_NUL)
    number, _, text = rest.partition(_NUL)
    return path, number, text


def _start(root: Path, below: str) -> str:
    return str(root if below == "." else root / below)


def _inside(root: Path, found: str) -> str:
    """By its letters: the library gives back what it was given, and there may be very many of them."""
    return _relative(found, len(str(root)))


def _relative(found: str, skipped: int) -> str:
    inside = found[skipped:]
    return inside.replace("\\", "/").lstrip("/") if os.sep == "\\" else inside.lstrip("/")


def _glob(pattern: str) -> str:
    """For the library a pattern with `/` would hold from where the process works; `_fitting` looks again."""
    return f"**/{pattern.lstrip('/')}" if "/" in pattern else pattern


def _fitting(below: str, pattern: str) -> Callable[[str], bool]:
    """A pattern with `/` holds for the whole path below where the search begins."""
    if "/" not in pattern:
        return lambda _path: True
    beginning = "" if below == "." else f"{below}/"
    expression = _expression(pattern.lstrip("/"))
    return lambda path: expression.fullmatch(path.removeprefix(beginning)) is not None


def _expression(pattern: str, *, ends: str = "") -> re.Pattern[str]:
    """A glob as a regular expression. Raises ToolError BAD_PATTERN."""
    made, at, depth = [], 0, 0
    while at < len(pattern):
        sign = pattern[at]
        if pattern.startswith("**/", at):
            made.append("(?:[^/]+/)*")
            at += 3
            continue
        if pattern.startswith("**", at):
            made.append(".*")
            at += 2
            continue
        if sign == "[" and (close := pattern.find("]", at + 2)) > 0:
            inner = pattern[at + 1 : close].replace("\\", "\\\\")
            made.append(f"[{'^' + inner[1:] if inner[0] in '!^' else inner}]")
            at = close + 1
            continue
        depth += (sign == "{") - (sign == "}" and depth > 0)
        special = {"*": "[^/]*", "?": "[^/]", "{": "(?:", "}": ")" if "{" in pattern else "\\}"}
        made.append("|" if sign == "," and depth else special.get(sign, re.escape(sign)))
        at += 1
    try:
        return re.compile("".join(made) + ends, re.DOTALL)
    except re.error as error:
        raise ToolError("BAD_PATTERN", N_("the pattern cannot be read: {why}"), values={"why": str(error)}) from error


def _ignored(root: Path) -> list[str]:
    """Globs for the names that `_ignore_lines` tells at any depth."""
    return [f"!{line}" for line in _ignore_lines(root) if "/" not in line.rstrip("/")]


def _anchored(root: Path) -> list[str]:
    """Those lines that hold from the folder itself on."""
    return [line for line in _ignore_lines(root) if "/" in line.rstrip("/")]


def _ignored_by(lines: list[str]) -> Callable[[str], bool]:
    expressions = [_expression(line.strip("/"), ends="(?:/.*)?") for line in lines]
    return lambda path: any(one.fullmatch(path) for one in expressions)


def _ignore_lines(root: Path) -> list[str]:
    """What the `.gitignore` of a folder names that is no repository: there the library does not look for it."""
    file = root / ".gitignore"
    try:
        if (root / ".git").exists() or file.is_symlink() or not file.is_file():
            return []
        lines = file.read_text(encoding="utf-8", errors="replace")[:_IGNORE_FILE].splitlines()
    except OSError:
        return []
    plain = (line.strip() for line in lines)
    return [line for line in plain if line and not line.startswith(("#", "!"))]


def _said(error: Exception) -> str:
    return " ".join(str(error).split())[:300]

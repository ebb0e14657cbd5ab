"""Which arguments of a tool are paths, as far as its schema tells: by their names, formats and descriptions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

_WORDS = frozenset(
    {"path", "paths", "pathname", "file", "files", "filename", "filenames", "filepath", "filepaths", "dir", "dirs",
     "dirname", "directory", "directories", "folder", "folders", "cwd", "workdir", "basedir", "root", "roots"}
)  # fmt: skip
_FORMATS = frozenset({"path", "file-path", "directory-path", "file", "directory", "filename", "uri", "uri-reference"})
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_CHINESE = re.compile("路径|路徑|目录|目錄|文件夹|文件名|檔案")
_SAYS_PATH = re.compile(
    r"^\W*(?:(?:the|an?|its|your|optional|full|absolute|relative|local|source|destination|target|input|output|new|old|"
    r"current|list|array|of|one|or|more|valid|existing|root|base|working|parent)\W+)*"
    r"(?:path|paths|file ?paths?|file ?names?|directory|directories|folders?|location on disk)\b",
    re.IGNORECASE,
)
"""A description that begins with a path as its subject; one that only mentions a file says what is done with it."""
_MOST = 500


def path_arguments(schema: Mapping[str, Any]) -> frozenset[str]:
    """Names of arguments, at any depth."""
    return frozenset(name for name, inner in _named(schema) if is_path_name(name) or _is_path(inner))


def is_path_name(name: str) -> bool:
    words = {word.lower() for word in _PARTS.findall(name)}
    return not words.isdisjoint(_WORDS) or _CHINESE.search(name) is not None


def _is_path(schema: Any) -> bool:
    """Of an argument, or of the entries of a list."""
    if not isinstance(schema, Mapping):
        return False
    description = schema.get("description")
    if isinstance(description, str) and (_SAYS_PATH.search(description[:200]) or _CHINESE.search(description[:12])):
        return True
    return str(schema.get("format", "")) in _FORMATS or _is_path(schema.get("items"))


def _named(schema: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Every property with its name; schemas may refer to themselves only by name, so this ends."""
    open_: list[Any] = [schema]
    for _step in range(_MOST):
        if not open_:
            return
        node = open_.pop()
        if isinstance(node, list):
            open_ += node[:_MOST]
        elif isinstance(node, Mapping):
            properties = node.get("properties")
            if isinstance(properties, Mapping):
                yield from ((str(name), inner) for name, inner in properties.items())
                open_ += properties.values()
            open_ += [
                node[key]
                for key in ("items", "anyOf", "oneOf", "allOf", "$defs", "definitions", "additionalProperties")
                if key in node
            ]
            if isinstance(node.get("$defs"), Mapping):
                open_ += node["$defs"].values()

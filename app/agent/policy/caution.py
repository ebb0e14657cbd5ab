"""What about a call deserves a second look before a key allows it: then the card waits at Deny."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from typing import Any, Literal
from urllib.parse import urlsplit

from .readings import real_path
from .subject import Subject

Caution = Literal["", "exec", "delete", "outside", "host"]
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_DELETES = frozenset(
    {"delete", "deletes", "deletion", "del", "remove", "removes", "rm", "rmdir", "unlink", "erase", "trash", "purge",
     "drop", "destroy", "wipe", "clear", "truncate", "discard", "uninstall", "kill", "reset", "overwrite", "prune"}
)  # fmt: skip
_CHINESE = re.compile("删除|移除|清空|清除|销毁|卸载")
_ORDERS = frozenset({"op", "operation", "operations", "action", "method", "mode", "verb", "kind", "type", "command"})
_SHORT = 40
"""Characters of an argument that may be an order; what is longer is text."""


def caution_of(subject: Subject, known_hosts: Collection[str]) -> Caution:
    """The gravest reason; "" where there is none. Follows paths: not for the window's thread."""
    tool = subject.tool
    if tool.permission == "exec":
        return "exec"
    if tool.destructive or _names_deletion(tool.name) or any(map(_names_deletion, _orders(subject))):
        return "delete"
    if tool.permission in ("fs.read", "fs.write", "mcp") and not tool.only_exports and _leads_outside(subject):
        return "outside"
    return "host" if not hosts_of(subject) <= set(known_hosts) else ""


def hosts_of(subject: Subject) -> frozenset[str]:
    """Whose computers it would ask."""
    named = [form for leaf in subject.located if leaf.kind == "address" for form in leaf.reading.strict]
    hosts = {_host(one) for one in named}
    if subject.tool.permission == "net" and subject.declared is not None:
        hosts.add(_host(subject.declared.value) or str(subject.declared.value).lower())
    return frozenset(filter(None, hosts))


def _names_deletion(text: str) -> bool:
    words = {word.lower() for word in _PARTS.findall(text)}
    return not words.isdisjoint(_DELETES) or _CHINESE.search(text) is not None


def _orders(subject: Subject) -> Iterator[str]:
    for leaf in subject.leaves:
        value: Any = leaf.value
        if isinstance(value, str) and len(value) <= _SHORT and any(key.lower() in _ORDERS for key in leaf.keys):
            yield value


def _leads_outside(subject: Subject) -> bool:
    """Whether a path is in none of the folders the person has picked."""
    everywhere = {os.sep, os.path.expanduser("~"), os.getcwd()}  # noqa: PTH109, PTH111 - as the bases are written
    folders = [real_path(base).rstrip("/") for base in subject.bases if base not in everywhere]
    paths = [leaf for leaf in subject.leaves if leaf.kind == "path"]
    if subject.declared is not None and subject.declared.kind == "path":
        paths.append(subject.declared)
    return any(not _lies_in(form, folders) for leaf in paths for form in leaf.reading.strict)


def _lies_in(path: str, folders: Collection[str]) -> bool:
    if not path.startswith("/") and not re.match(r"[A-Za-z]:", path):
        return path != ".." and not path.startswith("../")
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)


def _host(value: str) -> str:
    try:
        return urlsplit(value).hostname or ""
    except ValueError:
        return ""

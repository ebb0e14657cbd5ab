"""A TOML text with new values in it; comments, order and spelling of the rest stay as they were."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, MutableMapping
from typing import Any

from app.core.errors import InternalError

from ..db.encoding import clean


def updated(text: str, values: Mapping[str, Any]) -> str:
    """`text` with every key of `values` set, None removed; keys `values` does not name stay."""
    import tomlkit  # at the first change: a start only reads

    wanted = {key: _plain(value) for key, value in values.items()}
    kept = {key: value for key, value in tomllib.loads(text).items() if key not in wanted}
    expected = kept | {key: value for key, value in wanted.items() if value is not None}
    rendered = _rendered(text, wanted)
    if not _same(tomllib.loads(rendered), expected):
        # The editing of a hand-written file went wrong: the values matter more than the comments.
        rendered = tomlkit.dumps(expected)
        if not _same(tomllib.loads(rendered), expected):
            raise InternalError("settings do not read back as they were written")
    return rendered


def _same(one: Any, other: Any) -> bool:
    """Also for NaN, which is not equal to itself, and with 1, 1.0 and true told apart."""
    return _comparable(one) == _comparable(other)


def _comparable(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=repr)


def _rendered(text: str, wanted: Mapping[str, Any]) -> str:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text)
        for key, value in wanted.items():
            _set(document, key, value)
        rendered = tomlkit.dumps(document)
        tomllib.loads(rendered)
    except (TOMLKitError, ValueError, KeyError, TypeError):
        return ""
    return rendered


def _set(table: MutableMapping[str, Any], key: str, value: Any) -> None:
    if value is None:
        table.pop(key, None)
        return
    old = table.get(key)
    if isinstance(old, MutableMapping) and isinstance(value, Mapping):
        for gone in [name for name in old if name not in value]:
            del old[gone]
        for name, item in value.items():
            _set(old, name, item)
    elif old is None or not _same(_unwrapped(old), value):
        table[key] = value


def _unwrapped(item: Any) -> Any:
    return item.unwrap() if hasattr(item, "unwrap") else item


def _plain(value: Any) -> Any:
    """What TOML can hold: no None inside tables and lists, tuples as lists, whole text."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {clean(str(key)): _plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple | set | frozenset):
        items = sorted(value) if isinstance(value, set | frozenset) else value
        return [_plain(item) for item in items if item is not None]
    return value

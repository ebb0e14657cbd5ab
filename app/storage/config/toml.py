"""A TOML text with new values in it; comments, order and spelling of the rest stay as they were."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, MutableMapping
from typing import Any

from app.core.errors import InternalError
from app.core.setting import Fields

from ..db.encoding import clean


def updated(text: str, values: Mapping[str, Any]) -> str:
    """`text` with every key of `values` set, None removed; keys `values` does not name stay.

    Below that a `Fields` is laid over the table of the file in the same way, any other mapping replaces it. Tables of
    a list that carry an `id` are matched by it.
    """
    import tomlkit  # at the first change: a start only reads

    wanted = _plain(values if isinstance(values, Fields) else Fields(values))
    expected = _merged(tomllib.loads(text), wanted)
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


def _merged(old: Any, new: Any) -> Any:
    """What the file must say afterwards, as plain values."""
    if isinstance(new, Mapping):
        before = old if isinstance(old, Mapping) else {}
        items: dict[str, Any] = {}
        if isinstance(new, Fields):
            items = {name: item for name, item in before.items() if name not in new or _may_stay(name, item, new)}
        return items | {name: _merged(before.get(name), item) for name, item in new.items() if item is not None}
    if _have_ids(new):
        rows = {row["id"]: row for row in old} if _have_ids(old) else {}
        return [_merged(rows.get(item["id"]), item) for item in new]
    return new


def _may_stay(name: str, item: Any, fields: Fields) -> bool:
    """A default that somebody wrote down says the same as one that is not there."""
    return fields[name] is None and name in fields.defaults and _same(item, fields.defaults[name])


def _have_ids(value: Any) -> bool:
    """A list of tables that can be told apart."""
    if not isinstance(value, list) or not all(isinstance(row, Mapping) and "id" in row for row in value):
        return False
    return bool(value) and len({str(row["id"]) for row in value}) == len(value)


def _rendered(text: str, wanted: Fields) -> str:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text)
        _lay_over(document, wanted)
        rendered = tomlkit.dumps(document)
        tomllib.loads(rendered)
    except (TOMLKitError, ValueError, KeyError, TypeError):
        return ""
    return rendered


def _lay_over(table: MutableMapping[str, Any], new: Mapping[str, Any]) -> None:
    if not isinstance(new, Fields):
        for gone in [name for name in table if name not in new]:
            del table[gone]
    for key, value in new.items():
        _set(table, key, value, new)


def _set(table: MutableMapping[str, Any], key: str, value: Any, fields: Mapping[str, Any]) -> None:
    old = table.get(key)
    if value is None:
        if old is not None and not (isinstance(fields, Fields) and _may_stay(key, _unwrapped(old), fields)):
            del table[key]
    elif isinstance(old, MutableMapping) and isinstance(value, Mapping):
        _lay_over(old, value)
    elif old is not None and _same(_unwrapped(old), _merged(_unwrapped(old), value)):
        return
    elif _have_ids(value) and _have_ids(_unwrapped(old)):
        table[key] = _rows(old, value)
    else:
        table[key] = _merged(None, value)


def _rows(old: Any, new: list[Any]) -> Any:
    """Tables of the file where they carry the same id, with their comments; the others as new ones."""
    import tomlkit

    rows_by_id = {row["id"]: row for row in old}
    rows = tomlkit.aot()
    for item in new:
        row = rows_by_id.get(item["id"])
        if row is None:
            row = tomlkit.item(_merged(None, item))
        else:
            _lay_over(row, item)
        rows.append(row)
    return rows


def _unwrapped(item: Any) -> Any:
    return item.unwrap() if hasattr(item, "unwrap") else item


def _plain(value: Any) -> Any:
    """What TOML can hold: no None but as the mark of a field, tuples as lists, whole text."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Fields):
        return Fields({clean(str(key)): _plain(item) for key, item in value.items()}, value.defaults)
    if isinstance(value, Mapping):
        return {clean(str(key)): _plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple | set | frozenset):
        items = sorted(value) if isinstance(value, set | frozenset) else value
        return [_plain(item) for item in items if item is not None]
    return value

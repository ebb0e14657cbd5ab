"""The things of a book as TOML and back. What the program does not know stays: a file is changed, not written anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from app.core.text.toml import read_toml

T = TypeVar("T")
FENCE = "+++"


def from_table(kind: type[T], table: Mapping[str, Any], **given: Any) -> T:
    """Fields of the wrong type get their default: one bad line of an author's does not hide the rest."""
    hints = _hints(kind)  # type: ignore[arg-type]
    values: dict[str, Any] = {}
    for one in fields(kind):  # type: ignore[arg-type]
        if one.name in given:
            values[one.name] = given[one.name]
        elif one.name in table and (value := _read(hints[one.name], table[one.name])) is not None:
            values[one.name] = value
        elif one.default is MISSING and one.default_factory is MISSING:
            values[one.name] = _empty(hints[one.name])
    return kind(**values)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _read(hint: Any, value: Any) -> Any:
    if is_dataclass(hint):
        return from_table(hint, value) if isinstance(value, Mapping) else None  # type: ignore[arg-type]
    origin, args = get_origin(hint), get_args(hint)
    if origin is list:
        if isinstance(value, str) and args[0] is str:
            return [value]
        if not isinstance(value, list):
            return None
        return [read for item in value if (read := _read(args[0], item)) is not None]
    if args and all(isinstance(arg, str) for arg in args):  # a Literal
        return value if value in args else None
    if type(None) in args:
        return next((read for arg in args if arg is not type(None) and (read := _read(arg, value)) is not None), None)
    if hint is int:
        return value if type(value) is int else int(value) if isinstance(value, str) and value.isdecimal() else None
    if hint is bool:
        return value if isinstance(value, bool) else None
    if hint is str:
        return value if isinstance(value, str) else str(value) if isinstance(value, int | float) else None
    return None


def _empty(hint: Any) -> Any:
    return 0 if hint is int else ""


def to_table(thing: Any, *, without: frozenset[str] = frozenset()) -> dict[str, Any]:
    """What differs from its default; the fields a file is useless without stay."""
    table: dict[str, Any] = {}
    for one in fields(thing):
        value = getattr(thing, one.name)
        if one.name in without or value is None:
            continue
        default = one.default_factory() if one.default_factory is not MISSING else one.default
        if value == default:
            continue
        table[one.name] = _written(value)
    return table


def _written(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return to_table(value)
    if isinstance(value, list):
        return [_written(item) for item in value]
    return value


def merged(before: str, table: Mapping[str, Any], known: frozenset[str]) -> str:
    """A TOML text with the values of `table`; other keys, comments and their order stay. `known` keys that the table
    no longer has are taken out."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(before)
    except (TOMLKitError, ValueError):  # what cannot be parsed is kept as a comment, not lost
        document = tomlkit.document()
        for line in before.splitlines():
            document.add(tomlkit.comment(line))
    for key in known - set(table):
        if key in document:
            del document[key]
    for key, value in table.items():
        if key not in document or document[key] != value:
            document[key] = _multiline(value)
    return tomlkit.dumps(document)


def _multiline(value: Any) -> Any:
    import tomlkit

    if isinstance(value, str) and "\n" in value:
        return tomlkit.string(value, multiline=True)
    return value


def names_of(kind: type) -> frozenset[str]:
    return frozenset(one.name for one in fields(kind))


# ---------------------------------------------------------------- Markdown with TOML before it


def cut(text: str) -> tuple[str, str]:
    """The TOML between the first two +++ lines, and the text; ("", text) where there is none."""
    plain = text.replace("\r\n", "\n").removeprefix("\ufeff")
    if not plain.startswith(f"{FENCE}\n"):
        return "", plain
    end = plain.find(f"\n{FENCE}\n", len(FENCE))
    if end < 0:
        if plain.rstrip().endswith(f"\n{FENCE}"):
            return plain[len(FENCE) + 1 : plain.rstrip().rfind(FENCE)], ""
        return "", plain
    body = plain[end + len(FENCE) + 2 :]
    return plain[len(FENCE) + 1 : end + 1], body.removeprefix("\n")


def joined(head: str, text: str) -> str:
    """The text exactly, behind one blank line."""
    return f"{FENCE}\n{head.rstrip()}\n{FENCE}\n\n{text}"


def parsed(text: str) -> dict[str, Any]:
    """Raises ValueError."""
    return read_toml(text)

"""A pattern that names arguments: `{"mode":"new","path":"/ws/*"}`, a JSON object whose texts are patterns."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from app.core.text.folding import folded_forms
from app.core.tools.tool import canonical_args

from .glob import EVERY, Glob, followed_path, unescaped
from .subject import Subject

DEEPEST = 40


@dataclass(frozen=True)
class NamedArguments:
    """A pattern for each of several arguments."""

    members: Mapping[str, Any]
    is_whole: bool
    """Names every argument; else the others may be anything but paths and addresses."""

    def covers(self, subject: Subject, fixed: bool) -> bool:
        named = {str(name) for name in subject.args}
        if not set(self.members) <= named or (self.is_whole and set(self.members) != named):
            return False
        if any(leaf.keys[0] not in self.members for leaf in subject.located):
            return False
        return all(_covers(inner, subject.args[name], (name,), subject, fixed) for name, inner in self.members.items())

    def touches(self, subject: Subject) -> bool:
        return bool(self.members) and all(
            _is_every(inner)
            or any(_touches(inner, value, (name,), subject) for name, value in _named(subject.args, wanted))
            for wanted, inner in self.members.items()
        )


def _named(args: Mapping[str, Any], name: str) -> Iterator[tuple[str, Any]]:
    wanted = set(folded_forms(name))
    for given, value in args.items():
        if given == name or not wanted.isdisjoint(folded_forms(str(given))):
            yield str(given), value


def _is_every(inner: Any) -> bool:
    return isinstance(inner, Glob) and inner.text == EVERY


def _covers(inner: Any, value: Any, keys: tuple[str, ...], subject: Subject, fixed: bool) -> bool:
    if isinstance(inner, Glob):
        if inner.text == EVERY:
            return True
        below = subject.at(keys)
        if below and all(isinstance(leaf.value, str) for leaf in below):
            return all(inner.covers(leaf, subject, fixed) for leaf in below)
        return not below and fnmatchcase(canonical_args(value), inner.text)
    if isinstance(inner, Mapping):
        return (
            isinstance(value, Mapping)
            and set(inner) == set(value)
            and all(_covers(inner[name], value[name], (*keys, str(name)), subject, fixed) for name in inner)
        )
    if isinstance(inner, list):
        return (
            isinstance(value, list | tuple)
            and len(inner) == len(value)
            and all(
                _covers(a, b, (*keys, str(n)), subject, fixed)
                for n, (a, b) in enumerate(zip(inner, value, strict=True))
            )
        )
    return canonical_args(inner) == canonical_args(value)


def _touches(inner: Any, value: Any, keys: tuple[str, ...], subject: Subject) -> bool:
    if isinstance(inner, Glob):
        if any(inner.touches(leaf, subject) for leaf in subject.at(keys)):
            return True
        return inner.fits_any(frozenset(folded_forms(canonical_args(value))), subject)
    if isinstance(inner, Mapping):
        return isinstance(value, Mapping) and all(
            any(_touches(one, below, (*keys, name), subject) for name, below in _named(value, wanted))
            for wanted, one in inner.items()
        )
    if isinstance(inner, list):
        items = value if isinstance(value, list | tuple) else [value]
        return all(any(_touches(one, item, (*keys, str(n)), subject) for n, item in enumerate(items)) for one in inner)
    return str(value) == str(inner) or canonical_args(inner) == canonical_args(value)


def globs_of(members: Any) -> Iterator[Glob]:
    """Every pattern in it."""
    if isinstance(members, Glob):
        yield members
    elif isinstance(members, Mapping):
        for inner in members.values():
            yield from globs_of(inner)
    elif isinstance(members, list):
        for inner in members:
            yield from globs_of(inner)


def with_links_followed(members: Any) -> Any:
    """The members as JSON again."""
    if isinstance(members, Glob):
        return followed_path(members.text)
    if isinstance(members, Mapping):
        return {name: with_links_followed(inner) for name, inner in members.items()}
    return [with_links_followed(inner) for inner in members] if isinstance(members, list) else members


def read_named(text: str) -> NamedArguments | None:
    """A JSON object whose texts are patterns. Between the texts `*` stands for a value, at the end for the rest."""
    if not text.startswith("{"):
        return None
    for made, is_whole in ((text, True), _as_json(text)):
        try:
            members = json.loads(made)
        except (ValueError, RecursionError):
            continue
        if isinstance(members, dict):
            return NamedArguments(_withglobs_of(members), is_whole)
    return None


def _withglobs_of(value: Any) -> Any:
    if isinstance(value, str):
        return Glob(value)
    if isinstance(value, dict):
        return {unescaped(name): _withglobs_of(inner) for name, inner in value.items()}
    return [_withglobs_of(inner) for inner in value] if isinstance(value, list) else value


def _as_json(text: str) -> tuple[str, bool]:
    """The pattern as JSON, and whether it names every argument: what breaks off at a star leaves the rest open."""
    made: list[str] = []
    in_text = False
    place = 0
    while place < len(text):
        sign = text[place]
        if in_text:
            made.append(text[place : place + 2] if sign == "\\" else sign)
            place += 2 if sign == "\\" else 1
            in_text = sign != '"'
        elif text.startswith(("[[]", "[*]", "[?]"), place):
            made.append(text[place + 1])
            place += 3
        elif sign == "*":
            made.append('"*"')
            place += 1
        else:
            in_text = sign == '"'
            made.append(sign)
            place += 1
    whole = "".join(made)
    if in_text and text.endswith("*"):
        return f'{whole}"}}', False
    open_end = re.fullmatch(r'(.*?),?"\*"(\}?)', whole, re.DOTALL)
    if open_end is not None and not open_end[1].endswith((":", "[")):
        return f"{open_end[1]}}}", False
    return whole, True

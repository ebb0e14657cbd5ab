"""What a permission is about: the arguments of one call by name, each with what it may be read as."""

from __future__ import annotations

import itertools
import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from app.core.text.folding import folded_forms
from app.core.tools.path_arguments import is_path_name
from app.core.tools.tool import Tool, canonical_args

from .readings import (
    LONGEST_PATH,
    Reading,
    address_reading,
    command_words,
    folds_case,
    is_address,
    lexical,
    looks_like_path,
    path_reading,
    real_path,
    text_reading,
)

MOST_PATHS = 200
"""Paths of one call that are looked up; more of them fit every rule that forbids, and no pattern that allows."""
_MOST_TEXTS = 12
_COMMANDS = frozenset({"command", "cmd", "commands", "script", "shell", "args", "argv", "arguments", "code"})
Kind = Literal["path", "address", "text", "other"]


@dataclass(frozen=True)
class Leaf:
    """One value, or a key that is a path itself; `keys` say where it stands."""

    keys: tuple[str, ...]
    value: Any
    kind: Kind
    bases: tuple[str, ...]

    @cached_property
    def reading(self) -> Reading:
        match self.kind:
            case "path":
                return path_reading(self.value, self.bases)
            case "address":
                return address_reading(self.value)
            case "text":
                return text_reading(self.value)
            case _:
                return text_reading(canonical_args(self.value))

    @cached_property
    def as_path(self) -> Reading:
        """Whatever it is called, a rule may say that it is a path."""
        if self.kind == "path" or not isinstance(self.value, str) or len(self.value) > LONGEST_PATH:
            return self.reading
        return path_reading(self.value, self.bases)

    @cached_property
    def loose(self) -> frozenset[str]:
        return _folded(self.reading.loose)

    @cached_property
    def loose_as_path(self) -> frozenset[str]:
        return self.loose | _folded(self.as_path.loose)

    @cached_property
    def folds_case(self) -> bool:
        return any(map(folds_case, self.as_path.strict))

    @property
    def is_command(self) -> bool:
        return any(key.lower() in _COMMANDS for key in self.keys)


@dataclass
class Subject:
    """Made by `read`; what touches the disk is looked up once."""

    tool: Tool
    args: Mapping[str, Any]
    bases: tuple[str, ...]
    leaves: tuple[Leaf, ...]
    declared: Leaf | None
    """Of a tool that says itself what permissions about it are compared with."""
    overflows: bool
    """So many paths that they are not looked up."""
    _links: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, tool: Tool, args: Mapping[str, Any], bases: tuple[str, ...] = ()) -> Subject:
        bases = (*tool.roots, *bases)
        leaves = tuple(_leaves(tool, args, bases))
        declared = None
        if tool.subject is not None:
            value = tool.subject(args)
            is_path = tool.permission in ("fs.read", "fs.write") or looks_like_path(value)
            declared = Leaf(("",), value, _kind(value, is_path=is_path), bases)
        located = sum(leaf.kind == "path" for leaf in leaves)
        return cls(tool, args, bases, leaves, declared, located > MOST_PATHS)

    def look_up(self, *, paths_in_text: bool) -> None:
        """All that touches the disk, so that afterwards nothing has to wait for it. `paths_in_text`: some rule is
        about paths, whatever the arguments are called."""
        if self.overflows:
            return
        for leaf in self.leaves if self.declared is None else (*self.leaves, self.declared):
            if leaf.kind == "path" or paths_in_text:
                _ = leaf.loose_as_path, leaf.folds_case
        if paths_in_text:
            _ = self.words

    @cached_property
    def located(self) -> tuple[Leaf, ...]:
        """Paths and addresses: what a call reaches."""
        return tuple(leaf for leaf in self.leaves if leaf.kind in ("path", "address"))

    @cached_property
    def words(self) -> frozenset[str]:
        """Paths that are in command lines, in all their forms."""
        lines = [
            leaf.value
            for leaf in self.leaves
            if isinstance(leaf.value, str) and (self.tool.permission == "exec" or leaf.is_command)
        ]
        words = dict.fromkeys(word for line in lines for word in command_words(line) if "/" in word or "~" in word)
        forms = (path_reading(word, self.bases).loose for word in itertools.islice(words, MOST_PATHS))
        return _folded(frozenset[str]().union(*forms))

    def real(self, path: str) -> str:
        if path not in self._links:
            self._links[path] = real_path(path)
        return self._links[path]

    def at(self, keys: tuple[str, ...]) -> tuple[Leaf, ...]:
        """The values at this place and below it."""
        return tuple(leaf for leaf in self.leaves if leaf.keys[: len(keys)] == keys)

    def knows(self, name: str) -> bool:
        properties = self.tool.parameters.get("properties")
        return name in self.args or (isinstance(properties, Mapping) and name in properties)

    # ------------------------------------------------------------ as text

    @cached_property
    def text(self) -> str:
        return canonical_args(self.args)

    @cached_property
    def strict_texts(self) -> tuple[str, ...]:
        """The arguments as JSON with every path and address as what it opens; empty where that is too much to say."""
        forms = [sorted(leaf.reading.strict) for leaf in self.located]
        most = 1
        for one in forms:
            most *= len(one)
        if most > _MOST_TEXTS:
            return ()
        keys = [leaf.keys for leaf in self.located]
        return tuple(canonical_args(_replaced(self.args, dict(zip(keys, one, strict=True)))) for one in _all(forms))

    def alone(self, leaf: Leaf) -> tuple[str, ...]:
        """The same without the other paths and addresses: one of them does not vouch for another."""
        others = {other.keys[0] for other in self.located} - {leaf.keys[0]}
        rest = {name: value for name, value in self.args.items() if name not in others}
        forms = sorted(leaf.reading.strict)[:_MOST_TEXTS]
        return tuple(canonical_args(_replaced(rest, {leaf.keys: form})) for form in forms)

    @cached_property
    def loose_texts(self) -> frozenset[str]:
        """The arguments as JSON, as they are and with what their paths may be taken for; folded."""
        texts = {self.text}
        forms = {leaf.keys: sorted(leaf.reading.loose) for leaf in self.located}
        for n in range(min(_MOST_TEXTS, max(map(len, forms.values()), default=0))):
            chosen = {keys: some[n % len(some)] for keys, some in forms.items() if some}
            texts.add(canonical_args(_replaced(self.args, chosen)))
        for leaf in self.located:
            texts |= {canonical_args(_replaced(self.args, {leaf.keys: form})) for form in leaf.reading.strict}
        return _folded(texts)

    # ------------------------------------------------------------ for the person

    @property
    def suggestion(self) -> str | None:
        """What a rule for exactly this call says; None where no text says it exactly."""
        if self.overflows:
            return None
        if self.declared is not None:
            return _exact(self.declared)
        exact = {leaf.keys: _exact(leaf) for leaf in self.located}
        if None in exact.values():
            return None
        return canonical_args(_replaced(self.args, {keys: form for keys, form in exact.items() if form is not None}))

    @property
    def bound(self) -> tuple[str, ...]:
        """What a permission for such a call is bound to, as the arguments say it, and where that leads."""
        if self.overflows:
            return ()
        values = (self.declared.value,) if self.declared is not None else tuple(leaf.value for leaf in self.located)
        return tuple(dict.fromkeys((*values, *self.targets)))

    @property
    def targets(self) -> tuple[str, ...]:
        """What it reaches, links followed and detours taken out, where that is more than the arguments say."""
        if self.overflows:
            return ()
        if self.declared is not None:
            return tuple(dict.fromkeys((self.declared.value, *sorted(self.declared.reading.strict))))
        others = (form for leaf in self.located for form in sorted(leaf.reading.strict) if form != leaf.value)
        return tuple(dict.fromkeys(others))


def _exact(leaf: Leaf) -> str | None:
    if len(leaf.reading.strict) == 1:
        return next(iter(leaf.reading.strict))
    if leaf.kind == "path" and not leaf.value.startswith(("/", "~")) and len(leaf.bases) > 1:
        return lexical(leaf.value)
    return None


def _leaves(tool: Tool, args: Mapping[str, Any], bases: tuple[str, ...]) -> Iterator[Leaf]:
    open_: list[tuple[tuple[str, ...], Any, bool]] = [((), args, False)]
    while open_:
        keys, value, is_path = open_.pop()
        if isinstance(value, Mapping):
            for name, inner in value.items():
                named = is_path or name in tool.path_arguments or is_path_name(str(name))
                open_.append(((*keys, str(name)), inner, named))
                if keys and looks_like_path(str(name)):
                    yield Leaf((*keys, str(name), ""), str(name), "path", bases)
        elif isinstance(value, list | tuple):
            open_ += (((*keys, str(n)), inner, is_path) for n, inner in enumerate(value))
        elif isinstance(value, str):
            is_there = bool(tool.roots) and _lies_in(value, tool.roots)
            yield Leaf(keys, value, _kind(value, is_path=is_path or is_there or looks_like_path(value)), bases)
        else:
            yield Leaf(keys, value, "other", bases)


def _kind(value: str, *, is_path: bool) -> Kind:
    if is_address(value):
        return "address"
    return "path" if is_path and len(value) <= LONGEST_PATH else "text"


def _lies_in(value: str, roots: Collection[str]) -> bool:
    """Whether a folder of the server has such a file."""
    if not value or len(value) > 255 or "\n" in value:
        return False
    try:
        return any(os.path.lexists(os.path.join(root, value)) for root in roots)  # noqa: PTH118 - as written
    except (OSError, ValueError):
        return False


def _replaced(value: Any, forms: Mapping[tuple[str, ...], str], keys: tuple[str, ...] = ()) -> Any:
    if keys in forms:
        return forms[keys]
    if isinstance(value, Mapping):
        return {
            forms.get((*keys, str(name), ""), name): _replaced(inner, forms, (*keys, str(name)))
            for name, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [_replaced(inner, forms, (*keys, str(n))) for n, inner in enumerate(value)]
    return value


def _all(forms: list[list[str]]) -> Iterator[tuple[str, ...]]:
    return itertools.product(*forms)


def _folded(forms: Collection[str]) -> frozenset[str]:
    return frozenset(folded for form in forms for folded in folded_forms(form))

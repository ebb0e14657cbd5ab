"""The small language in which a rule book words its answers.

    {item.name}  {total|money}            a value, with a filter; a missing one is empty
    {if budget} … {else} … {end}          also {if not x}, {if mode is transit}, {if day same n}, {if a above b}
    {each stop in day.stops} … {end}      also {each f in foods max 3}; {n} counts from 1 inside
    {{                                    a brace

A line that holds nothing but such a control word leaves no line behind. Paths walk through
objects and lists (`items.0.name`). Everything is linear; no expression is evaluated.

Not jinja2: its sandbox still evaluates expressions (`{{ "x" * 10**9 }}` in the book of a plug-in takes the memory of
the program), it would replace half of this file – the reading – and not the paths with `*`, the way values are
written, the empty lines and the limits, and every rule book there is would have to be written again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

MAX_OUTPUT = 60_000
MAX_DEPTH = 12

Scopes = tuple[Mapping[str, Any], ...]
Filter = Callable[[Any], str]


class TemplateError(ValueError):
    """The template itself is wrong; said when the rule book is loaded."""


@dataclass(slots=True)
class _Block:
    """What stands between a control word and its `end`."""

    words: tuple[str, ...] = ()
    inner: list[str | _Value | _Block] = field(default_factory=list)
    otherwise: list[str | _Value | _Block] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Value:
    path: tuple[str, ...]
    filters: tuple[str, ...]


class Template:
    """One parsed text. `filters` are the names allowed after `|`."""

    def __init__(self, source: str, filters: Mapping[str, Filter]) -> None:
        self._filters = filters
        self._root = _parse(source, filters)

    def render(self, values: Mapping[str, Any]) -> str:
        out: list[str] = []
        self._write(self._root.inner, (values,), out)
        return _without_gaps("".join(out)[:MAX_OUTPUT])

    def _write(self, nodes: Sequence[str | _Value | _Block], scopes: Scopes, out: list[str]) -> None:
        for node in nodes:
            if isinstance(node, str):
                out.append(node)
            elif isinstance(node, _Value):
                out.append(self._shown(node, scopes))
            elif node.words[0] == "if":
                self._write(node.inner if _holds(node.words[1:], scopes) else node.otherwise, scopes, out)
            else:
                self._loop(node, scopes, out)

    def _shown(self, node: _Value, scopes: Scopes) -> str:
        value = _look_up(node.path, scopes)
        for name in node.filters:
            value = self._filters[name](value)
        return plain(value)

    def _loop(self, node: _Block, scopes: Scopes, out: list[str]) -> None:
        name, _in, path, *limit = node.words[1:]
        items = _look_up(tuple(path.split(".")), scopes)
        chosen = items[: int(limit[1]) if limit else None] if isinstance(items, list | tuple) else []
        for number, item in enumerate(chosen, 1):
            self._write(node.inner, (*scopes, {name: item, "n": number}), out)
        if not chosen:
            self._write(node.otherwise, scopes, out)


def _without_gaps(text: str) -> str:
    """At most one empty line in a row: parts that were left out leave none behind."""
    kept: list[str] = []
    for line in text.split("\n"):
        if line.strip() or (kept and kept[-1].strip()):
            kept.append(line.rstrip())
    return "\n".join(kept)


def plain(value: Any) -> str:
    """A value as a person writes it; nothing for what is absent."""
    if value is None or value is False:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def walk(value: Any, path: Sequence[str]) -> Any:
    """The value at a path, None where it leads nowhere; `*` gives a list over all items of a list."""
    for place, part in enumerate(path):
        if part == "*":
            items = value if isinstance(value, list | tuple) else ()
            return [walk(item, path[place + 1 :]) for item in items]
        if isinstance(value, Mapping):
            value = value.get(part)
        elif isinstance(value, list | tuple) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            return None
    return value


def _look_up(path: tuple[str, ...], scopes: Scopes) -> Any:
    for scope in reversed(scopes):
        if path[0] in scope:
            return walk(scope, path)
    return None


def _holds(words: tuple[str, ...], scopes: Scopes) -> bool:
    if words[0] == "not":
        return not _holds(words[1:], scopes)
    value = _look_up(tuple(words[0].split(".")), scopes)
    match words[1:]:
        case ("is", wanted):
            return plain(value) == wanted
        case ("same", path):
            return plain(value) == plain(_look_up(tuple(path.split(".")), scopes))
        case ("above", path):
            other = _look_up(tuple(path.split(".")), scopes)
            return isinstance(value, int | float) and isinstance(other, int | float) and value > other
        case _:
            return bool(value)


# ---------------------------------------------------------------- parsing


def _parse(source: str, filters: Mapping[str, Filter]) -> _Block:
    root = _Block()
    stack: list[tuple[_Block, list[str | _Value | _Block]]] = [(root, root.inner)]
    at = 0
    while (brace := source.find("{", at)) != -1:
        stack[-1][1].append(source[at:brace])
        if source.startswith("{{", brace):
            stack[-1][1].append("{")
            at = brace + 2
            continue
        close = source.find("}", brace)
        if close == -1:
            raise TemplateError(f"no closing brace after {source[brace : brace + 30]!r}")
        tag, at = source[brace + 1 : close].strip(), close + 1
        if _is_control(tag):
            _control(tag, stack)
            at = _behind_line(source, brace, at)
        else:
            stack[-1][1].append(_value(tag, filters))
    stack[-1][1].append(source[at:])
    if len(stack) > 1:
        raise TemplateError(f"{{{' '.join(stack[-1][0].words)}}} has no {{end}}")
    return root


def _is_control(tag: str) -> bool:
    return tag in ("else", "end") or tag.startswith(("if ", "each "))


def _control(tag: str, stack: list[tuple[_Block, list[str | _Value | _Block]]]) -> None:
    if tag in ("else", "end"):
        if len(stack) == 1:
            raise TemplateError(f"{{{tag}}} without a beginning")
        block, _nodes = stack.pop()
        if tag == "else":
            stack.append((block, block.otherwise))
        return
    words = tuple(tag.split())
    _check_words(words)
    if len(stack) > MAX_DEPTH:
        raise TemplateError("nested too deeply")
    block = _Block(words)
    stack[-1][1].append(block)
    stack.append((block, block.inner))


def _check_words(words: tuple[str, ...]) -> None:
    if words[0] == "if":
        rest = words[2:] if words[1] == "not" else words[1:]
        fits = len(rest) == 1 or (len(rest) == 3 and rest[1] in ("is", "same", "above"))
    else:
        limit = words[4:]
        fits = len(words) in (4, 6) and words[2] == "in"
        fits = fits and (not limit or (limit[0] == "max" and limit[1].isdecimal()))
    if not fits:
        raise TemplateError(f"cannot read {{{' '.join(words)}}}")


def _behind_line(source: str, brace: int, at: int) -> int:
    """Behind the line break if the control word stood alone on its line."""
    alone = (brace == 0 or source[brace - 1] == "\n") and source[at : at + 1] in ("", "\n")
    return at + 1 if alone else at


def _value(tag: str, filters: Mapping[str, Filter]) -> _Value:
    path, *names = (part.strip() for part in tag.split("|"))
    if not path or " " in path:
        raise TemplateError(f"cannot read {{{tag}}}")
    if unknown := [name for name in names if name not in filters]:
        raise TemplateError(f"{{{tag}}}: unknown filter {unknown[0]}")
    return _Value(tuple(path.split(".")), tuple(names))

"""YAML as plain values, from the events of its parser alone: no tags, no anchors, nothing is constructed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from app.core.errors import BadInput

DEEPEST: Final = 32
MOST_PARTS: Final = 5_000
_NUMBER: Final = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")
_WORDS: Final = {"true": True, "false": False, "null": None, "~": None, "": None}


def read_yaml(text: str) -> Any:
    """Raises BadInput that names the line, or what is refused."""
    import yaml

    try:
        return _value(_events(text))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark is not None else 1
        raise BadInput(f"this is no YAML (line {line})", reason="PASTE_YAML", line=line) from error
    except ValueError as error:
        raise BadInput(f"this YAML is not read: {error}", reason="PASTE_YAML_REFUSED") from error


def _events(text: str) -> Iterator[Any]:
    """Of the first document. Raises ValueError for what is never needed here, and before it can grow."""
    import yaml

    depth = parts = 0
    for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        if isinstance(event, yaml.DocumentEndEvent):
            return
        if not isinstance(event, yaml.NodeEvent | yaml.CollectionEndEvent):
            continue
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise ValueError("it has anchors or aliases")
        if getattr(event, "tag", None) not in (None, "!"):
            raise ValueError("it has tags")
        parts += 1
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST or parts > MOST_PARTS:
            raise ValueError("it is nested too deeply or has too many parts")
        yield event


def _value(events: Iterator[Any]) -> Any:
    """The next value; at the end of a collection that end itself, so that its reader sees it."""
    import yaml

    event = next(events, None)
    if isinstance(event, yaml.MappingStartEvent):
        found: dict[str, Any] = {}
        while not isinstance(key := _value(events), yaml.CollectionEndEvent):
            found[str(key)] = _value(events)
        return found
    if isinstance(event, yaml.SequenceStartEvent):
        items: list[Any] = []
        while not isinstance(item := _value(events), yaml.CollectionEndEvent):
            items.append(item)
        return items
    if isinstance(event, yaml.ScalarEvent):
        return _scalar(event.value) if event.implicit[0] else event.value
    return event


def _scalar(text: str) -> Any:
    if (word := text.lower()) in _WORDS:
        return _WORDS[word]
    if _NUMBER.fullmatch(text) and (text == "0" or not text.lstrip("-").startswith("0") or "." in text):
        return float(text) if "." in text else int(text)
    return text

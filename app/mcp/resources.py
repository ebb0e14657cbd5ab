"""Resources a server offers to be read: as it lists them, and what one of them holds as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from .texts import for_model, scrub

MOST_RESOURCES: Final = 200
_LONGEST_URI: Final = 2_000
_LONGEST_NAME: Final = 120


@dataclass(frozen=True, slots=True)
class ListedResource:
    uri: str
    name: str


def read_resources(raws: Iterable[Any]) -> tuple[ListedResource, ...]:
    """Those with an address that can be asked for, each once. Raises nothing, whatever the server listed."""
    found: dict[str, ListedResource] = {}
    for raw in raws:
        uri = raw.get("uri") if isinstance(raw, dict) else None
        if not isinstance(uri, str) or not uri or len(uri) > _LONGEST_URI or scrub(uri) != uri:
            continue
        names = (name for name in (raw.get("title"), raw.get("name"), uri) if isinstance(name, str))
        name = next((short for short in (_one_line(name) for name in names) if short), "")
        if name:
            found.setdefault(uri, ListedResource(uri, name))
        if len(found) >= MOST_RESOURCES:
            break
    return tuple(found.values())


def text_of(raw: Mapping[str, Any]) -> str | None:
    """What a result of `resources/read` holds as text; None where it holds none."""
    contents = raw.get("contents")
    parts = contents if isinstance(contents, list) else []
    texts = [part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)]
    return scrub("\n\n".join(texts)) if texts else None


def _one_line(name: str) -> str:
    return " ".join(for_model(name[: 4 * _LONGEST_NAME], _LONGEST_NAME).split())

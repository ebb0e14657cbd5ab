"""What was proposed for the book after a chapter was accepted: kept beside the index, each item open, taken or left."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from app.core.errors import ToolError
from app.domains.kit.folder.root import Root

ProposalKind = Literal["summary", "fact", "foreshadow"]
ProposalState = Literal["open", "taken", "left"]
_FOLDER = ".novel/proposals"
_LARGEST = 1_000_000


@dataclass(slots=True)
class Proposal:
    id: str
    kind: ProposalKind
    data: dict[str, Any] = field(default_factory=dict)
    """Arguments of the tool that puts it into the book."""
    state: ProposalState = "open"


def read_proposals(root: Root, chapter: str) -> list[Proposal]:
    """Empty where nothing was proposed, or what was cannot be read: it can be proposed again."""
    try:
        rows = json.loads(root.read(_path(chapter), _LARGEST))
        return [Proposal(str(one["id"]), one["kind"], dict(one["data"]), one["state"]) for one in rows]
    except (ToolError, ValueError, KeyError, TypeError):
        return []


def write_proposals(root: Root, chapter: str, proposals: list[Proposal]) -> None:
    path = _path(chapter)
    for above in root.make_folder(_FOLDER):
        root.add_folder(above)
    data = json.dumps([asdict(one) for one in proposals], ensure_ascii=False, indent=1).encode("utf-8", "replace")
    root.write(path, data, base=root.sha(path))


def sound(body: Mapping[str, Any], text: str) -> list[Proposal]:
    """Of a model's answer what has the right form, and facts only with words that stand in the chapter."""
    found: list[tuple[ProposalKind, dict[str, Any]]] = []
    if isinstance(summary := body.get("summary"), str) and summary.strip():
        found.append(("summary", {"summary": summary.strip()[:1_000]}))
    plain = "".join(text.split())
    for row in _rows(body.get("facts")):
        fact = {key: str(row.get(key, "")).strip() for key in ("subject", "attribute", "value", "quote")}
        if all(fact.values()) and len(fact["quote"]) > 1 and "".join(fact["quote"].split()) in plain:
            limits = {"subject": 80, "attribute": 80, "value": 500, "quote": 500}
            if all(len(fact[key]) <= most for key, most in limits.items()):
                found.append(("fact", dict(fact)))
    for row in _rows(body.get("foreshadows")):
        title = str(row.get("title", "")).strip()[:120]
        if title:
            thread: dict[str, Any] = {"title": title, "note": str(row.get("note", ""))[:500]}
            if row.get("status") in ("planted", "advanced", "paid"):
                thread["status"] = row["status"]
            found.append(("foreshadow", thread))
    return [Proposal(str(number), kind, data) for number, (kind, data) in enumerate(found[:40], 1)]


def _rows(value: Any) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def _path(chapter: str) -> str:
    return f"{_FOLDER}/{chapter}.json"

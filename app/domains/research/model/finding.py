"""A finding: one claim with its sources, stored for the session."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from app.core.stores import DocumentStore

Stance = Literal["supports", "contradicts", "context"]


@dataclass(frozen=True, slots=True)
class Finding:
    id: str
    claim: str
    sources: list[str] = field(default_factory=list)
    quote: str = ""
    quoted_from: str = ""
    """The source the quotation stands in."""
    stance: Stance = "supports"
    sub_question: str = ""


def finding_id(claim: str, sources: list[str], quote: str) -> str:
    text = "\n".join([" ".join(claim.split()).casefold(), *sorted(sources), quote])
    return "f-" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6]


async def keep(store: DocumentStore, session: str, finding: Finding) -> bool:
    """Whether it is new."""
    if await store.get(_kind(session), finding.id) is not None:
        return False
    await store.put(_kind(session), finding.id, asdict(finding))
    return True


async def findings_of(store: DocumentStore | None, session: str) -> list[Finding]:
    """In the order they came."""
    if store is None:
        return []
    return [
        read for document in reversed(await store.list(_kind(session))) if (read := _read(document.body)) is not None
    ]


def _kind(session: str) -> str:
    return f"finding:{session}"


def _read(body: Any) -> Finding | None:
    if not isinstance(body, Mapping) or body.get("stance") not in get_args(Stance):
        return None
    texts = {name: str(body.get(name) or "") for name in ("id", "claim", "quote", "quoted_from", "sub_question")}
    sources = body.get("sources")
    return Finding(
        **texts, sources=[str(id) for id in sources] if isinstance(sources, list) else [], stance=body["stance"]
    )

"""`/rerank` as Jina, Cohere, SiliconFlow, Voyage, vLLM and others speak it: how well each text fits a question."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any, Final

from app.core.errors import RerankFailed
from app.providers.chat.openai_chat import ModelEndpoint
from app.providers.chat.plain_request import answer_of

_MOST_BYTES: Final = 4 * 1024 * 1024
_SECONDS: Final = 15.0
_LONGEST_TEXT: Final = 4_000


class HttpReranker:
    def __init__(self, endpoint: ModelEndpoint, model: str) -> None:
        self._endpoint, self._model = endpoint, model
        self.ref = f"{endpoint.provider}/{model}"

    async def order(self, query: str, texts: Sequence[str]) -> list[int]:
        """The places of the texts, best first; those it says nothing of come last. Raises a `ModelError`."""
        documents = [text[:_LONGEST_TEXT] for text in texts]
        body = {"model": self._model, "query": query[:_LONGEST_TEXT], "documents": documents, "top_n": len(documents)}
        data = await answer_of(self._endpoint, "rerank", body=body, seconds=_SECONDS, most=_MOST_BYTES)
        scores = read_scores(data, len(texts), self.ref)
        return sorted(range(len(texts)), key=lambda place: -scores.get(place, -math.inf))


def read_scores(data: bytes, count: int, ref: str) -> dict[int, float]:
    """`results`, `data` or a bare list of {index, relevance_score or score}; DashScope's are in `output`."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        document = None
    if isinstance(document, dict) and isinstance(document.get("output"), dict):
        document = document["output"]
    if isinstance(document, dict):
        document = next((document[k] for k in ("results", "data") if isinstance(document.get(k), list)), None)
    scores: dict[int, float] = {}
    for item in document if isinstance(document, list) else ():
        place, score = _read(item)
        if 0 <= place < count and math.isfinite(score):
            scores[place] = score
    if not scores and count:
        raise RerankFailed(f"{ref} did not rank the passages", model=ref, reason="RANKS")
    return scores


def _read(item: Any) -> tuple[int, float]:
    if not isinstance(item, dict) or not isinstance(item.get("index"), int):
        return -1, math.nan
    score = item.get("relevance_score", item.get("score"))
    return item["index"], float(score) if isinstance(score, int | float) else math.nan

"""`/embeddings` of any provider: texts in batches, vectors of unit length as float32.

Providers differ in the batch size they accept (10 to 2048) and do not publish it: a refused batch is halved, and the
accepted size is remembered. A single text that is refused is too long for the model and is cut.
"""

from __future__ import annotations

import array
import asyncio
import base64
import binascii
import json
import math
import random
import sys
from collections.abc import Sequence
from typing import Any, Final

from app.core.errors import EmbeddingFailed, ModelError, RateLimited
from app.providers.chat.openai_chat import ModelEndpoint
from app.providers.chat.plain_request import answer_of

MOST_TEXTS: Final = 64
LONGEST_TEXT: Final = 8_000
"""Characters of one text."""
SHORTEST_TEXT: Final = 100
_MOST_AT_ONCE: Final = 65_536
"""Numbers of one answer: reading more of them would be felt in the window."""
MOST_NUMBERS: Final = 16_384
"""Of one vector."""
_MOST_BYTES: Final = 64 * 1024 * 1024
_SECONDS: Final = 60.0
_TRIES: Final = 4
PAUSE = 1.0
"""Seconds before a request is repeated for the first time; they double."""
_LONGEST_WAIT: Final = 30.0
_REFUSED: Final = (400, 413, 422)


class HttpEmbedder:
    """One model at one address. `ref` is that of a model: provider/model."""

    def __init__(self, endpoint: ModelEndpoint, model: str) -> None:
        self._endpoint, self._model = endpoint, model
        self._most = MOST_TEXTS
        self.ref = f"{endpoint.provider}/{model}"

    async def embed(self, texts: Sequence[str], *, seconds: float = _SECONDS, tries: int = _TRIES) -> list[bytes]:
        """One vector per text, all of one length. Raises a `ModelError`."""
        found: list[bytes] = []
        pieces = [text[:LONGEST_TEXT] or " " for text in texts]
        while len(found) < len(pieces):
            batch = pieces[len(found) : len(found) + self._most]
            try:
                found += await self._patiently(batch, seconds, tries)
                self._most = max(1, min(self._most, _MOST_AT_ONCE * 4 // len(found[0])))
            except ModelError as error:
                if error.status not in _REFUSED:
                    raise
                if len(batch) > 1:
                    self._most = max(1, len(batch) // 2)
                elif len(batch[0]) > SHORTEST_TEXT:
                    pieces[len(found)] = batch[0][: len(batch[0]) // 2]
                else:
                    raise
        _check_lengths(found, self.ref)
        return found

    async def _patiently(self, batch: Sequence[str], seconds: float, tries: int) -> list[bytes]:
        wait = PAUSE
        for tries_left in reversed(range(tries)):
            try:
                return await self._batch(batch, seconds)
            except ModelError as error:
                if not error.retryable or not tries_left:
                    raise
                named = error.retry_after if isinstance(error, RateLimited) else None
                if named is not None and named > _LONGEST_WAIT:
                    raise
                await asyncio.sleep(named if named is not None else wait * random.uniform(0.8, 1.2))
                wait *= 2
        raise AssertionError("the last try returns or raises")

    async def _batch(self, batch: Sequence[str], seconds: float) -> list[bytes]:
        body = {"model": self._model, "input": list(batch)}
        data = await answer_of(self._endpoint, "embeddings", body=body, seconds=seconds, most=_MOST_BYTES)
        # A batch of long vectors is a megabyte of digits.
        return await asyncio.to_thread(read_vectors, data, len(batch), self.ref)


def read_vectors(data: bytes, count: int, ref: str) -> list[bytes]:
    """`{"data": [{"index", "embedding": [numbers] or base64}]}`, or `{"embeddings": [[numbers]]}`, in their order."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        raise _unreadable(ref) from None
    items = next((document[k] for k in ("data", "embeddings") if isinstance(document.get(k), list)), None) if (
        isinstance(document, dict)
    ) else document  # fmt: skip
    if not isinstance(items, list) or len(items) != count:
        raise _unreadable(ref)
    if all(isinstance(item, dict) and isinstance(item.get("index"), int) for item in items):
        items = sorted(items, key=lambda item: item["index"])
    vectors = [_vector(item.get("embedding") if isinstance(item, dict) else item, ref) for item in items]
    _check_lengths(vectors, ref)
    return vectors


def _vector(value: Any, ref: str) -> bytes:
    try:
        if isinstance(value, str):
            numbers = array.array("f", base64.b64decode(value, validate=True))
            if sys.byteorder == "big":
                numbers.byteswap()
        else:
            numbers = array.array("f", value)
    except (TypeError, ValueError, OverflowError, binascii.Error):
        raise _unreadable(ref) from None
    length = math.sqrt(math.fsum(number * number for number in numbers))
    if not 0 < len(numbers) <= MOST_NUMBERS or not math.isfinite(length) or length == 0:
        raise _unreadable(ref)
    unit = array.array("f", [number / length for number in numbers])
    if sys.byteorder == "big":
        unit.byteswap()
    return unit.tobytes()


def _check_lengths(vectors: Sequence[bytes], ref: str) -> None:
    lengths = [len(vector) // 4 for vector in vectors]
    other = next((length for length in lengths if length != lengths[0]), 0)
    if other:
        raise dimension_changed(ref, lengths[0], other)


def dimension_changed(ref: str, before: int, now: int) -> EmbeddingFailed:
    message = f"{ref} gave vectors of {before} numbers and then of {now}"
    return EmbeddingFailed(message, model=ref, reason="DIMENSION", before=before, now=now)


def _unreadable(ref: str) -> EmbeddingFailed:
    return EmbeddingFailed(f"{ref} did not answer with one vector per text", model=ref, reason="VECTORS")

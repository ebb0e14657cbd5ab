"""`POST /v1/embeddings`: passed to the model for vectors that is set in the settings of the knowledge bases."""

from __future__ import annotations

import array
import base64
import sys
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from ..access import check_right, client_of
from ..errors import ApiError, bad_request, json_response
from ..parts import ServerParts
from ..request_body import check_text, field, read_object

MOST_TEXTS = 2_048


async def embeddings(request: Request, parts: ServerParts) -> Response:
    """Vectors of unit length; `model` is answered with the reference of the one that was asked."""
    check_right(client_of(request), "run")
    body = await read_object(request)
    texts = _texts(body.get("input"))
    encoding = field(body, "encoding_format", str, "float")
    if encoding not in ("float", "base64"):
        raise bad_request("encoding_format is float or base64", "encoding_format")
    embedder = await parts.embeddings.embedder()
    if embedder is None:
        hint = "choose one in the settings under Knowledge"
        raise ApiError(503, "NOT_CONFIGURED", "no model for vectors is set", hint=hint)
    vectors = await embedder.embed(texts)
    data = [
        {"object": "embedding", "index": n, "embedding": _written(vector, encoding)}
        for n, vector in enumerate(vectors)
    ]  # fmt: skip
    used = {"prompt_tokens": 0, "total_tokens": 0}
    return json_response({"object": "list", "data": data, "model": embedder.ref, "usage": used})


def _texts(given: Any) -> list[str]:
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) and text for text in texts):
        raise bad_request("input is a text or a list of texts that are not empty", "input")
    if len(texts) > MOST_TEXTS:
        raise bad_request(f"input has more than {MOST_TEXTS:,} texts", "input")
    for text in texts:
        check_text(text, "input")
    return texts


def _written(vector: bytes, encoding: str) -> list[float] | str:
    """Float32, little-endian, as the protocol has them."""
    numbers = array.array("f", vector)
    if encoding == "float":
        return list(numbers)
    if sys.byteorder == "big":
        numbers.byteswap()
    return base64.b64encode(numbers.tobytes()).decode()

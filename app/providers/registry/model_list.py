"""`/models` of a provider, in whichever shape, and the test behind the button in the settings."""

from __future__ import annotations

import time
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from app.core.errors import ModelError, NotAStream, NotFound
from app.core.run.chat_model import Finished, ModelRequest, UserTurn
from app.core.system.network import ONLINE, NetworkPolicy
from app.providers.chat.openai_chat import ModelEndpoint
from app.providers.chat.plain_request import answer_of
from app.providers.http.proxies import host_of, proxy_for, shown
from app.providers.http.response_kind import kind_of, page_title, read_json
from app.providers.registry.catalog import ProviderConfig, create_model, endpoint_of
from app.providers.scrub import scrub

MAX_MODELS: Final = 5_000
_MAX_BYTES: Final = 8 * 1024 * 1024
_SECONDS: Final = 15.0
_PROBE_TOKENS: Final = 16


@dataclass(frozen=True, slots=True)
class ConnectionReport:
    """What a test found. `error` is None if an answer came; its code says which part failed."""

    host: str
    error: ModelError | None = None
    models: tuple[str, ...] = ()
    model_listed: bool | None = None
    """None when the provider has no list, or no model was named."""
    suggested_url: str = ""
    """An address that answers where the given one does not."""
    insecure: bool = False
    proxy: str = ""
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        return self.error is None


async def list_models(config: ProviderConfig, key: str = "", *, network: NetworkPolicy = ONLINE) -> tuple[str, ...]:
    """The ids in the provider's order, at most 5,000. Raises a `ModelError`."""
    return await _fetch_models(endpoint_of(config, key, network=network), config.address)


async def check_connection(
    config: ProviderConfig, key: str = "", model: str = "", *, network: NetworkPolicy = ONLINE
) -> ConnectionReport:
    """Fetches the list and, if a `model` is named, asks it for one word. Never raises a `ModelError`."""
    began = time.monotonic()
    models: tuple[str, ...] = ()
    error: ModelError | None = None
    suggested = ""
    try:
        models = await list_models(config, key, network=network)
    except ModelError as failed:
        error = failed
        if isinstance(failed, (NotFound, NotAStream)):
            suggested = await _working_address(config, key, network)
    if model and not suggested and (error is None or isinstance(error, (NotFound, NotAStream))):
        # The list may be missing or open to everybody: only the model itself proves the key.
        error = await _ask(config, key, model, network)
    return ConnectionReport(
        host=host_of(config.address),
        error=error,
        models=models,
        model_listed=model in models if model and models else None,
        suggested_url=suggested,
        insecure=config.is_insecure,
        proxy=_proxy_shown(config),
        seconds=round(time.monotonic() - began, 3),
    )


async def _ask(config: ProviderConfig, key: str, model: str, network: NetworkPolicy) -> ModelError | None:
    chat = create_model(config, model, key, network=network)
    request = ModelRequest([UserTurn("Reply with the word ok.")], max_output_tokens=_PROBE_TOKENS, purpose="test")
    try:
        async with aclosing(chat.stream(request)) as chunks:
            async for chunk in chunks:
                if isinstance(chunk, Finished):
                    break
    except ModelError as error:
        return error
    finally:
        await chat.aclose()
    return None


async def _working_address(config: ProviderConfig, key: str, network: NetworkPolicy) -> str:
    """The same address with `/v1`, if that one has a list of models."""
    if urlsplit(config.address).path.rstrip("/").endswith(("/v1", "/v4")):
        return ""
    candidate = f"{config.address}/v1"
    try:
        await _fetch_models(endpoint_of(config, key, network=network), candidate)
    except ModelError:
        return ""
    return candidate


def _proxy_shown(config: ProviderConfig) -> str:
    try:
        proxy = proxy_for(config.address, config.proxy)
    except ModelError as error:
        return str(error.params.get("proxy", ""))
    return shown(proxy) if proxy else ""


# ---------------------------------------------------------------- the list


async def _fetch_models(endpoint: ModelEndpoint, base_url: str) -> tuple[str, ...]:
    data = await answer_of(
        endpoint, "models", base_url=base_url, headers=endpoint.list_headers, seconds=_SECONDS, most=_MAX_BYTES
    )
    return _read_list(data)


def _read_list(body: bytes) -> tuple[str, ...]:
    if kind_of(body[:8192]) == "page":
        title = page_title(body)
        raise NotAStream("a web page came instead of a list of models", kind="page", title=title)
    names = read_model_list(read_json(body))
    if names is None:
        raise NotAStream("the list of models cannot be read", kind="models")
    return names


def read_model_list(document: Any) -> tuple[str, ...] | None:
    """Ids from `{"data": […]}`, `{"models": […]}` or a bare list; None if it is nothing of the kind."""
    if isinstance(document, dict):
        document = next((document[name] for name in ("data", "models") if isinstance(document.get(name), list)), None)
    if not isinstance(document, list):
        return None
    found: dict[str, None] = {}
    for item in document:
        name = item if isinstance(item, str) else _name_of(item)
        if name and len(name) <= 200:
            found.setdefault(scrub(name.removeprefix("models/")))
        if len(found) >= MAX_MODELS:
            break
    return tuple(found)


def _name_of(item: object) -> str:
    if not isinstance(item, dict):
        return ""
    return next((item[name] for name in ("id", "model", "name") if isinstance(item.get(name), str)), "")

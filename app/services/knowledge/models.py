"""The two models beside the one that answers: one for vectors, one that ranks. Neither has to be set."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from app.core.domain import Scrub
from app.core.errors import BadInput, NotConfigured, TriptychError
from app.core.knowledge import Embedder, Reranker
from app.core.text.i18n import _
from app.core.wording.errors import error_text
from app.providers.chat.openai_chat import ModelEndpoint
from app.providers.http.proxies import host_of
from app.providers.registry.catalog import endpoint_of
from app.providers.vectors.embeddings import HttpEmbedder
from app.providers.vectors.rerank import HttpReranker

from ..providers.addresses import check_address
from ..providers.service import ProviderService
from ..settings.settings import SettingsService


@dataclass(frozen=True, slots=True)
class ModelTest:
    ok: bool
    text: str
    """For a person."""


class KnowledgeModels:
    def __init__(
        self,
        settings: SettingsService,
        providers: ProviderService,
        names: Callable[[], Awaitable[list[Scrub]]] | None = None,
    ) -> None:
        """`names`: what may not leave in any text, whoever asks for it."""
        self._settings, self._providers, self._names = settings, providers, names

    @property
    def embedding(self) -> str:
        """The reference that is set; "" = none."""
        return self._settings.preferences.embedding_model

    @property
    def reranking(self) -> str:
        return self._settings.preferences.rerank_model

    def suggested(self) -> tuple[list[str], list[str]]:
        """Models of the providers that are set up whose names say they embed, and those that rerank."""
        every = [f"{entry.id}/{model}" for entry in self._providers.providers() for model in entry.models]
        rankers = [ref for ref in every if "rerank" in ref.lower()]
        words = ("embed", "bge", "e5-", "gte", "minilm", "m3e", "jina-e", "voyage")
        return [ref for ref in every if ref not in rankers and any(word in ref.lower() for word in words)], rankers

    async def set(self, *, embedding: str | None = None, reranking: str | None = None) -> None:
        """ "" for none. Raises BadInput for what is no reference, UnknownName for a provider that is not set up."""
        values = {"embedding_model": embedding, "rerank_model": reranking}
        changes = {name: value.strip() for name, value in values.items() if value is not None}
        for ref in filter(None, changes.values()):
            self._providers.config(_split(ref)[0])
        await self._settings.save_preferences(self._settings.preferences.model_copy(update=changes))

    async def embedder(self, ref: str = "") -> Embedder | None:
        """The one that is set, or that of a reference; None where none is set. Raises NotConfigured, UnknownName."""
        ref = ref or self.embedding
        if not ref:
            return None
        return PrivateEmbedder(HttpEmbedder(await self._endpoint(ref), _split(ref)[1]), await self._scrubs())

    async def reranker(self, ref: str = "") -> Reranker | None:
        ref = ref or self.reranking
        if not ref:
            return None
        return PrivateReranker(HttpReranker(await self._endpoint(ref), _split(ref)[1]), await self._scrubs())

    async def _scrubs(self) -> list[Scrub]:
        return await self._names() if self._names is not None else []

    async def test_embedding(self, ref: str) -> ModelTest:
        """One text, asked for once. Never raises."""
        began = time.monotonic()
        try:
            embedder = await self.embedder(ref)
            if embedder is None:
                return ModelTest(True, _("No model: search goes by words."))
            vector = (await embedder.embed(["Triptych 三联"], seconds=20.0, tries=1))[0]
        except TriptychError as error:
            return _failed(error)
        ms = round((time.monotonic() - began) * 1000)
        return ModelTest(True, _("It works: vectors of {n} numbers, in {ms} ms.").format(n=len(vector) // 4, ms=ms))

    async def test_reranking(self, ref: str) -> ModelTest:
        try:
            reranker = await self.reranker(ref)
            if reranker is None:
                return ModelTest(True, _("No model: passages keep the order of the search."))
            order = await reranker.order("where is bread baked", ["The moon is far.", "Bread is baked in an oven."])
        except TriptychError as error:
            return _failed(error)
        if order[0] != 1:
            return ModelTest(False, _("It answers, but put the wrong one of two passages first."))
        return ModelTest(True, _("It works."))

    async def _endpoint(self, ref: str) -> ModelEndpoint:
        provider, _model = _split(ref)
        config = self._providers.config(provider)
        check_address(config.address, "")
        key = await self._providers.key(provider)
        if not key and config.needs_key:
            name = config.name or host_of(config.address)
            raise NotConfigured(
                f"{name} has no key yet", hint="enter it in the settings", reason="NO_KEY", provider=name
            )
        return endpoint_of(config, key, network=self._providers.network)


class PrivateEmbedder:
    """Private names are stand-ins in what is sent: a question and its passages agree on them."""

    def __init__(self, inner: Embedder, scrubs: Sequence[Scrub]) -> None:
        self._inner, self._scrubs, self.ref = inner, scrubs, inner.ref

    async def embed(self, texts: Sequence[str], *, seconds: float = 60.0, tries: int = 4) -> list[bytes]:
        return await self._inner.embed(await _without_names(texts, self._scrubs), seconds=seconds, tries=tries)


class PrivateReranker:
    def __init__(self, inner: Reranker, scrubs: Sequence[Scrub]) -> None:
        self._inner, self._scrubs, self.ref = inner, scrubs, inner.ref

    async def order(self, query: str, texts: Sequence[str]) -> list[int]:
        query, *rest = await _without_names([query, *texts], self._scrubs)
        return await self._inner.order(query, rest)


async def _without_names(texts: Sequence[str], scrubs: Sequence[Scrub]) -> list[str]:
    def changed() -> list[str]:
        masked = list(texts)
        for scrub in scrubs:
            masked = [scrub.outgoing(text) for text in masked]
        return masked

    return await asyncio.to_thread(changed) if scrubs else list(texts)


def _split(ref: str) -> tuple[str, str]:
    provider, slash, model = ref.partition("/")
    if not slash or not provider or not model:
        hint = "write provider/model, such as ollama/bge-m3"
        raise BadInput(f"{ref!r} is no model reference", hint=hint, reason="MODEL_REFERENCE", ref=ref)
    return provider, model


def _failed(error: TriptychError) -> ModelTest:
    text = error_text(error.code, error.message, error.params)
    return ModelTest(False, " ".join(filter(None, [text.what, text.do])))

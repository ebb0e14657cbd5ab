"""K2 with an embedding model: `/embeddings` and `/rerank` of a server of flesh and blood, its limits and its faults."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.errors import EmbeddingFailed
from app.core.wording.errors import error_text
from app.services.container import Services
from app.services.knowledge.importing import Progress
from app.services.providers.entries import ProviderEntry
from tests.knowledge.vector_server import VectorServer, vector_server

NOTES = 40


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[VectorServer]:
    monkeypatch.setattr("app.providers.vectors.embeddings.PAUSE", 0.0)
    with vector_server() as server:
        yield server


@pytest.fixture
async def base(services: Services, server: VectorServer, tmp_path: Path) -> str:
    """40 notes and four documents that share no word with what is asked."""
    await services.providers.save_provider(ProviderEntry("near", "", "Near", server.address, needs_key=False))
    folder = tmp_path / "papers"
    folder.mkdir()
    for n in range(NOTES):
        (folder / f"note{n:02}.txt").write_text(f"Entry {n}: the lantern number {n * 7} was cleaned.", "utf-8")
    for name, text in {
        "a": "Staff have 25 days of annual leave.", "b": "The automobile is serviced twice a year.",
        "c": "大夫每周三坐诊。", "d": "Our puppy sleeps in the kitchen.",
    }.items():  # fmt: skip
        (folder / f"{name}.txt").write_text(text, "utf-8")
    return (await services.knowledge.add("papers", [folder])).id


async def read(services: Services, base: str) -> Progress:
    return [state async for state in services.knowledge.read_anew(base)][-1]


async def first(services: Services, base: str, query: str) -> str:
    hits = await services.knowledge.search([base], query, 3)
    return Path(hits[0].path).name if hits else ""


async def test_K2_passages_are_found_by_what_they_mean(services: Services, server: VectorServer, base: str) -> None:
    state = await read(services, base)
    assert (state.vectors, server.requests) == ((0, 0), []), "without a model nobody is asked"
    asked = {"vacation": "a.txt", "汽车": "b.txt", "physician": "c.txt", "宠物": "d.txt"}
    assert [await first(services, base, query) for query in asked] == [""] * 4
    await services.knowledge.models.set(embedding="near/m")
    assert (await services.knowledge.models.test_embedding("near/m")).ok
    server.most, server.busy = 10, 2
    state = await read(services, base)
    assert (state.vectors, state.fault) == ((NOTES + 4, NOTES + 4), None)
    assert {query: await first(services, base, query) for query in asked} == asked
    assert await first(services, base, "lantern 77 entry") == "note11.txt", "words are found as before"
    count = len(server.texts)
    state = await read(services, base)
    assert len(server.texts) == count + 1, "what has a vector is not sent again; the model is asked for its length"
    await services.knowledge.models.set(embedding="near/other")
    await read(services, base)
    assert len(server.texts) == count + 2 + NOTES + 4, "another model: all are made anew"
    assert await first(services, base, "vacation") == "a.txt"


async def test_K2_a_model_that_changes_its_dimension_gets_a_sentence_and_loses_nothing(
    services: Services, server: VectorServer, base: str
) -> None:
    await services.knowledge.models.set(embedding="near/m")
    server.most = 5
    server.changes_after = 5  # the length, then some of the batches
    state = await read(services, base)
    assert isinstance(state.fault, EmbeddingFailed)
    text = error_text(state.fault.code, state.fault.message, state.fault.params).what
    assert "32 numbers and then of 48" in text
    assert state.read == NOTES + 4
    assert await first(services, base, "lantern 77 entry") == "note11.txt"
    state = await read(services, base)
    assert (state.fault, state.vectors) == (None, (NOTES + 4, NOTES + 4)), "with the new length all are made anew"
    assert await first(services, base, "vacation") == "a.txt"

    server.dimension = 20
    assert await first(services, base, "lantern 77 entry") == "note11.txt"
    fault = services.knowledge.fault
    assert fault is not None
    assert "20 numbers now, and the stored ones 48" in error_text(fault.code, fault.message, fault.params).what


async def test_K2_a_break_costs_one_round_and_a_broken_model_no_search(
    services: Services, server: VectorServer, base: str
) -> None:
    await services.knowledge.models.set(embedding="near/m", reranking="near/r")
    server.most = 4
    async for state in services.knowledge.read_anew(base):
        if state.is_over:
            break  # before the vectors
    server.broken = True
    states = [state async for state in services.knowledge.read_anew(base)]
    assert states[-1].fault is not None
    hits = await services.knowledge.search([base], "lantern 77 entry", 3)
    assert Path(hits[0].path).name == "note11.txt"
    assert services.knowledge.fault is not None
    server.broken = False
    assert (await read(services, base)).vectors == (NOTES + 4, NOTES + 4)
    hits = await services.knowledge.search([base], "Entry 3: number 21", 3)
    assert Path(hits[0].path).name == "note03.txt", "as the ranking model has it"
    assert "/v1/rerank" in server.requests
    assert services.knowledge.fault is None
    assert (await services.knowledge.models.test_reranking("near/r")).ok
    for ref in ("near", "absent/m"):
        assert not (await services.knowledge.models.test_embedding(ref)).ok, ref


async def test_K1_facts_are_recalled_by_what_they_mean(services: Services, server: VectorServer) -> None:
    await services.providers.save_provider(ProviderEntry("near", "", "Near", server.address, needs_key=False))
    memory = services.memory
    facts = [
        "Rex is three years old, a puppy.",
        "对花生过敏",
        "The automobile is red.",
        "Works at night as a physician.",
    ]
    for text in facts:
        await memory.add("assistant", text)
    for n in range(30):
        await memory.add("assistant", f"Entry {n}: the lantern number {n * 7} was cleaned.")
    await memory.add("research", "has a dog as well")
    asked = {
        "我家的狗几岁": facts[0],
        "where shall we eat": facts[1],
        "汽车是什么颜色的": facts[2],
        "什么时候看大夫": facts[3],
    }

    async def recalled() -> list[bool]:
        return [
            asked[query] in [one.fact.text for one in await memory.recall("assistant", query, 3)] for query in asked
        ]

    assert server.requests == []
    assert not all(await recalled()), "some of them share no word with the question"
    await services.knowledge.models.set(embedding="near/m")
    assert await recalled() == [True] * 4
    assert "has a dog as well" not in [one.fact.text for one in await memory.recall("assistant", "dog", 40)]
    (dog,) = [fact for fact in await memory.facts("assistant") if fact.text == facts[0]]
    assert dog.text in server.texts
    await memory.edit(dog.id, "Rex, a puppy, is four.")
    assert [one.fact.text for one in await memory.recall("assistant", "宠物", 1)] == ["Rex, a puppy, is four."]
    await memory.forget(dog.id)
    assert "Rex" not in str(await memory.recall("assistant", "宠物", 40))
    server.broken = True
    assert (await memory.recall("assistant", "lantern 77", 1))[0].fact.text.startswith("Entry 11:")

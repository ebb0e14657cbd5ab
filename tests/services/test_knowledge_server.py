"""K2 beyond one machine: the same calls on a PostgreSQL server, a real one that is killed in the middle.

Answers of a batch are kept on it too.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.compose import build
from app.core.errors import BadInput, KnowledgeServerFailed, TriptychError
from app.core.knowledge import KnowledgeBase
from app.services.batch.budget import BatchOptions
from app.services.batch.questions import BatchQuestion
from app.services.container import Services
from app.services.knowledge.importing import Progress
from app.services.knowledge.server import SharedServer
from app.services.providers.entries import ProviderEntry
from tests.knowledge.labelled import written
from tests.knowledge.postgres import PostgresServer, postgres_server
from tests.knowledge.vector_server import vector_server


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    with postgres_server() as server:
        yield server


def shared(services: Services) -> SharedServer:
    assert services.knowledge.server is not None
    return services.knowledge.server


async def read(services: Services, base: KnowledgeBase) -> Progress:
    return [state async for state in services.knowledge.read_anew(base.id)][-1]


async def test_K2_a_shared_base_is_read_and_searched_together_with_one_of_this_computer(
    services: Services, postgres: PostgresServer, tmp_path: Path
) -> None:
    knowledge, server = services.knowledge, shared(services)
    assert (await server.test()).ok, "none is set up: all are kept here"
    await server.set_address(postgres.address)
    tried = await server.test()
    assert tried.ok, tried.text
    assert "PostgreSQL" in tried.text
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
    (here / "roses.md").write_text("# Roses\n\nPrune the roses in early March.\n", "utf-8")
    (there / "leave.md").write_text("# 休假\n\n员工每年有 15 天年假。病假需要证明。\n", "utf-8")
    (there / "odd.txt").write_text("it's a 'quoted' \\ text & | ! ( ) with \x00 zero\n", "utf-8")
    (there / "bad.docx").write_bytes(b"no zip")
    local, team = await knowledge.add("papers", [here]), await knowledge.add("papers", [there], shared=True)
    assert (local.id, team.id, local.is_shared, team.is_shared) == ("papers", "server:papers", False, True)
    await read(services, local)
    state = await read(services, team)
    assert (state.read, [Path(path).name for path, _code in state.failed]) == (1, ["bad.docx", "odd.txt"])
    (there / "odd.txt").write_text("it's a 'quoted' \\ text & | ! ( )\n", "utf-8")
    assert (await read(services, team)).read == 1
    both = [local.id, team.id]
    found = {}
    for query in ("年假有几天", "pruning a rose", "quoted", "' | & \\", "假", "zzz"):
        found[query] = [Path(hit.path).name for hit in await knowledge.search(both, query)]
    assert found == {
        "年假有几天": ["leave.md"], "pruning a rose": ["roses.md"], "quoted": ["odd.txt"], "' | & \\": [],
        "假": ["leave.md"], "zzz": [],
    }  # fmt: skip
    assert await knowledge.search([local.id], "年假") == [], "only of the bases that are asked"
    (hit,) = await knowledge.search(both, "病假 证明", folder=str(there))
    assert (await knowledge.read(both, hit.id))[0].startswith("# 休假")
    assert "病假需要证明" in (await knowledge.show(hit.base, hit.path, hit.place, "病假 证明")).line
    (there / "leave.md").write_text("# 休假\n\n员工每年有 20 天年假。\n", "utf-8")
    assert (await read(services, team)).read == 1
    assert "20 天" in (await knowledge.search(both, "年假"))[0].passage.text
    there.rename(tmp_path / "elsewhere")  # a share that is not mounted, another person's computer
    state = await read(services, team)
    assert (state.removed, state.failed) == (0, ((str(there), "away"),))
    assert await knowledge.search(both, "年假") != []
    await knowledge.remove(team.id)
    assert await knowledge.search(both, "年假") == []


async def test_K2_vectors_on_the_server_are_made_compared_and_made_anew(
    services: Services, postgres: PostgresServer, tmp_path: Path
) -> None:
    knowledge = services.knowledge
    await shared(services).set_address(postgres.address)
    (tmp_path / "meadow").mkdir()
    for name, text in {"car": "The automobile stands in the yard.", "doctor": "大夫每天早上八点上班。"}.items():
        (tmp_path / "meadow" / f"{name}.txt").write_text(text, "utf-8")
    with vector_server() as models:
        await services.providers.save_provider(ProviderEntry("near", "", "", models.address, needs_key=False))
        await knowledge.models.set(embedding="near/m")
        base = await knowledge.add("vectors", [tmp_path / "meadow"], shared=True)
        for dimension in (32, 48):
            models.dimension = dimension
            state = await read(services, base)
            assert (state.fault, state.vectors) == (None, (2, 2)), dimension
            found = [(await knowledge.search([base.id], query))[0].path for query in ("vehicle", "physician")]
            assert [Path(path).stem for path in found] == ["car", "doctor"], dimension
        assert await knowledge.vectors(base.id) == (2, 2)
        models.dimension = 20
        assert await knowledge.search([base.id], "vehicle") == []
        assert knowledge.fault is not None, "its vectors are of another length now"
    await knowledge.remove(base.id)


async def test_K2_a_server_that_is_killed_loses_nothing_and_the_import_goes_on(
    services: Services, postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.services.knowledge.importing._GROUP_FILES", 20)
    await _killed_in_the_middle(services, postgres, tmp_path, documents=120, words=60)


@pytest.mark.soak
async def test_K2_a_hundred_thousand_passages_of_an_import_that_was_cut_off(
    services: Services, postgres: PostgresServer, tmp_path: Path
) -> None:
    await _killed_in_the_middle(services, postgres, tmp_path, documents=20_000, words=560)


async def _killed_in_the_middle(
    services: Services, postgres: PostgresServer, tmp_path: Path, *, documents: int, words: int
) -> None:
    knowledge = services.knowledge
    await shared(services).set_address(postgres.address)
    folder = tmp_path / "many"
    folder.mkdir()
    chance = random.Random(7)
    for n in range(documents):
        text = " ".join(chance.choice(("leaf", "stone", "river", "lantern", "harbour", "合同")) for _ in range(words))
        (folder / f"{n:05}.txt").write_text(f"document number{n} {text}", "utf-8")
    base = await knowledge.add("many", [folder], shared=True)
    local = await knowledge.add("near", [folder / "00000.txt"])
    await read(services, local)
    with pytest.raises(KnowledgeServerFailed):
        async for state in knowledge.read_anew(base.id):
            if state.read >= documents // 3 and postgres.is_up:
                postgres.kill()
    assert [Path(hit.path).name for hit in await knowledge.search([local.id, base.id], "number0")] == ["00000.txt"]
    assert isinstance(knowledge.fault, KnowledgeServerFailed), "the base of this computer is searched, and it is said"
    with pytest.raises(KnowledgeServerFailed):
        await knowledge.search([base.id], "number0")
    assert base.id in [one.id for one in await knowledge.bases()], "a server that is away takes no base away"
    postgres.start()
    tried = await shared(services).test()
    assert tried.ok, tried.text
    before = len(await _files(services, base))
    assert before >= documents // 4
    state = await read(services, base)
    assert (state.read, state.total, state.failed) == (documents - before, documents, ()), "what was stored is not read"
    assert sum(file.passages for file in await knowledge.files(base.id)) >= documents * (words // 120)
    for n in (0, documents // 3, documents - 1):
        assert [Path(hit.path).name for hit in await knowledge.search([base.id], f"number{n}")] == [f"{n:05}.txt"]
    await knowledge.remove(base.id)


async def _files(services: Services, base: KnowledgeBase) -> list[object]:
    return [file for file in await services.knowledge.files(base.id) if not file.error]


@pytest.mark.soak
async def test_K2_recall_of_the_labelled_set_on_the_server(
    services: Services, postgres: PostgresServer, tmp_path: Path
) -> None:
    await shared(services).set_address(postgres.address)
    questions = written(tmp_path / "documents")
    base = await services.knowledge.add("documents", [tmp_path / "documents"], shared=True)
    await read(services, base)
    missed = []
    for question in questions:
        hits = await services.knowledge.search([base.id], question.text, 5)
        right = ["".join(hit.passage.text.split()) for hit in hits if Path(hit.path).name == question.document]
        if not any("".join(question.answer.split()) in text for text in right):
            missed.append((question.text, question.document))
    await services.knowledge.remove(base.id)
    assert 1 - len(missed) / len(questions) >= 0.85, missed


async def test_bad_addresses_and_servers_get_a_sentence_and_no_password_is_kept_in_the_open(
    tmp_path: Path,
) -> None:
    services = build(tmp_path / "data", {"TRIPTYCH_OFFLINE": "1"})
    await services.open()
    try:
        server = shared(services)
        for bad in ("x", "http://h/db", "postgresql://", "postgresql://[::1/db", "postgresql://h:port/d", "a" * 2_000):
            with pytest.raises(BadInput):
                await server.set_address(bad)
        services.providers.key_storage.choose("session")
        await server.set_address("postgresql://ann:s3cr%40t@127.0.0.1:1/team?password=other&sslmode=disable")
        assert server.address == "postgresql://ann@127.0.0.1:1/team?sslmode=disable"
        assert await server.has_password()
        kept = b"".join(path.read_bytes() for path in (tmp_path / "data").rglob("*") if path.is_file())
        assert b"s3cr" not in kept
        await server.set_password("two words 密码@:/%")
        tried = await server.test()
        assert (tried.ok, "does not answer" in tried.text) == (False, True)
        await server.set_address("postgresql://ann@db.example:5432/team")
        assert not await server.has_password(), "a password is for one server and user"
        tried = await server.test()
        assert (tried.ok, "offline" in tried.text) == (False, True), tried.text
        with pytest.raises(TriptychError):
            await services.knowledge.add("team", [tmp_path], shared=True)
        assert await services.knowledge.bases() == []
        await server.set_address("")
        with pytest.raises(KnowledgeServerFailed):
            await services.knowledge.search(["server:team"], "x")
    finally:
        await services.close()


async def test_answers_on_a_server_are_kept_and_told_apart(postgres: PostgresServer, tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"turns": [{"content": "yes\x00 是"}], "repeat_last": True}), "utf-8")
    services = build(tmp_path / "data", {"TRIPTYCH_MODEL": f"script/{script.as_posix()}"})
    await services.open()
    batches = services.batches
    questions = [BatchQuestion(f"q{n}", f"question {n}", "assistant", "direct") for n in range(4)]
    store = batches.store_of(postgres.address, "first")
    assert await store.open(resumes=False) == {}
    async for answer in batches.run(questions, BatchOptions()):
        await store.add(answer)
        if answer.id == "q1":
            postgres.kill()  # what was taken before stays; the connection is made anew
            postgres.start()
    kept = await store.open(resumes=True)
    assert {id: one.answer.replace("\x00", "") for id, one in kept.items()} == {one.id: "yes 是" for one in questions}
    assert {one.mark for one in kept.values()} == {one.mark for one in questions}
    await store.add(replace(kept["q1"], answer="later"))
    await store.close()

    again = batches.store_of(postgres.address, "first")
    with pytest.raises(BadInput, match="holds answers already"):
        await again.open(resumes=False)
    assert (await again.open(resumes=True))["q1"].answer == "later"
    await again.close()
    other = batches.store_of(postgres.address, "second")
    assert await other.open(resumes=False) == {}
    await other.close()
    with pytest.raises(BadInput):
        batches.store_of("postgresql://", "x")
    await services.close()

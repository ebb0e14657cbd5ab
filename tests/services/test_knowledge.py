"""K2: folders become knowledge bases that are searched without any model, and follow what changes in them."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

import apsw
import pytest

from app.compose import build
from app.core.errors import BadInput, UnknownName
from app.core.run.events import Notice, ToolReturned
from app.core.sources import source_id, text_hash
from app.core.wording.notices import notice_text
from app.services.container import Services
from app.services.knowledge.importing import Progress
from app.storage.knowledge.file import _SCHEMA
from tests.fakes import call, of, says, scripted
from tests.knowledge.formats import make_text_pdf
from tests.services.conftest import Put
from tests.services.test_chat import ask


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    (folder / "sub").mkdir(parents=True)
    (folder / "leave.md").write_text("# 休假\n\n员工每年有 15 天年假。病假需要证明。\n", "utf-8")
    (folder / "sub" / "travel.txt").write_bytes("出差住宿标准：一线城市每晚不超过 600 元。".encode("gbk"))
    (folder / "garden.md").write_text("# Roses\n\nPrune roses in early March. Water them weekly.\n", "utf-8")
    (folder / "copy.md").write_text("# Roses\n\nPrune roses in early March. Water them weekly.\n", "utf-8")
    (folder / "broken.docx").write_bytes(b"no zip")
    (folder / "photo.jpg").write_bytes(b"\xff\xd8\xff")
    (folder / ".hidden.md").write_text("secret", "utf-8")
    return folder


async def read(services: Services, base: str) -> Progress:
    return [state async for state in services.knowledge.read_anew(base)][-1]


async def test_K2_a_folder_is_read_and_searched_in_both_languages(services: Services, folder: Path) -> None:
    base = await services.knowledge.add("papers", [folder])
    state = await read(services, base.id)
    assert (state.total, state.read, state.is_over) == (5, 4, True)
    assert [(Path(path).name, code) for path, code in state.failed] == [("broken.docx", "damaged")]
    questions = {
        "年假有几天？": "leave.md", "出差一晚能住多少钱的酒店": "travel.txt", "when do I prune my roses": "copy.md",
    }  # fmt: skip
    found = {query: await services.knowledge.search([base.id], query) for query in questions}
    assert {query: Path(hits[0].path).name for query, hits in found.items()} == questions
    assert len(found["when do I prune my roses"]) == 1, "its copy is no second hit"
    assert found["年假有几天？"][0].passage.heading == "休假"
    assert await services.knowledge.search([base.id], "secret") == []
    only = await services.knowledge.search([base.id], "600 元", folder=str(folder / "sub"))
    assert [Path(hit.path).name for hit in only] == ["travel.txt"]
    text, length = await services.knowledge.read([base.id], found["年假有几天？"][0].id, 0, 10)
    assert (text, length) == ("# 休假\n\n员工每年", 26)


async def test_K2_only_what_changed_is_read_again_and_what_is_gone_is_forgotten(
    services: Services, folder: Path
) -> None:
    base = await services.knowledge.add("papers", [folder])
    await read(services, base.id)
    assert (await read(services, base.id)).read == 0
    os.utime(folder / "garden.md", (1, 1))  # touched, not changed
    assert (await read(services, base.id)).read == 0
    (folder / "leave.md").write_text("# 休假\n\n员工每年有 20 天年假。\n", "utf-8")
    (folder / "garden.md").unlink()
    (folder / "copy.md").unlink()
    state = await read(services, base.id)
    assert (state.read, state.removed) == (1, 2)
    assert "20 天" in (await services.knowledge.search([base.id], "年假"))[0].passage.text
    assert await services.knowledge.search([base.id], "roses") == []
    await services.knowledge.remove("papers")
    assert await services.knowledge.search([base.id], "年假") == []
    assert (folder / "leave.md").exists()


async def test_K2_reading_can_be_broken_off_and_goes_on(services: Services, folder: Path) -> None:
    for n in range(30):
        (folder / f"note{n}.txt").write_text(f"note number {n} about lanterns", "utf-8")
    base = await services.knowledge.add("papers", [folder])
    reading = services.knowledge.read_anew(base.id)
    async for state in reading:
        if state.done == 12:
            break
    await reading.aclose()
    before = len([file for file in await services.knowledge.files(base.id) if not file.error])
    state = await read(services, base.id)
    assert before + state.read == 34
    assert len(await services.knowledge.files(base.id)) == 35


async def test_K2_an_agent_reads_only_its_own_bases(services: Services, answers: Put, folder: Path) -> None:
    base = await services.knowledge.add("papers", [folder])
    other = await services.knowledge.add("other", [folder / "garden.md"])
    await read(services, base.id)
    await read(services, other.id)
    answers(scripted(call("search_documents", query="年假"), call("search_documents", query="roses"), says("15.")))
    session = (await services.sessions.create("assistant")).id
    lines = await ask(services, session, "how long", mode="react", overrides={"knowledge": [other.id]}, approve="all")
    first, second = of(lines, ToolReturned)
    assert "15 天" not in first.text
    assert "Prune roses" in second.text
    model = scripted(says("no"))
    answers(model)
    await ask(services, session, "again", mode="react", overrides={"tools": {"*": "allow"}})
    assert "search_documents" not in [tool.name for tool in model.requests[0].tools]


async def test_K2_a_passage_is_cited_like_a_page(services: Services, answers: Put, folder: Path) -> None:
    base = await services.knowledge.add("papers", [folder])
    await read(services, base.id)
    passage = f"{folder / 'leave.md'}#0"
    source = source_id(f"document:leave.md?passage={text_hash(f'{passage} 0')[:8]}")
    note = {"claim": "年假有 15 天", "source_ids": [source]}
    answers(
        scripted(
            call("search_documents", query="年假"),
            call("note_finding", **note, quote="员工每年有 15 天年假"),
            call("note_finding", **note, quote="员工每年有 20 天年假"),
            call("read_document", doc_id=passage),
            says("15."),
        )
    )
    session = (await services.sessions.create("research")).id
    lines = await ask(services, session, "how long", mode="react", overrides={"knowledge": [base.id]}, approve="all")
    found, noted, refused, whole = of(lines, ToolReturned)
    assert source in found.text
    assert str(folder) not in source
    assert (noted.ok, refused.ok) == (True, False), "only what stands in the passage can be quoted"
    assert '"source"' in whole.text


async def test_bad_names_and_paths_get_a_sentence(services: Services, folder: Path) -> None:
    with pytest.raises(BadInput):
        await services.knowledge.add("x", [folder / "absent"])
    for work in (services.knowledge.remove("x"), services.knowledge.files("x")):
        with pytest.raises(UnknownName):
            await work
    first, second = await services.knowledge.add("资料", [folder]), await services.knowledge.add("文档", [folder])
    assert first.id != second.id
    hostile = ['"', "NEAR(", "* OR", "'; DROP TABLE file; --", "\x00", "", "？", "a" * 9_000]
    assert [await services.knowledge.search([first.id], query) for query in hostile] == [[]] * len(hostile)


async def test_K2_a_question_that_names_a_base_is_answered_from_it_alone(
    services: Services, answers: Put, folder: Path, tmp_path: Path
) -> None:
    garden = tmp_path / "garden"
    garden.mkdir()
    (garden / "roses.md").write_text("Prune roses in early March.", "utf-8")
    work = await services.knowledge.add("公司资料", [folder / "leave.md"])
    other = await services.knowledge.add("My garden", [garden])
    for base in (work, other):
        await read(services, base.id)
    assert [c.insert for c in await services.knowledge.completions("@gar")] == ["@My garden"]
    assert [c.insert for c in await services.knowledge.completions("")] == ["@My garden", "@公司资料"]
    named = {
        "@公司资料里年假几天": [work.id], "in @my garden, when": [other.id], f"@{other.id}?": [other.id],
        "write to bob@my garden": [], "@My gardens": [], "@": [], "@My garden @公司资料": [other.id, work.id],
    }  # fmt: skip
    assert {text: [base.id for base in await services.knowledge.named_in(text)] for text in named} == named

    model = scripted(call("search_documents", query="年假 roses"), says("March."))
    answers(model)
    session = (await services.sessions.create("assistant")).id
    lines = await ask(
        services, session, "@My garden: roses?", mode="auto", overrides={"knowledge": [work.id]}, approve="all"
    )
    (found,) = of(lines, ToolReturned)
    assert "Prune roses" in found.text
    assert "15 天" not in found.text
    assert "search_documents` looks in them" in model.requests[0].turns[-1].text


async def test_K2_a_watched_base_follows_its_folder_by_itself(services: Services, folder: Path) -> None:
    base = await services.knowledge.add("papers", [folder])
    await read(services, base.id)
    (folder / "new.md").write_text("The heron nests in April.", "utf-8")
    await services.knowledge.look_at_watched()
    assert await services.knowledge.search([base.id], "heron") == [], "off by default"
    await services.knowledge.watch(base.id, on=True)
    await services.knowledge.look_at_watched()
    assert [Path(hit.path).name for hit in await services.knowledge.search([base.id], "heron")] == ["new.md"]
    (folder / "new.md").unlink()
    (folder / "leave.md").write_text("员工每年有 21 天年假。", "utf-8")
    await services.knowledge.look_at_watched()
    assert await services.knowledge.search([base.id], "heron") == []
    assert "21 天" in (await services.knowledge.search([base.id], "年假"))[0].passage.text
    heard: list[str] = []
    services.knowledge.listen(heard.append)
    await services.knowledge.look_at_watched()
    assert heard == [], "nothing has changed, so nothing is read"


KILLED = """
import asyncio, os, sys
from pathlib import Path
from app.compose import build

async def main():
    services = build(Path(sys.argv[1]), {})
    await services.open()
    base = await services.knowledge.add("papers", [Path(sys.argv[2])])
    async for state in services.knowledge.read_anew(base.id):
        if state.done >= int(sys.argv[3]):
            os._exit(9)  # as by a kill: nothing is closed

asyncio.run(main())
"""


async def killed_import(tmp_path: Path, files: int, passages: int) -> None:
    """`files` of `passages` each; the program is killed when half is read."""
    folder, data = tmp_path / "many", tmp_path / "other-data"
    folder.mkdir()
    for n in range(files):
        text = "\n\n".join(f"Entry {n}-{m}: the lantern was cleaned. " + "It was dark. " * 55 for m in range(passages))
        (folder / f"{n:05}.txt").write_text(text, "utf-8")
    command = [sys.executable, "-c", KILLED, str(data), str(folder), str(files // 2)]
    process = await asyncio.create_subprocess_exec(*command)
    assert await process.wait() == 9
    services = build(data, {})
    await services.open()
    try:
        before = len(await services.knowledge.files("papers"))
        assert files // 2 <= before + 100
        state = await read(services, "papers")
        assert (state.total, state.read, state.failed) == (files, files - before, ())
        stored = await services.knowledge.files("papers")
        assert len(stored) == files
        assert min(file.passages for file in stored) >= passages
        assert len(await services.knowledge.search(["papers"], f"{files - 1}-{passages - 1} lantern", 1)) == 1
    finally:
        await services.close()


async def test_K2_an_import_that_was_killed_goes_on(tmp_path: Path) -> None:
    await killed_import(tmp_path, 120, 2)


@pytest.mark.soak
async def test_K2_an_import_of_100_000_passages_that_was_killed_goes_on(tmp_path: Path) -> None:
    await killed_import(tmp_path, 5_000, 20)


async def test_K2_a_passage_is_shown_where_it_stands(services: Services, tmp_path: Path) -> None:
    folder = tmp_path / "manuals"
    folder.mkdir()
    pages = [
        "Error E18: the drain pump is blocked. Open the flap at the bottom right. Remove foreign objects.",
        "Error E23: water in the base. Close the tap and call service. The wool cycle spins at 600 turns.",
    ]
    make_text_pdf(folder / "washer.pdf", pages)
    parts = [f"Chapter {n}. " + f"Word{n} " * 120 for n in range(5)]
    (folder / "book.txt").write_text("\n\n".join(parts), "utf-8")
    base = await services.knowledge.add("manuals", [folder])
    await read(services, base.id)
    (hit,) = await services.knowledge.search([base.id], "how fast does wool spin", 1)
    shown = await services.knowledge.show(hit.base, hit.path, hit.place, "how fast does wool spin")
    assert (shown.name, shown.passage.page) == ("washer.pdf", 2)
    assert shown.line.replace("\n", "") == "The wool cycle spins at 600 turns."
    assert shown.picture is not None
    assert len(shown.picture.pixels) == shown.picture.width * shown.picture.height * 4
    (first, *_more) = shown.picture.boxes
    assert 0 < first[1] < first[3] < shown.picture.height / 2
    assert any(pixel != 255 for pixel in shown.picture.pixels[::4]), "the page is not empty"
    (hit,) = await services.knowledge.search([base.id], "word3", 1)
    shown = await services.knowledge.show(hit.base, hit.path, hit.place)
    assert shown.picture is None
    assert "Word2" in shown.before + shown.passage.text
    (folder / "washer.pdf").write_bytes(b"%PDF-1.4 no more")
    (hit,) = await services.knowledge.search([base.id], "wool", 1)
    shown = await services.knowledge.show(hit.base, hit.path, hit.place)
    assert (shown.is_stale, shown.picture) == (True, None)
    assert "The wool cycle" in shown.passage.text


async def test_K2_a_file_of_an_earlier_version_is_brought_up_and_a_damaged_one_put_aside(
    tmp_path: Path, folder: Path
) -> None:
    (tmp_path / "data").mkdir()
    path = tmp_path / "data" / "knowledge.db"
    old = apsw.Connection(str(path))
    old.execute(_SCHEMA).fetchall()
    old.execute("INSERT INTO base VALUES ('papers', 'papers', ?, 1.0)", (json.dumps([str(folder)]),))
    old.execute("PRAGMA user_version = 1")
    old.close()
    services = build(tmp_path / "data", {})
    await services.open()
    try:
        (base,) = await services.knowledge.bases()
        assert (base.name, base.sources, base.watched) == ("papers", (str(folder),), False)
        assert (await read(services, base.id)).read == 4
    finally:
        await services.close()
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    path.write_bytes(b"no database at all " * 1_000)
    services = build(tmp_path / "data", {})
    await services.open()
    try:
        assert await services.knowledge.bases() == []
        base = await services.knowledge.add("papers", [folder])
        assert (await read(services, base.id)).read == 4
        assert (tmp_path / "data" / "knowledge.db.damaged").read_bytes().startswith(b"no database")
        assert "knowledge_reset" in [notice.code for notice in services.settings.notices()]
    finally:
        await services.close()


async def test_K2_a_name_no_base_has_is_said_in_one_sentence(services: Services, answers: Put, folder: Path) -> None:
    answers(scripted(says("Fine.")))
    session = (await services.sessions.create("assistant")).id

    async def said(question: str) -> list[str]:
        lines = await ask(services, session, question, mode="react")
        return [notice_text(one.code, "", one.params) for one in of(lines, Notice) if one.code == "base_unknown"]

    assert await said("@nobody: how much leave?") == [], "without a base an @ is an @"
    await services.knowledge.add("papers", [folder])
    (sentence,) = await said("@nobody and @papers: how much leave? 请问 @没有的库 呢")
    assert sentence == "No knowledge base is called @nobody, @没有的库. There are: @papers."
    for other in (
        "@papers how much?", "ann@papers.example", "3 @ 5", "`@dataclass` here", "```\n@media x\n```", "@app.route(x)",
        "npm i @scope/pkg", "@property()", "a picture @2x", "@papers，还有多少",
    ):  # fmt: skip
        assert await said(other) == [], other


async def test_K2_a_base_named_in_a_mode_without_tools_is_told(services: Services, answers: Put, folder: Path) -> None:
    await services.knowledge.add("papers", [folder])
    told = {}
    for mode in ("direct", "react"):
        model = scripted(says("15 days."))
        answers(model)
        session = (await services.sessions.create("assistant")).id
        lines = await ask(services, session, "@papers: how much leave?", mode=mode)
        told[mode] = [line.params["names"] for line in of(lines, Notice) if line.code == "bases_unread"]
        assert ("search_documents` looks in them" in model.requests[0].turns[-1].text) == (mode == "react")
    assert told == {"direct": ["@papers"], "react": []}

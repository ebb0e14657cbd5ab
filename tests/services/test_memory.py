"""K1: facts are proposed, kept, recalled, superseded and forgotten, and the person sees what was used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.core.errors import BadInput, UnknownName
from app.core.memory import MemoryFact
from app.core.run.chat_model import UserTurn
from app.core.run.events import Notice, ToolReturned
from app.memory.statements import statements
from app.services.container import Services
from app.services.memory.service import MOST_SENT
from app.services.providers.entries import ProviderEntry
from tests.fakes import call, of, says, scripted
from tests.knowledge.vector_server import vector_server
from tests.services.conftest import Put
from tests.services.test_chat import ask

ROWS = [
    line.split("\t")
    for line in (Path(__file__).parents[1] / "data" / "memory" / "facts.tsv").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
ON = {"memory": True}


async def fill(services: Services, agent: str = "assistant") -> dict[str, str]:
    """Ids by text."""
    ids = {}
    for row in ROWS:
        fact = await services.memory.add(agent, row[0])
        assert fact is not None, row
        ids[row[0]] = fact.id
    return ids


async def test_K1_nine_of_ten_questions_find_their_fact_among_two_hundred(services: Services) -> None:
    await fill(services)
    questions = [(row[0], row[1]) for row in ROWS if len(row) > 1]
    assert len(ROWS) == 200
    assert len(questions) == 60
    missed = await _missed(services, questions)
    assert len(missed) <= 6, missed
    with vector_server() as server:
        await services.providers.save_provider(ProviderEntry("near", "", "", server.address, needs_key=False))
        for blind in (False, True):
            server.is_blind = blind
            await services.knowledge.models.set(embedding=f"near/{blind}")
            missed = await _missed(services, questions[blind::2])
            assert len(missed) <= 3, f"a model that knows little takes nothing away: {missed}"


async def _missed(services: Services, questions: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [
        (question, fact)
        for fact, question in questions
        if fact not in [one.fact.text for one in await services.memory.recall("assistant", question, 15)]
    ]


async def test_K1_a_fact_that_no_longer_holds_is_never_recalled(services: Services) -> None:
    first = await services.memory.add("assistant", "我住在杭州", about="home")
    second = await services.memory.add("assistant", "我搬到苏州了", about="home")
    assert first is not None
    assert second is not None
    for query in ("我住在哪", "杭州", "home", ""):
        texts = [one.fact.text for one in await services.memory.recall("assistant", query, 15)]
        assert texts == ["我搬到苏州了"], query
    stored = {fact.id: fact for fact in await services.memory.facts("assistant")}
    assert stored[first.id].valid_to is not None
    assert stored[second.id].replaces == first.id


async def test_K1_a_statement_waits_for_the_person_and_is_not_proposed_twice(services: Services, answers: Put) -> None:
    answers(scripted(says("Noted.")))
    session = (await services.sessions.create("assistant")).id
    await ask(services, session, "I'm allergic to nuts. Where can I eat?", mode="direct", overrides=ON)
    (proposed,) = await services.memory.facts("assistant", state="proposed")
    assert (proposed.text, proposed.session) == ("I'm allergic to nuts", session)
    assert await services.memory.recall("assistant", "nuts", 15) == []
    await services.memory.reject(proposed.id)
    answers(scripted(says("Noted.")))
    await ask(services, session, "I'm allergic to nuts!", mode="direct", overrides=ON)
    assert await services.memory.facts("assistant", state="proposed") == []
    await services.memory.keep(proposed.id)
    assert [one.fact.text for one in await services.memory.recall("assistant", "nuts", 15)] == ["I'm allergic to nuts"]


async def test_K1_the_question_carries_what_fits_and_the_person_sees_it(services: Services, answers: Put) -> None:
    await services.memory.add("assistant", "I am allergic to peanuts")
    await services.memory.add("travel", "I love noodles with peanuts")
    model = scripted(says("Rice."))
    answers(model)
    session = (await services.sessions.create("assistant")).id
    lines = await ask(services, session, "What can I eat?", mode="direct", overrides=ON)
    asked = [turn.text for turn in model.requests[0].turns if isinstance(turn, UserTurn)][-1]
    assert "I am allergic to peanuts" in asked
    assert "noodles" not in asked  # of another agent
    (notice,) = [one for one in of(lines, Notice) if one.code == "memory_used"]
    assert notice.params["facts"] == "I am allergic to peanuts"
    stored = (await services.sessions.messages(session))[0]
    assert stored.text == "What can I eat?"  # what was typed stays what was typed


@pytest.mark.parametrize("how", ["off", "temporary"])
async def test_K1_no_memory_where_it_is_off_or_the_chat_is_temporary(
    services: Services, answers: Put, how: str
) -> None:
    await services.memory.add("assistant", "I am allergic to peanuts")
    model = scripted(call("fetch_memory", query="peanuts"), says("I do not know."))
    answers(model)
    session = (await services.sessions.create("assistant", temporary=how == "temporary")).id
    overrides = {"tools": {"*": "allow"}} | (ON if how == "temporary" else {})
    lines = await ask(services, session, "What can I eat? I live in Rome.", mode="react", overrides=overrides)
    assert all("peanuts" not in str(turn) for turn in model.requests[0].turns)
    assert "fetch_memory" not in [tool.name for tool in model.requests[0].tools]
    assert all(not returned.ok for returned in of(lines, ToolReturned))
    assert await services.memory.facts("assistant", state="proposed") == []


async def test_K1_a_model_looks_up_and_proposes(services: Services, answers: Put) -> None:
    known = await services.memory.add("assistant", "I live in Bern", about="home")
    assert known is not None
    answers(
        scripted(
            call("fetch_memory", query="where do I live"),
            call("remember", text="Lives in Basel", about="home"),
            says("Basel it is."),
        )
    )
    session = (await services.sessions.create("assistant")).id
    lines = await ask(services, session, "hello", mode="react", overrides=ON, approve="all")
    found, proposed = of(lines, ToolReturned)
    assert "I live in Bern" in found.text
    assert proposed.ok
    (waiting,) = await services.memory.facts("assistant", state="proposed")
    assert (waiting.text, waiting.replaces, waiting.session) == ("Lives in Basel", known.id, session)
    await services.memory.keep(waiting.id)
    assert [one.fact.text for one in await services.memory.recall("assistant", "home", 5)] == ["Lives in Basel"]


async def test_K1_forgetting_leaves_no_word_in_the_file(services: Services) -> None:
    fact = await services.memory.add("assistant", "the codeword is quetzalcoatlus")
    assert fact is not None
    await services.memory.edit(fact.id, "the codeword is quetzalcoatlus indeed")
    await services.memory.forget(fact.id)
    assert await services.memory.recall("assistant", "quetzalcoatlus", 5) == []
    with pytest.raises(UnknownName):
        await services.memory.keep(fact.id)
    await services.memory.add("assistant", "one")
    await services.memory.add("travel", "two")
    assert await services.memory.forget_all("assistant") == 1
    assert [entry["text"] for entry in json.loads(await services.memory.export())] == ["two"]


async def test_bad_facts_get_a_sentence_and_change_nothing(services: Services) -> None:
    for text in ("", "   ", "\u200b", "x" * 501):
        with pytest.raises(BadInput):
            await services.memory.add("assistant", text)
    hostile = ['"', "a OR b NEAR(", "*", "NOT", "-", "'; DROP TABLE fact; --", "\x00", "（）", "。", "a" * 5_000]
    await services.memory.add("assistant", "plain")
    for query in hostile:
        await services.memory.recall("assistant", query, 5)
    assert [fact.text for fact in await services.memory.facts("assistant")] == ["plain"]


async def test_what_goes_with_a_question_is_bounded(services: Services) -> None:
    for n in range(40):
        await services.memory.add("assistant", f"food fact {n}: " + "I eat rice " * 20)
    profile = services.settings.profile("assistant").model_copy(update={"memory": True, "memory_limit": 100})
    sent = await services.memory.for_question(profile, "what food do I eat, rice?")
    assert sent.facts
    assert len(sent.text) <= MOST_SENT


async def test_rules_decide_what_is_kept_at_once(services: Services) -> None:
    profile = services.settings.profile("assistant").model_copy(update={"memory": True})
    expected = {"ask": [], "requests": ["my flight is on Friday"], "auto": ["I like tea", "my flight is on Friday"]}
    for rule, kept in expected.items():
        await services.memory.forget_all("assistant")
        await services.settings.save_profile(profile.model_copy(update={"memory_confirm": rule}))
        await services.memory.propose_from(profile, "I like tea. Remember that my flight is on Friday", "")
        assert sorted(fact.text for fact in await services.memory.facts("assistant", state="kept")) == kept, rule


def test_only_statements_about_the_person_are_proposed() -> None:
    said = {
        "我对花生过敏，推荐一家餐厅": ["我对花生过敏，推荐一家餐厅"],
        "请记住：周五之前不要打扰我": ["周五之前不要打扰我"],
        "My daughter is 7 and loves trains. What should we see?": ["My daughter is 7 and loves trains"],
        "i've moved to Oslo!": ["i've moved to Oslo"],
        "以后都用中文回答。": ["以后都用中文回答"],
        "从现在起请简短一点": ["从现在起请简短一点"],
    }
    silent = [
        "杭州三日游", "我喜欢什么？", "Do I like tea?", "What is my name?", "我住在哪里", "translate: I like tea" * 60,
        "Write a poem in which someone says so", "我该怎么办", "fix this code", "My code does not work?", "",
    ]  # fmt: skip
    wrong = {
        text: found for text, expected in said.items() if (found := [s.text for s in statements(text)]) != expected
    }
    wrong |= {text[:40]: found for text in silent if (found := [s.text for s in statements(text)])}
    assert wrong == {}


async def test_a_fact_in_a_temporary_chat_is_not_proposed(services: Services) -> None:
    assert await services.memory.propose(MemoryFact("", "assistant", "x y", session="temporary-1")) is None

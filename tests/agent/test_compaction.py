"""Compaction: pairs stay together, the question stays, it always comes to an end."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.agent.request.compaction import compact, size_of
from app.agent.request.history import repair
from app.core.errors import ContextOverflow
from app.core.run.chat_model import AssistantTurn, CallTurn, ModelTraits, ResultTurn, SystemTurn, Turn, UserTurn
from app.core.run.events import Compacted, Notice
from tests.fakes import AskedModel, calls, context, end_of, error_of, fails, of, run_mode, says, scripted


def batch(n: int, length: int) -> list[Turn]:
    return [AssistantTurn("", calls=(CallTurn(f"c{n}", "look", "{}", {}),)), ResultTurn(f"c{n}", "look", "x" * length)]


async def test_old_results_are_cleared_first_and_the_newest_two_batches_stay() -> None:
    ctx = context(scripted(says("unused")), settings={"context_limit": 10_000})
    for n in range(6):
        ctx.state.turns.extend(batch(n, 3_000))
    events = [event async for event in compact(ctx)]
    compacted = next(event for event in events if isinstance(event, Compacted))
    results = [turn for turn in ctx.state.turns if isinstance(turn, ResultTurn)]
    assert compacted.dropped == ("c0", "c1", "c2", "c3")
    assert results[0].text.startswith("[cleared to save room; was 3,000 characters")
    assert [len(turn.text) for turn in results[-2:]] == [3_000, 3_000]
    assert size_of(ctx.state.turns) < 8_000


async def test_what_clearing_cannot_save_is_summarised_and_question_and_first_task_stay() -> None:
    model = AskedModel(lambda request: "Goal: find x" if request.purpose == "summary" else "done")
    ctx = context(model, settings={"context_limit": 4_000}, history=[UserTurn("first task")])
    ctx.state.turns.insert(2, AssistantTurn("y" * 6_000))
    ctx.state.step = 10
    events = [event async for event in compact(ctx)]
    texts = [getattr(turn, "text", "") for turn in ctx.state.turns]
    assert any(isinstance(event, Compacted) for event in events)
    assert texts[1] == "first task"
    assert "Goal: find x" in texts[2]
    assert texts[-1] == "what is 1 + 2?"
    assert isinstance(ctx.state.turns[0], SystemTurn)


async def test_a_summary_that_fails_is_replaced_by_a_plain_list() -> None:
    ctx = context(scripted(fails("500")), settings={"context_limit": 4_000}, history=[UserTurn("first task")])
    ctx.state.turns.insert(2, AssistantTurn("remember the number 17. " + "y" * 6_000))
    ctx.state.step = 10
    _ = [event async for event in compact(ctx)]
    assert any("remember the number 17" in getattr(turn, "text", "") for turn in ctx.state.turns[2:])


async def test_what_cannot_shrink_raises_the_limit_and_says_so_instead_of_trying_for_ever() -> None:
    ctx = context(scripted(says("unused")), query="q" * 20_000, settings={"context_limit": 4_000})
    first = [event async for event in compact(ctx)]
    second = [event async for event in compact(ctx)]
    assert [event.code for event in first if isinstance(event, Notice)] == ["context_raised"]
    assert second == []


async def test_a_request_that_was_too_long_is_halved_and_sent_once_more() -> None:
    model = scripted(
        calls(("long_text", {"length": 3_900})),
        calls(("long_text", {"length": 3_800})),
        calls(("long_text", {"length": 3_700})),
        fails("context_overflow"),
        says("a summary"),
        says("it fits now"),
    )
    lines = await run_mode("react", model)
    assert end_of(lines).answer == "it fits now"
    assert len(of(lines, Compacted)) == 1


async def test_a_request_that_stays_too_long_is_an_error_and_not_a_loop() -> None:
    lines = await run_mode("react", scripted(fails("context_overflow"), fails("context_overflow")))
    assert error_of(lines).error.code == ContextOverflow.code


lengths = st.lists(st.integers(0, 9_000), min_size=1, max_size=12)


@given(lengths=lengths, limit=st.integers(4_000, 30_000), force=st.booleans())
async def test_pairs_are_never_split_and_the_question_is_never_lost(
    lengths: list[int], limit: int, force: bool
) -> None:
    ctx = context(AskedModel(lambda _request: "summary"), settings={"context_limit": limit})
    for n, length in enumerate(lengths):
        ctx.state.turns.extend(batch(n, length))
    ctx.state.step = 10
    _ = [event async for event in compact(ctx, force=force)]
    assert repair(ctx.state.turns) == repair(repair(ctx.state.turns))
    called = [call.id for turn in ctx.state.turns if isinstance(turn, AssistantTurn) for call in turn.calls]
    answered = [turn.call_id for turn in ctx.state.turns if isinstance(turn, ResultTurn)]
    assert called == answered
    assert sum("what is 1 + 2?" in turn.text for turn in ctx.state.turns if isinstance(turn, UserTurn)) == 1


async def test_what_a_program_is_told_is_never_shortened() -> None:
    class Program(AskedModel):
        @property
        def traits(self) -> ModelTraits:
            return ModelTraits(reads_everything=True)

    ctx = context(Program(lambda _: "unused"), settings={"context_limit": 4_000})
    for n in range(6):
        ctx.state.turns.extend(batch(n, 3_000))
    before = list(ctx.state.turns)
    assert [event async for event in compact(ctx)] == []
    assert ctx.state.turns == before

"""A session can always be continued: what is too long is left out, or one sentence names what cannot be."""

from __future__ import annotations

import random
from collections.abc import AsyncGenerator, Sequence

from app.agent.request.compaction import size_of
from app.core.errors import ContextOverflow, QuestionTooLong
from app.core.run.chat_model import AssistantTurn, CallTurn, ModelChunk, ModelRequest, ResultTurn, Turn, UserTurn
from app.core.run.events import Compacted
from tests.every import looped
from tests.fakes import AskedModel, end_of, error_of, of, run_mode

HUGE = "one line of a result\n" * 250_000
"""5 MB."""
LETTER = "a sentence of a long letter. " * 70_000
"""2 MB."""


class Narrow(AskedModel):
    """Reads so many characters of a conversation, and tells nobody."""

    def __init__(self, limit: int) -> None:
        super().__init__(lambda request: "a summary" if request.purpose == "summary" else "there it is")
        self.limit = limit
        self.refused = 0

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        if size_of(request.turns) > self.limit:
            self.refused += 1
            raise ContextOverflow("too long", status=400)
        async for chunk in super().stream(request):
            yield chunk


def looked_up(n: int, text: str) -> list[Turn]:
    return [AssistantTurn("", calls=(CallTurn(f"c{n}", "look", "{}", {}),)), ResultTurn(f"c{n}", "look", text)]


def talk(rng: random.Random, count: int, longest: int) -> list[Turn]:
    """Questions and answers, some with a call."""
    turns: list[Turn] = []
    for n in range(count // 2):
        turns.append(UserTurn(f"question {n} " + "w" * rng.randint(0, longest)))
        if rng.random() < 0.2:
            turns += looked_up(n, "r" * rng.randint(0, longest * 4))
        turns.append(AssistantTurn(f"answer {n} " + "v" * rng.randint(0, longest)))
    return turns


SESSIONS: dict[str, Sequence[Turn]] = {
    "huge results": [UserTurn("look at it all"), *(turn for n in range(20) for turn in looked_up(n, HUGE))],
    "3,000 messages": talk(random.Random(31), 3_000, 400),
    "a letter at first": [UserTurn(LETTER), AssistantTurn("a fine letter")],
    "a letter in between": [*talk(random.Random(1), 6, 300), UserTurn(LETTER), AssistantTurn(LETTER), UserTurn("hm")],
}


@looped("name", SESSIONS)
@looped("limit", [5_000, 100_000])
@looped("assumed", [40_000, 4_000_000])
async def test_R31_the_next_request_fits_whatever_came_before(name: str, limit: int, assumed: int) -> None:
    model = Narrow(limit)
    lines = await run_mode("react", model, history=SESSIONS[name], settings={"context_limit": assumed})

    assert end_of(lines).answer == "there it is"
    sent = model.requests[-1]
    assert size_of(sent.turns) <= limit
    assert isinstance(last := sent.turns[-1], UserTurn)
    assert "what is 1 + 2?" in last.text
    called = [call.id for turn in sent.turns if isinstance(turn, AssistantTurn) for call in turn.calls]
    assert called == [turn.call_id for turn in sent.turns if isinstance(turn, ResultTurn)]
    assert of(lines, Compacted), "the person is told that something was left out"
    assert model.refused <= 24


@looped("seed", range(20))
async def test_R31_any_session_goes_on_with_any_limit(seed: int) -> None:
    rng = random.Random(seed)
    history = talk(rng, rng.choice((2, 10, 60)), rng.choice((50, 5_000, 60_000)))
    model = Narrow(rng.randint(6_000, 60_000))
    lines = await run_mode("react", model, history=history, settings={"context_limit": 4_000_000})
    assert end_of(lines).answer == "there it is"
    assert size_of(model.requests[-1].turns) <= model.limit


async def test_R31_a_question_that_is_too_long_by_itself_is_named_and_the_next_one_goes_on() -> None:
    lines = await run_mode("react", Narrow(50_000), query=LETTER, history=talk(random.Random(3), 10, 300))
    error = error_of(lines).error
    assert error.code == QuestionTooLong.code
    assert error.params["length"] == f"{len(LETTER):,}"

    model = Narrow(50_000)
    lines = await run_mode("react", model, history=[UserTurn(LETTER)])
    assert end_of(lines).answer == "there it is"

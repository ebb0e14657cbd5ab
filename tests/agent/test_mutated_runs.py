"""R23: whole runs over providers that send damage. One typed outcome each, and the loop is never held up.

100 here with a fixed seed, 1,000 under `soak`. Damage is done to bytes, to the pieces they come in, and to time.
The beat counts work in floors of the same moment, so that a busy machine is no fault of ours.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.agent.run import Run
from app.core.run.events import LoopError
from app.core.run.outcome import UNFINISHED, outcome_of
from app.core.run.transcript import fold, replay
from app.providers.chat.openai_chat import ModelEndpoint, OpenAIChat, warm_up
from app.providers.http.timeouts import RequestTimeouts
from tests.fakes import MODES_BY_ID, Kit, context, events, finish
from tests.floor import SLACK, TRIES, Beats, floor
from tests.rigs.fault_server import EVENT_STREAM, Exchange, FaultServer
from tests.rigs.mutants import mutants
from tests.rigs.replay import own_streams

STREAMS = [data for _, data, _ in own_streams(Path(__file__).resolve().parents[1] / "data" / "streams")]
LIMITS = RequestTimeouts(connect=2.0, first_byte=0.25, bytes=0.25, content=0.25, total=2.0, rest=0.1)


def damaging(rng: random.Random, damaged: Iterator[bytes]) -> Any:
    async def scenario(exchange: Exchange) -> None:
        data = next(damaged)
        kind = rng.choice([EVENT_STREAM] * 8 + ["text/html", "application/json", "text/plain"])
        status = rng.choice([200] * 12 + [429, 500, 503, 400, 204])
        await exchange.head(status, kind, chunked=rng.random() < 0.3)
        size = rng.choice([1, 3, 17, 200, 5_000, 10**9])
        pieces = [data[at : at + size] for at in range(0, len(data), size)]
        slow = set(rng.sample(range(len(pieces)), min(2, len(pieces)))) if rng.random() < 0.3 else set()
        for n, piece in enumerate(pieces[:2_000]):
            if n in slow:
                await asyncio.sleep(rng.choice([0.0, 0.01, 0.05]))
            await exchange.send(piece)
        ending = rng.random()
        if ending < 0.05:
            exchange.reset()
        elif ending < 0.06:
            await exchange.until_gone()

    return scenario


async def _runs(count: int, seed: int) -> Beats:
    rng = random.Random(seed)
    warm_up()
    async with FaultServer(damaging(rng, mutants(STREAMS, count * 50, seed))) as server, Beats() as beats:
        for n in range(count):
            model = OpenAIChat(ModelEndpoint("test", server.base_url, "sk-test-0123456789abc"), "m", limits=LIMITS)
            kit = Kit()
            kit.gate.set()
            settings = {"max_steps": 3, "max_retries": 1, "enable_reflection": rng.random() < 0.3}
            mode = MODES_BY_ID[rng.choice(["react", "react", "plan", "direct"])]
            run = Run(context(model, kit.tools, settings=settings), mode).start()
            lines = await asyncio.wait_for(finish(run), 90)
            await model.aclose()
            end = lines[-1].event
            assert not (isinstance(end, LoopError) and end.reason == "internal"), (seed, n, end)
            message = fold(events(lines), "m")
            assert message.state not in UNFINISHED
            assert outcome_of(message.end).state == message.state if message.end else False
            assert fold(replay(message), "m") == message
    return beats


async def test_R23_runs_over_damaged_streams_end_in_one_typed_outcome() -> None:
    """50 ms between nearly all beats and 250 between any two, on a machine on which a floor takes 5."""
    for attempt in range(1, TRIES + 1):
        limit = SLACK * floor()
        beats = await _runs(100, 23)
        if beats.worked(0.99) <= 10 * limit and beats.worked() <= 50 * limit:
            return
        assert attempt < TRIES, (beats.worked(0.99) / limit, beats.worked() / limit)


@pytest.mark.soak
@pytest.mark.timeout(3600)
async def test_R23_a_thousand_runs_over_damaged_streams_end_in_one_typed_outcome() -> None:
    limit = floor()
    beats = await _runs(1_000, 2_300)
    assert beats.worked(0.99) <= 10 * limit
    assert beats.worked() <= 50 * limit

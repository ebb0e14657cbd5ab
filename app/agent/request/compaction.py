"""Shortens a conversation that does not fit: clears old tool results, summarises the head, cuts what is too long.

Only the turns of this run change; stored messages do not. A call and its result are kept or dropped together; the
first task, the current question and the newest results stay. If compaction does not shrink the conversation, the
limit is raised for this run and a notice says so. A summary that fails is replaced by a list.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace

from app.core.errors import ModelError
from app.core.run.chat_model import (
    AssistantTurn,
    Finished,
    ModelRequest,
    ResultTurn,
    SystemTurn,
    TextDelta,
    Turn,
    UserTurn,
)
from app.core.run.events import Compacted, Notice, RunEvent

from ..context import RunContext
from ..policy.truncation import cut
from . import prompts
from .model_request import ask

CLEAR_TO = 0.7
"""Share of the limit that clearing aims at."""
KEEP_BATCHES = 2
"""The newest batches of results that clearing leaves alone."""
TAIL_SHARE = 0.5
"""Share of the limit that the newest turns may keep when the head is summarised."""
SUMMARY_EVERY = 4
"""Steps between two summaries."""
WORTH_IT = 0.15
"""A compaction that saves less has failed."""
CLEARED_HEAD = 200
SUMMARY_LENGTH = 3_000
SUMMARY_INPUT = 2_000
"""Characters of one turn the summary is made from."""
SHORTEST = 600
"""Characters a turn that is cut keeps at least."""

Group = list[Turn]
"""Turns that go or stay together: a user turn, or a message with its results."""


async def compact(ctx: RunContext, *, force: bool = False) -> AsyncGenerator[RunEvent, None]:
    """Before a request. `force`: the provider says it is too long, so to half of what it is."""
    if ctx.traits.reads_everything:
        return
    state = ctx.state.compaction
    before = size_of(ctx.state.turns)
    limit = before // 2 if force else state.limit or ctx.traits.shortened_above(ctx.request.profile.context_limit)
    if before <= limit:
        return
    dropped = _clear_old_results(ctx.state.turns, int(limit * CLEAR_TO))
    if size_of(ctx.state.turns) > limit and (force or ctx.state.step - state.summarised_at >= SUMMARY_EVERY):
        state.summarised_at = ctx.state.step
        dropped += await _summarise(ctx, limit)
        dropped += _cut_long_turns(ctx.state.turns, limit, all_of_them=force)
    after = size_of(ctx.state.turns)
    if dropped:
        yield Compacted(before, after, tuple(dropped))
    if not force and (after > limit or before - after < before * WORTH_IT):
        state.limit = int(max(after, limit) * 1.5)
        yield Notice("context_raised", "the conversation cannot be shortened further", {"limit": state.limit})


def longest_question(turns: Sequence[Turn]) -> int:
    """The length of what was asked last, if it is most of the conversation and so cannot be helped; else 0."""
    place = _question(turns)
    length = _length(turns[place]) if place is not None else 0
    return length if length >= max(size_of(turns) // 2, SHORTEST) else 0


def size_of(turns: Sequence[Turn]) -> int:
    """Characters a request carries, without the system prompt."""
    return sum(_length(turn) for turn in turns)


def _length(turn: Turn) -> int:
    match turn:
        case SystemTurn():
            return 0
        case AssistantTurn(text, reasoning, calls):
            return len(text) + len(reasoning) + sum(len(call.name) + len(call.args_text) for call in calls)
        case UserTurn(text) | ResultTurn(_, _, text):
            return len(text)


# ---------------------------------------------------------------- stage 1


def _clear_old_results(turns: list[Turn], target: int) -> list[str]:
    """Oldest first, in place, until `target` is reached; returns the ids of the cleared calls."""
    batches = [n for n, turn in enumerate(turns) if isinstance(turn, AssistantTurn) and turn.calls]
    border = batches[-KEEP_BATCHES] if len(batches) > KEEP_BATCHES else 0
    cleared: list[str] = []
    size = size_of(turns)
    for place in range(border):
        if size <= target:
            break
        turn = turns[place]
        if isinstance(turn, AssistantTurn) and turn.reasoning and not turn.echo:
            turns[place] = replace(turn, reasoning="")
            size -= len(turn.reasoning)
        elif isinstance(turn, ResultTurn) and len(turn.text) > CLEARED_HEAD * 2:
            short = prompts.cleared_result(turn.text[:CLEARED_HEAD], len(turn.text))
            turns[place] = replace(turn, text=short, data=None)
            size -= len(turn.text) - len(short)
            cleared.append(turn.call_id)
    return cleared


# ---------------------------------------------------------------- stage 2


async def _summarise(ctx: RunContext, limit: int) -> list[str]:
    """Replace the head by a summary, in place; returns what was dropped, one word each."""
    system = [turn for turn in ctx.state.turns if isinstance(turn, SystemTurn)]
    groups = _groups(ctx.state.turns)
    users = [n for n, group in enumerate(groups) if isinstance(group[0], UserTurn)]
    if not users:
        return []
    keep = {users[0], users[-1]} | _tail(groups, int(limit * TAIL_SHARE))
    head = [group for n, group in enumerate(groups) if n not in keep]
    if not head:
        return []
    note = UserTurn(prompts.summary_note(await _summary(ctx, head, limit)))
    rest = [turn for n, group in enumerate(groups) if n in keep and n != users[0] for turn in group]
    ctx.state.turns[:] = [*system, *groups[users[0]], note, *rest]
    return [f"{sum(len(group) for group in head)} turns"]


def _groups(turns: Sequence[Turn]) -> list[Group]:
    groups: list[Group] = []
    for turn in turns:
        if isinstance(turn, SystemTurn):
            continue
        if isinstance(turn, ResultTurn) and groups:
            groups[-1].append(turn)
        else:
            groups.append([turn])
    return groups


def _tail(groups: Sequence[Group], room: int) -> set[int]:
    """The newest groups that fit; the last one always."""
    kept: set[int] = set()
    used = 0
    for n in range(len(groups) - 1, -1, -1):
        used += size_of(groups[n])
        if kept and used > room:
            break
        kept.add(n)
    return kept


async def _summary(ctx: RunContext, head: Sequence[Group], limit: int) -> str:
    """By the model itself, from at most `limit` characters; if that fails, a list of what was there."""
    text = cut("\n\n".join(_told(turn) for group in head for turn in group), limit)
    request = ModelRequest([UserTurn(prompts.summary_request(text, SUMMARY_LENGTH))], purpose="summary")
    summary = ""
    try:
        async with aclosing(ask(ctx, request)) as chunks:
            async for chunk in chunks:
                if isinstance(chunk, TextDelta):
                    summary += chunk.text
                elif isinstance(chunk, Finished):
                    summary = chunk.turn.text or summary
                    if chunk.usage is not None:
                        ctx.book(chunk.usage)
    except ModelError:
        summary = ""
    return summary.strip()[:SUMMARY_LENGTH] or _plain_summary(head)


def _plain_summary(head: Sequence[Group]) -> str:
    lines = [line for group in head for turn in group if (line := _told(turn, 160).replace("\n", " "))]
    return "\n".join(f"- {line}" for line in lines)[:SUMMARY_LENGTH]


def _told(turn: Turn, length: int = SUMMARY_INPUT) -> str:
    match turn:
        case UserTurn(text):
            return f"user: {text[:length]}"
        case AssistantTurn(text, _reasoning, calls):
            called = "; ".join(f"{call.name} {call.args_text[:200]}" for call in calls)
            return f"assistant: {text[:length]}" + (f" [calls {called}]" if called else "")
        case ResultTurn(_id, name, text):
            return f"result of {name}: {text[:length]}"
        case SystemTurn():
            return ""


# ---------------------------------------------------------------- stage 3


def _cut_long_turns(turns: list[Turn], target: int, *, all_of_them: bool) -> list[str]:
    """The longest first, in place, until `target` is reached; returns what was cut, one word each.

    What was asked last stays whole, and, unless `all_of_them`, everything behind it.
    """
    question = _question(turns)
    last = len(turns) if all_of_them or question is None else question
    sizes = {
        n: len(turn.text)
        for n, turn in enumerate(turns[:last])
        if n != question and not isinstance(turn, SystemTurn) and not (isinstance(turn, AssistantTurn) and turn.echo)
    }
    size, done = size_of(turns), 0
    for n in sorted(sizes, key=lambda n: -sizes[n]):
        if size <= target or sizes[n] <= SHORTEST:
            break
        turn = turns[n]
        text = cut(turn.text, max(SHORTEST, sizes[n] - (size - target)))
        turns[n] = replace(turn, text=text, data=None) if isinstance(turn, ResultTurn) else replace(turn, text=text)
        size -= sizes[n] - len(text)
        done += 1
    return [f"{done} long turns"] if done else []


def _question(turns: Sequence[Turn]) -> int | None:
    return next((n for n in range(len(turns) - 1, -1, -1) if isinstance(turns[n], UserTurn)), None)

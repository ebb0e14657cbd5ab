"""The conversation as a request needs it: stored messages to turns, and the repair of turns.

`repair` is a pure, ordered, idempotent pass: afterwards every tool call has exactly one result
directly behind its message, every result has its call, ids are unique, and nothing else moved.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from app.core.run.chat_model import AssistantTurn, CallTurn, ResultTurn, Turn, UserTurn
from app.core.run.events import Steered, StepEnd, ToolReturned, Understood
from app.core.run.messages import Attachment, Call, Fact, Message, Reasoning, Text
from app.core.run.mode import ACTION
from app.core.tools.tool import canonical_args

from .prompts import PRESSED, framed

NO_RESULT = "no result: the call was interrupted"

LEFT_OUT = "(left out by the person)"


def turns_of(
    messages: Iterable[Message], *, images: Mapping[str, str] | None = None, left_out: Collection[str] = ()
) -> list[Turn]:
    """What a session has said so far, over all modes.

    `images` are `data:` URLs by the reference of the attachment. `left_out` are ids of messages and calls and
    references of files that the person does not want sent: a call stays, its result is a short remark. An answer
    whose question is left out follows a remark too, since many servers want somebody to have asked.
    """
    turns: list[Turn] = []
    for message in messages:
        if message.id in left_out:
            continue
        if message.role == "user":
            turns.append(_user_turn(message, images or {}, left_out))
            continue
        if message.start is not None and message.start.mode == ACTION:
            turns.extend(_pressed(message, left_out))
            continue
        new_turns = _run_turns(message, left_out)
        if left_out and new_turns and (not turns or isinstance(turns[-1], AssistantTurn | ResultTurn)):
            turns.append(UserTurn(LEFT_OUT))
        turns.extend(new_turns)
    return turns


def unsure_calls(messages: Iterable[Message]) -> set[tuple[str, str]]:
    """Name and arguments of the calls whose outcome nobody knows, and that nobody has made again since."""
    found: set[tuple[str, str]] = set()
    for message in messages:
        for part in message.parts:
            if isinstance(part, Call) and part.result is not None:
                key = (part.call.name, canonical_args(part.call.args))
                if part.result.status == "unknown":
                    found.add(key)
                elif part.result.ok:
                    found.discard(key)
    return found


def _user_turn(message: Message, images: Mapping[str, str], left_out: Collection[str]) -> UserTurn:
    files = [part for part in message.parts if isinstance(part, Attachment)]
    texts, seen = [message.text], []
    for file in files:
        if file.ref in left_out:
            texts.append(f"[File {file.name}] {LEFT_OUT}")
        elif file.text:
            text = framed(file.text, file.origin, f"{message.id} {file.name}") if file.origin else file.text
            texts.append(f"[File {file.name}]\n{text}")
        elif file.ref in images:
            seen.append(images[file.ref])
            texts.append(f"[Image {file.name}]")
        else:
            texts.append(f"[File {file.name}: its content cannot be sent]")
    return UserTurn("\n\n".join(texts), tuple(seen))


def _pressed(message: Message, left_out: Collection[str]) -> list[Turn]:
    """One line about what the person did by a button of a card: they acted, no model did."""
    call = next((part for part in message.parts if isinstance(part, Call)), None)
    if message.start is None or call is None or call.call.id in left_out:
        return []
    result = call.result
    outcome = "nobody knows whether it was done" if result is None else result.summary if result.ok else "it failed"
    outcome = " ".join(outcome.split())
    if result is not None and result.untrusted:
        outcome = framed(outcome, call.call.name, message.run or message.id)
    words = PRESSED.format(label=message.start.query, tool=call.call.name, outcome=outcome)
    return [UserTurn(words)]


def _run_turns(message: Message, left_out: Collection[str]) -> list[Turn]:
    """One assistant turn for each step of the run, with the results of its calls."""
    turns: list[Turn] = []
    for parts in _by_step(message):
        text = "".join(part.text for part in parts if isinstance(part, Text))
        reasoning = "".join(part.text for part in parts if isinstance(part, Reasoning))
        calls = [part for part in parts if isinstance(part, Call)]
        echo = next((p.event.echo for p in parts if isinstance(p, Fact) and isinstance(p.event, StepEnd)), None)
        turns.extend(UserTurn(p.event.text) for p in parts if isinstance(p, Fact) and isinstance(p.event, Steered))
        if not text and not calls:
            continue
        turns.append(AssistantTurn(text, reasoning, tuple(_call_turn(part) for part in calls), echo))
        key = message.run or message.id
        turns.extend(_result_turn(part.result, key, left_out) for part in calls if part.result is not None)
    facts = (part.event for part in message.parts if isinstance(part, Fact))
    if states := [event.state for event in facts if isinstance(event, Understood)]:
        turns = [replace(turn, understood=states[-1]) if isinstance(turn, AssistantTurn) else turn for turn in turns]
    return turns


def _result_turn(result: ToolReturned, key: str, left_out: Collection[str]) -> ResultTurn:
    if result.id in left_out:
        return ResultTurn(result.id, result.name, LEFT_OUT)
    text = framed(result.text, result.name, key) if result.untrusted else result.text
    return ResultTurn(result.id, result.name, text, not result.ok)


def _by_step(message: Message) -> list[list[Text | Reasoning | Call | Fact]]:
    steps: dict[int, list[Text | Reasoning | Call | Fact]] = {}
    for part in message.parts:
        if isinstance(part, Text | Reasoning):
            steps.setdefault(part.step, []).append(part)
        elif isinstance(part, Call):
            steps.setdefault(part.call.step, []).append(part)
        elif isinstance(part, Fact) and isinstance(part.event, StepEnd | Steered):
            steps.setdefault(part.event.step, []).append(part)
    return [steps[number] for number in sorted(steps)]


def _call_turn(part: Call) -> CallTurn:
    args = dict(part.call.args)
    return CallTurn(part.call.id, part.call.name, canonical_args(args), args, why=part.call.why or "")


# ---------------------------------------------------------------- repair


def repair(turns: Sequence[Turn]) -> list[Turn]:
    repaired: list[Turn] = []
    taken: set[str] = set()
    index = 0
    while index < len(turns):
        turn = turns[index]
        index += 1
        if isinstance(turn, ResultTurn):
            continue  # its call is not the message before it
        if isinstance(turn, UserTurn) and repaired and isinstance(last := repaired[-1], UserTurn):
            repaired[-1] = UserTurn(f"{last.text}\n\n{turn.text}", last.images + turn.images)
            continue
        if not isinstance(turn, AssistantTurn) or not turn.calls:
            repaired.append(turn)
            continue
        results: list[ResultTurn] = []
        while index < len(turns) and isinstance(following := turns[index], ResultTurn):
            results.append(following)
            index += 1
        repaired.extend(_paired(turn, results, taken))
    return repaired


def _paired(turn: AssistantTurn, results: Sequence[ResultTurn], taken: set[str]) -> list[Turn]:
    """The message with unique call ids, then exactly one result for each call, in call order."""
    unpaired = list(results)
    calls: list[CallTurn] = []
    answers: list[Turn] = []
    for call in turn.calls:
        result = next((r for r in unpaired if r.call_id == call.id), None)
        if result is not None:
            unpaired.remove(result)
        own = _unique(call.id, taken)
        calls.append(call if own == call.id else replace(call, id=own))
        answers.append(
            ResultTurn(own, call.name, NO_RESULT, is_error=True) if result is None else replace(result, call_id=own)
        )
    return [replace(turn, calls=tuple(calls)), *answers]


def _unique(id: str, taken: set[str]) -> str:
    own, n = id or "call", 1
    while own in taken:
        n += 1
        own = f"{id or 'call'}_{n}"
    taken.add(own)
    return own

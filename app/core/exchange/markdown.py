"""A conversation as Markdown, for reading and for other programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from app.core.run.events import ToolReturned
from app.core.run.messages import Attachment, Call, Fact, Message, Part, PlanPart, Reasoning, Text
from app.core.run.plan import Plan
from app.core.text.i18n import _
from app.core.text.moments import MINUTE, time_text
from app.core.tools.card import is_answer
from app.core.tools.card_markdown import card_markdown, escaped
from app.core.wording.mended import mended_text

from .answer_first import ExportedMessage, readings
from .options import Include
from .pictures import pictures_of_result


def to_markdown(
    title: str, agent: str, messages: Iterable[Message], include: Include, *, with_pictures: bool = False
) -> str:
    """`with_pictures` names kept pictures by their addresses (`att:…`), for who can show them."""
    blocks = [f"# {escaped(title)}", f"{_('Agent')}: {escaped(agent)}"] if agent else [f"# {escaped(title)}"]
    for reading in readings(messages):
        if reading.deed:
            blocks.append(f"> {escaped(reading.deed)}")
            continue
        blocks.append(f"## {heading(reading.message)}")
        blocks += message_blocks(reading, include, with_pictures=with_pictures)
    return "\n\n".join(block.strip("\n") for block in blocks if block.strip()) + "\n"


def heading(message: Message) -> str:
    who = _("You") if message.role == "user" else _("Answer")
    return " · ".join(filter(None, (who, time_text(message.created, MINUTE))))


def message_blocks(reading: ExportedMessage, include: Include, *, with_pictures: bool = False) -> Iterator[str]:
    """The answer, then the work that led to it."""
    message = reading.message
    for card in reading.cards:
        yield from answer_card_blocks(card)
    yield from _parts(reading.answer, include, with_pictures=with_pictures)
    if message.failure is not None:
        yield f"> {escaped(message.failure.code)}: {escaped(message.failure.message)}"
    elif message.late_answer:
        yield message.late_answer
    work = list(_parts(reading.work_shown(include), include, with_pictures=with_pictures))
    if work:
        title = _("How it came about")
        yield f"### {title}"
        yield from work
    if include.cost and (line := cost_line(message)):
        yield f"*{escaped(line)}*"


def answer_card_blocks(display: Mapping[str, Any]) -> Iterator[str]:
    """What it says of itself, then the card."""
    summary = display.get("summary")
    if isinstance(summary, str) and summary.strip():
        yield "  \n".join(
            escaped(line).replace("\\*\\*", "**") for line in summary.splitlines()
        )  # bold is its one mark
    if card := card_of(display):
        yield card_markdown(*card)


def _parts(parts: Iterable[Part], include: Include, *, with_pictures: bool) -> Iterator[str]:
    for part in parts:
        yield from _part(part, include)
        if with_pictures:
            yield from _pictures(part, include)


def _part(part: Part, include: Include) -> Iterator[str]:
    match part:
        case Text(text):
            yield text
        case Reasoning(text):
            if include.reasoning:
                yield f"> **{_('Reasoning')}**\n>\n" + "\n".join(f"> {line}" for line in text.splitlines())
        case Call():
            if include.tools:
                yield from _call(part, include)
        case PlanPart(plan):
            yield _plan(plan)
        case Attachment(_ref, name, _mime, text):
            yield f"**{_('File')}: {escaped(name)}**"
            if text:
                yield fenced(text)
        case Fact(notice=text) if text:
            yield f"> {escaped(text)}"
        case _:
            pass


def _call(part: Call, include: Include) -> Iterator[str]:
    yield f"**{_('Tool')}: {escaped(part.call.name)}**"
    if part.call.args:
        yield fenced(json.dumps(dict(part.call.args), ensure_ascii=False, indent=2, default=str), "json")
        if text := mended_text(part.call.mended):
            yield f"*{escaped(text)}*"
    if part.result is None or not include.results:
        return
    if is_answer(part.result.card):
        yield escaped(part.result.summary)  # the card is in the answer
    elif card := card_of(part.result.card):
        yield card_markdown(*card)
    else:
        yield fenced(result_text(part.result))


def result_text(result: ToolReturned) -> str:
    """What is written of a result without a card; of a repeat only that it is one."""
    if result.status == "repeat":
        return _("The same call as before; it was not run again.")
    return result.text or result.summary


def _pictures(part: Part, include: Include) -> Iterator[str]:
    if isinstance(part, Attachment) and part.is_image:
        yield f"![{escaped(part.name)}](att:{part.ref})"
    elif isinstance(part, Call) and part.result is not None and include.tools and include.results:
        for title, ref in pictures_of_result(part.result.card):
            yield f"![{escaped(title)}](att:{ref})"


def card_of(display: Mapping[str, Any] | None) -> tuple[str, Mapping[str, Any]] | None:
    if not display or not isinstance(display.get("payload"), Mapping):
        return None
    return str(display.get("card")), display["payload"]


def _plan(plan: Plan) -> str:
    lines = [f"**{_('Plan')}: {escaped(plan.goal)}**", ""]
    return "\n".join([*lines, *(f"{step.step}. {escaped(step.description)} – {step.status}" for step in plan.steps)])


def cost_line(message: Message) -> str:
    """Model, tokens and seconds; "" for what cost nothing."""
    end = message.end
    if end is None:
        return ""
    used = end.usage
    words = [
        message.start.model if message.start else "",
        message.start.mode if message.start else "",
        _("{input} + {output} tokens").format(input=used.input, output=used.output) if used.input + used.output else "",
        _("{seconds} s").format(seconds=f"{end.seconds:.1f}") if end.seconds else "",
    ]
    return " · ".join(word for word in words if word)


def fenced(text: str, language: str = "") -> str:
    """In a fence longer than any inside."""
    longest = run = 0
    for char in text:
        run = run + 1 if char == "`" else 0
        longest = max(longest, run)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"

"""A skill drafted of a conversation: what was asked, the steps of the run that answered it, the form of its answer.

No model is asked; the person reads and changes the draft before anything is kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from app.core.errors import BadInput
from app.core.run.messages import Call, Message, PlanPart
from app.core.skills import LONGEST_DESCRIPTION, SKILL_TOOLS, Skill
from app.core.text.hidden import harmless, without_hidden
from app.core.text.i18n import _
from app.core.wording.tools import tool_title

_QUESTION, _ANSWER, _ARGUMENTS = 2_000, 3_000, 160
"""Characters of each that the draft keeps."""
_MOST_STEPS = 40
_LETTERS = re.compile(r"[a-z0-9]+")


def draft_of(messages: Sequence[Message], title: str = "") -> Skill:
    """Of the last whole answer that used tools, else of the last whole one. Raises BadInput where there is none."""
    good = [one for one in messages if one.role == "assistant" and one.state == "complete" and one.answer.strip()]
    run = next((one for one in reversed(good) if _calls(one)), good[-1] if good else None)
    if run is None:
        raise BadInput("no answer of this conversation is complete", reason="SKILL_NO_ANSWER")
    user_message = next((one for one in messages if one.id == run.parent), None)
    question = _plain(user_message.text if user_message is not None else title).strip()
    first = " ".join((title or question).split())
    use, steps, answer = _("Use this for requests like the following one."), _("Procedure"), _("Answer")
    form = _("In this form; what it says comes from the new task.")
    parts = (
        use, _quoted(question[:_QUESTION]), f"## {steps}", _numbered(run), f"## {answer}", form,
        _quoted(_plain(run.answer).strip()[:_ANSWER]),
    )  # fmt: skip
    return Skill(_name(title or question), _plain(first)[:LONGEST_DESCRIPTION], "\n\n".join(parts))


def _calls(message: Message) -> list[Call]:
    """Those that did something for the answer."""
    return [
        part for part in message.parts
        if isinstance(part, Call) and part.result is not None and part.result.ok and part.call.name not in SKILL_TOOLS
    ]  # fmt: skip


def _numbered(message: Message) -> str:
    steps = list(_steps(message))
    listed = [f"{n}. {step}" for n, step in enumerate(steps[:_MOST_STEPS], 1)]
    if len(steps) > _MOST_STEPS:
        listed.append(f"{_MOST_STEPS + 1}. …")
    return "\n".join(listed) or "1. " + _("Answer from what the request says.")


def _steps(message: Message) -> Iterator[str]:
    plan = next((part.plan for part in reversed(message.parts) if isinstance(part, PlanPart)), None)
    if plan is not None:
        yield from (_line(step.description or step.action) for step in plan.steps)
        return
    for name, group in groupby(_calls(message), lambda call: call.call.name):
        calls = list(group)
        arguments = json.dumps(dict(calls[0].call.args), ensure_ascii=False)
        shortened = arguments if len(arguments) <= _ARGUMENTS else f"{arguments[:_ARGUMENTS]}…"
        times = _(" ({n} times)").format(n=len(calls)) if len(calls) > 1 else ""
        yield _line(_("{title}: `{tool}`{times}, e.g. {arguments}").format(
            title=tool_title(name), tool=name, times=times, arguments=shortened
        ))  # fmt: skip


def _line(text: str) -> str:
    return " ".join(_plain(text).split())


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines()) or ">"


def _plain(text: str) -> str:
    """As a skill may hold it."""
    return without_hidden(harmless(text))[0]


def _name(text: str) -> str:
    words = _LETTERS.findall(text.casefold())
    return "-".join(words[:5])[:48].strip("-") or "my-skill"

"""A draft written step by step. What has come is a version at every moment: stopping, a broken connection and a fault
leave exactly the text that was shown, marked as unfinished, and going on begins in the step that was broken off.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from ..model.project import Version
from ..model.words import count_words
from ..planning.plan import ChapterPlan
from .context import Section

Save = Callable[[Version], Awaitable[None]]
_SAVE_EVERY = 400
"""Characters between two savings while text comes."""


@dataclass(frozen=True, slots=True)
class StepRequest:
    """What one streamed call is made of."""

    number: int
    sections: Sequence[Section]
    begun: str
    """Of this step, what is written already: the call goes on behind it."""
    words_left: int


Ask = Callable[[StepRequest], AsyncIterator[str]]


async def write(
    plan: ChapterPlan, version: Version, ask: Ask, save: Save, sections: Callable[[int, str], Sequence[Section]],
    until: int | None = None,
) -> AsyncIterator[str]:  # fmt: skip
    """Yields the text as it comes. `version` may be unfinished: then the steps that it holds whole are not asked again.
    `until`: so many steps of the plan, no further.

    The version is saved before the first text, every few hundred characters, at the end of each step, and whatever ends
    the writing; its marks say which step ends where.
    """
    current = version
    for number in range(len(current.marks), len(plan.steps) if until is None else until):
        start = current.marks[-1] if current.marks else 0
        begun = current.text[start:].lstrip("\n")
        if not begun and current.text and not current.text.endswith("\n"):
            current = replace(current, text=f"{current.text}\n")
            yield "\n"
        word_goal = max(50, plan.steps[number].goal_words - count_words(begun))
        request = StepRequest(number, sections(number, current.text), begun, word_goal)
        saved = len(current.text)
        try:
            async for piece in ask(request):
                current = replace(current, text=current.text + piece)
                yield piece
                if len(current.text) - saved >= _SAVE_EVERY:
                    await save(current)
                    saved = len(current.text)
        except BaseException:
            await save(current)
            raise
        current = replace(current, text=current.text.rstrip("\n"))
        current = replace(current, marks=[*current.marks, len(current.text)])
        current = replace(current, complete=number + 1 == len(plan.steps))
        await save(current)

"""The two canvases an answer is drawn on: the chat as it is seen, and a row to be seen later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from app.core.run.plan import NO_TOOL, PlanStep
from app.core.wording.tools import tool_title
from app.ui.chat.rows import items
from app.ui.chat.rows.items import PLAN_PART, AssistantRow, Part, PlanCardPart, TextPart
from app.ui.chat.view import ChatView
from app.ui.run_presenter.plan_rows import STEP_STATES


def plan_part(goal: str, steps: Sequence[PlanStep]) -> PlanCardPart:
    return PlanCardPart(PLAN_PART, goal, tuple(_step(step) for step in steps))


def _step(step: PlanStep) -> items.PlanPartStep:
    tool = "" if step.action == NO_TOOL else tool_title(step.action)
    return items.PlanPartStep(step.description or tool, STEP_STATES[step.status], step.error or tool)


class LiveCanvas:
    """Draws into the chat view; the row is there already."""

    def __init__(self, view: ChatView, row_id: str) -> None:
        self._view, self._id = view, row_id

    def text(self, part_id: str, delta: str) -> None:
        self._view.stream_text(self._id, delta, part_id)

    def put(self, part: Part, after: str = "") -> None:
        self._view.put_part(self._id, part, after)

    def take(self, part_id: str) -> None:
        self._view.remove_part(self._id, part_id)

    def remark(self, part_id: str) -> None:
        self._view.mark_remark(self._id, part_id)

    def set(self, **fields: Any) -> None:
        self._view.update_row(self._id, **fields)

    def plan(self, goal: str, steps: Sequence[PlanStep]) -> None:
        self.put(plan_part(goal, steps))


class RowCanvas:
    """Gathers the strokes; `row` is the picture."""

    def __init__(self, blank: AssistantRow) -> None:
        self._row = blank
        self._parts: dict[str, Part] = {}
        self._pieces: dict[str, list[str]] = {}

    def text(self, part_id: str, delta: str) -> None:
        self._parts.setdefault(part_id, TextPart(part_id, ""))
        self._pieces.setdefault(part_id, []).append(delta)

    def put(self, part: Part, after: str = "") -> None:
        is_new = part.id not in self._parts
        self._parts[part.id] = part
        if is_new and after in self._parts:
            ids = [id for id in self._parts if id != part.id]
            ids.insert(ids.index(after) + 1, part.id)
            self._parts = {id: self._parts[id] for id in ids}

    def take(self, part_id: str) -> None:
        self._parts.pop(part_id, None)
        self._pieces.pop(part_id, None)

    def remark(self, part_id: str) -> None:
        self._parts[part_id] = TextPart(part_id, "", is_remark=True)

    def set(self, **fields: Any) -> None:
        self._row = replace(self._row, **fields)

    def plan(self, goal: str, steps: Sequence[PlanStep]) -> None:
        self.put(plan_part(goal, steps))

    def row(self) -> AssistantRow:
        parts = tuple(self._whole(part) for part in self._parts.values())
        return replace(self._row, parts=parts)

    def _whole(self, part: Part) -> Part:
        if isinstance(part, TextPart) and part.id in self._pieces:
            return replace(part, text="".join(self._pieces[part.id]))
        return part

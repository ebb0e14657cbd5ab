"""The two canvases an answer is drawn on: the chat as it is seen, and a row to be seen later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from app.core.run.plan import NO_TOOL, PlanStep
from app.core.wording.tools import tool_title
from app.ui.chat.rows import items
from app.ui.chat.rows.items import AssistantRow, Part, PlanRow, TextPart
from app.ui.chat.view import ChatView
from app.ui.run_presenter.plan_rows import STEP_STATES


def plan_row_id(row_id: str) -> str:
    return f"plan-{row_id}"


def plan_row(row_id: str, goal: str, steps: Sequence[PlanStep]) -> PlanRow:
    return PlanRow(plan_row_id(row_id), goal, tuple(_step(step) for step in steps))


def _step(step: PlanStep) -> items.PlanRowStep:
    tool = "" if step.action == NO_TOOL else tool_title(step.action)
    return items.PlanRowStep(step.description or tool, STEP_STATES[step.status], step.error or tool)


class LiveCanvas:
    """Draws into the chat view; the row is there already. `above` is the row a plan goes below."""

    def __init__(self, view: ChatView, row_id: str, above: str) -> None:
        self._view, self._id, self._above = view, row_id, above
        self._has_plan = False

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
        row = plan_row(self._id, goal, steps)
        if self._has_plan:
            self._view.replace_row(row)
        else:
            self._has_plan = True
            self._view.insert_after(self._above, row)


class RowCanvas:
    """Gathers the strokes; `row` is the picture."""

    def __init__(self, blank: AssistantRow) -> None:
        self._row = blank
        self._parts: dict[str, Part] = {}
        self._pieces: dict[str, list[str]] = {}
        self.plan_row: PlanRow | None = None

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
        self.plan_row = plan_row(self._row.id, goal, steps)

    def row(self) -> AssistantRow:
        parts = tuple(self._whole(part) for part in self._parts.values())
        return replace(self._row, parts=parts)

    def _whole(self, part: Part) -> Part:
        if isinstance(part, TextPart) and part.id in self._pieces:
            return replace(part, text="".join(self._pieces[part.id]))
        return part

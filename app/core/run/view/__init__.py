"""The state of one run, for everything that shows it: window, command line, comparison, exports.

`RunView.apply` is the one place that knows what an event means for that state; it returns what changed. Folding a
stored run gives an equal view. Renderers use the items and `work_rows`, never the events.
"""

from .fold import RunView, view_of
from .items import (
    Activity,
    CallItem,
    EndItem,
    Item,
    ItemChange,
    NoteItem,
    PhaseItem,
    PlanItem,
    PlanStepItem,
    RetryItem,
    RoundItem,
    StepItem,
    SubRunItem,
    TextItem,
    WaitItem,
)
from .rows import RowState, WorkRow, WorkSummary, answer_cards, supporting_cards, work_rows, work_summary

__all__ = [
    "Activity",
    "CallItem",
    "EndItem",
    "Item",
    "ItemChange",
    "NoteItem",
    "PhaseItem",
    "PlanItem",
    "PlanStepItem",
    "RetryItem",
    "RoundItem",
    "RowState",
    "RunView",
    "StepItem",
    "SubRunItem",
    "TextItem",
    "WaitItem",
    "WorkRow",
    "WorkSummary",
    "answer_cards",
    "supporting_cards",
    "view_of",
    "work_rows",
    "work_summary",
]

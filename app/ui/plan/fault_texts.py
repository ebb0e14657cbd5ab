"""Why a plan that is being changed cannot run: a sentence for each place."""

from __future__ import annotations

from app.core.text.i18n import _
from app.ui.plan.draft import PlanDraft, PlanFault


def draft_faults(draft: PlanDraft) -> dict[int, str]:
    """By the place of the step; of several faults of one step the first."""
    found: dict[int, str] = {}
    for fault in draft.faults():
        found.setdefault(fault.step, _reference(fault))
    for place in draft.nameless():
        found.setdefault(place, _("does not say what to do"))
    for place in draft.faulty():
        found.setdefault(place, _("an argument is missing or wrong"))
    return dict(sorted(found.items()))


def _reference(fault: PlanFault) -> str:
    if fault.is_removed:
        return _("needs the result of a deleted step: {name}").format(name=fault.needs)
    return _("needs the result of a step that comes later: {name}").format(name=fault.needs)

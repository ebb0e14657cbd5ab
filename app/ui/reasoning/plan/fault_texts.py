"""Why a plan that is being changed cannot run, in sentences."""

from __future__ import annotations

from app.core.text.i18n import _
from app.ui.reasoning.plan.plan_draft import PlanDraft, PlanFault


def draft_faults(draft: PlanDraft) -> list[str]:
    return [
        *map(_plan_fault, draft.faults()),
        *(_("Step {n} does not say what to do.").format(n=place) for place in draft.nameless()),
        *(_("Step {n}: an argument is missing or wrong.").format(n=place) for place in draft.faulty()),
    ]


def _plan_fault(fault: PlanFault) -> str:
    if fault.is_removed:
        return _("Step {n} needs the result of a deleted step: {name}").format(n=fault.step, name=fault.needs)
    return _("Step {n} needs the result of a step that comes later: {name}").format(n=fault.step, name=fault.needs)

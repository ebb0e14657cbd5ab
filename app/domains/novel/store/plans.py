"""Plans of chapters in the folder: plans/<id>.toml, so that a plan outlives the session that made it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict

from app.core.errors import ToolError
from app.core.text.i18n import N_
from app.domains.kit.folder.root import Root

from ..planning.plan import ChapterPlan
from . import form

PLANS = "plans"
_LARGEST = 1_000_000


def plan_id(plan: ChapterPlan) -> str:
    """The same for the same plan: handed in twice it is stored once."""
    body = json.dumps(asdict(plan), ensure_ascii=False, sort_keys=True)
    return f"plan-{hashlib.sha256(body.encode()).hexdigest()[:10]}"


def write_plan(root: Root, plan: ChapterPlan) -> str:
    id = plan_id(plan)
    path = f"{PLANS}/{id}.toml"
    for above in root.make_folder(PLANS):
        root.add_folder(above)
    if root.sha(path) is None:
        root.write(path, form.merged("", form.to_table(plan), form.names_of(ChapterPlan)).encode("utf-8"), base=None)
    return id


def read_plan(root: Root, id: str) -> ChapterPlan:
    """Raises ToolError NOT_FOUND."""
    if "/" not in id and root.sha(path := f"{PLANS}/{id}.toml") is not None:
        try:
            return form.from_table(ChapterPlan, form.parsed(root.read(path, _LARGEST).decode("utf-8")))
        except ValueError as error:
            raise ToolError("DAMAGED", N_("{path} is no TOML; mend it first"), values={"path": path}) from error
    raise ToolError("NOT_FOUND", N_("there is no plan {id}"), values={"id": id[:60]})

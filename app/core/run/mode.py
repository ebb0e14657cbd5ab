"""The modes a person can choose: ids in the order they are offered, and their titles.

`agent.modes` implements them; the floors above need only these names.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..text.i18n import N_

AUTO, DIRECT, REACT, PLAN = "auto", "direct", "react", "plan"
ACTION = "action"
"""A card's button: a mode of stored runs, none that is offered."""
ACP = "acp"
"""Of an agent that is another program, which decides by itself how it works: as above."""
MODE_IDS = (AUTO, DIRECT, REACT, PLAN)

MODE_TITLES: Mapping[str, str] = {
    AUTO: N_("Auto"),
    DIRECT: N_("Direct"),
    REACT: N_("ReAct"),
    PLAN: N_("Plan"),
}
_ACTION_TITLE = N_("Action")
_ACP_TITLE = N_("Its own")
_added: dict[str, str] = {}


def add_mode(id: str, title: str = "") -> None:
    """Offers a further mode behind those of `MODE_IDS` wherever one is chosen. Called once, when the program starts."""
    _added[id] = title or id


def mode_ids() -> tuple[str, ...]:
    return (*MODE_IDS, *_added)


def mode_name(id: str) -> str:
    """The title before translation; a plug-in brings its own words."""
    if id == ACP:
        return _ACP_TITLE
    return _ACTION_TITLE if id == ACTION else MODE_TITLES.get(id) or _added.get(id, id)

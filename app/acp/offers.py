"""The choices an agent offers with a session, from either form of the protocol: modes, or options of a category."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from app.core.acp_program import AgentOffers, OfferedChoice
from app.mcp.texts import for_model, scrub

MOST_MODES: Final = 20
MOST_MODELS: Final = 500
LONGEST_ID: Final = 200


def read_offers(modes: Any, options: Sequence[Any] | None) -> tuple[AgentOffers, Mapping[str, str]]:
    """What is offered, and the option of the protocol by which each kind ("mode", "model") is set; modes may have none.

    `modes` and `options` are those of the SDK's answers, or None.
    """
    selects = {one.category: one for one in reversed(options or ()) if getattr(one, "type", "") == "select"
               and isinstance(one.category, str)}  # fmt: skip
    mode, model = selects.get("mode"), selects.get("model")
    if modes is not None and modes.available_modes:
        listed = _choices(((one.id, one.name, one.description) for one in modes.available_modes), MOST_MODES)
        current_mode, ways = modes.current_mode_id, {}
    else:
        listed, current_mode = _values(mode, MOST_MODES)
        ways = {"mode": mode.id} if mode is not None else {}
    models, current_model = _values(model, MOST_MODELS)
    if model is not None:
        ways["model"] = model.id
    offers = AgentOffers(
        modes=listed, mode=_known(current_mode, listed), models=models, model=_known(current_model, models)
    )
    return offers, ways


def _values(option: Any, most: int) -> tuple[tuple[OfferedChoice, ...], str]:
    if option is None:
        return (), ""
    single = [value for one in option.options for value in (getattr(one, "options", None) or (one,))]
    return _choices(((one.value, one.name, one.description) for one in single), most), option.current_value


def _choices(rows: Iterable[tuple[str, str, str | None]], most: int) -> tuple[OfferedChoice, ...]:
    found: dict[str, OfferedChoice] = {}
    for id, name, about in rows:
        if len(found) < most and id and len(id) <= LONGEST_ID:
            title = _line(name, 100) or _line(id, 100)
            found.setdefault(id, OfferedChoice(id=id, title=title, about=_line(about or "", 300)))
    return tuple(found.values())


def _line(text: str, limit: int) -> str:
    return " ".join(for_model(scrub(text), limit).split())[:limit]


def _known(id: str, choices: Iterable[OfferedChoice]) -> str:
    return id if any(one.id == id for one in choices) else ""

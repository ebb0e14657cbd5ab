"""What a tool result shows: a card kind and its payload, as data.

A payload is JSON. It is stored with the result and drawn again from there, never from model
text. Kinds and the keys every renderer, export and preview can count on:

    table        {title?, columns: [{key, label, align?}], rows: [{key: value}], chart?: a chart or a list of them}
    key_values   {title?, items: [{label, value, note?}]}
    timeline     {title?, aside?, source?, notes?: [str], map?, groups: [{label, sub?, day?, route?, span?, map?,
                 items: [{time?, end?, title, text?, icon?, warn?, number?, cost?, way?, way_icon?, locked?, lat?, lon?,
                 actions?: [id], choices?: [{id, label}]}]}]}
    map          {title?, points: [{lat, lon, label, group?, home?}], legs?: [{from, to, km}],
                 shapes?: [{kind: road|water|park|palace|axis, name?, points: [[lat, lon]], closed?}]}
    chart        {title?, kind: pie|bar|column|line|radar, series: [{label, value}] or [{name, points}]}
    checklist    {title?, items: [{text, state: ok|warn|error|todo, hint?, group?, passage?, action?}]}: items of one
                 `group` follow each other; `passage` as in `sources`, its base "" is a text of the session's folder
    graph        {title?, nodes: [{id, label, note?, state?}], edges: [{from, to, label?}]}: `state` muted is past
    diff         {title?, path, hunks: [{id?, old, new, status?}]}
    gallery      {title?, items: [{title, sub?, score?, chips?: [str], text?, image?: att:…}]}
    document     {title?, markdown}
    choice       {title?, question, options: [{id, label, note?}]}
    sources      {title?, items: [{n, title, url?, note?, passage?: {base, doc, query?}}]}: `passage` is one of a
                 knowledge base, which the window opens in its place
    progress     {title?, value, total, text?}
    file         {name, path, bytes?, note?}: what a tool wrote; the window opens it, shows it, saves it elsewhere
    report       {title?, markdown, sources: [{n, title, url?, passage?, quality?, accessed?, sha256?, state?}],
                  claims?: [{text, confidence, conflict?, supports?: [n], contradicts?: [n]}], open_questions?: [str],
                  confidence?, words?: {code: word}}
    review       {title?, columns: {product, qty, price, amount, state}, total, total_label, sign, remember?,
                  subtotal?, tax_rate?, cells?: names of the columns that may be typed in: title, qty, price, amount,
                  lines: [{no, title, sub?, qty?, price?, amount?, state, tone: ok|warn|error|muted, key?,
                  typed?: [column], choices?: [{id, label, note?, price?, amount?}]}]}
    activity     {id?, title, summary, goal, aside?, materials: [{name, instead?}], preparation: [str],
                 steps: [{title, text, guidance?, say: [str], watch: [str], refuses?, easier?, harder?, minutes?}],
                 stop_signs: [str], safety: [str], calm_down, ending, evidence: [{id, text?, why}], questions: [str],
                 findings: [{code, severity, message, fix, where}], labels: {name: word},
                 timer?: {id, spent, since, planned} in seconds, counts?: [{label, n}]}
    interests    {title?, summary?, note?, dimensions: [{label, strength, n, basis?, category?, objects?: [str],
                 reasoning?}], suggestions?: [{title, text, why?, activities?: [str]}], trend?: series of a line chart,
                 evidence?: [{date, text, sub?}], labels: {trend, evidence, disclaimer}}
    manuscript   {title?, text, words, goal?, count, state?, passage?, remarks?: [items of a checklist]}: a draft of
                 the text that `passage` names
    form         {title?, note?, fields: [{name, label, kind: text|lines|list|choice|tick, value?, hint?, required?,
                 options?: [{id, label}]}]}: values of the fields are arguments of the buttons that fill them;
                 fields with a dot in their name are parts of one argument

A card with the role `answer` is what the person asked for: it is in the answer, once, with its `summary` beside it
(ruling 40). The others support it and stay with the work. Its `actions` are buttons: each calls one tool as the person
(ruling 39), and the card that comes back takes the place of the one it `replaces`.

To add a kind: one line here, one renderer in ui/cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

CardKind = Literal[
    "table",
    "key_values",
    "timeline",
    "map",
    "chart",
    "checklist",
    "graph",
    "diff",
    "gallery",
    "document",
    "choice",
    "sources",
    "progress",
    "file",
    "report",
    "review",
    "activity",
    "interests",
    "manuscript",
    "form",
]
CARD_KINDS: frozenset[str] = frozenset(get_args(CardKind))
MOST_ACTIONS = 400
"""Buttons of one card, those of its rows included."""


CardRole = Literal["answer", "support"]
ActionStyle = Literal["primary", "quiet", "danger"]
ANSWER: CardRole = "answer"


@dataclass(frozen=True, slots=True)
class CardAction:
    """A button of a card: one call of a tool of the agent that made the card, with exactly these arguments."""

    id: str
    """Unique in its card."""
    label: str
    """In the language of the conversation."""
    tool: str
    args: Mapping[str, Any] = field(default_factory=dict)
    style: ActionStyle = "quiet"
    confirm: str = ""
    """A question that is asked first; "" where a click is enough."""
    takes: tuple[str, ...] = ()
    """Arguments that are taken from what the card's buttons share."""
    fills: tuple[str, ...] = ()
    """Arguments that the person gives in the card itself, as what was picked in a review."""

    def to_json(self) -> dict[str, Any]:
        body = {"id": self.id, "label": self.label, "tool": self.tool, "args": dict(self.args), "style": self.style}
        if self.confirm:
            body["confirm"] = self.confirm
        if self.fills:
            body["fills"] = list(self.fills)
        return {**body, "takes": list(self.takes)} if self.takes else body


@dataclass(frozen=True, slots=True)
class Card:
    kind: CardKind | str
    """A plug-in's tool may name a kind that the same package draws (`triptych.cards`)."""
    payload: Mapping[str, Any]
    role: CardRole = "support"
    summary: str = ""
    """Two lines of text that are above an answer card: what it is, what matters, what it leaves out."""
    actions: tuple[CardAction, ...] = ()
    shared: Mapping[str, Any] = field(default_factory=dict)
    """Arguments that many of its buttons need, stored once: see `CardAction.takes`."""

    def to_json(self) -> dict[str, Any]:
        """As stored; what is not set is left out."""
        body: dict[str, Any] = {"card": self.kind, "payload": dict(self.payload)}
        if self.role != "support":
            body["role"] = self.role
        if self.summary:
            body["summary"] = self.summary
        if self.actions:
            body["actions"] = [action.to_json() for action in self.actions]
        if self.shared:
            body["shared"] = dict(self.shared)
        return body


def card_from_json(display: object) -> Card | None:
    """A stored card; None where it is none."""
    if not isinstance(display, Mapping) or not isinstance(display.get("payload"), Mapping):
        return None
    role: CardRole = ANSWER if is_answer(display) else "support"
    summary = display.get("summary")
    return Card(
        str(display.get("card", "")), display["payload"], role, summary if isinstance(summary, str) else "",
        tuple(actions_of(display)),
    )  # fmt: skip


def is_answer(display: object) -> bool:
    """Whether a stored card is what the person asked for."""
    return isinstance(display, Mapping) and display.get("role") == ANSWER


def asks_person(display: object) -> bool:
    """Whether it wants something of the person before its tool can go on: a call that ended so has not failed."""
    return isinstance(display, Mapping) and display.get("card") in ("choice", "form")


def actions_of(display: object) -> list[CardAction]:
    """The buttons of a stored card with all their arguments; what is not of their shape is no button."""
    listed = display.get("actions") if isinstance(display, Mapping) else None
    shared = display.get("shared") if isinstance(display, Mapping) else None
    actions: dict[str, CardAction] = {}
    for item in listed if isinstance(listed, list) else ():
        action = _action(item, shared if isinstance(shared, Mapping) else {})
        if action is not None:
            actions.setdefault(action.id, action)
    return list(actions.values())[:MOST_ACTIONS]


def _action(item: object, shared: Mapping[str, Any]) -> CardAction | None:
    if not isinstance(item, Mapping):
        return None
    id, label, tool = item.get("id"), item.get("label"), item.get("tool")
    args, style, confirm = item.get("args", {}), item.get("style", "quiet"), item.get("confirm", "")
    if not (isinstance(id, str) and isinstance(label, str) and isinstance(tool, str) and isinstance(args, Mapping)):
        return None
    if not id or not label.strip() or not tool or not isinstance(confirm, str):
        return None
    fills = item.get("fills", [])
    if not isinstance(fills, list) or not all(isinstance(name, str) for name in fills):
        return None
    takes = item.get("takes", [])
    if not isinstance(takes, list) or not all(isinstance(name, str) and name in shared for name in takes):
        return None
    args = {**{name: shared[name] for name in takes}, **args}
    return CardAction(
        id, label, tool, args, style if style in get_args(ActionStyle) else "quiet", confirm, fills=tuple(fills)
    )  # fmt: skip


def replaces(display: object) -> tuple[str, str] | None:
    """The run and the call whose card this one takes the place of."""
    place = display.get("replaces") if isinstance(display, Mapping) else None
    run, call = (place.get("run"), place.get("call")) if isinstance(place, Mapping) else (None, None)
    return (run, call) if isinstance(run, str) and isinstance(call, str) else None

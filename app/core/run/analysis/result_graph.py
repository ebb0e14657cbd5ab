"""Which result fed which step: tools as nodes, in layers.

A plan says it by its references; elsewhere what came back before a request was read by it, so the
calls of one step feed those of the next.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..plan import NO_TOOL, PlanStep, references
from ..view import CallItem, PlanItem, RunView, StepItem

QUESTION, ANSWER = "question", "answer"


@dataclass(frozen=True, slots=True)
class Node:
    id: str
    name: str
    """A tool's name, the words of a plan step without one; "" for the question and the answer."""
    status: str = ""
    step: int = 0
    call: str = ""
    fed_by: tuple[str, ...] = ()
    layer: int = 0


def nodes_of(view: RunView) -> list[Node]:
    """With the question above and, once there is one, the answer below; each below what feeds it."""
    calls = _Graph(view).nodes
    if not calls:
        return []
    nodes = {QUESTION: Node(QUESTION, "")}
    for node in calls.values():
        sources = tuple(id for id in dict.fromkeys(node.fed_by) if id in calls)
        nodes[node.id] = replace(node, fed_by=sources or (QUESTION,))
    if view.is_over:
        used = {id for node in nodes.values() for id in node.fed_by}
        ends = tuple(node.id for node in nodes.values() if node.id not in used and node.status not in _UNUSED)
        nodes[ANSWER] = Node(ANSWER, "", fed_by=ends or (QUESTION,))
    layers: dict[str, int] = {}
    return [replace(node, layer=_layer(node.id, nodes, layers, ())) for node in nodes.values()]


class _Graph:
    def __init__(self, view: RunView) -> None:
        self.nodes: dict[str, Node] = {}
        self._by_thought = 0
        """The plan step that the loop works off."""
        self._last: tuple[str, ...] = ()
        """The calls of the step before."""
        self._now: list[str] = []
        for item in view.items:
            match item:
                case PlanItem(plan=plan):
                    for step in plan.steps:
                        self._plan_step(step)
                case StepItem():
                    if self._now:
                        self._last, self._now = tuple(self._now), []
                case CallItem():
                    self._call(item)
                case _:
                    pass

    def _plan_step(self, step: PlanStep) -> None:
        id = f"plan {step.step}"
        name = step.description if step.action == NO_TOOL else step.action
        needs = dict.fromkeys((*references(step.params), *step.needs))
        self.nodes[id] = Node(id, name, step.status, fed_by=tuple(f"plan {need}" for need in needs))

    def _call(self, item: CallItem) -> None:
        call, status = item.call, item.result.status if item.result is not None else ""
        planned = self.nodes.get(f"plan {call.plan_step}")
        if planned is not None:
            is_running = planned.status == "running" and bool(status)
            self.nodes[planned.id] = replace(
                planned, step=item.step, call=call.id, status=status if is_running else planned.status
            )
            return
        if item.plan_step != self._by_thought:
            self._by_thought, self._last, self._now = item.plan_step, (), []
        thought = self.nodes.get(f"plan {self._by_thought}")
        fed_by = self._last or (thought.fed_by if thought and not self._now else ())
        self.nodes[call.id] = Node(call.id, call.name, status, item.step, call.id, fed_by)
        self._now.append(call.id)
        if thought is not None:
            self.nodes[thought.id] = replace(thought, fed_by=(*thought.fed_by, call.id))


_UNUSED = frozenset({"failed", "skipped", "error", "denied", "blocked", "interrupted", "pending"})


def _layer(id: str, nodes: dict[str, Node], known: dict[str, int], above: tuple[str, ...]) -> int:
    """One below the deepest that feeds it; a circle, which no valid plan has, is cut."""
    if id not in known:
        feeding = [one for one in nodes[id].fed_by if one in nodes and one not in (*above, id)]
        known[id] = 1 + max((_layer(one, nodes, known, (*above, id)) for one in feeding), default=-1)
    return known[id]

"""Which result fed which step: tools as nodes, in layers.

A plan says it by its references; elsewhere what came back before a request was read by it, so the
calls of one step feed those of the next.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from . import events as e
from .plan import NO_TOOL, PlanStep, references

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


class ResultGraph:
    """`add` every event of a run in its order, then `nodes`."""

    def __init__(self) -> None:
        self._nodes: dict[str, Node] = {}
        self._plan: dict[int, PlanStep] = {}
        self._by_thought = 0
        """The plan step that the loop works off now."""
        self._last: tuple[str, ...] = ()
        """The calls of the step before."""
        self._now: list[str] = []
        self._is_over = False

    def add(self, event: e.RunEvent) -> None:
        match event:
            case e.PlanMade(steps=steps):
                self._plan = {step.step: step for step in steps}
                for step in steps:
                    self._plan_node(step)
            case e.PlanStepChanged(step, status):
                self._change_plan_step(step, status)
            case e.StepStart():
                if self._now:
                    self._last, self._now = tuple(self._now), []
            case e.ToolCalled():
                self._called(event)
            case e.ToolReturned():
                if (id := self._node_of(event.id)) is not None:
                    self._nodes[id] = replace(self._nodes[id], status=event.status)
            case e.LoopEnd() | e.LoopError():
                self._is_over = True
            case _:
                pass

    def nodes(self) -> list[Node]:
        """With the question above and, once there is one, the answer below; each below what feeds it."""
        if not self._nodes:
            return []
        nodes = {QUESTION: Node(QUESTION, "")}
        for node in self._nodes.values():
            sources = tuple(id for id in dict.fromkeys(node.fed_by) if id in self._nodes)
            nodes[node.id] = replace(node, fed_by=sources or (QUESTION,))
        if self._is_over:
            used = {id for node in nodes.values() for id in node.fed_by}
            ends = tuple(node.id for node in nodes.values() if node.id not in used and node.status not in _UNUSED)
            nodes[ANSWER] = Node(ANSWER, "", fed_by=ends or (QUESTION,))
        layers: dict[str, int] = {}
        return [replace(node, layer=_layer(node.id, nodes, layers, ())) for node in nodes.values()]

    # ------------------------------------------------------------ plan and calls

    def _plan_node(self, step: PlanStep) -> None:
        id = f"plan {step.step}"
        name = step.description if step.action == NO_TOOL else step.action
        needs = dict.fromkeys((*references(step.params), *step.needs))
        fed_by = tuple(f"plan {need}" for need in needs)
        node = self._nodes.get(id)
        self._nodes[id] = Node(id, name, step.status, node.step if node else 0, node.call if node else "", fed_by)

    def _change_plan_step(self, number: int, status: str) -> None:
        id, step = f"plan {number}", self._plan.get(number)
        if id in self._nodes:
            self._nodes[id] = replace(self._nodes[id], status=status)
        if step is not None and step.action == NO_TOOL:
            self._by_thought = number if status == "running" else 0
            self._last, self._now = (), []

    def _called(self, event: e.ToolCalled) -> None:
        if (id := f"plan {event.plan_step}") in self._nodes:
            self._nodes[id] = replace(self._nodes[id], step=event.step, call=event.id)
            return
        thought = self._nodes.get(f"plan {self._by_thought}")
        fed_by = self._last or (thought.fed_by if thought and not self._now else ())
        self._nodes[event.id] = Node(event.id, event.name, "", event.step, event.id, fed_by)
        self._now.append(event.id)
        if thought is not None:
            self._nodes[thought.id] = replace(thought, fed_by=(*thought.fed_by, event.id))

    def _node_of(self, call: str) -> str | None:
        return next((node.id for node in self._nodes.values() if node.call == call), None)


_UNUSED = frozenset({"failed", "skipped", "error", "denied", "blocked", "interrupted", "pending"})


def _layer(id: str, nodes: dict[str, Node], known: dict[str, int], above: tuple[str, ...]) -> int:
    """One below the deepest that feeds it; a circle, which no valid plan has, is cut."""
    if id not in known:
        feeding = [one for one in nodes[id].fed_by if one in nodes and one not in (*above, id)]
        known[id] = 1 + max((_layer(one, nodes, known, (*above, id)) for one in feeding), default=-1)
    return known[id]

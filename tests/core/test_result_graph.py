from __future__ import annotations

from app.core.run import events as e
from app.core.run.analysis.result_graph import Node, nodes_of
from app.core.run.event_values import CallStatus
from app.core.run.plan import PlanStep
from app.core.run.view import RunView


def returned(id: str, status: CallStatus = "ok") -> e.ToolReturned:
    return e.ToolReturned(1, id, "x", status == "ok", status, "", "", 0, 0, False, 1)


def graph(*events: e.RunEvent) -> dict[str, Node]:
    view = RunView()
    for event in events:
        view.apply(event)
    return {node.id: node for node in nodes_of(view)}


def test_a_plan_feeds_by_references_and_needs() -> None:
    steps = (
        PlanStep(1, "search", {}, "find"),
        PlanStep(2, "route", {"city": "$1.data.id"}, "go"),
        PlanStep(3, "none", {}, "write it down", (2,)),
    )
    nodes = graph(
        e.PlanMade("g", steps, 1),
        e.ToolCalled(1, "c1", "search", {}, plan_step=1),
        returned("c1"),
        e.PlanStepChanged(1, "done"),
        e.PlanStepChanged(3, "done"),
        e.LoopEnd("x", "answered"),
    )
    assert [(n.name, n.fed_by, n.layer) for n in nodes.values()] == [
        ("", (), 0),
        ("search", ("question",), 1),
        ("route", ("plan 1",), 2),
        ("write it down", ("plan 2",), 3),
        ("", ("plan 3",), 4),
    ]
    assert (nodes["plan 1"].call, nodes["plan 1"].status) == ("c1", "done")


def test_without_a_plan_the_calls_of_a_step_feed_those_of_the_next() -> None:
    nodes = graph(
        e.StepStart(1, 8, 2),
        e.ToolCalled(1, "c1", "a", {}),
        e.ToolCalled(1, "c2", "b", {}),
        e.StepStart(2, 8, 2),
        e.ToolCalled(2, "c3", "c", {}),
        returned("c3", "error"),
        e.LoopEnd("x", "answered"),
    )
    assert nodes["c3"].fed_by == ("c1", "c2")
    assert (nodes["c1"].layer, nodes["c3"].layer) == (1, 2)
    assert nodes["answer"].fed_by == ("question",)


def test_calls_made_while_a_step_is_thought_through_feed_that_step() -> None:
    steps = (PlanStep(1, "search", {}, "find"), PlanStep(2, "none", {}, "think", (1,)))
    nodes = graph(e.PlanMade("g", steps, 1), e.PlanStepChanged(2, "running"), e.ToolCalled(4, "c9", "look", {}))
    assert nodes["c9"].fed_by == ("plan 1",)
    assert nodes["plan 2"].fed_by == ("plan 1", "c9")


def test_nothing_is_drawn_of_a_run_without_tools_and_a_circle_is_cut() -> None:
    assert graph(e.LoopEnd("x", "answered")) == {}
    steps = (PlanStep(1, "a", {}, "a", (2,)), PlanStep(2, "b", {}, "b", (1,)))
    assert len(graph(e.PlanMade("g", steps, 1))) == 3

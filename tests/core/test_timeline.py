from __future__ import annotations

from app.core.run import events as e
from app.core.run.analysis.timeline import Span, Timeline
from app.core.run.chat_model import Usage
from app.core.run.event_values import CallStatus, ErrorInfo
from app.core.run.view import RunView


def returned(id: str, *, ms: int = 500, status: CallStatus = "ok", repeat: str | None = None) -> e.ToolReturned:
    return e.ToolReturned(1, id, "search", status == "ok", status, "3 found", "text", 4, 4, False, ms, repeat=repeat)


def timeline(*events: tuple[e.RunEvent, float]) -> Timeline:
    view = RunView()
    for event, t in events:
        view.apply(event, t)
    return Timeline(view)


def by_name(made: Timeline) -> dict[str, Span]:
    return {span.name: span for span in made.spans()}


def test_a_request_lasts_as_long_as_its_stream_and_its_tools_follow() -> None:
    made = timeline(
        (e.StepStart(1, 8, 3), 0.1),
        (e.ToolCalled(1, "c1", "search", {"q": "x"}), 1.1),
        (e.ToolStarted(1, "c1", "search"), 1.2),
        (returned("c1"), 1.7),
        (e.StepEnd(1, "tool_calls", Usage(100, 20, 5), 900, 200), 1.8),
    )
    request, search = by_name(made)["request"], by_name(made)["search"]
    assert (request.start, request.end) == (0.1, 1.0)
    assert request.facts == {"input": 100, "output": 20, "exact": True, "reasoning": 5, "ttft_ms": 200}
    assert (round(search.start, 3), search.end, search.status) == (1.2, 1.7, "ok")


def test_waiting_for_the_person_and_for_another_try_stands_on_its_own_lane() -> None:
    made = timeline(
        (e.StepStart(1, 8, 3), 0.0),
        (e.Retry(1, 2.0, "RATE_LIMITED"), 0.5),
        (e.Token(1, "a"), 2.5),
        (e.Approval("a1", "c1", "write", {}, "rule"), 3.0),
        (e.ApprovalAnswer("a1", "once"), 9.0),
        (e.BudgetLevel("tokens", 10, 10, "pause"), 9.5),
        (e.Notice("raised", ""), 9.6),
        (e.StepEnd(1, "stop", Usage(), 400), 12.0),
    )
    waits = [(span.name, span.start, span.end) for span in made.lanes()["waiting", ""]]
    assert waits == [("retry", 0.5, 2.5), ("approval", 3.0, 9.0), ("budget", 9.5, 12.0)]
    assert by_name(made)["request"].start == 2.5


def test_calls_of_one_tool_share_a_lane_and_what_never_ran_has_no_length() -> None:
    made = timeline(
        (e.ToolCalled(1, "c1", "search", {}), 1.0),
        (e.ToolCalled(1, "c2", "search", {}), 1.0),
        (returned("c1"), 2.0),
        (returned("c2", ms=0, status="repeat", repeat="c1"), 2.0),
    )
    lane = made.lanes()["tool", "search"]
    assert [(span.call, span.length(9.0), span.status) for span in lane] == [("c1", 0.5, "ok"), ("c2", 0.0, "repeat")]


def test_what_is_open_lasts_until_now_and_ends_with_the_run() -> None:
    made = timeline((e.StepStart(1, 8, 3), 1.0), (e.SubRun("r2", "writer"), 2.0))
    assert made.spans()[0].length(4.0) == 3.0
    error = e.LoopError("cancelled", ErrorInfo("CANCELLED", "stopped"))
    made.view.apply(error, 5.0)
    assert [span.end for span in made.spans()] == [5.0, 5.0]


def test_another_agent_ends_with_the_call_that_asked_it() -> None:
    made = timeline(
        (e.ToolCalled(1, "c1", "ask_agent", {}), 0.0), (e.SubRun("r2", "writer"), 0.5), (returned("c1"), 3.0)
    )
    assert made.lanes()["agent", ""][0].end == 3.0


def test_the_export_names_lane_times_and_facts() -> None:
    made = timeline((e.ToolCalled(2, "c1", "search", {"q": 1}), 1.0), (returned("c1"), 2.0))
    assert made.to_json() == [
        {
            "lane": "tool", "name": "search", "start": 1.5, "end": 2.0, "status": "ok", "step": 2, "call": "c1",
            "args": {"q": 1}, "ms": 500, "summary": "3 found", "chars": 4,
        }
    ]  # fmt: skip

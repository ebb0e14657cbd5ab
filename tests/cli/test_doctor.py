"""What is shown around of an installation and of a run: everything one needs, and nothing anybody said."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any, get_args

import pytest

from app.cli.doctor.run_log import lines_of
from app.core.run import events as e
from app.core.run.chat_model import Usage
from app.core.run.event_line import Stamped
from app.core.run.event_values import ErrorInfo
from app.core.run.plan import PlanStep
from tests.every import looped

from .conftest import Triptych

SECRET = "canary"


def stamped(*events: e.RunEvent) -> Iterator[Stamped]:
    for n, event in enumerate(events):
        yield Stamped(n, n / 2, "r", "s", event)


def filled(kind: type[Any]) -> Any:
    """An event with the canary in every text a person, a model or a tool could have written."""
    plain = {"name", "agent", "model", "mode", "phase", "status", "code", "kind", "choice", "finish_reason", "id"}
    plain |= {"verdict", "to", "reason", "stop_reason", "level", "scope", "rule", "repeat", "dialect", "display"}
    values: dict[str, Any] = {}
    for field in dataclasses.fields(kind):
        name, text = field.name, str(field.type)
        if name == "usage":
            values[name] = Usage(10, 5)
        elif name == "error" and kind is e.LoopError:
            values[name] = ErrorInfo("TIMEOUT", SECRET, SECRET)
        elif name == "error" and kind is e.ToolReturned:
            values[name] = {"code": "DENIED", "message": SECRET}
        elif name == "steps" and kind is e.PlanMade:
            values[name] = (PlanStep(1, SECRET, {"text": SECRET}, SECRET),)
        elif text.startswith("tuple[str"):
            values[name] = (SECRET,)
        elif "Mapping" in text:
            values[name] = {"text": SECRET}
        elif text.startswith("str"):
            values[name] = name if name in plain and (kind, name) != (e.ModeSelected, "reason") else SECRET
            if (kind, name) == (e.ApprovalAnswer, "reason"):
                values[name] = SECRET
        elif text.startswith("int"):
            values[name] = 3
        elif text.startswith("float"):
            values[name] = 1.5
        elif text.startswith("bool"):
            values[name] = True
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            values[name] = name
    return kind(**values)


@looped("kind", get_args(e.RunEvent), ids=lambda kind: kind.__name__)
def test_a_log_holds_nothing_anybody_said(kind: type[Any]) -> None:
    event = filled(kind)
    assert SECRET in repr(event) or kind in _WORDLESS
    assert SECRET not in repr(lines_of(stamped(event)))


_WORDLESS = {
    e.PhaseStart, e.StepStart, e.RoundStart, e.Discard, e.Reclassify, e.ToolStarted, e.StepEnd, e.BudgetLevel, e.SubRun,
}  # fmt: skip


def test_a_log_tells_rounds_sizes_tools_and_the_end() -> None:
    returned: Callable[..., e.ToolReturned] = lambda **more: e.ToolReturned(  # noqa: E731
        1, "c1", "web_search", more.get("ok", True), more.get("status", "ok"), "", "", 9_000, 4_000, True, 120,
        error=more.get("error"),
    )  # fmt: skip
    lines = lines_of(
        stamped(
            e.LoopStart("assistant", "react", "ollama/qwen3:8b", "what?"),
            e.StepStart(1, 8, 3),
            returned(),
            returned(ok=False, status="failed", error={"code": "TIMEOUT", "message": "x"}),
            e.RoundStart(1, 3),
            e.StepStart(2, 8, 3),
            e.LoopEnd("yes", "answered", usage=Usage(100, 20), steps=2, tools=("web_search",), seconds=3.5),
        )
    )
    assert lines == [
        ("0.00", "run", "assistant, react, ollama/qwen3:8b, question of 5 characters"),
        ("0.50", "step 1/8", "3 tools offered"),
        ("1.00", "tool web_search", "ok, 120 ms, 4,000 of 9,000 characters"),
        ("1.50", "tool web_search", "failed, TIMEOUT, 120 ms, 4,000 of 9,000 characters"),
        ("2.00", "reflection 1/3", "follow-up of 8,000 characters"),
        ("2.50", "step 2/8", "3 tools offered, follow-up of 8,000 characters"),
        ("3.00", "end answered", "answer of 3 characters, 2 steps, 1 tools, 100 + 20 tokens, 3.5 s"),
    ]


def test_the_log_of_a_stored_run_is_printed_as_a_table_and_as_json(triptych: Triptych) -> None:
    triptych("run", "--agent", "travel", "北京三日游")
    run = triptych("runs", "list").out.split("\n")[1].split()[0]
    plain = triptych("doctor", "--run", run)
    assert plain.code == 0
    assert plain.out.splitlines()[0].split() == ["seconds", "what", "about"]
    assert "end answered" in plain.out
    assert "北京" not in plain.out
    last = triptych("doctor", "--run", run, "--json").json[-1]
    assert last["what"] == "end answered"
    assert last["t"] >= 0
    assert triptych("doctor", "--run", "nope").code == 2


def test_a_report_to_be_shown_around_does_not_name_the_home_folder(
    triptych: Triptych, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setattr("pathlib.Path.home", lambda: tmp_path)
    assert str(tmp_path) in triptych("doctor").out
    shown = triptych("doctor", "--redacted").out
    assert str(tmp_path) not in shown
    assert "data folder           ~" in shown


def test_everything_that_is_to_be_noticed_is_listed(triptych: Triptych, tmp_path: Any) -> None:
    triptych("doctor")
    for name in ("preferences", "providers"):
        (tmp_path / "data" / f"{name}.toml").write_text("[[[", encoding="utf-8")
    facts = triptych("doctor", "--json").json
    told = [text for name, text in facts.items() if name.startswith("notice")]
    assert any("preferences" in text for text in told)
    assert facts["fonts"]

"""A run on the terminal and in a pipe: what is the answer, what is said about it, and where the lines end."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from functools import partial

import pytest

from app.cli.console.markdown import TerminalMarkdown
from app.cli.console.narration import Narration, closing
from app.cli.console.steps import StepLines
from app.cli.console.style import Style, width
from app.core.run.event_values import ErrorInfo
from app.core.run.events import (
    Discard,
    LoopEnd,
    LoopError,
    LoopStart,
    Notice,
    PlanMade,
    PlanStepChanged,
    RunEvent,
    StepStart,
    Thinking,
    Token,
    ToolCalled,
    ToolReturned,
)
from app.core.run.plan import Plan, PlanStep
from app.core.run.view import EndItem, RunView
from app.core.wording.tools import add_titles
from app.domains.travel import TOOLS as TRAVEL

Told = Callable[..., tuple[str, str]]
START = LoopStart("travel", "react", "script/s.json", "?")
REMARK = (StepStart(1, 8, 3), Token(1, "Let me look."), ToolCalled(1, "c1", "search_food", {"city": "成都"}))
ANSWER = (StepStart(2, 8, 3), Token(2, "Hot"), Token(2, "pot."))
END = LoopEnd("Hotpot.", "answered")


class Out(io.StringIO):
    """What stdout is connected to."""

    def __init__(self, *, is_terminal: bool) -> None:
        super().__init__()
        self.is_terminal = is_terminal

    def isatty(self) -> bool:
        return self.is_terminal


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Told:
    return partial(_told, monkeypatch, is_terminal=True)


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> Told:
    return partial(_told, monkeypatch, is_terminal=False)


def _told(monkeypatch: pytest.MonkeyPatch, *events: RunEvent, is_terminal: bool) -> tuple[str, str]:
    """What stands on stdout and on stderr afterwards."""
    out, err = Out(is_terminal=is_terminal), io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    narration, view = Narration(), RunView()
    for event in events:
        narration.show(view, view.apply(event))
    return out.getvalue(), err.getvalue()


def ended(event: LoopEnd | LoopError) -> EndItem:
    (item,) = (change.item for change in RunView().apply(event))
    assert isinstance(item, EndItem)
    return item


def test_in_a_pipe_stdout_is_the_answer_alone(pipe: Told) -> None:
    out, err = pipe(START, *REMARK, *ANSWER, END)
    assert out == "Hotpot.\n"
    assert err.startswith('Let me look.\n[search_food {"city": "成都"}]\n[answered')


def test_a_step_without_tools_streams_into_a_pipe(pipe: Told) -> None:
    assert pipe(START, StepStart(1, 1, 0), Token(1, "Hot"))[0] == "Hot"


def test_an_answer_that_is_written_again_is_printed_once(pipe: Told) -> None:
    start = LoopStart("a", "direct", "m", "?", {"output_schema": {"type": "object"}})
    first = (StepStart(1, 1, 0), Token(1, "no JSON"))
    again = (StepStart(2, 2, 0), Token(2, "{}"))
    assert pipe(start, *first, *again, LoopEnd("{}", "answered"))[0] == "{}\n"


def test_what_had_arrived_is_printed_when_a_run_fails(pipe: Told) -> None:
    end = LoopError("cancelled", ErrorInfo("CANCELLED", "stopped", "ask again"), partial="Hotpot.")
    out, err = pipe(START, *ANSWER, end)
    assert out == "Hotpot.\n"
    assert err == "triptych: CANCELLED: stopped\n  ask again\n"


def test_on_a_terminal_every_step_streams_as_a_paragraph(screen: Told) -> None:
    again = (StepStart(3, 8, 0), Token(3, "Dumplings."))
    out, _err = screen(START, *REMARK, *ANSWER, *again, LoopEnd("Dumplings.", "answered"))
    assert out == "Let me look.\nHotpot.\n\nDumplings.\n"


def test_thinking_and_text_do_not_share_a_line(screen: Told) -> None:
    out, err = screen(START, StepStart(1, 8, 0), Thinking(1, "hm"), Token(1, "Hotpot."), Notice("cut"), END)
    assert out == "Hotpot.\n"
    assert err.startswith("hm\n[notice cut]\n")


def test_text_that_is_taken_back_ends_its_line(screen: Told) -> None:
    out, _err = screen(START, StepStart(1, 8, 0), Token(1, "Ho"), Discard(1), *ANSWER, END)
    assert out == "Ho\n\nHotpot.\n"


def test_T08_a_terminal_obeys_nothing_the_model_or_a_tool_wrote(screen: Told) -> None:
    text = "a\x1b]52;c;ZXZpbA==\x07b\x9b2Jc\r\nd\te"
    shown = screen(START, StepStart(1, 1, 0), Thinking(1, text), Token(1, text), LoopEnd(text, "answered"))
    for said in shown:
        assert not set(said) & set("\x1b\x07\x9b\r")
        assert "c\nd\te" in said


def test_a_pipe_gets_the_answer_letter_by_letter(pipe: Told) -> None:
    text = "a\x1b[1mb"
    out, err = pipe(START, StepStart(1, 1, 0), Token(1, text), LoopEnd(text, "answered"))
    assert out == text + "\n"
    assert "\x1b" not in err


def test_the_money_of_a_run_is_told_where_prices_are_known() -> None:
    assert "tokens · $0.25 · " in closing(ended(LoopEnd("42", "answered", money={"USD": 0.25})))[0]
    assert "$" not in closing(ended(LoopEnd("42", "answered")))[0]
    stopped = LoopError("cancelled", ErrorInfo("CANCELLED", "stopped"), money={"CNY": 1.5})
    assert closing(ended(stopped)) == ["triptych: CANCELLED: stopped", "[¥1.50]"]


def test_what_was_read_forgivingly_is_told_under_the_call(screen: Told) -> None:
    note = {"path": "budget", "code": "value", "given": "五千", "taken": "5000"}
    _out, err = screen(START, StepStart(1, 8, 3), ToolCalled(1, "c", "plan", {"budget": 5000}, mended=(note,)), END)
    assert '[plan {"budget": 5000}]\n  budget: “五千” is read as 5000\n' in err


# ---------------------------------------------------------------- one line per step (the usual way; --verbose is above)


def test_every_step_is_one_line_of_80_columns_and_the_plan_is_printed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    add_titles({tool.name: tool for tool in TRAVEL if tool.name == "query_attractions"})
    plan = Plan("三日游", (PlanStep(1, "query_attractions", {}, "查景点"), PlanStep(2, "none", {}, "写出来")))
    events: list[RunEvent] = [
        LoopStart("travel", "plan", "script/s.json", "?"),
        PlanMade(plan.goal, plan.steps, 1),
        PlanStepChanged(1, "running"),
        ToolCalled(1, "c1", "query_attractions", {"cities": ["beijing"], "note": "x" * 900}),
        ToolReturned(1, "c1", "query_attractions", True, "ok", "12 处：" + "故宫、" * 80, "…", 9, 9, False, 2),
        PlanStepChanged(1, "done"),
        *ANSWER,
        END,
    ]
    for is_terminal in (True, False):
        out, err = Out(is_terminal=is_terminal), Out(is_terminal=is_terminal)
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", err)
        monkeypatch.setenv("TERM", "dumb")
        lines, view = StepLines({"travel": "Travel"}), RunView()
        for event in events:
            lines.show(view, view.apply(event))
        told = err.getvalue()
        assert out.getvalue() == "Hotpot.\n"
        assert max(map(width, told.splitlines())) <= 80
        assert told.count("三日游") == 1
        assert told.count("✓") == 2  # the call, and the end
        assert "query_attractions" not in told
        assert not {"[", "{"} & set(told)
        assert "Travel · Plan · script/s.json" in told


def test_markdown_is_drawn_on_a_terminal_as_it_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    text = "# Head\n\n**Bold** and `code`, see [here](https://a.example).\n\n- one\n- [x] two\n\n"
    text += "| City | Days |\n|---|--:|\n| 北京 | 3 |\n| Hangzhou | 2 |\n\n```python\na = **b**\n```\nlast"
    shown = "Head\n\nBold and `code`, see here (https://a.example).\n\n• one\n• ☑ two\n\n"
    shown += "City      Days\n" + "─" * 14 + "\n北京      3\nHangzhou  2\n\n```python\na = **b**\n```\nlast"
    for size in (1, 3, 1000):
        markdown = TerminalMarkdown(Style(Out(is_terminal=True)))
        pieces = [markdown.feed(text[at : at + size]) for at in range(0, len(text), size)]
        assert "".join([*pieces, markdown.finish()]) == shown, size


def test_an_answer_is_broken_at_words_however_it_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    english, chinese = "The sights are open from nine to five, " * 6, "故宫博物院周一闭馆，请提前七天预约。" * 6
    text = f"{english}\n\n- {english}**at last**\n  - {chinese}\n> {english}\n\n{chinese}x {'y' * 100} z\n1. {english}"
    shown = set()
    for size in (1, 7, 10_000):
        markdown = TerminalMarkdown(Style(Out(is_terminal=True)))
        pieces = [markdown.feed(text[at : at + size]) for at in range(0, len(text), size)]
        shown.add("".join([*pieces, markdown.finish()]))
    (page,) = shown
    lines = page.splitlines()
    assert [line for line in lines if width(line) > 80] == ["y" * 100]
    whole = "".join(page.replace("•", "-").replace("│", "").split())
    assert whole == "".join(text.replace("*", "").replace(">", "").split()), "nothing is lost, nothing twice"
    assert not [line for line in lines if line.strip()[:1] in "，。" and line.strip()]
    assert {"The", "sights", "are", "open", "from", "nine", "to", "five,"} >= set(lines[1].split())
    behind_first = lines[next(n for n, line in enumerate(lines) if line.startswith("• ")) + 1]
    assert re.match(r"  \S", behind_first), "an item's next line stands below its words"


def test_colour_is_for_terminals_that_want_it(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [
        ("xterm", "", True, True),
        ("xterm", "1", True, False),
        ("dumb", "", True, False),
        ("xterm", "", False, False),
    ]
    for term, no_color, is_terminal, wanted in cases:
        monkeypatch.setenv("TERM", term)
        monkeypatch.setenv("NO_COLOR", no_color)
        painted = Style(Out(is_terminal=is_terminal)).paint("x", "dim")
        assert (painted != "x") == wanted, (term, no_color, is_terminal)


def test_T08_no_line_of_a_step_obeys_what_others_wrote(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a\x1b]52;c;ZXZpbA==\x07b\x9b2Jc\r\nd\te"
    out, err = Out(is_terminal=True), Out(is_terminal=True)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.setenv("TERM", "dumb")
    lines, view = StepLines(), RunView()
    for event in (
        START,
        ToolCalled(1, "c1", text, {"x": text}),
        ToolReturned(1, "c1", text, True, "ok", text, "…", 9, 9, False, 2),
        Token(1, text),
        LoopEnd(text, "answered"),
    ):
        lines.show(view, view.apply(event))
    for said in (err.getvalue(), out.getvalue()):
        assert not set(said) & set("\x1b\x07\x9b\r")

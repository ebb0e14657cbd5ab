"""A run told on the terminal: the answer on stdout, thinking and progress on stderr.

On a terminal every visible text streams as it comes, each step a paragraph. Where stdout goes into a file or to
another program it is the answer alone: a step that may still call tools is no answer before it is over, so its text
waits, and what turns out to be a remark goes to stderr.
"""

from __future__ import annotations

import json
import sys

from app.core.run.events import (
    BudgetLevel,
    Compacted,
    Discard,
    LoopEnd,
    LoopError,
    LoopStart,
    ModeSelected,
    Notice,
    PhaseStart,
    PlanMade,
    PlanStepChanged,
    Reclassify,
    Retry,
    RoundStart,
    RoundVerdict,
    RunEvent,
    Steered,
    StepStart,
    SubRun,
    Thinking,
    Token,
    ToolCalled,
    ToolReturned,
)
from app.core.run.price import money_text
from app.core.text.i18n import _, current_language
from app.core.wording.runs import phase_title

from .output import error_lines, notice_line, tell, write


class Narration:
    """Hears every event of one run, in order."""

    def __init__(self) -> None:
        self._on_terminal = sys.stdout.isatty()
        self._may_change = False
        """The answer may be written again or handed on: no step's text is the answer before the end."""
        self._waits = False
        self._waiting = ""
        self._printed = ""
        self._step = 0
        self._thinking_is_open = False
        self._is_apart = False
        """Something was told behind the last text, on the screen they share."""

    def hear(self, event: RunEvent) -> None:
        match event:
            case LoopStart():
                self._may_change = bool(event.settings.get("output_schema") or event.settings.get("then"))
            case StepStart():
                self._remark()
                self._waits = not self._on_terminal and (self._may_change or event.tools_offered > 0)
            case Token(step, text):
                self._visible(step, text)
            case Thinking(_step, text):
                self._break_text()
                tell(text, end="")
                self._thinking_is_open = not text.endswith("\n")
            case Discard():
                self._waiting = ""
                self._end_line()
            case Reclassify(_step, "thinking"):
                self._remark()
            case LoopEnd() | LoopError():
                self._close(event)
            case _:
                if isinstance(event, ToolCalled):
                    self._remark()
                if told := progress(event):
                    self._tell(told)

    def _visible(self, step: int, text: str) -> None:
        if self._waits:
            self._waiting += text
            return
        if self._thinking_is_open:
            self._end_thinking()
        if step != self._step and self._printed:
            self._end_line()
            if not self._is_apart:
                self._print("\n")
        self._step, self._is_apart = step, False
        self._print(text)

    def _remark(self) -> None:
        """What waited is not the answer."""
        said, self._waiting = self._waiting.strip(), ""
        if said:
            self._tell(said)

    def _close(self, end: LoopEnd | LoopError) -> None:
        waiting, self._waiting, self._waits = self._waiting, "", False
        if isinstance(end, LoopError):
            self._visible(self._step, waiting)
        elif end.answer and not self._printed.rstrip("\n").endswith(end.answer.rstrip("\n")):
            self._visible(-1, end.answer)
        self._end_line()
        for line in closing(end):
            self._tell(line)

    def _print(self, text: str) -> None:
        self._printed += text
        write(text)

    def _end_line(self) -> None:
        if self._printed and not self._printed.endswith("\n"):
            self._print("\n")

    def _break_text(self) -> None:
        """On a screen stdout and stderr share the line."""
        if self._on_terminal and not self._thinking_is_open:
            self._end_line()

    def _end_thinking(self) -> None:
        self._thinking_is_open = False
        tell("")

    def _tell(self, text: str) -> None:
        if self._thinking_is_open:
            self._end_thinking()
        self._break_text()
        self._is_apart = self._on_terminal
        tell(text)


def closing(end: LoopEnd | LoopError) -> list[str]:
    """The last lines about a run."""
    if isinstance(end, LoopError):
        what, *rest = error_lines(end.error.code, end.error.message, end.error.hint, end.error.params) or [""]
        money = [f"[{money_text(end.money)}]"] if end.money else []
        return [f"triptych: {end.error.code}: {what}", *(f"  {line}" for line in rest), *money]
    tokens = _("{input}+{output} tokens").format(input=end.usage.input, output=end.usage.output)
    facts = [
        end.stop_reason,
        _("{n} steps").format(n=end.steps),
        _("{n} tools").format(n=len(end.tools)),
        tokens if end.usage.exact else tokens + " " + _("(estimated)"),
        *([money_text(end.money)] if end.money else []),
        _("{seconds} s").format(seconds=f"{end.seconds:.1f}"),
    ]
    return [f"[{' · '.join(facts)}]"]


def progress(event: RunEvent) -> str:
    """What is said of an event, "" for nothing."""
    match event:
        case ModeSelected(mode, reason, matched):
            words = _("mode {mode}: {reason}").format(mode=mode, reason=reason)
            return f"[{words}{' – ' + ', '.join(matched) if matched else ''}]"
        case PhaseStart(phase, title):
            return f"\n[{_phase(phase, title)}]"
        case PlanMade(goal, steps, _version):
            words = _("plan: {goal}").format(goal=goal)
            return "\n".join([f"[{words}]", *(f"  {s.step}. {s.description} ({s.action})" for s in steps)])
        case PlanStepChanged(step, status, error) if status != "running":
            words = _("step {step} {status}").format(step=step, status=status)
            return f"[{words}{': ' + error if error else ''}]"
        case RoundStart(round, limit):
            words = _("reflection {round}/{limit}").format(round=round, limit=limit)
            return f"\n[{words}]"
        case RoundVerdict(_round, verdict, missing):
            return f"[{verdict}{': ' + missing if missing else ''}]"
        case ToolCalled():
            return f"[{event.name} {json.dumps(dict(event.args), ensure_ascii=False)}]"
        case ToolReturned():
            first_line = event.summary.splitlines()[0] if event.summary else ""
            took = _("{ms:,} ms").format(ms=event.ms)
            return f"[{event.name} {event.status}, {took}] {first_line}"
        case Notice(code):
            words, about = _("notice {code}").format(code=code), notice_line(event)
            return f"[{words}{': ' + about if about != code else ''}]"
        case Retry(attempt, wait, code):
            words = _("retry {attempt} in {wait:g} s: {code}").format(attempt=attempt, wait=wait, code=code)
            return f"[{words}]"
        case Compacted(before, after):
            words = _("shortened for the model: {before} → {after} characters").format(before=before, after=after)
            return f"[{words}]"
        case SubRun(_id, agent):
            words = _("asks {agent}").format(agent=agent)
            return f"[{words}]"
        case Steered(_step, text):
            words = _("you, meanwhile: {text}").format(text=text)
            return f"[{words}]"
        case BudgetLevel(kind, used, limit, level, scope):
            budgets = {"session": _("budget of the session"), "day": _("budget of the day")}
            amount = _("{used:.10g} of {limit:.10g}").format(used=used, limit=limit)
            words = budgets.get(scope, _("budget"))
            return f"[{words}, {kind}: {amount}, {level}]"
        case _:
            return ""


def _phase(phase: str, title: str) -> str:
    """Its code stays for who looks for it."""
    words = title if current_language() == "en" else phase_title(phase)
    return f"{phase}: {words}" if words else phase

"""Prints a run as one line per step, the answer on stdout; `narration` prints everything (`--verbose`).

On a terminal the line of the current step is rewritten in place; elsewhere a line is printed when its step is over.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Mapping

from app.core.run.events import LoopStart, Notice
from app.core.run.mode import mode_name
from app.core.run.plan import Plan
from app.core.run.price import money_text
from app.core.run.view import (
    CallItem,
    EndItem,
    Item,
    ItemChange,
    NoteItem,
    PlanItem,
    PlanStepItem,
    RetryItem,
    RoundItem,
    RunView,
    StepItem,
    SubRunItem,
    TextItem,
)
from app.core.text.hidden import harmless
from app.core.text.i18n import _
from app.core.tools.card import asks_person
from app.core.wording.arguments import value_at_a_glance
from app.core.wording.figures import seconds_text, took_text
from app.core.wording.mended import mended_text
from app.core.wording.runs import round_title, stop_title
from app.core.wording.tools import calls_text, tool_title

from .markdown import TerminalMarkdown
from .narration import closing, marked_note
from .output import notice_line
from .style import Style, cut, padded, width
from .wrap import Wrap

NAME_COLUMN, ARGUMENTS = 25, 80
_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_QUIET = frozenset({"offline_rules", "prompt_long", "limit_raised", "results_cut", "dialect_changed", "plan_based_on"})
"""Notices of no consequence for the answer; `--verbose` has them."""
_MARKS = {"ok": ("✓", "ok"), "repeat": ("–", "dim"), "denied": ("–", "warn"), "blocked": ("–", "warn")}


class StepLines:
    """Receives every change of one run, in order; `tick` updates the line of the current step."""

    def __init__(self, agents: Mapping[str, str] | None = None) -> None:
        """`agents` are the names of agents by id."""
        self._agents = agents or {}
        self._out, self._err = Style(sys.stdout), Style(sys.stderr)
        self._markdown = TerminalMarkdown(self._out)
        self._waits, self._may_change = False, False
        self._waiting = self._printed = self._live = ""
        self._live_since, self._ticks = 0.0, 0
        self._step = 0
        self._calls: list[str] = []
        self._plan: Plan | None = None
        self._plans = 0
        self._judged: set[int] = set()
        self._start: LoopStart | None = None

    def show(self, view: RunView, changes: Iterable[ItemChange]) -> None:
        for what, item, text in changes:
            match item:
                case TextItem(role="visible"):
                    self._text(what, item, text if what == "grew" else item.text)
                case StepItem() if what == "added":
                    self._waiting = ""  # not the answer: a call followed
                    self._waits = not self._out.is_terminal and (self._may_change or item.tools_offered > 0)
                case EndItem():
                    self._close(item)
                case _:
                    self._item(view, what, item)

    def tick(self) -> None:
        """Ten times a second, on a terminal that can rewrite a line."""
        if self._live and self._err.is_live:
            self._ticks += 1
            spinner = self._err.paint(_SPINNER[self._ticks % len(_SPINNER)], "accent")
            name, _tab, detail = self._live.partition("\t")
            line = self._line(spinner, name, detail, seconds_text(time.monotonic() - self._live_since))
            self._write_err(f"\r\x1b[K{line}")

    # ------------------------------------------------------------ the work

    def _item(self, view: RunView, what: str, item: Item) -> None:
        match item:
            case NoteItem(event=start) if start is view.start:
                self._start = start
                self._may_change = bool(start.settings.get("output_schema") or start.settings.get("then"))
                if start.mode != "auto":
                    self._head(_(mode_name(start.mode)))
            case NoteItem(event=chosen) if chosen is view.chosen:
                matched = _("matched: {words}").format(words=", ".join(chosen.matched)) if chosen.matched else ""
                self._head(_(mode_name(chosen.mode)) + (f" ({matched})" if matched else ""))
            case NoteItem(event=Notice() as notice):
                if notice.code not in _QUIET:
                    self._say("!", "warn", notice_line(notice))
            case NoteItem(event=event):
                mark, words = marked_note(event)
                if words:
                    self._say(mark, "warn" if mark == "!" else "dim", words)
            case PlanItem(plan=plan, versions=versions):
                self._plan = plan
                for version in versions[self._plans :]:
                    self._tell_plan(version)
                self._plans = len(versions)
            case PlanStepItem(number=number, status=status) if status in ("failed", "skipped"):
                name = item.plan_step.description if item.plan_step is not None else ""
                sign, look = ("✗", "error") if status == "failed" else ("–", "dim")
                self._over(sign, look, self._number(number) + name, item.error)
            case CallItem():
                self._call(item)
            case RoundItem(verdict=verdict) if verdict is not None and item.key not in self._judged:
                self._judged.add(item.key)
                sign, look = ("✓", "ok") if verdict.verdict == "enough" else ("↻", "accent")
                missing = _("missing: {what}").format(what=verdict.missing) if verdict.missing else ""
                self._over(sign, look, round_title(item.number, item.limit), missing, seconds_text(item.seconds))
            case RetryItem(event=event) if what == "added":
                words = _("retry {attempt} in {wait:g} s: {code}")
                self._say("!", "warn", words.format(attempt=event.attempt, wait=event.wait, code=event.code))
            case SubRunItem(agent=agent) if what == "added":
                self._say("↻", "accent", _("asks {agent}").format(agent=self._agents.get(agent, agent)))
            case _:
                pass

    def _head(self, mode: str) -> None:
        start = self._start
        if start is not None:
            name = harmless(self._agents.get(start.agent, start.agent))
            rest = harmless(f" · {mode} · {start.model}")
            self._put(self._err.paint(name, "accent") + self._err.paint(rest, "dim"))

    def _tell_plan(self, plan: Plan) -> None:
        self._put(self._err.paint(cut(harmless(_("plan: {goal}").format(goal=plan.goal)), self._err.columns), "dim"))
        for step in plan.steps:
            words = " ".join(harmless(step.description or tool_title(step.action)).split())
            self._put(self._err.paint(cut(f"  {step.step}. {words}", self._err.columns), "dim"))

    def _call(self, item: CallItem) -> None:
        name = self._number(item.plan_step) + tool_title(item.call.name)
        result = item.result
        if result is None:
            if self._live.partition("\t")[0] != name:
                self._live, self._live_since = f"{name}\t{_arguments(item.call.args)}", time.monotonic()
                self.tick()
            return
        self._calls.append(item.call.name)
        sign, look = _MARKS.get(result.status, ("✗", "error"))
        if result.status == "error" and asks_person(result.card):
            sign, look = "?", "accent"
        first_line = result.summary.splitlines()[0] if result.summary else _arguments(item.call.args)
        self._over(sign, look, name, first_line, took_text(result.ms))
        if text := mended_text(item.call.mended):
            self._say("–", "dim", text)

    def _number(self, step: int) -> str:
        return f"{step}/{len(self._plan.steps)} " if step and self._plan is not None else ""

    def _over(self, sign: str, look: str, name: str, detail: str, took: str = "") -> None:
        self._live = ""
        self._put(self._line(self._err.paint(self._err.mark(sign), look), name, detail, took))

    def _line(self, mark: str, name: str, detail: str, took: str) -> str:
        """Two columns, the mark, the name up to column 25, the detail as far as it goes, the time at the right."""
        columns = self._err.columns
        name = cut(" ".join(harmless(name).split()), columns - 12)
        column = padded(name, NAME_COLUMN - 4)
        room = columns - 4 - width(column) - 1 - width(took) - 1
        arguments = cut(" ".join(harmless(detail).split()), min(room, ARGUMENTS)) if room > 8 else ""
        arguments, took = self._err.paint(padded(arguments, room), "dim"), self._err.paint(took, "dim")
        return f"  {mark} {column} {arguments} {took}".rstrip()

    def _say(self, sign: str, look: str, words: str) -> None:
        text = cut(" ".join(harmless(words).split()), 4 * self._err.columns)
        lines = Wrap(self._err.columns - 4).feed(text).replace("\n", "\n    ")
        self._put(f"  {self._err.paint(self._err.mark(sign), look)} {lines}")

    # ------------------------------------------------------------ the answer

    def _text(self, what: str, item: TextItem, text: str) -> None:
        if what == "removed":
            self._waiting = ""
            self._end_line()
        elif what != "changed":
            if self._waits:
                self._waiting += text
                return
            if item.step != self._step and self._printed:
                self._end_line()
                self._print("\n")
            self._step = item.step
            self._print(text)

    def _close(self, item: EndItem) -> None:
        self._live, waiting, self._waiting = "", self._waiting, ""
        if item.failure is not None:
            self._print(waiting)
        elif item.answer and not self._printed.rstrip("\n").endswith(item.answer.rstrip("\n")):
            self._end_line()
            self._print(item.answer)
        self._end_line()
        if item.failure is not None:
            for line in closing(item):
                self._put(harmless(line))
            return
        end = item.end
        looked = calls_text(self._calls)
        tokens = _("{n:,} tokens").format(n=end.usage.total)
        facts = [stop_title(item.stop_reason), looked, tokens, money_text(end.money) if end.money else ""]
        words, took = " · ".join(filter(None, facts)), seconds_text(end.seconds)
        room = self._err.columns - 2 - width(took) - 1
        mark = self._err.paint(self._err.mark("✓"), "ok")
        self._put(f"{mark} {padded(cut(words, room), room)} {self._err.paint(took, 'dim')}")

    def _print(self, text: str) -> None:
        if not text:
            return
        self._clear()
        if self._err.is_terminal and not self._printed:
            self._put("")
        self._printed += text
        sys.stdout.write(self._markdown.feed(harmless(text)) if self._out.is_terminal else text)
        sys.stdout.flush()

    def _end_line(self) -> None:
        if self._printed and not self._printed.endswith("\n"):
            self._print("\n")
        if self._out.is_terminal and (rest := self._markdown.finish()):
            sys.stdout.write(rest)
            sys.stdout.flush()

    def _put(self, line: str) -> None:
        """On a line of its own, below what was printed; already harmless."""
        self._clear()
        if self._out.is_terminal:
            self._end_line()
        self._write_err(line + "\n")

    def _clear(self) -> None:
        if self._err.is_live and self._ticks:
            self._write_err("\r\x1b[K")
            self._ticks = 0

    def _write_err(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


def _arguments(args: Mapping[str, object]) -> str:
    """Values in human words; what has none, such as a whole itinerary by its fields, is left to `--verbose`."""
    texts = filter(None, map(value_at_a_glance, args.values()))
    return cut(" ".join(" · ".join(texts).split()), ARGUMENTS)

"""A run told on the terminal: the answer on stdout, thinking and progress on stderr.

On a terminal every visible text streams as it comes, each step a paragraph. Where stdout goes into a file or to
another program it is the answer alone: a step that may still call tools is no answer before it is over, so its text
waits, and what turns out to be a remark goes to stderr.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator

from app.core.run.events import BudgetLevel, Compacted, ModeSelected, Notice, Steered, Understood
from app.core.run.plan import Plan
from app.core.run.price import money_text
from app.core.run.view import (
    CallItem,
    EndItem,
    Item,
    ItemChange,
    NoteItem,
    PhaseItem,
    PlanItem,
    PlanStepItem,
    RetryItem,
    RoundItem,
    RunView,
    StepItem,
    SubRunItem,
    TextItem,
)
from app.core.run.view.items import NoteEvent
from app.core.text.i18n import _, current_language
from app.core.wording.mended import mended_text
from app.core.wording.runs import phase_title
from app.core.wording.understood import understood_text

from .output import error_lines, notice_line, tell, write


class Narration:
    """Is shown every change of one run, in order."""

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
        self._plans = 0
        """Versions of the plan that were told."""
        self._judged: set[int] = set()
        """Rounds whose verdict was told."""

    def show(self, view: RunView, changes: Iterable[ItemChange]) -> None:
        for what, item, text in changes:
            match item:
                case TextItem():
                    self._text(what, item, text if what == "grew" else item.text)
                case StepItem() if what == "added":
                    self._remark()
                    self._waits = not self._on_terminal and (self._may_change or item.tools_offered > 0)
                case NoteItem(event=event) if event is view.start:
                    self._may_change = bool(event.settings.get("output_schema") or event.settings.get("then"))
                case EndItem():
                    self._close(item)
                case _:
                    if isinstance(item, CallItem) and what == "added":
                        self._remark()
                    for words in self._news(what, item):
                        self._tell(words)

    def _text(self, what: str, item: TextItem, text: str) -> None:
        if what == "removed":
            if item.role == "visible":
                self._waiting = ""
                self._end_line()
        elif what == "changed":
            pass
        elif item.role == "visible":
            self._visible(item.step, text)
        elif item.is_open or not self._on_terminal:  # what turned out to be thinking stands on a screen already
            self._break_text()
            tell(text, end="")
            self._thinking_is_open = not text.endswith("\n")

    def _news(self, what: str, item: Item) -> Iterator[str]:
        """What is said of an item, once each."""
        match item:
            case PlanItem(versions=versions):
                yield from map(_plan, versions[self._plans :])
                self._plans = len(versions)
            case RoundItem(verdict=verdict):
                if what == "added":
                    words = _("reflection {round}/{limit}").format(round=item.number, limit=item.limit)
                    yield f"\n[{words}]"
                if verdict is not None and item.key not in self._judged:
                    self._judged.add(item.key)
                    yield f"[{verdict.verdict}{': ' + verdict.missing if verdict.missing else ''}]"
            case CallItem():
                yield from _call(what, item)
            case PlanStepItem(status=status) if status != "running":
                words = _("step {step} {status}").format(step=item.number, status=status)
                yield f"[{words}{': ' + item.error if item.error else ''}]"
            case PhaseItem(phase=phase, title=title):
                yield f"\n[{_phase(phase, title)}]"
            case NoteItem(event=event):
                yield from _note(event)
            case RetryItem(event=event) if what == "added":
                words = _("retry {attempt} in {wait:g} s: {code}")
                yield f"[{words.format(attempt=event.attempt, wait=event.wait, code=event.code)}]"
            case SubRunItem(agent=agent) if what == "added":
                words = _("asks {agent}").format(agent=agent)
                yield f"[{words}]"
            case _:
                pass

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

    def _close(self, item: EndItem) -> None:
        waiting, self._waiting, self._waits = self._waiting, "", False
        if item.failure is not None:
            self._visible(self._step, waiting)
        elif item.answer and not self._printed.rstrip("\n").endswith(item.answer.rstrip("\n")):
            self._visible(-1, item.answer)
        self._end_line()
        for line in closing(item):
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


def closing(item: EndItem) -> list[str]:
    """The last lines about a run."""
    end = item.end
    if item.failure is not None:
        error = item.failure.error
        what, *rest = error_lines(error.code, error.message, error.hint, error.params) or [""]
        money = [f"[{money_text(end.money)}]"] if end.money else []
        return [f"triptych: {error.code}: {what}", *(f"  {line}" for line in rest), *money]
    tokens = _("{input}+{output} tokens").format(input=end.usage.input, output=end.usage.output)
    facts = [
        item.stop_reason,
        _("{n} steps").format(n=end.steps),
        _("{n} tools").format(n=len(end.tools)),
        tokens if end.usage.exact else tokens + " " + _("(estimated)"),
        *([money_text(end.money)] if end.money else []),
        _("{seconds} s").format(seconds=f"{end.seconds:.1f}"),
    ]
    return [f"[{' · '.join(facts)}]"]


def _plan(plan: Plan) -> str:
    words = _("plan: {goal}").format(goal=plan.goal)
    return "\n".join([f"[{words}]", *(f"  {s.step}. {s.description} ({s.action})" for s in plan.steps)])


def _call(what: str, item: CallItem) -> Iterator[str]:
    if what == "added":
        yield f"[{item.call.name} {json.dumps(dict(item.call.args), ensure_ascii=False)}]"
        if text := mended_text(item.call.mended):
            yield f"  {text}"
    if (result := item.result) is not None:
        first_line = result.summary.splitlines()[0] if result.summary else ""
        took = _("{ms:,} ms").format(ms=result.ms)
        yield f"[{item.call.name} {result.status}, {took}] {first_line}"


def _note(event: NoteEvent) -> Iterator[str]:
    match event:
        case ModeSelected(mode, reason, matched):
            words = _("mode {mode}: {reason}").format(mode=mode, reason=reason)
            yield f"[{words}{' – ' + ', '.join(matched) if matched else ''}]"
        case Notice(code):
            words, about = _("notice {code}").format(code=code), notice_line(event)
            yield f"[{words}{': ' + about if about != code else ''}]"
        case Compacted(before, after):
            words = _("shortened for the model: {before} → {after} characters").format(before=before, after=after)
            yield f"[{words}]"
        case _:
            _mark, words = marked_note(event)
            level = f", {event.level}" if isinstance(event, BudgetLevel) else ""
            if words:
                yield f"[{words}{level}]"


def marked_note(event: NoteEvent) -> tuple[str, str]:
    """The mark of a line and its words, for a note that is told alike with and without `--verbose`; "" for others."""
    match event:
        case Steered(_step, text):
            return "–", _("you, meanwhile: {text}").format(text=text)
        case Understood(slots=slots) if text := understood_text(slots):
            return "–", _("understood: {text}").format(text=text)
        case BudgetLevel(kind, used, limit, _level, scope):
            budgets = {"session": _("budget of the session"), "day": _("budget of the day")}
            amount = _("{used:.10g} of {limit:.10g}").format(used=used, limit=limit)
            return "!", budgets.get(scope, _("budget")) + f", {kind}: {amount}"
        case _:
            return "", ""


def _phase(phase: str, title: str) -> str:
    """Its code stays for who looks for it."""
    words = title if current_language() == "en" else phase_title(phase)
    return f"{phase}: {words}" if words else phase

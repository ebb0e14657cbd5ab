"""The gate before every tool call: may it run, with these arguments, and what does the person say?

One gate for every mode. It sees the arguments after every hook; what the person approves is
bound to them by a hash. Waiting for the person stops the run's clock.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from app.core.arguments.judge import wrong_dates
from app.core.arguments.refusal import example_hint, worded
from app.core.errors import ToolError
from app.core.run.event_values import CallStatus
from app.core.run.events import Answer, Approval, ApprovalAnswer, Question, RunEvent
from app.core.text.i18n import N_, _, languages, say_in
from app.core.tools.finite import NOT_FINITE, is_finite
from app.core.tools.tool import LONGEST_ARGUMENTS, Tool, ToolResult, canonical_args, example_of

from ..context import RunContext
from ..policy.caution import caution_of, hosts_of
from ..policy.permission import Choice, Decision, call_hash
from ..policy.subject import Subject
from . import failures

UNSURE = "its earlier outcome is unknown"
"""The rule that asks before a call is made again that may have had its effect."""
NOBODY = N_("nobody answered")
SECRETS = N_("it names files that hold keys; add --secrets if you mean them")
LOOK_UP = 10.0
"""Seconds in which it must be known where the paths of a call lead."""
REFUSALS = 3
"""So many refused calls make the run ask how to continue (security-reliability.md d.1)."""
AGAIN = "again"
"""The rule where the very same call was allowed once before: one approval is one execution."""
ASK_AGAIN_AT = 3
"""The n-th identical call in a row asks first, if it would run: a call that only reads is answered by its first
result, unless that was a failure."""


_ONCE: tuple[Choice, ...] = ("once", "deny")
"""A question that nothing granted would answer another time."""


class Turned(Exception):
    """The call does not run; the result says why."""

    def __init__(self, status: CallStatus, result: ToolResult) -> None:
        self.status, self.result = status, result


class Gate:
    """The gate of one batch; `tell` puts an event into the batch's stream."""

    def __init__(self, ctx: RunContext, tell: Callable[[RunEvent], None]) -> None:
        self._ctx, self._tell = ctx, tell
        self._asking = asyncio.Lock()
        """One question at a time."""
        self._looking = asyncio.Lock()

    async def admit(self, call_id: str, tool: Tool, args: dict[str, Any], *, runs: bool = True) -> dict[str, Any]:
        """The arguments the call may run with: the given ones, or those the person made of them.

        Without `runs` it is answered from an earlier result: nobody is asked, a deny still holds.
        """
        ctx = self._ctx
        limit = ctx.services.most_calls.get(tool.name) if runs else None
        if limit is not None:
            ctx.state.counted[tool.name] += 1
            if ctx.state.counted[tool.name] > limit:
                raise Turned("blocked", failures.often_enough(ctx.request.language, tool.name, limit))
        is_stuck = self._is_stuck(tool, args) and runs
        subject = await self._looked_up(tool, args)
        decision = self._decide(subject, is_stuck)
        if decision.word != "deny" and not tool.read_only and call_key(tool, args) in ctx.state.unsure:
            # Not even `--approve all` decides whether something is done twice.
            decision = replace(decision, word="ask" if ctx.request.interactive else "deny", rule=UNSURE, choices=_ONCE)
        answered = ctx.request.approve == "all" and (
            ctx.request.approves_secrets or not decision.is_about_secrets(tool)
        )
        if decision.word == "allow" or (decision.word == "ask" and (answered or not runs)):
            ctx.state.clicked.discard(call_hash(tool, args))
            return args
        if decision.word == "ask" and ctx.request.approve == "ask" and ctx.request.interactive:
            return await self._ask_person(call_id, subject, args, decision, is_stuck)
        is_secret = ctx.request.approve == "all" and decision.is_about_secrets(tool)
        raise Turned("denied", _denied(ctx, tool, decision, SECRETS if is_secret else ""))

    async def _looked_up(self, tool: Tool, args: Mapping[str, Any]) -> Subject:
        """What the call is about. Paths are followed in a thread, one call after the other: they keep their order."""
        permissions, workspace = self._ctx.services.permissions, self._ctx.services.tool_seams.get("workspace")
        async with self._looking:
            subject = Subject.read(tool, args, (str(workspace),) if workspace is not None else ())
            if permissions.touches_disk(subject):
                try:
                    async with asyncio.timeout(LOOK_UP):
                        await asyncio.to_thread(permissions.look_up, subject)
                except TimeoutError:
                    words = N_("the folder of a path did not answer within {n:g} s, so nobody knows where it leads")
                    why = say_in(self._ctx.request.language, words, n=LOOK_UP)
                    raise Turned("error", ToolResult.failure("TIMEOUT", why, retryable=True)) from None
        return subject

    def _decide(self, subject: Subject, is_stuck: bool = False) -> Decision:
        ctx, tool, args = self._ctx, subject.tool, subject.args
        clicked = bool(ctx.state.clicked) and call_hash(tool, args) in ctx.state.clicked
        decision = ctx.services.permissions.decide(tool, args, taint=ctx.state.taint, clicked=clicked, subject=subject)
        if decision.word != "allow" or not is_stuck:
            return decision
        return replace(decision, word="ask", rule=f"call {ASK_AGAIN_AT} times in a row", choices=_ONCE)

    def _is_stuck(self, tool: Tool, args: Mapping[str, Any]) -> bool:
        key, recent = call_key(tool, args), self._ctx.state.recent
        recent.append(key)
        return recent[-ASK_AGAIN_AT:] == [key] * ASK_AGAIN_AT

    async def _ask_person(
        self, call_id: str, subject: Subject, args: dict[str, Any], decision: Decision, is_stuck: bool
    ) -> dict[str, Any]:
        ctx, tool = self._ctx, subject.tool
        async with self._asking:
            if decision.rule != UNSURE:
                decision = self._decide(subject, is_stuck)  # more may be known since: a grant, or text of others
                if decision.word == "allow":
                    return args
            bound = call_hash(tool, args)
            if (before := ctx.state.refused.get(bound)) is not None:
                raise Turned("denied", _denied(ctx, tool, decision, _before(ctx, before)))
            if bound in ctx.state.allowed and decision.rule != UNSURE and decision.choices != _ONCE:
                decision = replace(decision, rule=AGAIN)
            careful = await asyncio.to_thread(caution_of, subject, frozenset(ctx.state.hosts))
            answer = await self._ask(call_id, tool, args, decision, careful)
            choice, reason = answer["choice"], answer.get("reason") or ""
            if choice not in decision.choices or choice == "deny":
                ctx.state.refused[bound] = reason
                if reason != NOBODY and len(ctx.state.refused) % REFUSALS == 0:
                    reason = await self._ask_how_to_go_on() or reason
                raise Turned("denied", _denied(ctx, tool, decision, reason))
        if answer.get("args") is not None:
            args = checked_args(tool, dict(answer["args"]), ctx)
            subject = await self._looked_up(tool, args)
            if self._decide(subject).word == "deny":
                raise Turned("denied", _denied(ctx, tool, decision))
        elif call_hash(tool, args) != bound:
            why = say_in(ctx.request.language, "the arguments changed after they were approved")
            raise Turned("denied", ToolResult.failure("DENIED", why))
        if choice in ("run", "always"):
            ctx.services.permissions.grant(subject)
        ctx.state.allowed.add(call_hash(tool, args))
        ctx.state.hosts |= hosts_of(subject)
        ctx.state.unsure.discard(call_key(tool, args))
        return args

    async def _ask(
        self, call_id: str, tool: Tool, args: dict[str, Any], decision: Decision, careful: str
    ) -> dict[str, Any]:
        id = next(self._ctx.services.ids)
        context = decision.rule, decision.choices, decision.sources, decision.private
        preview = await self._preview(tool, args)
        until, text = waits_until(self._ctx), _sentence(tool, args)
        self._tell(
            Approval(id, call_id, tool.name, args, *context, until=until, text=text, careful=careful, preview=preview)
        )
        answer = await approval_of(self._ctx, id)
        self._tell(ApprovalAnswer(id, answer["choice"], answer.get("reason") or None))
        return answer

    async def _preview(self, tool: Tool, args: dict[str, Any]) -> Mapping[str, Any] | None:
        """What the call would change. A call that could not be made needs no question: its fault is its result."""
        if tool.preview is None:
            return None
        try:
            async with asyncio.timeout(LOOK_UP):
                card = await tool.preview(self._ctx.tool_context(), args)
        except ToolError as error:
            message, hint = error.worded(self._ctx.request.language)
            failure = ToolResult.failure(error.tool_code, message, hint=hint, retryable=error.retryable)
            if error.tool_code == "STALE":
                self._ctx.state.cache.clear()
            raise Turned("error", failure) from error
        except TimeoutError:
            return None
        return card.to_json() if card is not None else None

    async def _ask_how_to_go_on(self) -> str:
        """After several refusals the run holds: it is not what was wanted. Returns what is said to the model."""
        go_on, answer_now = _("Go on"), _("Answer now")
        question = _("You have refused {n} calls in this run. How should it go on?")
        try:
            answer = await self.ask_question(question.format(n=len(self._ctx.state.refused)), (go_on, answer_now))
        except ToolError:
            return NOBODY
        if answer == answer_now:
            self._ctx.services.inbox.answer_now = True
        return "" if answer in (go_on, answer_now) else answer

    async def ask_question(self, question: str, options: tuple[str, ...] = ()) -> str:
        """A tool's question to the person. Where nobody is there the run will end with it.

        Raises ToolError where nobody answers for as long as an approval waits.
        """
        ctx = self._ctx
        if not ctx.request.interactive:
            ctx.state.clarification = question
            raise ToolError("CLARIFICATION", N_("nobody can answer now; the question goes to the person"))
        event = Question(next(ctx.services.ids), question, options)
        self._tell(event)
        answer = ""
        ctx.services.clock.stop()
        try:
            async with asyncio.timeout(ctx.request.approval_wait):
                answer = str(await ctx.services.inbox.wait(event.id))
        except TimeoutError as late:
            raise ToolError("NOBODY_THERE", NOBODY, hint=N_("assume something sensible and say so")) from late
        finally:
            ctx.services.clock.resume()
            self._tell(Answer(event.id, answer))
        return answer


def waits_until(ctx: RunContext) -> float:
    """When an approval that is asked for now becomes a no (`Approval.until`)."""
    return round(time.time() + ctx.request.approval_wait, 1)


async def approval_of(ctx: RunContext, id: str) -> dict[str, Any]:
    """What the person says to an `Approval`; a no, where nobody says anything for long. The run's clock stands."""
    ctx.services.clock.stop()
    try:
        async with asyncio.timeout(ctx.request.approval_wait):
            answer: dict[str, Any] = await ctx.services.inbox.wait(id)
            return answer
    except TimeoutError:
        return {"choice": "deny", "reason": NOBODY}
    finally:
        ctx.services.clock.resume()


def checked_args(tool: Tool, args: dict[str, Any], ctx: RunContext) -> dict[str, Any]:
    """A frozen copy of the arguments, if the tool takes them; else every fault at once, with a right example."""
    text = canonical_args(args)
    if len(text) > LONGEST_ARGUMENTS:  # the model's were measured; a plan's reference or a hook may bring more
        why = say_in(ctx.request.language, "the arguments are longer than {n} kB", n=LONGEST_ARGUMENTS // 1024)
        raise Turned("error", ToolResult.failure("BAD_ARGUMENTS", why, hint=say_in(ctx.request.language, "send less")))
    if not is_finite(args):  # a hook or the person may bring such numbers too
        raise Turned("error", ToolResult.failure("BAD_ARGUMENTS", say_in(ctx.request.language, NOT_FINITE)))
    faults = tool.check(args)
    if faults:
        ctx.state.argument_failures[tool.name] += 1
        listed = worded([*faults, *wrong_dates(tool.form, args)], tool.form, args, ctx.request.language)
        hint = example_hint(example_of(tool, ctx.day), ctx.request.language)
        raise Turned("error", ToolResult.failure("BAD_ARGUMENTS", listed, hint=hint))
    frozen: dict[str, Any] = json.loads(text)
    return frozen


def call_key(tool: Tool, args: Mapping[str, Any]) -> tuple[str, str]:
    """The same for calls that mean the same."""
    return tool.name, canonical_args(args)


def _sentence(tool: Tool, args: Mapping[str, Any]) -> dict[str, str]:
    """What the call would do, for whoever reads it: the window may speak another language than the run."""
    say = tool.approval_text
    return {language: say(args, language) for language in languages()} if say is not None else {}


def _denied(ctx: RunContext, tool: Tool, decision: Decision, reason: str = "") -> ToolResult:
    message = say_in(ctx.request.language, "{name} was not allowed ({rule})", name=tool.name, rule=decision.rule)
    if reason:
        message = say_in(ctx.request.language, "{what}: {why}", what=message, why=say_in(ctx.request.language, reason))
    return ToolResult.failure("DENIED", message, hint=say_in(ctx.request.language, "go on without it"))


def _before(ctx: RunContext, reason: str) -> str:
    """Of a call that was refused before, with what was said of it then."""
    again = say_in(ctx.request.language, "refused before in this run")
    return (
        say_in(ctx.request.language, "{what}; {why}", what=again, why=say_in(ctx.request.language, reason))
        if reason
        else again
    )

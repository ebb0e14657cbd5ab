"""What can be said to a run: stop, approve, answer, plan, control (`core.run.run_handle`)."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from app.core.run.run_handle import RunHandle

from .access import check_right, check_session, client_of
from .errors import ApiError, bad_request, json_response
from .parts import ServerParts
from .request_body import field, number, read_object, required_text

_CHOICES = ("once", "run", "always", "deny")
_PLAN_ORDERS = ("pause", "resume", "next", "skip", "retry", "result")


async def _run(request: Request, parts: ServerParts) -> RunHandle:
    client, run = client_of(request), parts.hub.run(request.path_params["id"])
    await check_session(client, parts.sessions, run.session)
    return run


def _done(was_heard: bool) -> Response:
    if not was_heard:
        raise ApiError(409, "NOT_WAITING", "the run does not wait for this, or has ended")
    return json_response({"ok": True})


async def cancel(request: Request, parts: ServerParts) -> Response:
    check_right(client_of(request), "run")
    run = await _run(request, parts)
    was_running = run.is_running
    run.cancel()
    return _done(was_running)


async def approve(request: Request, parts: ServerParts) -> Response:
    """`{id, choice, args?, reason?}`; `id` is that of the `approval` event."""
    check_right(client_of(request), "approve")
    body, run = await read_object(request), await _run(request, parts)
    choice = required_text(body, "choice")
    if choice not in _CHOICES:
        raise bad_request(f"choice is one of {', '.join(_CHOICES)}", "choice")
    if choice == "always" and not client_of(request).is_owner:
        raise ApiError(403, "DENIED", "only the token of the person allows something for good")
    args = field(body, "args", dict, {}) if body.get("args") is not None else None
    return _done(run.approve(required_text(body, "id"), choice, args=args, reason=field(body, "reason", str, "")))


async def answer(request: Request, parts: ServerParts) -> Response:
    """`{id, text}`; `id` is that of the `question` event."""
    check_right(client_of(request), "approve")
    body, run = await read_object(request), await _run(request, parts)
    return _done(run.answer(required_text(body, "id"), required_text(body, "text")))


async def plan(request: Request, parts: ServerParts) -> Response:
    """`{goal, steps[]}` as the `plan` event has them, or `{keep: true}` for the plan that was there."""
    check_right(client_of(request), "approve")
    body, run = await read_object(request), await _run(request, parts)
    if field(body, "keep", bool, False):
        return _done(run.keep_plan())
    steps: list[Any] = field(body, "steps", list, [])
    if not steps or not all(isinstance(step, dict) for step in steps):
        raise bad_request("steps is not a list of objects", "steps")
    return _done(run.submit_plan(field(body, "goal", str, ""), steps))


async def control(request: Request, parts: ServerParts) -> Response:
    """`{order, step?, value?}`: an order about the plan, or answer_now, retry_now, one_more_round, steer (`text`),
    budget (`limit`)."""
    check_right(client_of(request), "run")
    body, run = await read_object(request), await _run(request, parts)
    order = required_text(body, "order")
    if not run.is_running:
        return _done(False)
    match order:
        case "answer_now":
            run.answer_now()
        case "retry_now":
            run.retry_now()
        case "one_more_round":
            run.one_more_round()
        case "steer":
            return _done(run.steer(required_text(body, "text")))
        case "budget":
            check_right(client_of(request), "approve")
            return _done(run.raise_budget(number(body, "limit")))
        case _ if order in _PLAN_ORDERS:
            check_right(client_of(request), "approve")
            run.control_plan(order, field(body, "step", int, 0), body.get("value"))
        case _:
            orders = ("answer_now", "retry_now", "one_more_round", "steer", "budget", *_PLAN_ORDERS)
            raise bad_request(f"order is one of {', '.join(orders)}", "order")
    return _done(True)

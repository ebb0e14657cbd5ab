"""Every limit against models that will not stop: the number of requests holds, and no answer is blank."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.core.profile import Budget
from app.core.run.chat_model import AssistantTurn, CallTurn, ModelRequest
from app.core.run.event_line import Stamped
from app.core.run.events import LoopEnd, StepStart
from tests.every import looped
from tests.fakes import AskedModel, Kit, error_of, of, run_mode


class Stubborn:
    """Calls a tool whatever is asked, with the text `says`; `new` arguments each time, or the same."""

    def __init__(self, says: str, *, new: bool) -> None:
        self.says, self.new, self.asked = says, new, 0

    def __call__(self, request: ModelRequest) -> str | AssistantTurn:
        self.asked += 1
        args = {"a": self.asked if self.new else 1}
        return AssistantTurn(self.says, calls=(CallTurn(f"c{self.asked}", "add", "{}", args),))


MODELS: dict[str, Callable[[], Callable[[ModelRequest], str | AssistantTurn]]] = {
    "calls for ever": lambda: Stubborn("", new=True),
    "says something and calls for ever": lambda: Stubborn("I look once more.", new=True),
    "repeats itself for ever": lambda: Stubborn("", new=False),
    "is silent": lambda: lambda _request: "",
}


def check(lines: list[Stamped], most: int) -> None:
    """One request more than the limit: where nothing was said, the model is asked for words once."""
    steps = of(lines, StepStart)
    assert len(steps) <= most + 1
    end = lines[-1].event
    if isinstance(end, LoopEnd):
        assert end.answer.strip()
        assert steps[-1].tools_offered == 0 or len(steps) < most
    else:
        assert error_of(lines).error.code in ("EMPTY_ANSWER", "BUDGET"), "nothing at all was found, and it is said"


@looped("name", MODELS)
@looped("steps", range(1, 13))
async def test_the_limit_of_steps_holds_and_something_is_answered(name: str, steps: int) -> None:
    lines = await run_mode("react", AskedModel(MODELS[name]()), settings={"max_steps": steps})
    check(lines, steps)


@looped("style", ["guided", "scored"])
@looped("name", MODELS)
@looped("rounds", range(11))
async def test_the_limit_of_rounds_holds_and_something_is_answered(name: str, rounds: int, style: str) -> None:
    settings: dict[str, Any] = {
        "enable_reflection": True, "reflection_style": style, "max_reflection_iterations": rounds, "max_steps": 50,
    }  # fmt: skip
    kit = Kit()
    lines = await run_mode("react", AskedModel(MODELS[name]()), kit.tools, settings=settings)
    check(lines, max(rounds, 1) + 1)
    assert len(kit.ran) <= max(rounds, 1)


@looped("name", MODELS)
@looped("calls", range(1, 6))
async def test_the_limit_of_tool_calls_holds_and_something_is_answered(name: str, calls: int) -> None:
    kit = Kit()
    settings = {"max_steps": 50}
    budget = Budget(tool_calls=calls)
    lines = await run_mode("react", AskedModel(MODELS[name]()), kit.tools, settings=settings, budget=budget)
    check(lines, calls + 2)
    assert len(kit.ran) <= calls


@looped("name", MODELS)
@looped("tokens", [1, 10, 50, 200, 1_000, 5_000])
async def test_the_limit_of_tokens_ends_the_run_with_words(name: str, tokens: int) -> None:
    lines = await run_mode(
        "react", AskedModel(MODELS[name]()), settings={"max_steps": 50}, budget=Budget(tokens=tokens)
    )
    check(lines, 50)


@looped("name", MODELS)
@looped("mode", ["direct", "plan", "auto"])
async def test_in_every_mode_something_is_answered(name: str, mode: str) -> None:
    lines = await run_mode(mode, AskedModel(MODELS[name]()), settings={"max_steps": 3})
    assert len(of(lines, StepStart)) <= 10
    end = lines[-1].event
    assert end.answer.strip() if isinstance(end, LoopEnd) else error_of(lines).error.code == "EMPTY_ANSWER"

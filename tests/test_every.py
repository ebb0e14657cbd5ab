"""A loop over cases says everything that copies of a test would have said."""

from __future__ import annotations

import asyncio
import inspect
import re

import pytest

from tests.every import every, looped


def test_every_case_is_looked_at_and_those_that_fail_are_listed() -> None:
    seen = []

    @looped("a", [1, 2])
    @looped(("b", "c"), [(1, 2), (3, 4)], ids=["x", "y"])
    def check(a: int, b: int, c: int, fixture: str) -> None:
        seen.append((a, b, c, fixture))
        if a == 2 and c == 2:
            raise ValueError("no number")
        assert a + b != 4, "four"

    assert list(inspect.signature(check).parameters) == ["fixture"]
    with pytest.raises(pytest.fail.Exception, match="2 of 4 cases failed") as caught:
        check(fixture="f")
    assert seen == [(1, 1, 2, "f"), (1, 3, 4, "f"), (2, 1, 2, "f"), (2, 3, 4, "f")]
    assert re.findall(r"^(\S+): (.*) \(test_every", str(caught.value), re.MULTILINE) == [
        ("1-y", "four"),
        ("2-x", "ValueError: no number"),
    ]


def test_coroutines_are_awaited() -> None:
    @looped("a", [1, 2])
    async def check(a: int) -> None:
        await asyncio.sleep(0)
        assert a == 1

    with pytest.raises(pytest.fail.Exception, match="1 of 2 cases failed"):
        asyncio.run(check())


def test_a_loop_over_nothing_proves_nothing() -> None:
    with pytest.raises(AssertionError, match="no cases"):
        looped("a", [])
    with pytest.raises(AssertionError, match="no cases"):
        every([], lambda _case: None)

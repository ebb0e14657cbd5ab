"""One test over many cases: every case is looked at, and all that fail are listed."""

from __future__ import annotations

import functools
import inspect
import itertools
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

Case = TypeVar("Case")
Test = Callable[..., Any]

FAULTS = (Exception, pytest.fail.Exception)
"""What a case fails with; a skip or an interruption ends the whole test."""


def every(cases: Iterable[tuple[str, Case]], check: Callable[[Case], None]) -> None:
    """Fails with one line per failed case; `check` asserts something about one case.

    Fails too when there is no case: a loop over nothing proves nothing.
    """
    failures, count = [], 0
    for name, case in cases:
        count += 1
        try:
            check(case)
        except FAULTS as fault:
            failures.append(_line(name, fault))
    _conclude(failures, count)


def looped(
    names: str | Sequence[str], values: Iterable[Any], ids: Iterable[str] | Callable[[Any], object] | None = None
) -> Callable[[Test], Test]:
    """As `pytest.mark.parametrize`, but one test goes through all the cases, and lists those that fail.

    Several of them give every combination. All cases share the fixtures of the one test, so it is for checks that
    leave nothing behind. A case costs only what is checked in it: no fixtures, reports or messages between processes.
    """
    argument_names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    table = [_arguments(argument_names, value) for value in values]
    word = ids if callable(ids) else _word
    labels = [_label(case, word) for case in table] if ids is None or callable(ids) else [str(id) for id in ids]
    assert table, "no cases"
    assert len(labels) == len(table)

    def decorate(test: Test) -> Test:
        check: Test = getattr(test, "one_case", test)
        tables = [list(zip(labels, table, strict=True)), *getattr(test, "tables", [])]

        def combinations() -> Iterator[tuple[str, dict[str, Any]]]:
            for parts in itertools.product(*tables):
                yield "-".join(label for label, _ in parts), {k: v for _, case in parts for k, v in case.items()}

        looping = (
            _asynchronous(check, combinations) if inspect.iscoroutinefunction(check) else _plain(check, combinations)
        )
        signature = inspect.signature(test)
        left = [parameter for name, parameter in signature.parameters.items() if name not in argument_names]
        assert len(left) == len(signature.parameters) - len(argument_names), f"{check.__name__} takes {argument_names}"
        looping.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        looping.one_case, looping.tables = check, tables  # type: ignore[attr-defined]
        return looping

    return decorate


def _plain(check: Test, combinations: Callable[[], Iterator[tuple[str, dict[str, Any]]]]) -> Test:
    @functools.wraps(check)
    def test(**fixtures: Any) -> None:
        failures, count = [], 0
        for label, case in combinations():
            count += 1
            try:
                check(**fixtures, **case)
            except FAULTS as fault:
                failures.append(_line(label, fault))
        _conclude(failures, count)

    return test


def _asynchronous(check: Test, combinations: Callable[[], Iterator[tuple[str, dict[str, Any]]]]) -> Test:
    @functools.wraps(check)
    async def test(**fixtures: Any) -> None:
        failures, count = [], 0
        for label, case in combinations():
            count += 1
            try:
                await check(**fixtures, **case)
            except FAULTS as fault:
                failures.append(_line(label, fault))
        _conclude(failures, count)

    return test


def _arguments(names: list[str], value: Any) -> dict[str, Any]:
    if isinstance(value, type(pytest.param())):
        raise TypeError("a case with marks of its own is a test of its own")
    return dict(zip(names, value if len(names) > 1 else [value], strict=True))


def _label(case: dict[str, Any], word: Callable[[Any], object]) -> str:
    return "-".join(str(word(value)) for value in case.values())


def _word(value: object) -> str:
    return getattr(value, "__name__", None) or repr(value)[:60]


def _line(name: str, fault: BaseException) -> str:
    """The first line of what is wrong, and where."""
    place = traceback.extract_tb(fault.__traceback__)[-1]
    words = str(fault).splitlines()
    kind = "" if isinstance(fault, AssertionError) else f"{type(fault).__name__}: "
    return f"{name}: {kind}{words[0] if words else repr(fault)} ({Path(place.filename).name}:{place.lineno})"


def _conclude(failures: list[str], count: int) -> None:
    if failures:
        pytest.fail(f"{len(failures)} of {count} cases failed\n" + "\n".join(failures), pytrace=False)
    assert count, "no cases"

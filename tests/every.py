"""One test over many cases: every case is looked at, and all that fail are listed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest

Case = TypeVar("Case")


def every(cases: Iterable[tuple[str, Case]], check: Callable[[Case], None]) -> None:
    """Fails with one line per failed case; `check` asserts something about one case.

    Fails too when there is no case: a loop over nothing proves nothing.
    """
    failures, count = [], 0
    for name, case in cases:
        count += 1
        try:
            check(case)
        except AssertionError as error:
            failures.append(f"{name}: {str(error).splitlines()[0] if str(error) else error!r}")
    if failures:
        pytest.fail(f"{len(failures)} of {count} cases failed\n" + "\n".join(failures), pytrace=False)
    assert count, "no cases"

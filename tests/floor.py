"""How long something may take, told in something else that was measured at the same moment.

No test says "less than a second": the machine may be five times slower than ours, may do something else meanwhile,
and may stand still for a moment. A cost is the processor time of this thread, the least of several tries, without the
collector of garbage (what other tests left lying about is not this one's); and it is compared with the same work on
less input (`assert_linear`) or with a fixed piece of plain Python (`floor`). The exact figures are the bench's matter.
"""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import TracebackType
from typing import Self, TypeVar

TRIES = 3

LEAST_FLOOR = 0.001
"""Seconds; what takes less than its share of this is quick on any machine, and the floor need not be measured."""

SLACK = 4.0
"""What is linear may cost this many times its share; what is quadratic costs more if the input grows enough."""

_BEAT = 0.005
_Figure = TypeVar("_Figure")


def floor() -> float:
    """Seconds of a fixed piece of plain Python on this machine at this moment; 5 ms on a usual one, never 0."""
    return max(min(_seconds(_piece) for _ in range(TRIES)), LEAST_FLOOR)


def cost(work: Callable[[], object], *, tries: int = TRIES) -> float:
    """The least of several tries, in seconds of this thread."""
    with no_collector():
        return min(_seconds(work) for _ in range(tries))


def assert_linear(work: Callable[[int], object], small: int, large: int, *, slack: float = SLACK) -> None:
    """Of `large` the work costs at most its share of what it costs of `small`; `large` is 8 times `small` or more.

    What costs next to nothing has no measure of its own, so a little of the floor is granted to either size.
    """
    assert large >= 8 * small, "what grows with the square must be told apart from what grows with the length"
    for attempt in range(1, TRIES + 1):
        least = cost(lambda: work(small)) + LEAST_FLOOR / 10
        found = cost(lambda: work(large), tries=1)
        if found <= slack * large / small * least:
            return
        least += floor() / 10
        if found <= slack * large / small * least:
            return
        assert attempt < TRIES, f"{large / small:.0f} times the input costs {found / least:.0f} times as much"


def least(measure: Callable[[], float], limit: float, *, tries: int = TRIES) -> float:
    """The least of a few measurements; one that is within the limit makes the others needless."""
    found = measure()
    for _ in range(tries - 1):
        if found <= limit:
            break
        found = min(found, measure())
    return found


def slowness() -> float:
    """How many times slower this machine is at this moment than the one the figures in milliseconds are meant for."""
    return max(1.0, floor() / 0.005)


def alarm(measure: Callable[[], _Figure], is_well: Callable[[_Figure], bool]) -> None:
    """Fails if none of a few measurements is well: one bad figure is a busy machine, three are a fault."""
    found = []
    for _ in range(TRIES):
        gc.collect()
        # What other tests left behind is not looked through while this is measured; it stays frozen, since unfreezing
        # would also add all collected tests to every later collection.
        gc.freeze()
        found.append(measure())
        if is_well(found[-1]):
            return
    raise AssertionError(found)


@contextmanager
def no_collector() -> Iterator[None]:
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class Beats:
    """A beat every 5 ms on the loop of the one who asks: how long did the loop do something else?

    `work` is the processor time of this process between two beats: of the loop, or of another thread that kept the
    interpreter to itself. `stood` counts the beats that a thread beside the loop had meanwhile: whoever waits in the
    loop instead of working has no work to show, but is passed by that thread, while a machine that stands still holds
    up both alike.
    """

    def __init__(self) -> None:
        self.work: list[float] = []
        self.stood: list[int] = []
        self._beside = 0
        self._over = threading.Event()

    async def __aenter__(self) -> Self:
        self._quiet = ExitStack()
        self._quiet.enter_context(no_collector())
        self._thread = threading.Thread(target=self._count, name="beats", daemon=True)
        self._thread.start()
        self._task = asyncio.create_task(self._beat(), name="beats")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._over.set()
        self._thread.join()
        self._quiet.close()

    def _count(self) -> None:
        while not self._over.wait(_BEAT):
            self._beside += 1

    async def _beat(self) -> None:
        worked, beside = time.process_time(), self._beside
        while True:
            await asyncio.sleep(_BEAT)
            now, count = time.process_time(), self._beside
            self.work.append(now - worked)
            self.stood.append(count - beside)
            worked, beside = now, count

    def worked(self, share: float = 1.0) -> float:
        """Seconds of work between two beats that this share of them does not exceed; 1.0: the most."""
        ordered = sorted(self.work)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def _seconds(work: Callable[[], object]) -> float:
    began = time.thread_time()
    work()
    return time.thread_time() - began


def _piece() -> int:
    words = [f"{number:x}{number * 7919}" for number in range(12_500)]
    counts: dict[str, int] = {}
    for word in words:
        counts[word[-2:]] = counts.get(word[-2:], 0) + len(word)
    return sum(sorted(counts.values()))

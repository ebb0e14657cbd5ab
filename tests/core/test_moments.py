from __future__ import annotations

import math
from typing import Any

from app.core.text.moments import local_time, time_text, utc_time


def test_a_number_that_is_no_time_has_no_date_and_stops_nobody() -> None:
    no_times: list[Any] = [1e300, -1e300, math.inf, -math.inf, math.nan, 10**40, 1e18, -1e18, None, b"x", "5"]
    assert [local_time(one) for one in no_times] == [None] * len(no_times)
    assert [time_text(one, "%Y") for one in no_times] == [""] * len(no_times)
    assert {utc_time(one).year for one in no_times} == {1970}


def test_a_time_is_the_local_one_and_0_is_a_time_nobody_knows() -> None:
    noon = utc_time(1_800_000_000.0)
    assert noon.isoformat() == "2027-01-15T08:00:00+00:00"
    assert local_time(1_800_000_000.0) == noon
    assert time_text(0.0, "%Y") == ""

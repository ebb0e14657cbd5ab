"""Forgiving reading on calls that were labelled by hand: the right value, or none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from app.core.arguments import judge, mend
from app.core.arguments.judge import ArgumentFault, wrong_dates
from app.core.tools.tool import mend_call
from app.domains.travel import TOOLS
from app.mcp.schemas import cleaned
from tests.core.arguments.labelled import AMBIGUOUS, BASE, SERVERS, SLOPPY, TODAY, WITHOUT

OWN = {tool.name: tool for tool in TOOLS}
Faults = list[ArgumentFault]


def read(name: str, args: Mapping[str, Any]) -> tuple[dict[str, Any], Faults]:
    """As a run reads them: mended, without strays where they do no harm, checked."""
    if name in SERVERS:
        schema = cleaned(SERVERS[name])
        mended = mend(args, schema, TODAY).args
        return mended, [*judge(schema, mended), *wrong_dates(schema, mended)]
    tool = OWN[name]
    mended = mend_call(tool, args, TODAY, drops_unknown=tool.drops_unknown).args
    return mended, [*tool.check(mended), *wrong_dates(tool.form, mended)]


def cases() -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    changed = [(name, {**BASE[name], **given}, {**BASE[name], **meant}) for name, given, meant in SLOPPY]
    return [*changed, *WITHOUT]


def test_of_plausible_calls_nearly_all_are_read_as_they_are_meant() -> None:
    wrong = []
    for name, given, meant in cases():
        mended, faults = read(name, given)
        if faults or same_json(mended) != same_json(meant):
            wrong.append((name, given, mended, [fault.message for fault in faults]))
    share = 1 - len(wrong) / len(cases())
    assert len(cases()) >= 150
    assert len({name for name, _given, _meant in cases()}) >= 12
    assert len({name for name, _given, _meant in cases()} & SERVERS.keys()) == 2
    assert share >= 0.92, wrong
    assert not [each for each in wrong if not each[3]], "what is read is read rightly"


def test_what_may_mean_two_things_is_never_guessed() -> None:
    guessed = []
    for name, given in AMBIGUOUS:
        mended, faults = read(name, {**BASE[name], **given})
        if not faults:
            guessed.append((name, given, mended))
    assert len(AMBIGUOUS) >= 60
    assert guessed == []


def test_mended_arguments_are_not_mended_again() -> None:
    for name, given, _meant in cases():
        once, _faults = read(name, given)
        assert same_json(read(name, once)[0]) == same_json(once), (name, given)


def test_a_right_call_comes_through_letter_by_letter() -> None:
    reads: Callable[[str, Mapping[str, Any]], tuple[dict[str, Any], Faults]] = read
    for name, args in BASE.items():
        assert reads(name, args) == (args, []), name


def same_json(value: Any) -> Any:
    """`None` is what is left out; 3 and 3.0 are one number only where both are numbers."""
    if isinstance(value, Mapping):
        return {key: same_json(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [same_json(item) for item in value]
    return (type(value).__name__ if isinstance(value, bool | str) else "number", value)

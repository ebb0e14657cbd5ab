"""What is to be done for an understood question, and how far it is: calls, references, results."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.core.arguments.references import parse_reference
from app.core.run.plan import references, resolve

from .filling import Numbers, fill, names_in
from .intents import CallRule
from .template import walk
from .understanding import Understanding


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """The result of one call in the conversation."""

    tool: str
    ok: bool
    text: str
    data: Any = None


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """`number` counts from 1; references in `args` point to these numbers."""

    number: int
    tool: str
    name: str
    args: dict[str, Any]
    description: str
    needs: tuple[int, ...]


def recall(table: Mapping[str, Mapping[str, str]], outcomes: Sequence[CallOutcome]) -> dict[str, Any]:
    """What the table says is remembered of these results, oldest first."""
    found: dict[str, Any] = {}
    for name, paths in table.items():
        newest = next((outcome for outcome in reversed(outcomes) if outcome.ok and outcome.tool in paths), None)
        path = paths[newest.tool] if newest else ""
        value = walk(newest.data, path.split(".")) if newest and path else None
        if value is not None:
            found[name] = value
    return found


def pruned(value: Any, fields: Collection[str]) -> Any:
    """The value with these paths only; a list keeps its items, each pruned."""
    if isinstance(value, list | tuple):
        return [pruned(item, fields) for item in value]
    if not isinstance(value, Mapping):
        return value
    inner: dict[str, list[str]] = {}
    for field in fields:
        head, _dot, rest = field.partition(".")
        inner.setdefault(head, []).extend([rest] if rest else [])
    return {head: pruned(value[head], rest) if rest else value[head] for head, rest in inner.items() if head in value}


def plan_calls(understood: Understanding, values: Mapping[str, Any], offered: Collection[str]) -> list[PlannedCall]:
    """The calls of the intent that can be made: offered tools, conditions met, references alive."""
    if understood.intent is None or understood.missing:
        return []
    planned: list[PlannedCall] = []
    numbers: dict[int | str, int] = {}
    for place, rule in enumerate(understood.intent.calls, 1):
        needs: tuple[int | str, ...] = tuple(dict.fromkeys((*references(rule.args), *names_in(rule.args))))
        if not _is_wanted(rule, values) or rule.tool not in offered or any(need not in numbers for need in needs):
            continue
        numbers[place] = numbers[rule.name] = len(planned) + 1
        planned.append(_call(rule, numbers, place, understood, values, needs))
    return planned


def _is_wanted(rule: CallRule, values: Mapping[str, Any]) -> bool:
    def known(path: str) -> bool:
        return bool(walk(values, path.split(".")))

    one_of = not rule.when or any(map(known, rule.when))
    return one_of and all(map(known, rule.all)) and not any(map(known, rule.unless))


def _call(
    rule: CallRule,
    numbers: Numbers,
    place: int,
    understood: Understanding,
    values: Mapping[str, Any],
    needs: tuple[int | str, ...],
) -> PlannedCall:
    args = fill(rule.args, values, numbers)
    return PlannedCall(
        number=numbers[place],
        tool=rule.tool,
        name=rule.name,
        args=args if isinstance(args, dict) else {},
        description=rule.description[understood.language].render(values).strip(),
        needs=tuple(sorted({numbers[need] for need in needs})),
    )


@dataclass(frozen=True, slots=True)
class CallProgress:
    """The calls of an intent against the results that are there."""

    calls: Sequence[PlannedCall]
    results: Mapping[int, CallOutcome]

    def due(self) -> list[tuple[PlannedCall, dict[str, Any]]]:
        """Calls to make now, references resolved; a call whose source failed is never due."""
        ready: list[tuple[PlannedCall, dict[str, Any]]] = []
        values = self._known()
        for call in self.calls:
            if call.number in self.results or any(need not in values for need in call.needs):
                continue
            try:
                ready.append((call, resolve(call.args, values)))
            except LookupError:
                continue  # the result has no such place: the answer goes without this call
        return ready

    def remaining(self) -> list[PlannedCall]:
        """For a new plan: calls without a result, numbered from 1, with what is known put in."""
        if not self.results:
            return list(self.calls)
        values = self._known()
        numbers: dict[int, int] = {}
        left: list[PlannedCall] = []
        for call in self.calls:
            if call.number in self.results or any(n not in values and n not in numbers for n in call.needs):
                continue
            try:
                args = _carried_over(call.args, values, numbers)
            except LookupError:
                continue
            numbers[call.number] = len(left) + 1
            needs = tuple(numbers[n] for n in call.needs if n in numbers)
            left.append(replace(call, number=len(left) + 1, args=args, needs=needs))
        return left

    def named(self) -> dict[str, Any]:
        """The data of every result that worked, by the name the answer uses."""
        return {call.name: self.results[call.number].data for call in self.calls if self._worked(call)}

    def failed(self) -> list[dict[str, str]]:
        return [
            {"tool": outcome.tool, "does": call.description, "message": _reason(outcome.text)}
            for call in self.calls
            if (outcome := self.results.get(call.number)) is not None and not outcome.ok
        ]

    def _known(self) -> dict[int, Any]:
        return {n: {"data": o.data, "summary": o.text} for n, o in self.results.items() if o.ok}

    def _worked(self, call: PlannedCall) -> bool:
        outcome = self.results.get(call.number)
        return outcome is not None and outcome.ok and outcome.data is not None


def _reason(text: str) -> str:
    """The sentence of an error envelope; any other text as it is."""
    if not text.startswith("{"):
        return text
    try:
        message = json.loads(text)["error"]["message"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return text
    return str(message)


def _carried_over(value: Any, known: Mapping[int, Any], numbers: Mapping[int, int]) -> Any:
    """References to known results replaced by their values, the others renumbered."""
    if isinstance(value, Mapping):
        return {key: _carried_over(item, known, numbers) for key, item in value.items()}
    if isinstance(value, list):
        return [_carried_over(item, known, numbers) for item in value]
    parsed = parse_reference(value) if isinstance(value, str) else None
    if parsed is None:
        return value
    return resolve(value, known) if parsed[0] in known else ".".join((f"${numbers[parsed[0]]}", *parsed[1]))


def progress(calls: Sequence[PlannedCall], outcomes: Sequence[CallOutcome]) -> CallProgress:
    """Match results to calls: the k-th result of a tool belongs to the k-th call of that tool."""
    unmatched = list(outcomes)
    results: dict[int, CallOutcome] = {}
    for call in calls:
        match = next((outcome for outcome in unmatched if outcome.tool == call.tool), None)
        if match is not None:
            results[call.number] = match
            unmatched.remove(match)
    return CallProgress(calls, results)

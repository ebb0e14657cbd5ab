"""The codes of violations, what was asked for, and the report that the checks fill."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any, Literal

from ..model.budget import Party
from ..model.trip import TripDay, TripStop
from ..rules.trip_facts import TripFacts
from ..wording import say_in

Severity = Literal["error", "warn", "info"]

CODES: Mapping[str, str] = {
    "V01": "UNKNOWN_PLACE", "V02": "DUPLICATE_PLACE", "V03": "CLOSED_DAY", "V04": "OUTSIDE_HOURS",
    "V05": "AFTER_LAST_ENTRY", "V06": "OVERLAP", "V07": "TRANSFER_TOO_SHORT", "V08": "DAY_TOO_LONG",
    "V09": "MEAL_WINDOW", "V10": "NO_LODGING", "V11": "OVER_BUDGET", "V12": "COST_MISMATCH", "V13": "DAYS_MISMATCH",
    "V14": "CITY_SEQUENCE", "V15": "ARRIVAL_BUFFER", "V16": "TRANSPORT_CONFLICT", "V17": "CAPACITY",
    "V18": "RESERVATION", "V19": "STALE_FACT", "V20": "MUST_SEE_MISSING", "V21": "AVOIDED_PRESENT",
    "V22": "CUISINE_MISSING", "V23": "WEATHER", "V24": "HOLIDAY_CROWD", "V25": "ZIGZAG", "V26": "ROOM_RULE",
    "V27": "TRANSPORT_FORBIDDEN", "V28": "MISSING_FIELD", "V29": "CHRONOLOGY", "V30": "WRONG_CITY",
    "V31": "MIN_NIGHTS", "V32": "VISIT_TOO_SHORT",
}  # fmt: skip
"""To add a code: a line here, a check in one of the files beside this one, a case in test_check_codes.py."""

WARNINGS = frozenset({"V18", "V19", "V23", "V24", "V25"})
USER = frozenset({"V11", "V20", "V21", "V22", "V26", "V27"})
"""Wishes of the person; all other errors are about the world."""
NEVER_CHECKED = ("live availability", "visa")
WORTH_TELLING = ("V03", "V04", "V05", "V07", "V12", "V23", "V25")
"""Codes that concern every journey, so that one which could not be judged by is told as unchecked."""


@dataclass(frozen=True)
class Constraints:
    """What the person asked for; None and () ask for nothing."""

    budget: Decimal | None = None
    party: Party | None = None
    adults: int | None = None
    must_see: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    cuisines: tuple[str, ...] = ()
    room_type: str | None = None
    room_rules: tuple[str, ...] = ()
    transport_forbidden: tuple[str, ...] = ()
    pace: str | None = None
    weather: tuple[Mapping[str, Any], ...] = ()
    """Days as get_weather tells them."""


@dataclass(frozen=True)
class Violation:
    code: str
    severity: Severity
    message: str
    day: int | None = None
    stop: str | None = None
    fix: Mapping[str, Any] | None = None
    """An operation of edit_trip."""

    def to_json(self) -> dict[str, Any]:
        body: dict[str, Any] = {
            "code": self.code,
            "name": CODES[self.code],
            "severity": self.severity,
            "day": self.day,
            "stop": self.stop,
            "message": self.message,
        }
        return {**body, "fix": dict(self.fix)} if self.fix else body


@dataclass
class TripReport:
    facts: TripFacts
    asked: Constraints
    today: date
    violations: list[Violation] = field(default_factory=list)
    checked: set[str] = field(default_factory=set)
    """Codes somebody had enough to judge by."""

    def looked_at(self, *codes: str) -> None:
        self.checked.update(codes)

    def say(self, text: str, /, **values: object) -> str:
        return say_in(self.facts.language, text, **values)

    def add(
        self,
        code: str,
        text: str,
        *,
        day: TripDay | None = None,
        stop: TripStop | None = None,
        name: str | None = None,
        fix: Mapping[str, Any] | None = None,
        severity: Severity | None = None,
    ) -> None:
        self.checked.add(code)
        label = stop.label if stop else name
        if fix is not None:
            where: dict[str, Any] = {"day": day.number} if day else {}
            if stop:
                where.update(stop=stop.label, seq=stop.seq)
            fix = {"op": fix["op"], **where, **fix}
        violation = Violation(
            code,
            severity or ("warn" if code in WARNINGS else "error"),
            text,
            day.number if day else None,
            label,
            fix,
        )
        if violation not in self.violations:
            self.violations.append(violation)

    def has(self, code: str, day: TripDay, stop: TripStop) -> bool:
        return any((v.code, v.day, v.stop) == (code, day.number, stop.label) for v in self.violations)

    @property
    def errors(self) -> list[Violation]:
        return [violation for violation in self.violations if violation.severity == "error"]

    @property
    def passed(self) -> list[str]:
        codes = {violation.code for violation in self.violations}
        return [code for code in CODES if code in self.checked and code not in codes]

    @property
    def unchecked(self) -> list[str]:
        wishes = self.asked
        wished = {"V11": wishes.budget is not None, "V26": bool(wishes.room_type or wishes.room_rules)}
        codes = [code for code in CODES if code in WORTH_TELLING or wished.get(code)]
        return [*NEVER_CHECKED, *(f"{code} {CODES[code]}" for code in codes if code not in self.checked)]

    @property
    def score(self) -> dict[str, float | int | None]:
        """Micro: the share of the checked codes without an error. Macro: 1 if there is none."""
        wrong = {violation.code for violation in self.errors}
        judged = self.checked - WARNINGS
        env, user = judged - USER, judged & USER
        env_macro, user_macro = int(not wrong & env), int(not wrong & user)
        return {
            "env_micro": _share(env, wrong),
            "env_macro": env_macro,
            "user_micro": _share(user, wrong),
            "user_macro": user_macro,
            "final": env_macro * user_macro,
        }

    def ordered(self) -> list[Violation]:
        """Errors first, then by day."""
        rank = {"error": 0, "warn": 1, "info": 2}
        return sorted(self.violations, key=lambda v: (rank[v.severity], v.day or 0, v.code))


def _share(codes: set[str] | frozenset[str], wrong: set[str]) -> float:
    return round(len(codes - wrong) / len(codes), 2) if codes else 1.0

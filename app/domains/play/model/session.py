"""One time of playing a game: its events by the second, and what the grown-up says of it afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal, cast

EventKind = Literal["smile", "circle", "protest", "flashpoint", "note"]
Status = Literal["running", "completed", "aborted"]
Recommendation = Literal["continue", "adjust", "avoid"]
SCORES = (
    "childEngagement", "gameCompletion", "emotionalConnection", "communicationLevel", "skillProgress",
    "parentExecution",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlayEvent:
    seconds: int
    """Since the session began."""
    kind: EventKind
    text: str = ""


@dataclass(frozen=True, slots=True)
class PlaySession:
    id: str
    plan: str
    started: datetime
    status: Status = "running"
    ended: datetime | None = None
    steps_done: tuple[int, ...] = ()
    log: tuple[PlayEvent, ...] = ()
    scores: Mapping[str, int] | None = None
    recommendation: Recommendation | None = None
    next_step: str = ""
    notes: str = ""

    @property
    def minutes(self) -> float:
        return 0.0 if self.ended is None else max(0.0, (self.ended - self.started).total_seconds() / 60)

    @property
    def circles(self) -> int:
        return sum(event.kind == "circle" for event in self.log)

    @property
    def mean_score(self) -> float | None:
        return sum(self.scores.values()) / len(self.scores) if self.scores else None

    def to_json(self) -> dict[str, Any]:
        ended = self.ended.isoformat() if self.ended is not None else None
        return {
            **asdict(self), "started": self.started.isoformat(), "ended": ended, "steps_done": list(self.steps_done),
            "log": [asdict(event) for event in self.log], "scores": dict(self.scores) if self.scores else None,
        }  # fmt: skip


def session_from_json(body: Mapping[str, Any]) -> PlaySession:
    """Of what `to_json` gave. Raises KeyError, TypeError or ValueError for anything else."""
    ended, scores = body.get("ended"), body.get("scores")
    return PlaySession(
        str(body["id"]), str(body["plan"]), datetime.fromisoformat(body["started"]),
        cast("Status", body.get("status", "running")), datetime.fromisoformat(ended) if ended else None,
        tuple(int(step) for step in body.get("steps_done", ())),
        tuple(
            PlayEvent(int(one["seconds"]), cast("EventKind", one["kind"]), str(one.get("text", "")))
            for one in body.get("log", ())
        ),
        {str(name): int(score) for name, score in scores.items()} if scores else None,
        cast("Recommendation | None", body.get("recommendation")), str(body.get("next_step", "")),
        str(body.get("notes", "")),
    )  # fmt: skip

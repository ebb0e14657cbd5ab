"""One time of playing a game: its events by the second, and what the grown-up says of it afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal, cast

EventKind = Literal["smile", "circle", "protest", "flashpoint", "note", "pause", "resume"]
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
        """Without the pauses; 0 while it goes on."""
        return 0.0 if self.ended is None else self.played_seconds(self.ended) / 60

    def played_seconds(self, now: datetime) -> float:
        """Up to its end or to `now`, without the pauses; never below zero."""
        total = ((self.ended or now) - self.started).total_seconds()
        paused, since = 0.0, None
        for event in self.log:
            if event.kind == "pause" and since is None:
                since = event.seconds
            elif event.kind == "resume" and since is not None:
                paused, since = paused + max(0, event.seconds - since), None
        if since is not None:
            paused += max(0.0, total - since)
        return max(0.0, total - paused)

    @property
    def is_paused(self) -> bool:
        kinds = [event.kind for event in self.log if event.kind in ("pause", "resume")]
        return bool(kinds) and kinds[-1] == "pause"

    def count(self, kind: EventKind) -> int:
        return sum(event.kind == kind for event in self.log)

    @property
    def circles(self) -> int:
        return self.count("circle")

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

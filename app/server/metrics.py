"""What the server has done, as Prometheus reads it (text format 0.0.4). Names of agents and modes only, no words."""

from __future__ import annotations

import time
from collections import Counter, defaultdict

from app.core.run.events import LoopEnd, LoopStart, Terminal


class Metrics:
    def __init__(self) -> None:
        self._began = time.time()
        self._runs: Counter[tuple[str, str, str]] = Counter()
        self._tokens: Counter[tuple[str, str]] = Counter()
        self._tools: Counter[str] = Counter()
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._answers: Counter[tuple[str, int]] = Counter()
        self.streams = 0
        """Open connections that receive events."""

    def answered(self, path: str, status: int) -> None:
        self._answers[path, status] += 1

    def ended(self, start: LoopStart, end: Terminal) -> None:
        """A run, whoever began it."""
        outcome = end.stop_reason if isinstance(end, LoopEnd) else end.reason
        self._runs[start.agent, start.mode, outcome] += 1
        self._tokens[start.agent, "input"] += end.usage.input
        self._tokens[start.agent, "output"] += end.usage.output
        self._seconds[start.agent] += end.seconds
        self._tools.update(end.tools)

    def text(self, running: int) -> str:
        lines = [
            *_family("triptych_runs_total", "counter", "Runs that have ended.", [
                (f'agent="{agent}",mode="{mode}",outcome="{outcome}"', count)
                for (agent, mode, outcome), count in sorted(self._runs.items())
            ]),
            *_family("triptych_run_seconds_total", "counter", "Seconds of the runs that have ended.", [
                (f'agent="{agent}"', round(seconds, 3)) for agent, seconds in sorted(self._seconds.items())
            ]),
            *_family("triptych_tokens_total", "counter", "Tokens of the runs that have ended.", [
                (f'agent="{agent}",kind="{kind}"', count) for (agent, kind), count in sorted(self._tokens.items())
            ]),
            *_family("triptych_tool_runs_total", "counter", "Runs that have used a tool.", [
                (f'tool="{_label(tool)}"', count) for tool, count in sorted(self._tools.items())
            ]),
            *_family("triptych_http_responses_total", "counter", "Answers to requests.", [
                (f'path="{_label(path)}",status="{status}"', count)
                for (path, status), count in sorted(self._answers.items())
            ]),
            *_family("triptych_runs_active", "gauge", "Runs at work.", [("", running)]),
            *_family("triptych_event_streams", "gauge", "Open event streams.", [("", self.streams)]),
            *_family("triptych_up_seconds", "gauge", "Seconds since the server began.", [
                ("", round(time.time() - self._began, 1))
            ]),
        ]  # fmt: skip
        return "\n".join(lines) + "\n"


def _family(name: str, kind: str, help: str, samples: list[tuple[str, float]]) -> list[str]:
    rows = [f"{name}{{{labels}}} {value}" if labels else f"{name} {value}" for labels, value in samples]
    return [f"# HELP {name} {help}", f"# TYPE {name} {kind}", *rows]


def _label(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")

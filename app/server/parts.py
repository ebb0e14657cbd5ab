"""What the routes of the server are handed."""

from __future__ import annotations

from dataclasses import dataclass

from app.services.api.serving import ServedParts

from .metrics import Metrics
from .run_hub import RunHub


@dataclass(frozen=True, slots=True)
class ServerParts(ServedParts):
    hub: RunHub
    metrics: Metrics


def parts_of(served: ServedParts) -> ServerParts:
    """With the runs and figures of one server."""
    metrics = Metrics()
    hub = RunHub(served.chat, served.sessions, served.runs, metrics)
    return ServerParts(
        served.clients, served.activity, served.settings, served.sessions, served.chat, served.runs, served.tools,
        served.attachments, served.embeddings, served.served_agents, hub, metrics,
    )  # fmt: skip

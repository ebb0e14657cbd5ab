"""What a client may do: rights and agents. A session belongs to whoever may use its agent."""

from __future__ import annotations

from typing import cast

from starlette.requests import Request

from app.core.errors import UnknownName
from app.core.profile import AgentProfile
from app.core.session.summary import SessionRow
from app.services.api.clients import ApiClient, ApiRight
from app.services.data.sessions import SessionService
from app.services.settings.settings import SettingsService

from .errors import ApiError


def client_of(request: Request) -> ApiClient:
    """As the guard has found it."""
    return cast("ApiClient", request.state.client)


def check_right(client: ApiClient, right: ApiRight) -> None:
    """Raises ApiError 403."""
    if not client.may(right):
        raise ApiError(403, "DENIED", f"the client {client.name} has not the right {right}")


def check_owner(client: ApiClient) -> None:
    """Raises ApiError 403."""
    if not client.is_owner:
        raise ApiError(403, "DENIED", f"the client {client.name} may not use this path")


def check_model(client: ApiClient, model: str) -> None:
    """Raises ApiError 403: a script is a file of this computer, which only the person's own token may name."""
    if model.startswith("script/") and not client.is_owner:
        raise ApiError(403, "DENIED", f"the client {client.name} may not name a script")


def check_agent(client: ApiClient, settings: SettingsService, agent: str) -> AgentProfile:
    """The agent, or the default one for "". Raises UnknownName; one that the client may not use is unknown to it."""
    profile = settings.profile(agent or settings.preferences.default_agent)
    if not client.may_use(profile.id):
        raise UnknownName("agent", profile.id, [one.id for one in settings.profiles() if client.may_use(one.id)])
    return profile


async def check_session(client: ApiClient, sessions: SessionService, id: str) -> SessionRow:
    """Raises UnknownName, also for those of an agent that the client may not use."""
    row = await sessions.row(id)
    if not client.may_use(row.agent):
        raise UnknownName("session", id)
    return row

"""The page beside the chat for the folder of a session, where the domain of its agent offers one (core/page.py)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.core import detached
from app.core.page import FolderPage, PageContents, PageShare, PageText
from app.core.profile import AgentProfile
from app.core.text.i18n import current_language
from app.core.tools.card import Card, CardAction

from ..settings.settings import SettingsService
from .service import WorkspaceService


@dataclass(frozen=True, slots=True)
class OpenPage:
    """The page of one folder. Everything that reads or writes happens in a thread; raises ToolError."""

    folder: Path
    page: FolderPage
    agent: str

    @property
    def writers(self) -> frozenset[str]:
        return self.page.writers

    async def contents(self) -> PageContents | None:
        return await detached.in_thread(self.page.contents, self.folder, current_language())

    async def text(self, id: str) -> PageText:
        return await detached.in_thread(self.page.text, self.folder, id, current_language())

    async def part(self, id: str, quote: str) -> str:
        return await detached.in_thread(self.page.part, self.folder, id, quote)

    async def shares(self, id: str) -> tuple[tuple[PageShare, ...], int]:
        return await detached.in_thread(self.page.shares, self.folder, id, current_language())

    async def sha(self, id: str) -> str:
        return await detached.in_thread(self.page.sha, self.folder, id)

    async def save(self, id: str, text: str, base: str, *, keeps: bool) -> str:
        return await detached.in_thread(self.page.save, self.folder, id, text, base, keeps=keeps)

    async def board(self, board: str, id: str) -> Card:
        return await detached.in_thread(self.page.board, self.folder, board, id, current_language())

    async def action(self, action: str, id: str, passage: tuple[int, int], wish: str) -> CardAction:
        return await detached.in_thread(self.page.action, self.folder, action, id, passage, wish, current_language())

    def count(self, text: str) -> int:
        return self.page.count(text)

    def count_text(self, count: int, goal: int) -> str:
        return self.page.count_text(count, goal, current_language())


class PageService:
    def __init__(self, settings: SettingsService, workspace: WorkspaceService) -> None:
        self._settings, self._workspace = settings, workspace

    async def of(self, profile: AgentProfile, session: str) -> OpenPage | None:
        """None where the agent's domain has none, or no folder is picked."""
        root = (await self._workspace.choice(session)).root
        if root is None:
            return None  # without a look at the domain, which would load it
        domain = await self._settings.loaded_domain(profile)
        return OpenPage(root, domain.page, profile.id) if domain is not None and domain.page is not None else None

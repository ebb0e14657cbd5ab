"""The check of everything that is stored, and the repair of what logs and checksums prove."""

from __future__ import annotations

from app.storage.db.database import Database


class CheckService:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def verify(self) -> list[str]:
        """What a check of every stored row finds, one sentence each."""
        from app.storage.maintenance.verify import check_everything

        return await check_everything(self._database)

    async def repair(self) -> list[str]:
        """Sets right what can be proven to be again what was written; what that was, one sentence each."""
        from app.storage.maintenance.repair import repair

        return await repair(self._database)

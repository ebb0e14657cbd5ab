"""Answers in a table of a PostgreSQL server, in the place of a file: for batches that several machines work on."""

from __future__ import annotations

from app.core.errors import BadInput
from app.core.text.i18n import _
from app.storage.stores.batch_answers import BatchAnswerTable

from .answers import BatchAnswer, answer_of

_ADDRESSES = ("postgresql://", "postgres://")


def is_server(out: str) -> bool:
    return out.startswith(_ADDRESSES)


class ServerAnswers:
    """As `AnswerFile`; `batch` names the questions that belong together."""

    def __init__(self, table: BatchAnswerTable, batch: str) -> None:
        self._table, self._batch = table, batch

    async def open(self, *, resumes: bool) -> dict[str, BatchAnswer]:
        lines = await self._table.lines(self._batch)
        if lines and not resumes:
            words = _("{file} holds answers already; go on with --resume, or name another file")
            raise BadInput(words.format(file=self._batch))
        answers = filter(None, map(answer_of, lines))
        return {one.id: one for one in answers}

    async def add(self, answer: BatchAnswer) -> None:
        await self._table.add(self._batch, answer.id, answer.to_json())

    async def close(self) -> None:
        await self._table.close()

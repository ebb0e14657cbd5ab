"""Search over all sessions: titles, messages and what tools returned; the bin is left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import apsw

from app.core.session.search import Query, SearchHit, holds, snippet

from ..db.columns import row_of
from ..db.columns import text as as_text
from ..db.database import Database
from ..db.encoding import object_in
from ..db.search_index import texts_of

MOST_TITLES = 5
"""So many of the hits may be titles: they come first and shall not hide the messages."""

_SESSION_FILTERS = {
    "agent": "s.agent = :agent",
    "mode": "(s.mode = :mode OR EXISTS (SELECT 1 FROM run r WHERE r.session = s.n AND r.mode = :mode))",
}
# CROSS JOIN keeps the index outermost: its rows come newest first, and the twentieth ends the work.
_TITLES = (
    "SELECT s.id, s.title, s.agent, s.updated FROM title_search t CROSS JOIN session s ON s.n = t.rowid"
    " WHERE title_search MATCH :match AND {where} ORDER BY t.rowid DESC LIMIT :limit"
)
_MESSAGES = (
    "SELECT s.id, s.title, s.agent, m.n, m.id, m.role, m.created, b.json"
    " FROM search CROSS JOIN message m ON m.n = search.rowid CROSS JOIN session s ON s.n = m.session"
    " CROSS JOIN body b ON b.message = m.n"
    " WHERE search MATCH :match AND {where} ORDER BY search.rowid DESC LIMIT :limit"
)


class SearchStore:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def search(
        self,
        query: str,
        agent: str | None = None,
        mode: str | None = None,
        since: float | None = None,
        until: float | None = None,
        limit: int = 20,
    ) -> list[SearchHit]:
        """Titles first, then messages, newest first. All words must be found; the last one may continue."""
        wanted = Query.parse(query)
        if not wanted.phrases or limit <= 0:
            return []
        values = {"agent": agent, "mode": mode, "since": since, "until": until, "limit": limit}
        return await self._db.read(lambda cursor: _search(cursor, wanted, values))


def _search(cursor: apsw.Cursor, query: Query, values: Mapping[str, Any]) -> list[SearchHit]:
    limit: int = values["limit"]
    hits = _titles(cursor, query, values, query.match())
    if len(hits) < MOST_TITLES and query.may_go_on:
        sessions = {hit.session for hit in hits}
        more = _titles(cursor, query, values, query.match(prefix=True))
        hits += [hit for hit in more if hit.session not in sessions]
    hits = hits[: min(MOST_TITLES, limit)]
    rows = _messages(cursor, values, query.match(), limit - len(hits))
    if len(rows) < limit - len(hits) and query.may_go_on:
        # Whole words are cheap to find; beginnings are only gathered where those leave room.
        rows |= _messages(cursor, values, query.match(prefix=True), limit)
        rows = dict(sorted(rows.items(), reverse=True)[: limit - len(hits)])
    return hits + [_hit(row, query) for row in rows.values()]


def _titles(cursor: apsw.Cursor, query: Query, values: Mapping[str, Any], match: str) -> list[SearchHit]:
    sql = _TITLES.format(where=_where(values, "s.updated"))
    parameters = {**values, "match": match, "limit": min(MOST_TITLES, values["limit"])}
    rows: list[Any] = cursor.execute(sql, parameters).fetchall()
    return [
        row_of(SearchHit, (id, title, agent, "title", None, "", updated, *snippet(as_text(title), query)))
        for id, title, agent, updated in rows
    ]


def _messages(cursor: apsw.Cursor, values: Mapping[str, Any], match: str, limit: int) -> dict[int, Any]:
    """By the number of the message, newest first."""
    if limit <= 0:
        return {}
    sql = _MESSAGES.format(where=_where(values, "m.created"))
    rows: list[Any] = cursor.execute(sql, {**values, "match": match, "limit": limit}).fetchall()
    return {row[3]: row for row in rows}


def _where(values: Mapping[str, Any], time: str) -> str:
    parts = ["s.trashed IS NULL"]
    parts += [sql for name, sql in _SESSION_FILTERS.items() if values[name] is not None]
    parts += [f"{time} >= :since"] if values["since"] is not None else []
    parts += [f"{time} < :until"] if values["until"] is not None else []
    return " AND ".join(parts)


def _hit(row: tuple[Any, ...], query: Query) -> SearchHit:
    session, title, agent, _n, id, role, created, text = row
    texts = list(texts_of(object_in(text)))
    where, best = _best(texts, query)
    kind: Literal["result", "message"] = "result" if where == "result" else "message"
    return row_of(SearchHit, (session, title, agent, kind, id, role, created, *snippet(best, query)))


def _best(texts: list[tuple[str, str]], query: Query) -> tuple[str, str]:
    """The text with the most of the words; of several the first."""
    if len(texts) == 1:
        return texts[0]
    return max(texts, key=lambda one: holds(one[1], query), default=("message", ""))

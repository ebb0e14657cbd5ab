"""Conversations as other programs export them, as documents of ours.

Known: lists of chat messages of the APIs, and the files of the programs in `programs.registry`, told apart by what they
hold. Of branching conversations every branch is kept as a version, the line that was shown last is the one shown. What
has no place here is counted, each kind of it, in the remarks. Nothing imported can run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from .document import Body, SessionDocument
from .foreign_openai import is_chat_list, read_openai
from .foreign_parts import ImportContext, body_of
from .programs.registry import CONVERSATIONS, TABLES
from .programs.tables import DatabaseTables, WholeTables
from .strict_json import ImportRefused

MOST_SESSIONS = 20_000
_UNKNOWN = "this is no conversation this program knows how to read"


def read_foreign(value: Any, reading: ImportContext) -> list[SessionDocument]:
    """Raises ImportRefused if it is nothing that is known, or has no message."""
    if isinstance(value, dict):
        tables = WholeTables(value)
        if knows_tables(tables):
            return list(read_tables(tables, reading))
        value = [value]
    if not isinstance(value, list) or not value or not all(isinstance(item, dict) for item in value):
        raise ImportRefused(_UNKNOWN, reason="NO_CONVERSATION")
    if is_chat_list(value):
        return [read_openai(value, reading)]
    return list(read_items(value, reading))


def knows_tables(tables: DatabaseTables) -> bool:
    return any(form.recognises(tables) for form in TABLES)


def read_tables(tables: DatabaseTables, reading: ImportContext) -> Iterator[SessionDocument]:
    """Raises ImportRefused."""
    form = next((form for form in TABLES if form.recognises(tables)), None)
    if form is None:
        raise ImportRefused(_UNKNOWN, reason="NO_CONVERSATION")
    documents = (replace(document, program=form.program) for document in form.read(tables, reading))
    yield from _with_messages(documents, reading)


def read_items(items: Iterable[Any], reading: ImportContext) -> Iterator[SessionDocument]:
    """Raises ImportRefused."""
    yield from _with_messages((_conversation(item, reading) for item in items), reading)


def _with_messages(documents: Iterable[SessionDocument], reading: ImportContext) -> Iterator[SessionDocument]:
    count, empty = 0, 0
    for count, document in enumerate(documents, 1):
        if count > MOST_SESSIONS:
            message = f"there are more than {MOST_SESSIONS} conversations"
            raise ImportRefused(message, reason="MOST_SESSIONS", most=MOST_SESSIONS)
        if document.messages:
            yield document
        else:
            empty += 1
    if empty == count:
        raise ImportRefused("there is no message of a person or a model in it", reason="NO_MESSAGE")
    reading.remarks.add("empty", empty)


def _conversation(item: Any, reading: ImportContext) -> SessionDocument:
    body: Body = body_of(item)
    form = next((form for form in CONVERSATIONS if form.recognises(body)), None)
    if form is not None:
        return replace(form.read(body, reading), program=form.program)
    listed = body.get("messages", body_of(body.get("chat")).get("messages"))
    if isinstance(listed, list) and all(isinstance(one, dict) for one in listed) and is_chat_list(listed):
        return read_openai(listed, reading, body)
    raise ImportRefused(_UNKNOWN, reason="NO_CONVERSATION")

"""The database of PyGPT as rows: `ctx_meta` is a conversation, `ctx_item` a question with its answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from app.core.run.messages import Part

from ..document import Body, SessionDocument
from ..foreign_parts import (
    ImportContext,
    MessageBuilder,
    as_text,
    body_of,
    decoded,
    dicts,
    document,
    moment,
    sources,
    text_of,
    texts,
)
from .tables import DatabaseTables

META, ITEM = "ctx_meta", "ctx_item"
COLUMNS = {
    META: ("id", "uuid", "name", "created_ts", "updated_ts", "is_deleted", "is_important", "is_archived"),
    ITEM: (
        "id", "meta_id", "input", "output", "input_ts", "output_ts", "model", "cmds_json", "results_json", "urls_json",
        "images_json", "files_json", "attachments_json", "is_internal",
    ),
}  # fmt: skip
"""What is read of each table, as far as it is there; both are in the order of their `id`."""


def is_pygpt(tables: DatabaseTables) -> bool:
    return {META, ITEM} <= set(tables.names())


def read_pygpt(tables: DatabaseTables, reading: ImportContext) -> Iterator[SessionDocument]:
    _keys, items = tables.grouped(_conversation, ITEM)
    for meta in tables.rows(META):
        if meta.get("is_deleted"):
            reading.remarks.add("deleted")
            continue
        line = MessageBuilder()
        for step, item in enumerate(items(str(meta.get("id"))), 1):
            _read(item, step, line, reading)
        id = text_of(meta.get("uuid")) or f"pygpt-{meta.get('id')}"
        created, updated = moment(meta.get("created_ts")), moment(meta.get("updated_ts"))
        pinned, archived = meta.get("is_important"), meta.get("is_archived")
        yield document(id, meta.get("name"), created, updated, line.messages(), pinned=pinned, archived=archived)


def _conversation(item: Body) -> str:
    return str(item.get("meta_id"))


def _read(item: Body, step: int, line: MessageBuilder, reading: ImportContext) -> None:
    if item.get("is_internal"):
        reading.remarks.add("hidden")
        return
    asked, answered = moment(item.get("input_ts")), moment(item.get("output_ts"))
    line.add("user", [*texts(text_of(item.get("input")), 0), *_files(item, "attachments_json", reading)], asked)
    results = [one for one in _listed(item, "results_json") if isinstance(one, dict)]
    for call in _listed(item, "cmds_json"):
        name = text_of(body_of(call).get("cmd"))
        line.call(step, "", name, body_of(call).get("params"), answered)
    for result in results:
        name = text_of(body_of(result.get("request")).get("cmd")) or text_of(result.get("cmd"))
        line.result("", name, as_text(result.get("result")), created=answered)
    line.add("assistant", texts(text_of(item.get("output")), step), answered)
    links = [{"url": one} for one in _listed(item, "urls_json") if isinstance(one, str)]
    line.add("assistant", texts(sources(links, reading), step), answered)
    line.add("assistant", [*_files(item, "images_json", reading), *_files(item, "files_json", reading)], answered)
    line.by_model(text_of(item.get("model")))


def _listed(item: Body, name: str) -> list[Any]:
    value = decoded(text_of(item.get(name)))
    return value if isinstance(value, list) else [*dicts([value])] if value else []


def _files(item: Body, name: str, reading: ImportContext) -> Iterator[Part]:
    """They lie on the disk of the other program; only their names are here."""
    value = decoded(text_of(item.get(name)))
    listed = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    for one in listed:
        path = text_of(one) or text_of(body_of(one).get("path")) or text_of(body_of(one).get("name"))
        if path:
            last = PurePath(path.replace("\\", "/")).name
            yield reading.file("", last, is_picture=name == "images_json")

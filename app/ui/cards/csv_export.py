"""A card as rows and columns, for what calculates: the same facts, one line each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from app.core.tools.card_markdown import card_csv, chart_lines, chart_values, mappings

_Row = Mapping[str, Any]


def csv_of(kind: str, payload: Mapping[str, Any]) -> str:
    """ "" for a kind that has no rows."""
    if kind == "table":
        return card_csv(payload)
    read = _KINDS.get(kind)
    columns, rows = read(payload) if read is not None else ((), [])
    if not rows:
        return ""
    return card_csv({"columns": [{"key": name, "label": name} for name in columns], "rows": rows})


def _items_of(columns: tuple[str, ...], payload: Mapping[str, Any]) -> tuple[tuple[str, ...], list[_Row]]:
    return columns, mappings(payload, "items")


def _items(*columns: str) -> Callable[[Mapping[str, Any]], tuple[tuple[str, ...], list[_Row]]]:
    return partial(_items_of, columns)


def _timeline(payload: Mapping[str, Any]) -> tuple[tuple[str, ...], list[_Row]]:
    rows: list[_Row] = [
        {"group": group.get("label"), **item}
        for group in mappings(payload, "groups")
        for item in mappings(group, "items")
    ]
    return ("group", "time", "end", "title", "cost", "way", "text"), rows


def _chart(payload: Mapping[str, Any]) -> tuple[tuple[str, ...], list[_Row]]:
    if lines := chart_lines(payload):
        rows: list[_Row] = [
            {"name": name, "label": label, "value": value} for name, points in lines for label, value in points
        ]
        return ("name", "label", "value"), rows
    return ("label", "value"), [{"label": label, "value": value} for label, value in chart_values(payload)]


def _map(payload: Mapping[str, Any]) -> tuple[tuple[str, ...], list[_Row]]:
    return ("label", "lat", "lon", "group"), mappings(payload, "points")


def _sources_of_report(payload: Mapping[str, Any]) -> tuple[tuple[str, ...], list[_Row]]:
    return ("n", "title", "url", "quality", "accessed", "sha256", "state", "passage"), mappings(payload, "sources")


_KINDS: Mapping[str, Callable[[Mapping[str, Any]], tuple[tuple[str, ...], list[_Row]]]] = {
    "key_values": _items("label", "value", "note"),
    "checklist": _items("state", "text", "hint"),
    "gallery": _items("title", "sub", "score", "text"),
    "sources": _items("n", "title", "url", "note"),
    "report": _sources_of_report,
    "timeline": _timeline,
    "chart": _chart,
    "map": _map,
    "review": lambda payload: (("no", "title", "qty", "price", "amount", "state"), mappings(payload, "lines")),
}

"""A card as Markdown, for copying and for exports; a table also as CSV. No Qt.

Payloads come from tools, imports and files: every value is taken as text, what has the wrong
shape is skipped, and nothing in it can become a heading, a link or a cell border.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ..text.i18n import _

_MARKED = str.maketrans({char: f"\\{char}" for char in "\\`*_[]<>|#~&"})
_STATES = {"ok": "x", "warn": "!", "error": "!", "todo": " "}


def card_markdown(kind: str, payload: Mapping[str, Any]) -> str:
    """Any kind; one that is not known is listed by its keys."""
    write = _WRITERS.get(kind, _listing)
    lines = [f"### {escaped(payload['title'])}", ""] if payload.get("title") else []
    return "\n".join([*lines, *write(payload)]).strip() + "\n"


def card_csv(payload: Mapping[str, Any]) -> str:
    """The rows of a table. A cell that a spreadsheet would run as a formula is quoted."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    columns = table_columns(payload)
    writer.writerow([_harmless(as_text(column["label"])) for column in columns])
    for row in mappings(payload, "rows"):
        writer.writerow([_harmless(as_text(row.get(column["key"]))) for column in columns])
    return out.getvalue()


# ---------------------------------------------------------------- reading a payload


def as_text(value: Any) -> str:
    """One value for a person: None is nothing, structures are compact JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        # Money keeps its last unit: plain "g" writes a million as 1e+06.
        return f"{round(value, 2):.15g}" if 1_000 <= abs(value) < 1e12 else f"{value:g}"
    if isinstance(value, int):
        return str(value)
    return json.dumps(value, ensure_ascii=False, default=str)


def mappings(payload: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    """The list under `key`, without entries that are no objects."""
    listed = payload.get(key)
    return [item for item in listed if isinstance(item, Mapping)] if isinstance(listed, list | tuple) else []


def texts(item: Mapping[str, Any], key: str) -> list[str]:
    listed = item.get(key)
    return [as_text(entry) for entry in listed] if isinstance(listed, list | tuple) else []


def table_columns(payload: Mapping[str, Any]) -> list[dict[str, str]]:
    """Key, label and align of each column; without any they are found in the rows."""
    columns = [
        {
            "key": as_text(column.get("key")),
            "label": as_text(column.get("label")) or as_text(column.get("key")),
            "align": as_text(column.get("align")),
        }
        for column in mappings(payload, "columns")
    ]
    if columns:
        return columns
    keys = dict.fromkeys(str(key) for row in mappings(payload, "rows") for key in row)
    return [{"key": key, "label": key, "align": ""} for key in keys]


def chart_values(payload: Mapping[str, Any]) -> list[tuple[str, float]]:
    """Label and number of a chart with one series."""
    found: list[tuple[str, float]] = []
    for entry in mappings(payload, "series"):
        value = entry.get("value")
        if isinstance(value, int | float) and not isinstance(value, bool):
            found.append((as_text(entry.get("label")), float(value)))
    return found


def chart_lines(payload: Mapping[str, Any]) -> list[tuple[str, list[tuple[str, float]]]]:
    """Name and points of a chart with several series; a point is [x, y] or a number."""
    found: list[tuple[str, list[tuple[str, float]]]] = []
    for entry in mappings(payload, "series"):
        points = entry.get("points")
        if isinstance(points, list | tuple):
            read = [_point(point, number) for number, point in enumerate(points, 1)]
            found.append((as_text(entry.get("name")), [point for point in read if point is not None]))
    return found


def _point(point: Any, number: int) -> tuple[str, float] | None:
    label, value = (point[0], point[1]) if isinstance(point, list | tuple) and len(point) == 2 else (number, point)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return as_text(label), float(value)
    return None


# ---------------------------------------------------------------- writing


def escaped(value: Any) -> str:
    """Text that stays text: one line, every mark of Markdown behind a backslash."""
    return " ".join(as_text(value).split()).translate(_MARKED)


def _harmless(text: str) -> str:
    is_number = text.lstrip("+-").replace(".", "", 1).isdigit()
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) and not is_number else text


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], aligns: Sequence[str] = ()) -> list[str]:
    marks = ["---:" if align == "right" else "---" for align in aligns] or ["---"] * len(head)
    return [f"| {' | '.join(cells)} |" for cells in (head, marks, *rows)]


def _write_table(payload: Mapping[str, Any]) -> list[str]:
    columns = table_columns(payload)
    rows = [[escaped(row.get(column["key"])) for column in columns] for row in mappings(payload, "rows")]
    return _table([escaped(c["label"]) for c in columns], rows, [c["align"] for c in columns]) if columns else []


def _key_values(payload: Mapping[str, Any]) -> Iterator[str]:
    for item in mappings(payload, "items"):
        note = f" ({escaped(item['note'])})" if item.get("note") else ""
        yield f"- **{escaped(item.get('label'))}**: {escaped(item.get('value'))}{note}"


def _timeline(payload: Mapping[str, Any]) -> Iterator[str]:
    for group in mappings(payload, "groups"):
        yield f"#### {escaped(group.get('label'))}"
        if group.get("sub"):
            yield escaped(group["sub"])
        yield ""
        for item in mappings(group, "items"):
            time = "–".join(escaped(item[key]) for key in ("time", "end") if item.get(key))
            parts = [time, f"**{escaped(item.get('title'))}**", escaped(item.get("cost"))]
            more = [escaped(item[key]) for key in ("way", "text") if item.get(key)]
            mark = "⚠ " if item.get("warn") else ""
            yield f"- {mark}{' '.join(part for part in parts if part)}" + (f" – {' · '.join(more)}" if more else "")
        yield ""
    for note in texts(payload, "notes"):
        yield f"- ⚠ {escaped(note)}"
    if payload.get("source"):
        yield from ("", escaped(payload["source"]))


def _map(payload: Mapping[str, Any]) -> Iterator[str]:
    for point in mappings(payload, "points"):
        group = f" ({escaped(point['group'])})" if point.get("group") else ""
        yield f"- **{escaped(point.get('label'))}**{group}: {escaped(point.get('lat'))}, {escaped(point.get('lon'))}"
    legs = mappings(payload, "legs")
    if legs:
        yield ""
    for leg in legs:
        yield f"- {escaped(leg.get('from'))} → {escaped(leg.get('to'))}: {escaped(leg.get('km'))} km"


def _gallery(payload: Mapping[str, Any]) -> Iterator[str]:
    for item in mappings(payload, "items"):
        parts = [escaped(item[key]) for key in ("sub", "text") if item.get(key)]
        parts += [escaped(chip) for chip in texts(item, "chips")]
        score = f" ({escaped(item['score'])})" if item.get("score") is not None else ""
        below = f": {' · '.join(parts)}" if parts else ""
        yield f"- **{escaped(item.get('title'))}**{score}{below}"


def _checklist(payload: Mapping[str, Any]) -> Iterator[str]:
    group = ""
    for item in mappings(payload, "items"):
        if item.get("group") and as_text(item["group"]) != group:
            group = as_text(item["group"])
            yield f"**{escaped(group)}**"
        mark = _STATES.get(as_text(item.get("state")), " ")
        box, sign = ("x", "") if mark == "x" else (" ", "⚠ " if mark == "!" else "")
        hint = f" – {escaped(item['hint'])}" if item.get("hint") else ""
        yield f"- [{box}] {sign}{escaped(item.get('text'))}{hint}"


def _graph(payload: Mapping[str, Any]) -> Iterator[str]:
    names = {as_text(node.get("id")): as_text(node.get("label")) for node in mappings(payload, "nodes")}
    for node in mappings(payload, "nodes"):
        note = f" – {escaped(node['note'])}" if node.get("note") else ""
        yield f"- {escaped(node.get('label'))}{note}"
    for edge in mappings(payload, "edges"):
        ends = [as_text(edge.get(end)) for end in ("from", "to")]
        first, second = (escaped(names.get(end, end)) for end in ends)
        label = f" ({escaped(edge['label'])})" if edge.get("label") else ""
        yield f"- {first} → {second}{label}"


def _chart(payload: Mapping[str, Any]) -> list[str]:
    lines = chart_lines(payload)
    if not lines:
        return _table(
            [_("Label"), _("Value")], [[escaped(n), as_text(v)] for n, v in chart_values(payload)], ["", "right"]
        )
    labels = list(dict.fromkeys(label for _name, points in lines for label, _value in points))
    by_name = [dict(points) for _name, points in lines]
    rows = [[escaped(label), *(as_text(points.get(label)) for points in by_name)] for label in labels]
    return _table(["", *(escaped(name) for name, _points in lines)], rows)


def _sources(payload: Mapping[str, Any]) -> Iterator[str]:
    for item in mappings(payload, "items"):
        parts = [escaped(item[key]) for key in ("url", "note") if item.get(key)]
        yield f"- {escaped(item.get('n'))} {escaped(item.get('title'))}" + (f" – {' – '.join(parts)}" if parts else "")


def _file(payload: Mapping[str, Any]) -> Iterator[str]:
    note = f" – {escaped(payload['note'])}" if payload.get("note") else ""
    yield f"- **{escaped(payload.get('name'))}**{note}: {escaped(payload.get('path'))}"


def _document(payload: Mapping[str, Any]) -> list[str]:
    return [as_text(payload.get("markdown"))]


def _report(payload: Mapping[str, Any]) -> Iterator[str]:
    yield as_text(payload.get("markdown"))
    words = payload.get("words")
    named = words if isinstance(words, Mapping) else {}
    for title, rows in (
        (_("How sure it is"), mappings(payload, "claims")),
        (_("Sources"), mappings(payload, "sources")),
    ):
        if rows:
            yield from ("", f"#### {title}", "")
        for row in rows:
            codes = [as_text(row.get(key)) for key in ("confidence", "quality", "state") if row.get(key)]
            facts = [as_text(named.get(code, code)) for code in codes]
            head = [row.get("n"), row.get("title") or row.get("text")]
            parts = [
                *(escaped(part) for part in head if part),
                *(escaped(row[key]) for key in ("url",) if row.get(key)),
            ]
            yield f"- {' '.join(parts)}" + (f" ({', '.join(map(escaped, facts))})" if facts else "")
            if row.get("passage"):
                yield f"  - {escaped(row['passage'])}"


def _activity(payload: Mapping[str, Any]) -> Iterator[str]:
    """All steps below one another: what is printed shall need no screen."""
    labels = payload.get("labels")
    words = labels if isinstance(labels, Mapping) else {}

    def word(name: str) -> str:
        return escaped(words.get(name, name))

    yield f"{word('goal')}: {escaped(payload.get('goal'))}"
    yield from ("", f"#### {word('stop_signs')}", "", *(f"- {escaped(one)}" for one in texts(payload, "stop_signs")))
    safety = [escaped(one) for one in texts(payload, "safety")]
    safety += [f"{escaped(one.get('message'))}: {escaped(one.get('fix'))}" for one in mappings(payload, "findings")]
    yield from ("", f"#### {word('safety')}", "", *(f"- {one}" for one in safety))
    yield f"- {word('calm_down')}: {escaped(payload.get('calm_down'))}"
    needs = [escaped(one.get("name")) for one in mappings(payload, "materials")]
    yield from ("", f"{word('materials')}: {', '.join(needs)}", "")
    for number, step in enumerate(mappings(payload, "steps"), 1):
        yield f"{number}. **{escaped(step.get('title'))}** – {escaped(step.get('text'))}"
        yield from (f"   - {word('say')}: “{escaped(one)}”" for one in texts(step, "say"))
        for name in ("refuses", "easier", "harder"):
            if step.get(name):
                yield f"   - {word(name)}: {escaped(step[name])}"
    yield from ("", f"{word('ending')}: {escaped(payload.get('ending'))}", "", word("disclaimer"))


def _interests(payload: Mapping[str, Any]) -> Iterator[str]:
    labels = payload.get("labels")
    words = labels if isinstance(labels, Mapping) else {}
    yield from (escaped(payload[key]) + "\n" for key in ("summary", "note") if payload.get(key))
    for one in mappings(payload, "dimensions"):
        about = [escaped(one.get(key)) for key in ("basis", "category", "reasoning") if one.get(key)]
        yield f"- **{escaped(one.get('label'))}**: {escaped(one.get('strength'))}" + "".join(f" · {w}" for w in about)
    for one in mappings(payload, "suggestions"):
        yield from ("", f"#### {escaped(one.get('title'))}", "", escaped(one.get("text")))
        yield from (f"- {escaped(text)}" for text in texts(one, "activities"))
    if evidence := mappings(payload, "evidence"):
        yield from ("", f"#### {escaped(words.get('evidence'))}", "")
    yield from (f"- {escaped(one.get('date'))} {escaped(one.get('text'))}" for one in evidence)
    yield from ("", escaped(words.get("disclaimer")))


def _form(payload: Mapping[str, Any]) -> Iterator[str]:
    if note := payload.get("note"):
        yield from (escaped(note), "")
    for field in mappings(payload, "fields"):
        value = field.get("value")
        words = "、".join(map(str, value)) if isinstance(value, list) else value
        yield f"- {escaped(field.get('label'))}: {escaped(words) if words not in (None, '', False) else '…'}"


def _listing(payload: Mapping[str, Any]) -> Iterator[str]:
    for key, value in payload.items():
        if key != "title":
            yield f"- **{escaped(key)}**: {escaped(value)}"


def _review(payload: Mapping[str, Any]) -> Iterator[str]:
    heads = payload.get("columns")
    names = heads if isinstance(heads, Mapping) else {}
    columns = ("product", "qty", "price", "amount", "state")
    yield "| # | " + " | ".join(escaped(names.get(name)) for name in columns) + " |"
    yield "| ---: | --- | ---: | ---: | ---: | --- |"
    for line in mappings(payload, "lines"):
        cells = [escaped(line.get(name)) for name in ("no", "title", "qty", "price", "amount", "state")]
        yield "| " + " | ".join(cells) + " |"
        for number, one in enumerate(mappings(line, "choices"), 1):
            cells = [
                f"{number}. {escaped(one.get('label'))} {escaped(one.get('note'))}".strip(),
                "",
                escaped(one.get("price")),
            ]
            yield "| | " + " | ".join([*cells, escaped(one.get("amount")), ""]) + " |"
    if payload.get("total"):
        yield ""
        total = f"{escaped(payload.get('sign'))}{escaped(payload.get('total'))}"
        yield f"{escaped(payload.get('total_label'))} {total}".strip()


def _manuscript(payload: Mapping[str, Any]) -> Iterator[str]:
    yield escaped(" · ".join(filter(None, (as_text(payload.get("count")), as_text(payload.get("state"))))))
    for line in as_text(payload.get("text")).split("\n"):
        if line.strip():
            yield from ("", escaped(line))
    if mappings(payload, "remarks"):
        yield ""
        yield from _checklist({"items": payload["remarks"]})


_WRITERS: Mapping[str, Callable[[Mapping[str, Any]], Sequence[str] | Iterator[str]]] = {
    "table": _write_table,
    "key_values": _key_values,
    "timeline": _timeline,
    "map": _map,
    "gallery": _gallery,
    "checklist": _checklist,
    "graph": _graph,
    "chart": _chart,
    "sources": _sources,
    "document": _document,
    "file": _file,
    "report": _report,
    "review": _review,
    "activity": _activity,
    "interests": _interests,
    "manuscript": _manuscript,
    "form": _form,
}

"""What a call would do, in one sentence from its own arguments: what the person reads before it writes or goes out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.core.arguments.mend import shown

from .wording import said

Args = Mapping[str, Any]


def keeping(args: Args, language: str) -> str:
    itinerary = args.get("itinerary")
    own = itinerary.get("title") if isinstance(itinerary, Mapping) else None
    name = shown(str(args.get("title") or own or ""))
    if args.get("id"):
        id = shown(str(args["id"]))
        return said(language, f"把行程“{name}”存为 {id} 的新版本", f"Store the trip “{name}” as a new version of {id}")
    return said(language, f"保存行程“{name}”", f"Store the trip “{name}”")


def editing(args: Args, language: str) -> str:
    count, id = len(args.get("ops") or ()), shown(str(args.get("id", "")))
    return said(language, f"修改行程 {id}：{count} 处", f"Change the trip {id}: {count} operations")


def exporting(args: Args, language: str) -> str:
    format, id = shown(str(args.get("format", ""))), shown(str(args.get("id", "")))
    where = shown(str(args.get("path") or ""))
    zh, en = (f"，写入 {where}", f", as {where}") if where else ("，写入新文件", ", as a new file")
    return said(language, f"把行程 {id} 导出为 {format}{zh}", f"Export the trip {id} as {format}{en}")


def forecasting(args: Args, language: str) -> str:
    place = shown(str(args.get("city") or f"{args.get('lat')}, {args.get('lon')}"))
    first, last = args.get("from"), args.get("to")
    return said(
        language,
        f"向天气服务查询{place} {first}至{last}的预报",
        f"Ask the weather service for the forecast of {place}, {first} to {last}",
    )


def searching(args: Args, language: str) -> str:
    text = shown(str(args.get("text", "")))
    return said(language, f"向地点搜索服务发送“{text}”", f"Send “{text}” to the place search")

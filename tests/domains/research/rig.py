"""The research agent over a store in memory: its own tools, and canned results in place of the web."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from app.core.errors import ToolError
from app.core.profile import Budget
from app.core.run.event_line import Stamped
from app.core.sources import Source, keep_source, new_source
from app.core.text.duplicates import alike
from app.core.text.i18n import language_of
from app.core.tools.tool import Tool, ToolContext, ToolResult, tool
from app.domains.research import TOOLS
from tests.domains.travel.async_calls import MemoryDocuments
from tests.fakes import run_mode

RAIN = "Tea needs at least 1,500 mm of rain a year. The hills of the south are wettest in spring."
PAGES = {
    "https://fao.int/tea": ("Tea and rain", "page", RAIN),
    "https://en.wikipedia.org/wiki/Tea": (
        "Tea",
        "wikipedia",
        "Tea requires about 1,270 mm of rain. It grows on hills.",
    ),
    "https://blog.example.com/tea": ("My tea", "page", "I water my tea once a week; 300 mm a year is plenty."),
    "https://hits.example.org/x": ("A hit", "snippet", "tea rain mm"),
}


class Research:
    """`found` are the pages each search gives, in turn."""

    def __init__(self, *found: Sequence[str]) -> None:
        self.documents, self.asked = MemoryDocuments(), list[str]()
        self._found = [*found]
        self.tools: dict[str, Tool] = {one.name: one for one in (*TOOLS, *self._canned())}

    def _canned(self) -> list[Tool]:
        rig = self

        def same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
            return alike(str(one["query"]), str(other["query"]))

        @tool("net", alike=same)
        async def web_search(ctx: ToolContext, query: str) -> ToolResult:
            """Search."""
            rig.asked.append(query)
            urls = rig._found.pop(0) if rig._found else ()
            kept = [await rig.keep(url, ctx.session) for url in urls]
            return ToolResult.success(
                {"results": [{"source": one.id, "title": one.title} for one in kept]}, f"{len(kept)} hits"
            )

        @tool("app.read")
        def search_readwise_highlights(ctx: ToolContext, query: str) -> ToolResult:
            """Search highlights."""
            return ToolResult.success({"highlights": ["The Way of Zen " * 400]}, "1 highlight")

        @tool("net")
        def fetch_page(ctx: ToolContext, url: str) -> ToolResult:
            """Fetch."""
            raise ToolError("UPSTREAM", "the site answered with HTTP 500")

        return [web_search, search_readwise_highlights, fetch_page]

    async def keep(self, url: str, session: str = "s1") -> Source:
        title, kind, text = PAGES[url]
        return await keep_source(self.documents, session, new_source(url, title, kind, text))  # type: ignore[arg-type]

    def seams(self) -> dict[str, Any]:
        return {"documents": self.documents}

    async def call(self, name: str, /, run: str = "r1", language: str = "en", **args: Any) -> ToolResult:
        one = self.tools[name]
        faults = one.check(args)
        assert not faults, faults
        ctx = ToolContext(language=language, session="s1", run=run, documents=self.documents, today=date(2026, 11, 20))
        result = one.body(ctx, args)
        return await result if inspect.isawaitable(result) else result

    async def run(
        self, model: Any, *, query: str = "question", budget: Budget | None = None, **settings: Any
    ) -> list[Stamped]:
        words = {"*": "allow", "evaluate_sufficiency": "allow"}
        usual = {"enable_reflection": True, "max_reflection_iterations": 3, "max_steps": 16, "tools": words}
        return await run_mode(
            "react", model, self.tools, query=query, language=language_of(query), tool_seams=self.seams(),
            budget=budget,
            settings={**usual, **settings},
        )  # fmt: skip

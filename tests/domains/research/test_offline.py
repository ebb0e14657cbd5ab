"""The research agent without a language model: it looks up, lists with addresses, and says what an answer needs."""

from __future__ import annotations

from typing import Any

from app.core.errors import ToolError
from app.core.run.events import ToolCalled
from app.core.slots import NO_NAMES
from app.core.tools.tool import Tool, ToolContext, ToolResult, tool
from app.domains.research import DOMAIN
from app.providers.rules.book import load_book
from app.providers.rules.model import OfflineRules
from tests.fakes import end_of, of, run_mode

HIT = {"source": "s-1", "title": "Tea", "url": "https://fao.int/tea", "domain": "fao.int", "snippet": "Rain in mm."}
WEB = "Only Wikipedia was searched."
RESULTS: dict[str, dict[str, Any]] = {
    "web_search": {"results": [HIT], "provider": "Wikipedia", "remarks": [WEB]},
    "wikipedia_search": {"titles": [HIT], "lang": "en", "credit": "Wikipedia, CC BY-SA"},
    "scholar_search": {"items": [{**HIT, "year": 2024, "venue": "Nature"}], "credit": "OpenAlex"},
    "search_readwise_highlights": {"highlights": [{**HIT, "text": "The way of Zen", "author": "Watts"}], "total": 1},
}
QUESTIONS = [
    ("How much of an electric car's battery is recycled? Give sources", "web_search",
     "how much of an electric car's battery is recycled"),
    ("请帮我查一下电动汽车电池的回收率，请给出来源", "web_search", "电动汽车电池的回收率"),
    ("papers on four-day weeks", "scholar_search", "four-day weeks"),
    ("找一下四天工作制的论文", "scholar_search", "四天工作制"),
    ("search Wikipedia for heat pumps", "wikipedia_search", "heat pumps"),
    ("维基百科 热泵", "wikipedia_search", "热泵"),
    ("What do my highlights say about Zen?", "search_readwise_highlights", "zen"),
    ("我的划线里关于禅宗的", "search_readwise_highlights", "禅宗"),
    ("hello", "", ""),
    ("你好", "", ""),
]  # fmt: skip


def canned(name: str, *, fails: bool = False) -> Tool:
    def body(ctx: ToolContext, query: str) -> ToolResult:
        """Look up."""
        if fails:
            raise ToolError("NETWORK_OFF", "the program is told to stay offline")
        return ToolResult.success(RESULTS[name], "found")

    body.__name__ = name
    return tool("net")(body)


async def answer_to(question: str, *, fails: bool = False) -> tuple[list[tuple[str, str]], str]:
    assert DOMAIN.rules is not None
    model = OfflineRules(load_book(DOMAIN.rules, DOMAIN.slots), NO_NAMES(), key="research", pace=0.0)
    tools = {name: canned(name, fails=fails) for name in RESULTS}
    lines = await run_mode("react", model, tools, query=question, settings={"tools": {"*": "allow"}})
    asked = [(one.name, str(one.args.get("query"))) for one in of(lines, ToolCalled)]
    return asked, end_of(lines).answer


async def test_without_a_model_it_looks_up_what_was_asked_lists_it_and_says_what_an_answer_needs() -> None:
    wrong: list[Any] = []
    for question, name, query in QUESTIONS:
        asked, answer = await answer_to(question)
        is_chinese = any(char >= "\u4e00" for char in question)
        needs = "语言模型" if is_chinese else "language model"
        shown = {"": (), "search_readwise_highlights": ("The way of Zen", "Watts")}.get(name, (f"[Tea]({HIT['url']})",))
        expected = [(name, query)] if name else []
        if asked != expected or needs not in answer or not all(text in answer for text in shown):
            wrong.append((question, asked, answer))
        if name == "web_search" and WEB not in answer:
            wrong.append((question, "the tool's remark is missing", answer))
    assert wrong == []


async def test_offline_one_sentence_says_what_a_search_and_an_answer_need() -> None:
    for question, words in (
        ("recycling of batteries", ("told to stay offline", "needs the network", "search service", "language model")),
        ("电池回收", ("需要网络", "搜索服务", "语言模型")),
    ):
        _asked, answer = await answer_to(question, fails=True)
        assert [word for word in words if word not in answer] == [], answer

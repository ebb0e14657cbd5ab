"""Auto chooses by words: the table is the rule book, in the words of people (agents.md 1.4)."""

from __future__ import annotations

import pytest

from app.agent.modes.intent import ChosenMode, choose_mode, counts_in, intent_of
from app.core.run.mode_words import PLAN_WORDS, ModeWords, as_line, words_in
from app.domains.travel import DOMAIN
from tests.every import looped

TRADE = ModeWords().with_trade(DOMAIN.mode_words)
"""For an agent of a trade: what holds for all, and its own words."""

SENTENCES = [
    # greetings alone
    ("你好", "direct", "greeting"),
    ("你好！", "direct", "greeting"),
    ("您好，", "direct", "greeting"),
    ("你好呀😀", "direct", "greeting"),
    ("在吗？", "direct", "greeting"),
    ("嗨～", "direct", "greeting"),
    ("早上好", "direct", "greeting"),
    ("hi", "direct", "greeting"),
    ("Hello!", "direct", "greeting"),
    ("hey 👋", "direct", "greeting"),
    ("Hi, hello!!", "direct", "greeting"),
    # planning words, with or without a greeting before them
    ("你好，帮我规划北京三日游", "plan", "planning_words"),
    ("帮我做个计划", "plan", "planning_words"),
    ("安排一下周末", "plan", "planning_words"),
    ("成都攻略", "plan", "planning_words"),
    ("下周的行程怎么走", "plan", "planning_words"),
    ("Plan a trip to Xi'an", "plan", "planning_words"),
    ("I need an itinerary for Chengdu", "plan", "planning_words"),
    ("hello, please PLAN my week", "plan", "planning_words"),
    # a count of days is a plan
    ("西安三日游", "plan", "day_count"),
    ("去成都玩两天", "plan", "day_count"),
    ("厦门 5 天", "plan", "day_count"),
    ("杭州3天2晚", "plan", "day_count"),
    ("a 3-day trip to Xiamen", "plan", "day_count"),
    ("5 days in Baotou", "plan", "day_count"),
    ("１０天的内蒙古", "plan", "day_count"),
    ("在上海十二天够不够", "plan", "day_count"),
    # looking something up
    ("推荐几个美食城市", "react", "lookup_words"),
    ("北京有什么景点", "react", "lookup_words"),
    ("去杭州要多少钱", "react", "lookup_words"),
    ("成都现在天气怎么样", "react", "lookup_words"),
    ("查询航班", "react", "lookup_words"),
    ("你好，推荐一家餐厅", "react", "lookup_words"),
    ("Recommend a quiet city", "react", "lookup_words"),
    ("find me something to eat", "react", "lookup_words"),
    ("what budget do I need", "react", "lookup_words"),
    # dates, ordinals and words that only look like it
    ("5月3日去合适吗", "react", "default"),
    ("十月一日放假吗", "react", "default"),
    ("第3天太累了", "react", "default"),
    ("第三天去哪", "react", "default"),
    ("今天几号", "react", "default"),
    ("what is on today", "react", "default"),
    ("explain the planet Mars", "react", "default"),
    ("the history of this building", "react", "default"),
    ("为什么天空是蓝色的", "react", "default"),
    ("生日快乐用英语怎么说", "react", "default"),
    ("你好吗，最近怎么样", "react", "default"),
    ("3 + 4 = ?", "react", "default"),
]


@looped(("sentence", "mode", "reason"), SENTENCES)
def test_a_sentence_leads_to_its_mode(sentence: str, mode: str, reason: str) -> None:
    choice = choose_mode(sentence, words=TRADE)
    assert (choice.mode, choice.reason) == (mode, reason)


def test_what_matched_is_named() -> None:
    assert choose_mode("帮我规划三日行程", words=TRADE).matched == ("规划", "行程", "三日")
    assert choose_mode("Find a 3-day plan", words=TRADE).matched == ("plan", "3-day")


def test_the_words_of_a_trade_are_for_its_own_agents() -> None:
    for sentence in ("西安三日游", "成都攻略", "北京有什么景点", "5 days in Baotou"):
        assert choose_mode(sentence) == ChosenMode("react", "default")


def test_without_a_word_the_default_of_the_agent_holds() -> None:
    assert choose_mode("why is the sky blue", "direct").mode == "direct"
    assert choose_mode("why is the sky blue", "auto").mode == "react"


@looped(
    ("text", "found"),
    [
        ("三日", ("三日",)),
        ("两天", ("两天",)),
        ("3-day", ("3-day",)),
        ("3 days", ("3 days",)),
        ("5月3日", ()),
        ("5月3日到5月5日", ()),
        ("10月1日起玩4天", ("4天",)),
        ("第3天", ()),
        ("第12天", ()),
        ("days", ()),
        ("天", ()),
        ("", ()),
        ("3天,3天", ("3天",)),
    ],
)
def test_a_day_count_is_a_number_before_a_unit(text: str, found: tuple[str, ...]) -> None:
    assert counts_in(text, TRADE.units) == found


@pytest.mark.parametrize(
    ("text", "code"), [("你好", "greeting"), ("三日游", "plan"), ("推荐", "lookup"), ("why", "question")]
)
def test_the_intent_is_a_code(text: str, code: str) -> None:
    assert intent_of(text, TRADE) == code


def test_M02_a_persons_own_words_take_the_place_of_the_rule() -> None:
    own = ModeWords(plan=words_in("路线图，roadmap"), react=(), direct=words_in("翻译; translate"))
    own = own.with_trade(DOMAIN.mode_words)
    assert choose_mode("Draw a Roadmap", words=own) == ChosenMode("plan", "planning_words", ("roadmap",))
    assert choose_mode("规划一下的行程", words=own) == ChosenMode("react", "default")
    assert choose_mode("五天够吗", words=own).mode == "plan"
    assert choose_mode("translate this", words=own) == ChosenMode("direct", "direct_words", ("translate",))
    assert choose_mode("retranslated", words=own).mode == "react"


def test_words_are_read_as_they_are_typed() -> None:
    assert words_in(" Plan,规划，、 plan ;\n") == ("plan", "规划")
    assert words_in(as_line(PLAN_WORDS)) == PLAN_WORDS
    assert len(words_in(",".join(map(str, range(1_000))))) == 200
    assert words_in("x" * 500) == ("x" * 50,)

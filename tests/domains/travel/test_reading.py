"""What the rules read of a journey: one row per kind of wish, each a kind that was read wrongly or not at all."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

from app.core.domain import OFFLINE_RULES
from app.core.resources import domain_dir
from app.core.slots import Surroundings
from app.domains.travel import DOMAIN
from app.domains.travel.model.gazetteer import shipped_names
from app.domains.travel.reading.feasts import easter, feast_of
from app.domains.travel.reading.months import read_lunar, read_month_part
from app.domains.travel.reading.refusals import is_refused_before, is_refused_behind
from app.providers.rules.book import load_book
from app.providers.rules.understanding import Reader
from tests.every import looped

TODAY = date(2026, 11, 21)
"""A Saturday."""
READER = Reader(load_book(domain_dir("travel") / OFFLINE_RULES, DOMAIN.slots), DOMAIN.names())

# fmt: off
WISHES: list[tuple[str, dict[str, Any]]] = [
    # a name of several cities belongs to the one spoken of
    ("东京4天，想去迪士尼", {"cities": ["tokyo"], "must_see": ["东京迪士尼乐园"]}),
    ("沈阳两天，去故宫", {"cities": ["shenyang"], "must_see": ["沈阳故宫"]}),
    # where from, where one sleeps, when one comes and goes
    ("从北京出发去内蒙古草原玩5天", {"home": "北京", "city": "hulunbuir"}),
    ("香港4天，住尖沙咀", {"lodging": "尖沙咀", "must_see": None}),
    ("Staying near Shinjuku, 3 days in Tokyo", {"lodging": "Shinjuku", "city": "tokyo"}),
    ("去杭州住哪里方便", {"lodging": None}),
    ("周五下午3点到西安北站，玩三天",
     {"start_date": "2026-11-27", "arrival": {"time": "15:00", "place": "西安北站"}}),
    ("We land at Heathrow on Dec 12 at 2:30pm and fly out on Dec 15 at noon. Plan London.",
     {"start_date": "2026-12-12", "days": 4, "arrive_time": "14:30", "leave_time": "12:00"}),
    ("南京，周六早到周日晚走", {"start_date": "2026-11-28", "days": 2, "arrive_time": "09:00", "leave_time": "20:00"}),
    ("澳门两天，11点出门，晚上七点前回酒店", {"day_start": "11:00", "day_end": "19:00"}),
    ("I have a 10 hour layover in Singapore", {"stopover": 10, "days": 1}),
    # dates in words
    ("下个月15号到18号去广州", {"start_date": "2026-12-15", "days": 4}),
    ("春节去哈尔滨4天", {"start_date": "2027-02-06"}),
    ("中秋三天假期去无锡", {"start_date": "2027-09-15", "days": 3}),
    ("国庆第二天出发，去西安3天", {"start_date": "2027-10-02"}),
    ("Thanksgiving in San Francisco, 4 days", {"start_date": "2026-11-26"}),
    # money, people, food
    ("4 days in Tokyo, budget $2000", {"budget": 2000, "currency": "USD"}),
    ("Paris, 3 days, €500 a day", {"budget_per_day": 500, "currency": "EUR"}),
    ("三亚五天，预算1万5", {"budget": 15000}),
    ("we're two couples, Rome 3 days", {"adults": 4}),
    ("青岛四天，带6个月大的宝宝", {"children": [0]}),
    ("厦门三天，我海鲜过敏", {"allergens": ["seafood", "shellfish", "fish"]}),
    ("我们不吃牛羊肉，兰州两天", {"allergens": ["beef", "lamb"]}),
    ("I'm vegan, 3 days in Chengdu", {"diet": ["vegan"]}),
    # who comes along, by relation; the number behind a list counts all
    ("我和老公还有两个朋友去大理5天", {"adults": 4}),
    ("五一我跟我对象还有她爸妈，四个人去青岛，二号中午到，五号下午走",
     {"adults": 4, "start_date": "2027-05-02", "days": 4}),
    ("taking my 82-year-old grandmother to Suzhou for the day", {"adults": 2, "days": 1}),
    ("We have a 2 year old and twins aged 6, Singapore Mon 7 Dec to Fri 11 Dec",
     {"children": [2, 6, 6], "start_date": "2026-12-07", "days": 5}),
    # spans of weekdays, a train that goes there, what a person takes back, where one sleeps
    ("London, Thursday evening to Monday noon",
     {"start_date": "2026-11-26", "days": 5, "arrive_time": "19:00", "leave_time": "12:00"}),
    ("三月最后一个周末去扬州，坐早上的火车，周日吃完午饭就回",
     {"start_date": "2027-03-27", "arrive_time": "09:00", "leave_time": "13:30"}),
    ("北京两天…哦不对，三天", {"days": 3}),
    ("two days in Rome, no wait, four days", {"days": 4}),
    ("订了西湖边的酒店，杭州3天", {"lodging": "西湖", "must_see": None}),
    ("4 days in Rome, we booked an airbnb near Termini", {"lodging": "Termini"}),
    # city by city, and what is not in the data
    ("苏州杭州各两天", {"stays": [{"id": "苏州", "days": 2}, {"id": "杭州", "days": 2}], "days": 4}),
    ("Istanbul 4 days, no mosques please", {"city": "istanbul"}),
    ("我在武汉，周末想去附近转转，高铁两小时内", {"near_city": "wuhan", "children": None}),
]
# fmt: on


@looped(("question", "slots"), WISHES)
def test_a_wish_is_read(question: str, slots: dict[str, Any]) -> None:
    own = READER.understand(question, (), TODAY).own
    assert {name: own.get(name) for name in slots} == slots


def test_a_question_about_the_plan_makes_no_new_one() -> None:
    """What the plan has is given as it is kept with the answer before."""
    days = [{"day": 1, "stops": [{"kind": "sight", "name": "Louvre Museum", "start": "10:00", "end": "13:00"}]}]
    plan = READER.understand("3 days in Paris", (), TODAY)
    asked = {
        "when are we at the Louvre?": "plan_when",
        "how much walking is day 1?": "plan_day",
        "is the Louvre worth it": "sight_question",
        "how much should I tip in Paris": "no_data_on",
    }
    memory = {**plan.memory, "plan_days": days}
    intents = {
        question: READER.understand(question, ("3 days in Paris",), TODAY, (), [replace(plan, memory=memory)]).intent
        for question in asked
    }
    assert {question: intent.name if intent else "" for question, intent in intents.items()} == asked


def test_feasts_have_the_day_of_their_year() -> None:
    assert [easter(year) for year in (2024, 2025, 2038)] == [date(2024, 3, 31), date(2025, 4, 20), date(2038, 4, 25)]
    assert feast_of("thanksgiving", 2027) == date(2027, 11, 25)
    assert feast_of("qingming", 2026) == date(2026, 4, 5)


def test_a_negative_word_refuses_the_place_beside_it_and_no_other() -> None:
    refused = ["长城不去了", "别安排长城", "长城已经去过了", "长城也不要", "scrap the 长城", "长城 is a definite no"]
    kept = ["要不要去长城", "特别想去长城", "长城不要错过", "长城去过吗", "长城，不去798", "haven't been to the 长城"]

    def is_refused(text: str) -> bool:
        before, _place, behind = text.partition("长城")
        return is_refused_before(before) or is_refused_behind(behind)

    assert [text for text in refused if not is_refused(text)] == []
    assert [text for text in kept if is_refused(text)] == []


def test_parts_of_a_month_and_days_of_the_chinese_calendar() -> None:
    today = Surroundings(shipped_names(), date(2026, 11, 21))
    table = {"of": "start_date", "span": "days", "days": ["天"]}
    lunar = {"腊月二十六到正月初二": ("2027-02-02", 6), "大年初三到初七": ("2027-02-08", 5), "初三的孩子": (None, None)}
    parts = {
        "6月初": "2027-06-06",
        "三月最后一个周末": "2027-03-27",
        "second week of january": "2027-01-08",
        "8月": None,
    }
    found = {text: read_lunar(text, "lunar", table, today) for text in lunar}
    assert {text: (slots.get("start_date"), slots.get("days")) for text, slots in found.items()} == lunar
    read = {text: read_month_part(text, "date_part", table, today).get("start_date") for text in parts}
    assert read == parts


def test_a_name_written_as_it_sounds_is_found_and_ordinary_words_are_not() -> None:
    names = shipped_names()
    slips = {"去杭洲两天": "杭州", "想去九塞沟": "九寨沟", "西安看兵马佣": "兵马俑", "程度怎么样": "", "张家港两天": ""}
    found = {text: "".join(m.place.name_zh for m in names.mentions(text) if m.is_guess) for text in slips}
    assert {text: name for text, name in slips.items() if name not in found[text] or (found[text] and not name)} == {}

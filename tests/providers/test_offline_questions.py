"""Questions as people write them, and what the offline rules of the travel agent make of them."""

from __future__ import annotations

from datetime import date
from typing import Any

from app.core.domain import OFFLINE_RULES
from app.core.resources import domain_dir
from app.domains.travel import DOMAIN
from app.providers.rules.book import load_book
from app.providers.rules.understanding import Reader, Understanding
from tests.every import looped

TODAY = date(2026, 11, 21)
READER = Reader(load_book(domain_dir("travel") / OFFLINE_RULES, DOMAIN.slots), DOMAIN.names())


def understand(*questions: str) -> Understanding:
    *earlier, last = questions
    return READER.understand(last, earlier, TODAY)


# fmt: off
QUESTIONS: list[tuple[str, str | None, dict[str, Any]]] = [
    # a plan of several days
    ("帮我规划北京3日游，包括景点和美食", "trip_plan", {"city": "beijing", "days": 3, "interests": ["美食"]}),
    ("你好，帮我规划北京三日游", "trip_plan", {"city": "beijing", "days": 3}),
    ("Plan 3 days in Beijing with sights and food", "trip_plan", {"city": "beijing", "days": 3, "interests": ["food"]}),
    ("Make a 5-day itinerary for Chengdu", "trip_plan", {"city": "chengdu", "days": 5}),
    ("请安排上海两天一夜的行程", "trip_plan", {"city": "shanghai", "days": 2}),
    ("杭州周末攻略", "trip_plan", {"city": "hangzhou", "days": 2}),
    ("厦门怎么玩，三四天", "trip_plan", {"city": "xiamen", "days": 4}),
    ("想去故宫和长城，不去颐和园，规划两天", "trip_plan",
     {"city": "beijing", "must_see": ["故宫博物院", "八达岭长城"], "avoid": ["颐和园"]}),
    ("规划2026年12月24日出发的西安3日游", "trip_plan", {"start_date": "2026-12-24", "days": 3}),
    ("规划5月3日出发的杭州两天行程", "trip_plan", {"start_date": "2027-05-03", "days": 2, "month": 5}),
    ("Plan a relaxed week in Xiamen in May", "trip_plan", {"days": 7, "pace": "relaxed", "month": 5}),
    ("plan a week in Hangzhou", "trip_plan", {"city": "hangzhou", "days": 7}),
    ("成都5天特种兵行程", "trip_plan", {"city": "chengdu", "days": 5, "pace": "packed"}),
    ("北京3天", "trip_wish", {"city": "beijing", "days": 3}),
    ("family of four, 5 days in Chengdu", "trip_wish", {"adults": 2, "children": [8, 8], "days": 5}),
    ("一家三口国庆去成都玩5天，孩子6岁，每天预算800元", "trip_with_budget",
     {"adults": 2, "children": [6], "budget_per_day": 800, "month": 10, "days": 5}),
    ("呼伦贝尔草原3晚", "trip_wish", {"city": "hulunbuir", "days": 4, "interests": ["草原"]}),
    # which city
    ("推荐一些适合美食游的城市", "recommend_cities", {"interests": ["美食"]}),
    ("Recommend some cities for food lovers", "recommend_cities", {"interests": ["food"]}),
    ("冬天去哪里玩比较好？", "recommend_cities", {"season": "winter"}),
    ("Where should I go in spring with kids?", "recommend_cities",
     {"season": "spring", "interests": ["family"], "children": [8]}),
    ("推荐每天500元以内能玩的城市", "recommend_cities", {"budget_per_day": 500}),
    ("有什么适合看海的地方", "recommend_cities", {"interests": ["海滨"]}),
    ("Which cities are good for museums and history?", "recommend_cities", {"interests": ["history", "museum"]}),
    ("10月适合去的目的地", "recommend_cities", {"month": 10}),
    ("compare Chengdu and Xi'an", "compare_cities", {"cities": ["chengdu", "xian"]}),
    ("成都和西安哪个更适合美食", "compare_cities", {"cities": ["chengdu", "xian"], "interests": ["美食"]}),
    ("上海还是杭州？", "compare_cities", {"cities": ["shanghai", "hangzhou"]}),
    # what goes with a journey
    ("7月去厦门行李怎么准备", "packing", {"city": "xiamen", "month": 7}),
    ("What to pack for a week in Hulunbuir in January?", "packing", {"city": "hulunbuir", "days": 7, "month": 1}),
    ("国庆放假安排", "holidays", {"holidays_from": "2026-11-21"}),
    ("public holidays in Japan", "holidays", {"country": "JP"}),
    ("杭州明天会下雨吗", "weather", {"city": "hangzhou"}),
    ("what is the weather forecast for Chengdu", "weather", {"city": "chengdu"}),
    ("12月8日出发的北京3日游，导出成表格", "export_trip", {"format": "csv", "start_date": "2026-12-08"}),
    ("export a calendar for 3 days in Xi'an leaving on 2026-12-08", "export_trip", {"format": "ics", "days": 3}),
    ("保存行程：北京3日游", "save_trip", {"city": "beijing", "days": 3}),
    ("show my trips", "list_trips", {}),
    ("北京、西安和成都先去哪最顺路", "order_cities", {"cities": ["beijing", "xian", "chengdu"]}),
    ("in what order should I visit Beijing, Xi'an and Chengdu", "order_cities",
     {"cities": ["beijing", "xian", "chengdu"]}),
    ("用俏皮的口吻规划成都3日游", "trip_plan", {"style": "playful", "city": "chengdu"}),
    # how far
    ("从外滩到豫园多远", "transfer", {"from": "外滩", "to": "豫园"}),
    ("How far is it from the Bund to Yu Garden?", "transfer", {"from": "The Bund", "to": "Yu Garden"}),
    ("How long does it take to Yu Garden from the Bund by taxi?", "transfer",
     {"mode": "taxi", "from": "The Bund", "to": "Yu Garden"}),
    ("从故宫到颐和园坐地铁怎么走", "transfer", {"mode": "transit"}),
    # money
    ("两个人去西安4天，预算5000元够吗？", "budget", {"adults": 2, "days": 4, "budget": 5000}),
    ("Is 5000 yuan enough for two people for 4 days in Xi'an?", "budget", {"adults": 2, "days": 4, "budget": 5000}),
    ("去北京玩三天要多少钱", "budget", {"city": "beijing", "days": 3}),
    ("2大1小去厦门5天的费用", "budget", {"adults": 2, "children": [8], "days": 5}),
    ("一个人去成都3天，穷游，花费大概多少", "budget", {"adults": 1, "days": 3, "tier": "economy"}),
    ("情侣去杭州两天豪华游花费", "budget", {"adults": 2, "days": 2, "tier": "luxury"}),
    ("How much do 3 days in Hangzhou cost for 2 adults and a 6 year old child?", "budget",
     {"adults": 2, "children": [6], "days": 3}),
    ("上海5天1.5万够不够", "budget", {"city": "shanghai", "days": 5}),
    ("budget for a couple, a weekend in Shanghai", "budget", {"adults": 2, "days": 2}),
    # food
    ("西安有什么好吃的", "food", {"city": "xian"}),
    ("What should I eat in Chengdu?", "food", {"city": "chengdu"}),
    ("When is the best time to visit Hulunbuir?", "city_info", {"city": "hulunbuir"}),
    ("推荐北京的美食", "food", {"city": "beijing"}),
    ("杭州有素食餐厅吗", "food", {"city": "hangzhou", "diet": ["veg"]}),
    ("halal food in Xi'an", "food", {"city": "xian", "diet": ["halal"]}),
    # sights
    ("成都有哪些适合带孩子去的景点？", "attractions", {"city": "chengdu", "for": "child"}),
    ("Which sights in Chengdu are good with children?", "attractions", {"city": "chengdu", "for": "child"}),
    ("北京免费的博物馆", "attractions", {"city": "beijing", "free_only": True}),
    ("下雨天上海有什么好玩的", "attractions", {"city": "shanghai", "indoor": True}),
    ("带父母去西安看什么", "attractions", {"city": "xian", "for": "elder"}),
    ("free things to do in Xiamen", "attractions", {"city": "xiamen", "free_only": True}),
    ("故宫门票多少", "one_sight", {"city": "beijing", "must_see": ["故宫博物院"]}),
    ("颐和园", "sight_only", {"city": "beijing"}),
    ("When does the Forbidden City open?", "one_sight", {"must_see": ["Forbidden City"]}),
    ("What is there to see in Hohhot?", "attractions", {"city": "hohhot"}),
    # one city
    ("介绍一下厦门", "city_info", {"city": "xiamen"}),
    ("Tell me about Baotou", "city_info", {"city": "baotou"}),
    ("什么时候去呼和浩特最好", "city_info", {"city": "hohhot"}),
    ("best time for Hulunbuir", "city_info", {"city": "hulunbuir"}),
    ("包头", "city_only", {"city": "baotou"}),
    # what people ask in other words
    ("下个月带2岁和9岁的娃去三亚玩4天，预算8000", "trip_with_budget",
     {"children": [2, 9], "month": 12, "budget": 8000}),
    ("plan 2 days in Paris with kids aged 4 and 9", "trip_plan", {"children": [4, 9], "days": 2}),
    ("5天哈尔滨，孩子3、7岁", "trip_wish", {"children": [3, 7], "days": 5}),
    ("我们一家五口，爷爷奶奶坐轮椅，去苏州玩两天", "trip_wish",
     {"adults": 4, "children": [8], "for": "wheelchair", "days": 2}),
    ("五一想去西北，有什么推荐", "recommend_cities", {"region": "西北", "month": 5}),
    ("泰国去哪里玩", "recommend_cities", {"country": "TH"}),
    ("我对花生过敏，成都有什么能吃的", "food", {"allergens": ["peanut"]}),
    ("I am allergic to shellfish, what can I eat in Xiamen?", "food", {"allergens": ["shellfish"]}),
    ("西安3天，必去兵马俑，不去华山，12月24日出发", "trip_wish",
     {"must_see": ["秦始皇帝陵博物院（兵马俑）"], "avoid": ["华山"], "start_date": "2026-12-24"}),
    ("从浦东机场到外滩要多久", "transfer", {"from": "上海浦东国际机场", "to": "外滩"}),
    ("how long from Haneda Airport to Shibuya Sky by taxi", "transfer",
     {"from": "Haneda Airport", "to": "Shibuya Sky", "mode": "taxi"}),
    ("Is the Louvre open on Tuesday?", "one_sight", {"city": "paris"}),
    ("国庆放几天假", "holidays", {"holidays_from": "2026-11-21", "holidays_to": "2027-11-21"}),
    ("日本有什么公共假期", "holidays", {"country": "JP"}),
    ("weather in Paris next week", "weather", {"weather_from": "2026-11-28", "weather_to": "2026-12-04"}),
    ("杭州明天会下雨吗", "weather", {"weather_from": "2026-11-22", "weather_to": "2026-11-22"}),
    ("厦门4月天气怎么样", "city_info", {"month": 4}),
    ("想去云南玩一周", "region_only", {"region": "云南省", "days": 7}),
    ("敦煌莫高窟要提前多久预约", "one_sight", {"city": "dunhuang"}),
    ("帮我规划北京和西安5日游", "trip_plan", {"cities": ["beijing", "xian"], "days": 5}),
    ("7 days in Tokyo, Kyoto and Osaka", "trip_cities", {"cities": ["tokyo", "kyoto", "osaka"], "days": 7}),
    ("北京、西安、成都、重庆玩10天", "trip_cities", {"days": 10}),
    ("北京和西安哪个适合玩5天", "compare_cities", {"days": 5}),
    ("带父母去桂林玩3天，不想太累，人均1500", "trip_with_budget",
     {"budget_per_person": 1500, "for": "elder", "pace": "relaxed"}),
    ("成都火锅多少钱", "food", {"city": "chengdu"}),
    ("北京到西安火车票多少钱", "intercity", {"from": "北京", "to": "西安"}),
    ("what's the best month to visit Sydney", "city_info", {"city": "sydney"}),
    ("帮我订一张去北京的机票", "booking", {"city": "beijing"}),
    ("do I need a visa for Japan?", "official_matters", {"country": "JP"}),
    # conversation
    ("你好", "greeting", {}),
    ("Hello!", "greeting", {}),
    ("谢谢你", "thanks", {}),
    ("thanks a lot", "thanks", {}),
    ("你能做什么？", "capabilities", {}),
    ("What can you do?", "capabilities", {}),
    ("再见", "goodbye", {}),
    # beyond the rules
    ("写一首关于秋天的诗", None, {}),
    ("What is the square root of two?", None, {}),
    ("this is his history of the hive", None, {}),
    ("", None, {}),
    ("🙂🙂🙂", None, {}),
]
# fmt: on


@looped(("question", "intent", "slots"), QUESTIONS, ids=[q for q, _intent, _slots in QUESTIONS])
def test_a_question_is_understood(question: str, intent: str | None, slots: dict[str, Any]) -> None:
    understood = understand(question)
    assert (understood.intent.name if understood.intent else None) == intent
    assert {name: understood.said.get(name) for name in slots} == slots


FOLLOW_UPS = [
    # a chip that was corrected: its label and the value
    (("Plan 3 days in Beijing for two", "days: 4"), "trip_plan", {"city": "beijing", "days": 4, "adults": 2}),
    (("Plan 3 days in Beijing for two", "adults: 3"), "trip_plan", {"days": 3, "adults": 3}),
    (("Plan 3 days in Beijing for two", "city: Shanghai"), "trip_plan", {"city": "shanghai", "days": 3, "adults": 2}),
    (("帮我规划北京3日游，两个人", "天数：4"), "trip_plan", {"city": "beijing", "days": 4, "adults": 2}),
    (("帮我规划北京3日游，两个人", "档次：豪华"), "trip_plan", {"days": 3, "tier": "luxury"}),
    (("帮我规划北京3日游", "改成4天"), "trip_plan", {"city": "beijing", "days": 4}),
    (("帮我规划北京3日游", "那上海呢？"), "trip_plan", {"city": "shanghai", "days": 3}),
    (("Plan 3 days in Beijing", "make it 5 days"), "trip_plan", {"city": "beijing", "days": 5}),
    (("Plan 3 days in Beijing", "what about Chengdu?"), "trip_plan", {"city": "chengdu", "days": 3}),
    (("介绍一下成都", "有什么好吃的？"), "food", {"city": "chengdu"}),
    (("成都3日游，两个人", "多少钱？"), "budget", {"city": "chengdu", "days": 3, "adults": 2}),
    (("西安有什么好吃的", "谢谢", "有哪些景点"), "attractions", {"city": "xian"}),
    (("帮我规划3日游", "北京吧，那就两个人"), "trip_plan", {"city": "beijing", "days": 3, "adults": 2}),
    (("规划故宫一日游", "换成上海"), "trip_plan", {"city": "shanghai", "must_see": None}),
    (("两个人去西安4天要多少钱", "改成经济"), "budget", {"tier": "economy", "days": 4}),
]


@looped(("questions", "intent", "slots"), FOLLOW_UPS, ids=[" / ".join(q) for q, _i, _s in FOLLOW_UPS])
def test_a_follow_up_keeps_what_was_said(questions: tuple[str, ...], intent: str, slots: dict[str, Any]) -> None:
    understood = understand(*questions)
    assert understood.intent is not None
    assert understood.intent.name == intent
    assert {name: understood.said.get(name) for name in slots} == slots


def test_a_missing_party_is_two_adults_and_marked_as_assumed() -> None:
    understood = understand("帮我规划北京3日游")
    assert understood.slots["adults"] == 2
    assert dict(understood.assumed) == {"adults": 2, "tier": "comfort"}


def test_a_plan_without_any_city_is_missing_one() -> None:
    assert understand("帮我规划3日游").missing == ("city",)


def test_the_language_is_that_of_the_question() -> None:
    assert understand("你好").language == "zh_CN"
    assert understand("Plan 3 days in 北京").language == "zh_CN"
    assert understand("hello").language == "en"
    assert understand("Plan 3 days in Beijing", "4?").language == "en"


def test_a_refused_interest_is_none() -> None:
    assert "interests" not in understand("规划上海3天，不要博物馆").said


def test_too_many_days_are_brought_to_the_limit_and_remembered() -> None:
    said = understand("规划北京90天行程").said
    assert (said["days"], said["days_asked"]) == (21, 90)


def test_a_hostile_question_is_read_in_linear_time() -> None:
    for text in ("从" * 200_000, "a*" * 100_000, "1," * 100_000, "三" * 100_000, "北京" * 50_000 + "3日游"):
        understand(text)

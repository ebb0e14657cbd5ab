"""A broad table of wishes in natural words, zh and en: what the offline rules take each of them for.

What matters is the kind of the answer, not the name of the rule, so rules that do the same stand under one word.
"""

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
"""A Saturday."""
READER = Reader(load_book(domain_dir("travel") / OFFLINE_RULES, DOMAIN.slots), DOMAIN.names())

KINDS = {
    "plan": {
        "trip_plan", "trip_wish", "trip_with_budget", "trip_going", "trip_timed", "trip_facts", "city_wish", "stopover",
    },
    "cities": {"trip_cities", "trip_cities_open"},
    "where": {
        "recommend_cities", "recommend_near", "recommend_again", "recommend_by_taste", "region_only", "country_only",
    },
    "food": {"food"},
    "weather": {"weather"},
    "facts": {"city_info", "city_only"},
    "pack": {"packing"},
    "compare": {"compare_cities", "cities_only"},
    "order": {"order_cities"},
    "holidays": {"holidays"},
    "sights": {"attractions", "one_sight", "sight_only"},
    "money": {"budget"},
    "way": {"transfer", "intercity"},
    "talk": {"greeting", "thanks", "praise", "goodbye", "capabilities"},
    "limits": {"booking", "official_matters", "pick_nothing"},
    "beyond": {"-"},
}  # fmt: skip


def understand(*questions: str, recalled: list[dict[str, Any]] | None = None) -> Understanding:
    *earlier, last = questions
    return READER.understand(last, earlier, TODAY, recalled or ())


def kind_of(understood: Understanding) -> str:
    name = understood.intent.name if understood.intent else "-"
    return next((kind for kind, names in KINDS.items() if name in names), name)


# fmt: off
WISHES: list[tuple[str, str, dict[str, Any]]] = [
    # days and what one eats, in every order
    ("带6岁孩子去成都玩3天，不吃辣", "plan", {"city": "chengdu", "days": 3, "children": [6], "allergens": ["spicy"]}),
    ("去成都玩3天，不吃辣", "plan", {"days": 3, "allergens": ["spicy"], "interests": None}),
    ("不吃辣，成都三天", "plan", {"days": 3, "allergens": ["spicy"]}),
    ("不吃辣，带6岁孩子，预算4000，成都3天", "plan", {"children": [6], "budget": 4000, "allergens": ["spicy"]}),
    ("我花生过敏，想去西安玩4天", "plan", {"allergens": ["peanut"], "days": 4}),
    ("成都三日游，花生过敏", "plan", {"allergens": ["peanut"]}),
    ("素食，杭州两天", "plan", {"diet": ["veg"], "days": 2}),
    ("吃素的，想去杭州玩两天", "plan", {"diet": ["veg"], "interests": None}),
    ("我们清真，西安3天", "plan", {"diet": ["halal"]}),
    ("带爸妈去苏州玩三天两晚，不吃牛肉", "plan", {"days": 3, "adults": 3, "for": "elder", "allergens": ["beef"]}),
    ("两个大人一个3岁宝宝，五一去青岛玩4天，海鲜过敏，预算6000", "plan",
     {"adults": 2, "children": [3], "start_date": "2027-05-01", "allergens": ["seafood", "shellfish", "fish"],
      "diet": None}),
    ("三天两晚厦门，喜欢海鲜和看海", "plan", {"diet": ["seafood"], "interests": ["海滨"], "days": 3}),
    ("成都一周，两个人，想吃火锅看熊猫", "plan", {"days": 7, "adults": 2}),
    ("周末去天津吃好吃的", "plan", {"days": 2, "interests": ["美食"], "start_date": None}),
    ("3天北京，喜欢历史和美食，节奏慢一点", "plan", {"pace": "relaxed", "interests": ["美食", "历史"], "clock": None}),
    ("halal, 4 days in Xi'an", "plan", {"diet": ["halal"], "days": 4}),
    ("4 days in Xi'an, halal", "plan", {"diet": ["halal"], "days": 4}),
    ("vegetarian family of 4, 3 days in Hangzhou", "plan", {"diet": ["veg"], "adults": 2}),
    ("3 days in Chengdu with a 6 year old, no spicy food", "plan",
     {"children": [6], "allergens": ["spicy"], "interests": None}),
    ("Going to Chengdu for 3 days. We don't eat spicy food.", "plan", {"allergens": ["spicy"], "diet": None}),
    ("Beijing for 4 days, peanut allergy", "plan", {"allergens": ["peanut"]}),
    ("I'm allergic to peanuts; 5 days in Xi'an in April", "plan", {"allergens": ["peanut"], "month": 4}),
    ("weekend in Suzhou, no seafood", "plan", {"days": 2, "allergens": ["seafood", "shellfish", "fish"]}),
    ("chengdu 3 days food pandas relaxed", "plan", {"pace": "relaxed", "days": 3}),
    # who
    ("成都３天，带６岁孩子", "plan", {"days": 3, "children": [6]}),
    ("２人去三亚玩４天，预算８０００元", "plan", {"adults": 2, "days": 4, "budget": 8000}),
    ("2 adults and a toddler, 3 days in Singapore", "plan", {"adults": 2, "children": [2], "for": "child"}),
    ("Plan 3 days in Osaka with a baby", "plan", {"children": [1]}),
    ("3 days, Chengdu, kids 4 and 7, food, easy pace, under 5000 yuan", "plan", {"children": [4, 7], "budget": 5000}),
    ("我和女朋友去大理玩4天", "plan", {"adults": 2}),
    ("take my parents to Guilin for 4 days", "plan", {"adults": 3, "for": "elder"}),
    ("going to London for a week, wheelchair user", "plan", {"days": 7, "for": "wheelchair"}),
    # money
    ("三人去重庆玩四天，每人2000", "plan", {"adults": 3, "budget_per_person": 2000}),
    ("人均1500去长沙玩三天", "plan", {"budget_per_person": 1500, "days": 3}),
    ("long weekend in Kyoto for two, under ¥3000", "plan", {"days": 3, "adults": 2, "budget": 3000}),
    ("想去哈尔滨滑雪，五天，预算一万", "plan", {"budget": 10000, "days": 5}),
    # when
    ("下周末去南京，想看博物馆吃小吃", "plan", {"start_date": "2026-11-28", "days": 2}),
    ("国庆去西安5天，一家三口", "plan", {"start_date": "2027-10-01", "days": 5}),
    ("10月1日到3日去洛阳", "plan", {"start_date": "2027-10-01", "days": 3}),
    ("5月1号到4号去杭州，带老人", "plan", {"start_date": "2027-05-01", "days": 4}),
    ("从12月24日到12月27日去哈尔滨看冰雪", "plan", {"start_date": "2026-12-24", "days": 4}),
    ("12月30日到1月2日去上海", "plan", {"start_date": "2026-12-30", "days": 4}),
    ("Oct 1 to Oct 3 in Luoyang", "plan", {"start_date": "2027-10-01", "days": 3}),
    ("December 24-27 in Harbin, 2 adults and a toddler", "plan", {"start_date": "2026-12-24", "days": 4}),
    ("24 to 27 December in Harbin", "plan", {"start_date": "2026-12-24", "days": 4}),
    ("Hangzhou from the 5th of May, 3 days", "plan", {"start_date": "2027-05-05", "days": 3}),
    ("下周五出发，成都三天", "plan", {"start_date": "2026-11-27"}),
    ("五一去青岛", "plan", {"start_date": "2027-05-01"}),
    ("国庆想带孩子去北京", "plan", {"start_date": "2027-10-01", "children": [8]}),
    ("a long weekend in Shanghai", "plan", {"days": 3}),
    ("北京2天1夜", "plan", {"days": 2}),
    ("两天一晚上海", "plan", {"days": 2}),
    ("周五晚上到成都，周日走", "plan", {"start_date": "2026-11-27", "days": 3}),
    ("清明去洛阳看牡丹", "plan", {"start_date": "2027-04-05"}),
    ("48 hours in Tokyo", "plan", {"days": 2}),
    ("day trip to Suzhou", "plan", {"days": 1}),
    ("What would you do with 3 days in Rome?", "plan", {"days": 3}),
    ("Hong Kong with grandparents for 3 days, not too much walking", "plan", {"pace": "relaxed", "for": "elder"}),
    # what to see and what not
    ("上海三天两夜，迪士尼必去", "plan", {"must_see": ["上海迪士尼乐园"]}),
    ("西安两天，不去兵马俑", "plan", {"avoid": ["秦始皇帝陵博物院（兵马俑）"]}),
    ("想去西安玩两天，能不能别安排兵马俑", "plan", {"avoid": ["秦始皇帝陵博物院（兵马俑）"]}),
    ("can you plan 2 days in Xi'an without the Terracotta Army?", "plan", {"avoid": ["Terracotta Army"]}),
    # from where
    ("从上海出发去杭州玩3天", "plan", {"city": "hangzhou", "home": "上海"}),
    ("from Shanghai to Hangzhou for 3 days", "plan", {"city": "hangzhou", "home": "Shanghai"}),
    # slips of the pen, other scripts
    ("chegndu 3 days", "plan", {"city": "chengdu", "guessed": {"typed": "chegndu", "name": "Chengdu"}}),
    ("bejing 3 days", "plan", {"city": "beijing"}),
    ("Shanghi weekend", "plan", {"city": "shanghai"}),
    ("BEIJING 3 DAYS!!!", "plan", {"city": "beijing", "days": 3}),
    ("規劃北京3日遊", "plan", {"city": "beijing", "days": 3}),
    ("幫我規劃臺北三天兩夜，預算8000塊，帶6歲孩子", "plan",
     {"city": "taipei", "days": 3, "budget": 8000, "children": [6]}),
    ("廈門有什麼好吃的，不吃魚", "food", {"city": "xiamen", "allergens": ["fish"]}),
    # several cities
    ("成都和重庆玩5天", "cities", {"days": 5, "cities": ["chengdu", "chongqing"]}),
    ("Beijing, Xi'an then Shanghai, 8 days", "cities", {"days": 8, "objective": "first"}),
    ("大阪京都东京一共9天", "cities", {"days": 9}),
    ("成都→重庆→西安 10天", "cities", {"objective": "first"}),
    ("北京3天，西安3天", "cities", {"days": 6, "stays": [{"id": "北京", "days": 3}, {"id": "西安", "days": 3}]}),
    ("3 days in Beijing and 2 days in Xi'an", "cities",
     {"days": 5, "stays": [{"id": "Beijing", "days": 3}, {"id": "Xi'an", "days": 2}]}),
    ("成都3天重庆2天，带孩子，不吃辣", "cities", {"days": 5, "allergens": ["spicy"]}),
    ("北京、西安、成都、重庆、上海玩14天", "cities", {"days": 14}),
    # food and nothing else
    ("成都有什么不辣的菜", "food", {"allergens": ["spicy"]}),
    ("成都不吃辣能吃什么", "food", {"allergens": ["spicy"]}),
    ("我花生过敏，成都能吃什么", "food", {"allergens": ["peanut"]}),
    ("西安清真餐厅推荐", "food", {"diet": ["halal"]}),
    ("带6岁孩子在成都吃什么，不吃辣", "food", {"allergens": ["spicy"]}),
    ("3天在成都吃什么", "food", {}),
    ("what can I eat in Chengdu if I'm vegetarian?", "food", {"diet": ["veg"]}),
    ("non spicy dishes in Chongqing", "food", {"allergens": ["spicy"], "diet": None}),
    # weather, packing, money
    ("明天成都天气怎么样", "weather", {"weather_from": "2026-11-22"}),
    ("下周北京冷吗", "weather", {"weather_from": "2026-11-28"}),
    ("12月哈尔滨冷不冷", "facts", {"month": 12}),
    ("三亚一月份多少度", "facts", {"month": 1}),
    ("does it rain in Singapore in December", "facts", {"month": 12}),
    ("去哈尔滨要带什么衣服", "pack", {}),
    ("what clothes should I bring to Harbin in January", "pack", {"month": 1}),
    ("需要带羽绒服吗，12月去北京", "pack", {"month": 12}),
    ("2大1小去厦门5天的费用", "money", {"days": 5}),
    ("budget for a couple, a weekend in Shanghai", "money", {"days": 2}),
    # which, in which order
    ("成都、重庆和西安比一下", "compare", {}),
    ("Chengdu or Chongqing for food?", "compare", {}),
    ("which is cheaper, Tokyo or Osaka", "compare", {}),
    ("北京上海西安怎么排顺序", "order", {}),
    ("in what order should I visit Tokyo, Kyoto and Osaka", "order", {}),
    ("北京到西安火车票多少钱", "way", {}),
    # where to go
    ("暖和的地方", "where", {"climate": "warm"}),
    ("somewhere warm", "where", {"climate": "warm"}),
    ("冬天去哪儿暖和", "where", {"climate": "warm", "season": "winter"}),
    ("somewhere warm in December for a week, under ¥3000", "where", {"climate": "warm", "month": 12, "days": 7}),
    ("凉快的地方避暑", "where", {"climate": "cool"}),
    ("想去海边，暖和一点，带孩子", "where", {"climate": "warm", "clock": None}),
    ("离上海近的地方", "where", {"near_city": "shanghai"}),
    ("附近有什么城市适合周末去，我在杭州", "where", {"near_city": "hangzhou"}),
    ("places near Shanghai for a weekend", "where", {"near_city": "shanghai"}),
    ("日本7天", "where", {"country": "JP", "days": 7}),
    ("云南玩一周", "where", {"region": "云南省"}),
    ("江浙沪玩一周", "where", {"region": "江浙沪"}),
    ("欧洲10天", "where", {"region": "欧洲"}),
    ("去新疆玩", "where", {"region": "新疆"}),
    ("a week in Yunnan", "where", {"region": "云南", "days": 7}),
    ("我有5000元和4天，去哪里好", "where", {"budget_share": 1250}),
    ("两个人5000元4天去哪里好", "where", {"budget_share": 625}),
    ("北京、上海", "compare", {}),
    # the calendar
    ("明年春节是哪天", "holidays", {}),
    ("中秋是几号", "holidays", {}),
    ("is October 1 a holiday in China", "holidays", {}),
    ("十一怎么调休", "holidays", {}),
    # talk, and what is none of ours
    ("在吗", "talk", {}),
    ("好的", "talk", {}),
    ("how are you", "talk", {}),
    ("book a hotel in Tokyo", "limits", {}),
    ("去日本要签证吗", "limits", {}),
    ("讲个笑话", "beyond", {}),
    ("1+1等于几", "beyond", {}),
    ("帮我写一个Python脚本", "beyond", {}),
    ("who won the world cup", "beyond", {}),
    ("今天心情不好", "beyond", {}),
]
# fmt: on


@looped(("wish", "kind", "slots"), WISHES, ids=[wish for wish, _kind, _slots in WISHES])
def test_a_wish_is_taken_for_what_it_is(wish: str, kind: str, slots: dict[str, Any]) -> None:
    understood = understand(wish)
    assert kind_of(understood) == kind
    assert {name: understood.own.get(name) for name in slots} == slots


def test_days_diet_and_party_may_stand_in_any_order() -> None:
    parts = ["成都", "3天", "不吃辣", "带6岁孩子", "两个大人"]
    for turn in range(len(parts)):
        wish = "，".join(parts[turn:] + parts[:turn])
        understood = understand(wish)
        assert kind_of(understood) == "plan", wish
        own = understood.own
        assert (own["days"], own["allergens"], own["children"], own["adults"]) == (3, ["spicy"], [6], 2), wish


FACTS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("帮我规划成都3日游", "带个6岁的孩子", "plan", {"children": [6], "days": 3}),
    ("帮我规划成都3日游", "我们不吃辣", "plan", {"allergens": ["spicy"]}),
    ("帮我规划成都3日游", "预算4000", "plan", {"budget": 4000}),
    ("帮我规划成都3日游", "预算4000够吗", "money", {"budget": 4000}),
    ("帮我规划成都3日游", "12月8日出发", "plan", {"start_date": "2026-12-08", "days": 3}),
    ("帮我规划成都3日游", "下周末出发", "plan", {"start_date": "2026-11-28", "days": 3}),
    ("帮我规划成都3日游", "再加一天", "plan", {"days": 4}),
    ("帮我规划成都3日游", "少一天", "plan", {"days": 2}),
    ("帮我规划成都3日游", "3个人", "plan", {"adults": 3}),
    ("帮我规划成都3日游", "我想多看博物馆", "plan", {"interests": ["博物馆"]}),
    ("帮我规划成都3日游", "有什么好吃的", "food", {}),
    ("帮我规划成都3日游", "天气怎么样", "weather", {}),
    ("帮我规划成都3日游", "要带什么", "pack", {}),
    ("帮我规划成都3日游", "第2天下雨怎么办", "rain_plan", {"indoor": True}),
    ("Plan 3 days in Chengdu", "no spicy food", "plan", {"allergens": ["spicy"]}),
    ("Plan 3 days in Chengdu", "we have a 6 year old", "plan", {"children": [6]}),
    ("Plan 3 days in Chengdu", "add one more day", "plan", {"days": 4}),
    ("Plan 3 days in Chengdu", "leaving next weekend", "plan", {"start_date": "2026-11-28", "days": 3}),
    ("Plan 3 days in Chengdu", "more museums", "plan", {"interests": ["museum"]}),
    ("Plan 3 days in Chengdu", "how much in total?", "money", {"days": 3}),
    ("成都和重庆玩5天", "改成6天", "cities", {"days": 6}),
    ("成都3天重庆2天", "改成7天", "cities", {"days": 7, "stays": None}),
    ("成都和重庆玩5天", "带6岁孩子", "cities", {"children": [6]}),
    ("成都和重庆玩5天", "帮我规划成都3日游", "plan", {"days": 3, "several_cities": None}),
    ("推荐一些适合美食游的城市", "便宜点的", "where", {"tier": "economy", "interests": ["美食"]}),
]


@looped(("first", "then", "kind", "slots"), FACTS, ids=[f"{a} / {b}" for a, b, _k, _s in FACTS])
def test_a_bare_fact_changes_what_was_asked_before(first: str, then: str, kind: str, slots: dict[str, Any]) -> None:
    understood = understand(first, then)
    assert kind_of(understood) == kind
    assert {name: understood.slots.get(name) for name in slots} == slots


CITIES = ["北京", "长沙", "成都"]
PICKS: list[tuple[str, list[str], str, str, dict[str, Any]]] = [
    ("推荐一些适合美食游的城市", CITIES, "第一个", "facts", {"city": "beijing"}),
    ("推荐一些适合美食游的城市", CITIES, "第二个怎么样", "facts", {"city": "changsha"}),
    ("推荐一些适合美食游的城市", CITIES, "就第三个吧，3天", "plan", {"city": "chengdu", "days": 3}),
    ("推荐一些适合美食游的城市", CITIES, "第一个和第二个比较一下", "compare", {"cities": ["beijing", "changsha"]}),
    ("推荐一些适合美食游的城市", CITIES, "最后一个玩几天合适", "facts", {"city": "chengdu"}),
    ("推荐一些适合美食游的城市", CITIES, "第九个", "limits", {}),
    ("推荐一些适合美食游的城市", [], "第一个", "limits", {}),
    ("Recommend some cities", ["Beijing", "Xi'an"], "the first one", "facts", {"city": "beijing"}),
    ("Recommend some cities", ["Beijing", "Xi'an"], "plan 3 days in the second one", "plan", {"city": "xian"}),
    ("Recommend some cities", ["Beijing", "Xi'an"], "the last one for 2 days", "plan", {"city": "xian", "days": 2}),
    ("成都有哪些景点", ["宽窄巷子", "武侯祠博物馆"], "第二个几点开门", "sights", {"must_see": ["武侯祠博物馆"]}),
    ("成都有哪些景点", ["宽窄巷子", "武侯祠博物馆"], "第二个", "sights", {"must_see": ["武侯祠博物馆"]}),
    ("比较成都和西安", ["成都", "西安"], "那就去第二个，4天", "plan", {"city": "xian", "days": 4}),
]


@looped(("first", "names", "then", "kind", "slots"), PICKS, ids=[f"{p[2]} of {len(p[1])}" for p in PICKS])
def test_the_first_one_is_that_of_the_last_list(
    first: str, names: list[str], then: str, kind: str, slots: dict[str, Any]
) -> None:
    understood = understand(first, then, recalled=[{}, {"listed": names} if names else {}])
    assert kind_of(understood) == kind
    assert {name: understood.own.get(name) for name in slots} == slots


def test_the_first_day_is_no_entry_of_a_list() -> None:
    understood = understand("Recommend some cities", "what about the first day", recalled=[{}, {"listed": ["Beijing"]}])
    assert "city" not in understood.own
    understood = understand("推荐城市", "第1天轻松点", recalled=[{}, {"listed": ["北京"]}])
    assert "city" not in understood.own


def test_more_of_the_same_leaves_out_what_was_shown() -> None:
    understood = understand(
        "推荐一些适合美食游的城市",
        "还有吗",
        recalled=[{}, {"shown": ["beijing", "changsha"], "listed": ["北京", "长沙"]}],
    )
    assert kind_of(understood) == "where"
    assert understood.slots["exclude"] == ["beijing", "changsha"]
    assert understood.slots["interests"] == ["美食"]


def test_more_museums_in_a_plan_are_no_more_cities() -> None:
    shown = {"shown": ["beijing"], "listed": []}
    understood = understand("推荐城市", "帮我规划成都3日游", "多安排博物馆", recalled=[{}, shown, shown])
    assert kind_of(understood) == "plan"


def test_an_ordinary_word_is_no_misspelt_city() -> None:
    for words in ("the parts of the train", "a season of pairs", "an italian dinner"):
        assert "guessed" not in understand(words).own, words


def test_two_cities_that_are_equally_near_are_not_guessed() -> None:
    assert "guessed" not in understand("3 days in quangzhou").own

"""The kinds of arguments that travel tools take: bounds, choices, and how models and people say them otherwise.

The signatures of the tools are made of these; `rules` are what a signature cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from app.core.arguments.hints import Also, Clock, Name, Units, Words
from app.core.arguments.judge import ArgumentFault, fault, own_fault

from ..model.hours import HoursError, parse_hours, parse_time

LARGEST = 1e12
"""No price, distance or number of days is more."""
LONGEST_TEXT = 20_000
"""Characters of any one text, the remarks inside an itinerary included."""

_MONEY = Units("元", "块钱", "块", "人民币", "yuan", "rmb", "cny", "¥")
_DAYS = Units("天", "日", "days", "day")
_CITY_NAMES = ("destination", "place", "city_name", "cityName", "location", "dest", "城市", "目的地")

# ---------------------------------------------------------------- single values

City = Annotated[str, Field(examples=["北京"]), Name("市"), Also(*_CITY_NAMES)]
CityName = Annotated[str, Name("市")]
Cities = Annotated[list[CityName], Also("city", "destinations", "places", "城市")]
Region = Annotated[
    str, Field(description="华北, 西南, East China … or a province"), Name("省", "地区"), Also("province", "area")
]
Country = Annotated[str, Name(), Also("nation", "国家")]
Date = Annotated[str, Field(description="YYYY-MM-DD", json_schema_extra={"format": "date"})]
StartDate = Annotated[Date, Also("date", "start", "departure_date", "travel_date", "出发日期")]
Time = Annotated[str, Field(description="HH:MM"), Clock()]
Count = Annotated[int, Field(ge=1)]
Day = Annotated[int, Field(ge=1), Units("天", "day")]
Nights = Annotated[int, Field(ge=0), Units("晚", "夜", "nights", "night"), Also("days_nights", "night")]
Stay = Annotated[int, Field(ge=1, le=366), _DAYS]
Price = Annotated[float, Field(ge=0), _MONEY]
Kilometres = Annotated[float, Field(gt=0), Units("公里", "千米", "km", "kilometres", "kilometers")]
Minutes = Annotated[int, Field(ge=5, le=720), Units("分钟", "分", "minutes", "min")]
Latitude = Annotated[float, Field(ge=-90, le=90), Also("latitude", "纬度")]
Longitude = Annotated[float, Field(ge=-180, le=180), Also("longitude", "lng", "经度")]
Adults = Annotated[
    int,
    Units("个大人", "大人", "个人", "人", "位", "adults", "adult", "people"),
    Also("people", "persons", "travelers", "人数"),
]
Month = Annotated[
    int,
    Field(ge=1, le=12),
    Units("月", "月份"),
    Words(
        {
            str(number): (name, name[:3], *(("sept",) if number == 9 else ()))
            for number, name in enumerate(
                "january february march april may june july august september october november december".split(), 1
            )
        }
    ),
]
Limit = Annotated[int, Field(ge=1, le=50), Units("个", "条"), Also("max", "count", "top", "max_results", "n")]
Version = Annotated[int, Field(ge=1), Units("版"), Also("v")]
TripId = Annotated[
    str,
    Field(
        min_length=1, max_length=80, description="as save_trip or list_trips gives it", examples=["trip-0123456789ab"]
    ),
    Also("trip_id", "trip", "tripId"),
]

# ---------------------------------------------------------------- choices

Tier = Annotated[
    Literal["economy", "comfort", "luxury"],
    Words(
        economy=("经济", "经济型", "便宜", "穷游", "省钱", "budget", "cheap", "low", "low-cost", "backpacker"),
        comfort=(
            "舒适",
            "舒适型",
            "中档",
            "中等",
            "标准",
            "mid-range",
            "midrange",
            "moderate",
            "medium",
            "standard",
            "mid",
        ),
        luxury=("豪华", "豪华型", "高端", "高档", "奢华", "high-end", "premium", "deluxe", "luxurious", "high"),
    ),
    Also("budget_level", "level", "standard", "hotel_level", "档次", "标准"),
]
Season = Annotated[
    Literal["春季", "夏季", "秋季", "冬季", "spring", "summer", "autumn", "winter"],
    Words(春季=("春", "春天"), 夏季=("夏", "夏天"), 秋季=("秋", "秋天"), 冬季=("冬", "冬天"), autumn=("fall",)),
]
Pace = Annotated[
    Literal["relaxed", "normal", "packed"],
    Words(
        relaxed=("轻松", "悠闲", "休闲", "宽松", "慢", "slow", "easy", "leisurely", "light", "relaxing"),
        normal=("适中", "正常", "普通", "一般", "moderate", "medium", "balanced", "standard", "regular"),
        packed=("紧凑", "密集", "特种兵", "tight", "busy", "intensive", "fast", "full", "intense"),
    ),
    Also("speed", "tempo", "节奏"),
]
Mode = Annotated[
    Literal["walk", "transit", "taxi", "drive"],
    Words(
        walk=("步行", "走路", "walking", "on foot", "foot"),
        transit=("公交", "公共交通", "地铁", "公交车", "public transport", "public transit", "metro", "subway", "bus"),
        taxi=("打车", "出租车", "出租", "网约车", "cab", "ride-hailing"),
        drive=("驾车", "自驾", "开车", "driving", "car", "self-drive"),
    ),
    Also("transport", "transport_mode", "transportation", "travel_mode", "交通方式"),
]
SuitedTo = Annotated[
    Literal["child", "elder", "wheelchair"],
    Words(
        child=("孩子", "儿童", "小孩", "亲子", "kid", "kids", "children", "family"),
        elder=("老人", "长辈", "老年人", "elderly", "senior", "seniors", "elders"),
        wheelchair=("轮椅", "无障碍", "wheelchairs", "accessible", "disabled"),
    ),
]
Climate = Annotated[
    Literal["warm", "cool"],
    Field(description="by the usual temperature of the month; none given: this month"),
    Words(warm=("暖和", "温暖", "hot"), cool=("凉快", "凉爽", "清凉", "cold")),
]
Sort = Annotated[
    Literal["popular", "distance", "price"],
    Words(
        popular=("热门", "人气", "popularity"),
        distance=("距离", "最近", "nearest"),
        price=("价格", "最便宜", "cheapest"),
    ),
    Also("sort_by", "order_by"),
]
FoodKind = Annotated[
    Literal["dish", "street", "restaurant_type"],
    Words(
        dish=("菜", "菜品", "dishes"),
        street=("小吃街", "美食街", "food street"),
        restaurant_type=("餐厅", "restaurant"),
    ),
    Also("type", "category"),
]
Format = Annotated[
    Literal["ics", "pdf", "docx", "md", "html", "csv", "geojson", "gpx", "png"],
    Words(
        ics=("日历", "calendar", "ical", "icalendar"), md=("markdown", "文本"), html=("网页", "web page", "webpage"),
        docx=("word", "文档"), csv=("表格", "table"), gpx=("轨迹",), png=("图片", "picture", "image"),
    ),
    Also("type", "file_format", "fmt", "格式"),
]  # fmt: skip
Operation = Annotated[
    Literal["move", "remove", "swap", "add", "retime", "lock", "ease", "redate", "recalculate", "restore", "exchange",
        "hours", "together",
    ],
    Words(
        move=("移动", "移到"), remove=("删除", "移除", "去掉", "delete", "drop"),
        swap=("换", "替换", "换成", "replace"), add=("添加", "加入", "insert"),
        retime=("改时间", "reschedule"), lock=("锁定", "固定"), ease=("减负", "relax"), redate=("改日期",),
        recalculate=("重新计算", "recompute"), restore=("恢复", "撤销", "undo"),
        exchange=("对调", "互换", "swap_days"), hours=("时间", "day_hours"), together=("同一天", "same_day"),
    ),
    Also("operation", "action", "type"),
]  # fmt: skip
Objective = Annotated[
    Literal["distance", "first"], Words(distance=("距离", "最短", "shortest"), first=("给定顺序", "as given", "given"))
]

# ---------------------------------------------------------------- lists and groups

WordList = list[str]
Interests = Annotated[
    list[str],
    Field(description="what the user likes, in their words: 美食, history, 亲子 …"),
    Also("interest", "preferences", "tags", "themes", "兴趣"),
]
Names = Annotated[list[str], Field(description="ids or names")]
MustSee = Annotated[Names, Also("must_visit", "must_go", "must", "必去")]
Avoid = Annotated[Names, Also("exclude", "skip", "不去")]
Diet = Annotated[
    list[str],
    Field(description="what it must be: veg, vegan, halal, spicy, seafood …"),
    Also("dietary", "diets", "dietary_restrictions", "饮食"),
]
Allergens = Annotated[
    list[str],
    Field(description="what it must not contain: nut, peanut, shellfish, gluten, pork …"),
    Also("allergens", "allergies", "exclude", "忌口"),
]
ChildAge = Annotated[int, Field(ge=0, le=17), Units("岁", "years old", "years", "yo")]
Children = Annotated[
    list[ChildAge],
    Field(max_length=20, description="the children's ages"),
    Also("children_ages", "child_ages", "kids", "ages", "孩子"),
]
Itinerary = Annotated[
    dict[str, Any] | str,
    Field(description="left out: the newest plan of this conversation; else its id, or the whole data.itinerary"),
    Also("plan", "trip", "route", "行程"),
]


# ---------------------------------------------------------------- what a signature cannot say


def exactly_one(*names: str) -> dict[str, Any]:
    return {"oneOf": [{"required": [name]} for name in names]}


def at_most_one(*names: str) -> dict[str, Any]:
    return {"not": {"required": list(names)}}


def within_reason(args: Mapping[str, Any]) -> list[ArgumentFault]:
    """No number beyond all measure, no text that is none, and times and hours that are some."""
    return list(_absurd(args, ())) or _time_faults(args)


def _absurd(value: Any, path: tuple[str, ...]) -> Iterator[ArgumentFault]:
    """Numbers that are none or beyond all measure, and texts that are no name."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _absurd(item, (*path, str(key)[:60]))
    elif isinstance(value, list | tuple):
        for place, item in enumerate(value):
            yield from _absurd(item, (*path, str(place)))
    elif isinstance(value, int | float) and not isinstance(value, bool) and not abs(value) <= LARGEST:
        yield fault(".".join(path), "above", n=f"{LARGEST:,.0f}")
    elif isinstance(value, str) and len(value) > LONGEST_TEXT:
        yield fault(".".join(path), "long", n=LONGEST_TEXT)


def _time_faults(args: Mapping[str, Any]) -> list[ArgumentFault]:
    times = [(name, args.get(name)) for name in ("day_start", "day_end", "depart")]
    times += [(f"{name}.time", (args.get(name) or {}).get("time")) for name in ("arrival", "departure")]
    faults = [fault(path, "time", given="string") for path, value in times if value is not None and not _is_time(value)]
    for place, stop in enumerate(args.get("stops") or ()):
        try:
            parse_hours(stop["hours"], f"stops.{place}.hours")
        except HoursError as error:
            faults.append(own_fault(error.fault.place, error.fault.words, **error.fault.values))
    return faults


def _is_time(value: str) -> bool:
    try:
        parse_time(value)
    except HoursError:
        return False
    return True

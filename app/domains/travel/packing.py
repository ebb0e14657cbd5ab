"""What to pack, by rule: a base, then what season, places, party and length of the journey add.

To add a rule: a `Rule` below. Every item says in both languages what it is; one said twice is listed once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .wording import said


@dataclass(frozen=True)
class Journey:
    days: int = 3
    months: frozenset[int] = frozenset()
    tags: frozenset[str] = frozenset()
    adults: int = 2
    children: tuple[int, ...] = ()
    abroad: bool = False
    latitude: float = 32.0

    @property
    def is_cold(self) -> bool:
        """By month and latitude; the other half of the globe has its seasons the other way round."""
        months = self.months if self.latitude >= 0 else {(month + 5) % 12 + 1 for month in self.months}
        far = abs(self.latitude)
        return any((month in (12, 1, 2) and far > 23) or (month in (3, 11) and far > 34) for month in months)

    @property
    def is_hot(self) -> bool:
        months = self.months if self.latitude >= 0 else {(month + 5) % 12 + 1 for month in self.months}
        return abs(self.latitude) < 20 or any(month in (6, 7, 8) for month in months)


Item = tuple[str, str]


@dataclass(frozen=True)
class Rule:
    group: str
    holds: Callable[[Journey], bool]
    items: Sequence[Item]


GROUPS: dict[str, Item] = {
    "papers": ("证件与钱", "Papers and money"),
    "clothes": ("衣物", "Clothes"),
    "care": ("洗漱与药品", "Care and medicine"),
    "devices": ("电子设备", "Devices"),
    "children": ("孩子", "Children"),
    "outdoors": ("按行程", "For this journey"),
    "own": ("自己添加", "Your own"),
}


def _always(_: Journey) -> bool:
    return True


def _tagged(*tags: str) -> Callable[[Journey], bool]:
    return lambda journey: bool(journey.tags & set(tags))


RULES: tuple[Rule, ...] = (
    Rule(
        "papers",
        _always,
        [
            ("身份证件", "identity card"),
            ("银行卡和少量现金", "bank card and some cash"),
            ("订单和预约截图", "bookings, saved offline"),
        ],
    ),
    Rule(
        "papers",
        lambda j: j.abroad,
        [
            ("护照（有效期6个月以上）", "passport, valid for six months"),
            ("签证或入境许可（查官方要求）", "visa or entry permit (see the official rules)"),
            ("旅行保险单", "travel insurance"),
            ("当地货币", "local currency"),
        ],
    ),
    Rule(
        "papers",
        lambda j: bool(j.children),
        [
            ("孩子的证件", "the children's papers"),
        ],
    ),
    Rule(
        "clothes",
        _always,
        [
            ("舒适的步行鞋", "comfortable walking shoes"),
            ("折叠伞或雨衣", "umbrella or rain jacket"),
        ],
    ),
    Rule(
        "clothes",
        lambda j: j.is_cold,
        [
            ("羽绒服或厚外套", "warm coat"),
            ("帽子、手套、围巾", "hat, gloves, scarf"),
            ("保暖内衣", "thermal underwear"),
        ],
    ),
    Rule(
        "clothes",
        lambda j: j.is_hot,
        [
            ("短袖和薄长裤", "light clothes"),
            ("遮阳帽", "sun hat"),
            ("太阳镜", "sunglasses"),
        ],
    ),
    Rule(
        "clothes",
        lambda j: not j.is_cold and not j.is_hot,
        [
            ("薄外套", "light jacket"),
            ("可叠穿的长袖", "layers"),
        ],
    ),
    Rule(
        "care",
        _always,
        [
            ("洗漱用品", "toiletries"),
            ("常用药和创可贴", "usual medicine and plasters"),
            ("纸巾", "tissues"),
        ],
    ),
    Rule(
        "care",
        lambda j: j.is_hot,
        [
            ("防晒霜", "sun cream"),
            ("驱蚊液", "insect repellent"),
        ],
    ),
    Rule(
        "care",
        lambda j: j.is_cold,
        [
            ("润唇膏和护手霜", "lip balm and hand cream"),
        ],
    ),
    Rule(
        "devices",
        _always,
        [
            ("手机和充电器", "phone and charger"),
            ("充电宝（随身携带）", "power bank (in the hand luggage)"),
        ],
    ),
    Rule(
        "devices",
        lambda j: j.abroad,
        [
            ("转换插头", "plug adapter"),
            ("境外流量或当地卡", "roaming or a local SIM"),
        ],
    ),
    Rule(
        "children",
        lambda j: any(age < 3 for age in j.children),
        [
            ("纸尿裤和湿巾", "nappies and wipes"),
            ("奶粉和奶瓶", "formula and bottles"),
            ("婴儿车", "pushchair"),
        ],
    ),
    Rule(
        "children",
        lambda j: any(3 <= age < 12 for age in j.children),
        [
            ("零食和水壶", "snacks and a bottle"),
            ("路上的小玩具或书", "a toy or book for the way"),
            ("备用衣服", "spare clothes"),
        ],
    ),
    Rule(
        "children",
        lambda j: bool(j.children),
        [
            ("退烧药（遵医嘱）", "fever medicine, as the doctor says"),
        ],
    ),
    Rule(
        "outdoors",
        _tagged("hiking", "mountain"),
        [
            ("登山鞋", "hiking boots"),
            ("登山杖", "walking poles"),
            ("高热量零食", "energy food"),
        ],
    ),
    Rule(
        "outdoors",
        _tagged("sea"),
        [
            ("泳衣", "swimwear"),
            ("拖鞋", "sandals"),
            ("防水袋", "dry bag"),
        ],
    ),
    Rule(
        "outdoors",
        _tagged("snow"),
        [
            ("雪地靴", "snow boots"),
            ("暖宝宝", "heat packs"),
            ("防雾护目镜", "goggles"),
        ],
    ),
    Rule(
        "outdoors",
        _tagged("grassland", "desert"),
        [
            ("防风外套", "windproof jacket"),
            ("头巾或口罩", "scarf or mask"),
            ("保湿用品", "skin care against dryness"),
        ],
    ),
    Rule(
        "outdoors",
        _tagged("religion"),
        [
            ("过膝、带袖的衣服", "clothes that cover shoulders and knees"),
        ],
    ),
    Rule(
        "outdoors",
        _tagged("photography"),
        [
            ("相机、备用电池和存储卡", "camera, spare battery and cards"),
        ],
    ),
)


def packing(journey: Journey, own: Sequence[str], language: str) -> list[dict[str, object]]:
    """Groups in their order; each with its items, quantities where they depend on the days."""
    found: dict[str, list[dict[str, object]]] = {}
    seen: set[str] = set()
    for rule in RULES:
        if rule.holds(journey):
            for zh, en in rule.items:
                _add(found, seen, rule.group, said(language, zh, en), 1)
    sets = min(journey.days + 1, 7)
    persons = journey.adults + len(journey.children)
    _add(found, seen, "clothes", said(language, "内衣和袜子（套）", "underwear and socks (sets)"), sets * persons)
    _add(found, seen, "clothes", said(language, "换洗上衣（件）", "tops (pieces)"), -(-journey.days // 2) * persons)
    for item in own:
        if item.strip():
            _add(found, seen, "own", item.strip(), 1)
    return [
        {"group": said(language, *GROUPS[code]), "code": code, "items": found[code]} for code in GROUPS if code in found
    ]


def _add(found: dict[str, list[dict[str, object]]], seen: set[str], group: str, text: str, quantity: int) -> None:
    if text not in seen:
        seen.add(text)
        line = f"{text} × {quantity}" if quantity > 1 else text
        found.setdefault(group, []).append({"item": text, "quantity": quantity, "text": line})

"""What an allergy of the profile means in a kitchen: the guardian's word and the foods that hold it."""

# ruff: noqa: E501 - lists of words: a group to a line reads best

from __future__ import annotations

import re

_GROUPS: tuple[tuple[str, str], ...] = (
    (
        "peanut|groundnut|花生",
        r"花生|沙茶|沙嗲|牛轧糖|peanut|groundnut|\bpb ?& ?j\b|\bpbj\b|satay|reese|snickers|士力架|\bpb\b",
    ),
    (
        "nut|坚果|核桃|杏仁|腰果|开心果|榛子",
        (
            r"坚果|核桃|杏仁|腰果|开心果|榛子|松子|果仁|夏威夷果|(?<!do)(?<!coco)\bnuts?\b|almond|walnut|cashew|pistachio|"
            r"hazelnut|pecan|marzipan|ferrero|费列罗|toblerone|nutella|praline|macadamia"
        ),
    ),
    (
        "milk|dairy|lactose|牛奶|奶|乳",
        (
            r"牛奶|奶粉|奶酪|奶油|芝士|(?<!燕麦)(?<!植物)(?<!椰子)酸奶|黄油|炼乳|冰淇淋|乳清|乳制品|牛奶巧克力|布丁|hot chocolate|milk chocolate|pudding|奶茶|奶昔|奶黄|kefir|latte|ghee|milkshake|(?<!coconut )\bmilk|(?<!vegan )cheese|cheddar|mozzarella|parmesan|feta\b|ricotta|(?<!oat )(?<!soy )(?<!soya )(?<!coconut )(?<!vegan )(?<!rice )yog(?:h)?urt|butter(?!fl)|"
            r"\bcream|custard|whey|ice cream"
        ),
    ),
    (
        "egg|鸡蛋|蛋",
        r"鸡蛋|蛋清|蛋白|蛋黄|蛋液|蛋糕|蛋壳|蛋挞|煎蛋|荷包蛋|蛋花|蛋卷|蛋饺|\begg whites?|\b(?:the|whip\w*|whisk\w*) whites\b|yolks?|french toast|omelette|quiche|mayo\b|\beggs?\b|eggshell|meringue|mayonnaise",
    ),
    (
        "wheat|gluten|小麦|面筋|麸质",
        (
            r"面粉|面团|面条|面包|饼干|小麦|意面|通心粉|橡皮泥面|馒头|饺子|馄饨|包子|蛋糕|披萨|油条|煎饼|pancake|waffle|pizza|couscous|muffin|\btoast\b|\bcake\b|\bflour|\bdough\b|play-?dough|bread|pasta|macaroni|"
            r"noodle|cracker|biscuit|cookie|wheat|semolina"
        ),
    ),
    ("soy|大豆|黄豆", r"大豆|黄豆|豆腐|豆浆|酱油|豆花|腐竹|味噌|豆奶|纳豆|miso\b|tempeh|\bsoy|tofu|edamame"),
    (
        "fish|鱼",
        r"三文鱼|鳕鱼|鱼肉|鱼片|鱼丸|鱼干|鱼松|金枪鱼|鱼豆腐|鱼肝油|sushi|anchov|sardine|\bsalmon|\btuna\b|\bcod\b|fish fingers|real fish",
    ),
    (
        "shellfish|shrimp|crab|虾|蟹|贝|海鲜",
        r"虾|螃蟹|蟹|贝肉|蛤|牡蛎|海鲜|扇贝|生蚝|clams?\b|scallop|shrimp|prawn|crab(?:meat)|lobster|mussel|oyster",
    ),
    ("sesame|芝麻", r"芝麻|麻酱|香油|halva|sesame|tahini|hummus"),
    ("latex|rubber|乳胶|橡胶", r"乳胶|橡胶手套|橡皮筋|latex|rubber (?:\w+ )?(?:glove|band)|气球|balloon"),
    ("strawberr|草莓", r"草莓|strawberr"),
    ("kiwi|猕猴桃|奇异果", r"猕猴桃|奇异果|\bkiwi"),
    ("mango|芒果", r"芒果|\bmango"),
    ("honey|蜂蜜", r"蜂蜜|\bhoney\b"),
    ("pollen|grass|花粉|草", r"花粉|鲜花|花丛|割草|pollen|fresh flowers|meadow|mown"),
    ("cat|dog|fur|猫|狗|毛", r"真猫|真狗|抱猫|抱狗|宠物猫|宠物狗|pet (?:cat|dog)|real (?:cat|dog)"),
)
_TRIVIA = re.compile(r"过敏|敏感|不耐受?|严重|轻微|对|allerg(?:y|ic|ies)|intolerance|severe|mild|\bto\b|products?")
_ACROSS = "peanut|groundnut|花生"
"""Not a nut of trees: an allergy to nuts is read as one to peanuts too, not the other way round."""


def allergen(allergies: tuple[str, ...]) -> re.Pattern[str] | None:
    """Of folded texts; None without allergies."""
    parts: list[str] = []
    for entry in allergies:
        is_known = False
        for keys, foods in _GROUPS:
            hits = re.search(keys, entry)
            if keys.startswith("nut") and re.search(_ACROSS, entry) and not re.search(r"坚果|tree|\bnuts\b", entry):
                hits = None
            if hits:
                parts.append(foods)
                is_known = True
                if keys.startswith("nut"):
                    parts.append(_GROUPS[0][1])
        word = _TRIVIA.sub("", entry).strip(" :：,，、")
        if word and (not word.isascii() or (not is_known and len(word) > 1)):
            parts.append(re.escape(word))
    return re.compile("|".join(parts)) if parts else None

"""The words of the hazards, for folded texts. Things may be warned of; acts of force, neglect and claims may not."""

# ruff: noqa: E501 - lists of words: a group to a line reads best

from __future__ import annotations

import re

_PICTURED = (
    r"(?:画(?:的|出|一?个|一?只|着)?|图片(?:里|上)?的?|照片(?:里|上)?的?|贴纸|卡片(?:上的?)?|图案|绘本里的?|书里的?|动画里的?|"
    r"想象(?:的|中的?|成)?|当(?:作|成)?|变成|扮成|装成|学(?:着|做|成)?|假装(?:是|有|成|吹|点|用|去|在|的)?|扮演|模仿|像|毛绒|布做的|布艺|纸做的|纸板做?的?|毛毡|硬纸|隐形的?|"
    r"\b(?:(?:story|song|book|rhyme|poem|tale)s? (?:of|about)|pictures? of|drawings? of|draw(?:ing|n)?|painted?|photos? of|imaginary|pretend(?:ing)?(?: (?:that )?(?:the|this|that|your|his|her|a|an) \w+(?: \w+)? (?:is|are))?(?: to(?: \w+(?: (?:out|up|in|on|off|at|down))?)?)?|(?:he|she|you|they|i|we|child|mum|mom|dad|mummy|daddy)(?: is| are|'re|'s| be| becomes?)(?= (?:the|an?) )|felt|cardboard|"
    r"plush|stuffed|paper|printed|sticker of|invisible|like|as if|as(?= (?:the|an?) )|make-believe)\b)"
)
# A thing in a picture or in pretence harms nobody. What stays a thing whatever it is called, as marbles, is not excused:
# at most three words may stand between.
_PRETENCE = re.compile(
    _PICTURED
    + r"\W{0,2}(?:(?:an?|the|some|two|three|big|little|red|blue|birthday|一个|一只|红|蓝|大|小)\W{0,2}){0,3}[\u4e00-\u9fff]{0,3}$"
)
_PICTURE_AFTER = re.compile(
    r"^是[^,，。]{0,6}(?:布|纸|毛毡|泡沫|毛绒|塑料|画|袜子)|^ (?:is|are) (?:really )?(?:made of )?(?:paper|felt|cloth|socks|fabric|cardboard)\b|"
    r"^(?: (?:on|out of|from|made of) (?:\w+ )?(?:paper|card(?:board)?|felt)\b|(?:画)?在纸上)|^\W{0,2}(?:的)?(?:图片|照片|贴纸|卡片|图案|绘本|儿歌|故事|picture|sticker|drawing|song|story|book|card)"
)


def _words(*groups: str) -> re.Pattern[str]:
    """English ones end at a word's end, in singular or plural; Chinese ones stand anywhere."""
    english = "|".join(one for one in groups if one.isascii())
    chinese = "|".join(one for one in groups if not one.isascii())
    parts = ([rf"\b(?:{english})(?:e?s)?\b"] if english else []) + ([chinese] if chinese else [])
    return re.compile("|".join(parts))


HARMLESS = re.compile(
    # Words that hold a hazard's letters and name none. Blanked before anything is looked for.
    r"\bbutton(?:s)? (?:on|of) (?:the|a|his|her) (?:toy|remote|phone|book|lift|elevator|speaker)|(?:press|push)(?:es|ing)? (?:the |a |an? \w+ )?button|"
    r"假装(?=水)|(?<=玩偶要)打针|(?<=小熊要)打针|(?<=娃娃要)打针|(?<=玩偶)打针|(?<=小熊)打针|(?<=娃娃)打针|\bthread(?:s|ing)? (?=(?:the |a |some )?(?:chunky|big|large|cotton|toilet|paper|cardboard))|\bpress[- ]?studs?\b|《[^》]{1,20}》|\bbath ?time is over|\b(?:after|before) (?:the |his |her |their |your )?bath\b|\bbath (?:mat|towel|robe)s?|belly[- ]?button|hot[- ]potato|hot and cold (?:game|seeking)|coconut|doughnuts?|donuts?|"
    r"popcorn (?:song|jump|parachute|game|walk)|bean ?bags?|string quartet|string of (?:sounds|words|numbers)|watercolou?rs?|"
    r"oven (?:mitt|glove)s?|out of the (?:bath|tub|pool|water)|through the (?:glass|window)|(?:plastic|wooden|toy|foam|chunky) (?:pegs?|hammers?|mallets?)|hammer(?:s|ing)? (?:the )?(?=(?:plastic|wooden|toy|foam) pegs?)|watermelon|waterproof|fire ?(?:truck|engine|station|fighter)s?|magnifying glass(?:es)?|sun ?glasses|looking glass|"
    r"glass(?:es)? on his nose|marble run poster|marble (?:cake|floor|pattern)|marbled|cold water bottle|"
    r"(?:large|giant|jumbo|huge|fist-?sized|oversized) (?:\w+ ){0,2}(?:beads?|pebbles?|stones?|pom-?poms?|blocks?|buttons?|balls?|pasta)|"
    r"(?:a )?punch ?line|hit the drums?|hit(?:s|ting)? the (?:drum|gong|tower|pillow|cushion)|"
    r"比(?:他的?|她的?|孩子的?|自己的?)?(?:拳头|脑袋|头|手掌)(?:还|更)?大的[\u4e00-\u9fff]{0,4}?(?:球|积木|珠子?|石头|扣子|纽扣|环|圈)|(?<![\d百一二三四五六七八九十])(?:[一二两三四五六七八九]|十[一二三四五六七八九]?|二十|1?\d|20)(?:厘米|公分|cm)(?:长|以内|左右)?的?(?:短|细|粗|小)*(?:绳子?|丝带|彩带|带子|布条|毛线|线)|针筒|玻璃(?:窗|门|墙)|豆袋|豆豆(?:熊|龙)|消防车|火车|火箭|火山|水果(?!糖)|口水|胶水|薪水|水彩|水獭|热身|热闹|亲热|热情|热热闹闹|放大镜|太阳镜|墨镜|眼镜|"
    r"按(?:下|一下)?(?:这个|那个|红色|大)?按钮|按钮|肚脐|大颗?粒(?:的)?(?:积木|串珠)|(?:特大|超大|巨大|拳头大(?:小)?的?|大号|大块)的?(?:木珠|串珠|积木|石头|毛绒球|泡沫球|软球|球|通心粉)|"
    r"切切乐|火辣|跳绳比赛视频|纸飞机|大理石纹|药丸大小的字|针对|方针|关键|秋千歌|珠江|跟着鼓点|打鼓|敲鼓|拍手|打拍子|击掌|打招呼|打开|打扮|打包"
)
SMALL_PARTS = _words(
    "marble", "(?<!jumbo )bead", "button", "coin", "penny", "pennies", "uncooked (?:\\w+)", "macaroni", "penne", "(?:dried |raw )?chick ?pea", "dried bean", "bean", "lentil", "chickpea", "pebble", "gravel",
    "small (?:\\w+ )?(?:block|stone|ball|brick|part|piece|toy|shell|pom-?pom|object|figure)", "tiny (?:\\w+ )?(?:\\w+)",
    "mini(?:ature)? (?:\\w+)", "pea-sized (?:\\w+)", "acorn", "paper ?clip", "pen cap", "bottle cap", "googly eye",
    "pom-?pom", "sequin", "rhinestone", "glass gem", "gem", "thumb ?tack", "screw", "bolt", "washer", "hair ?clip", "earring", "(?:mum|mummy|mom|mommy|dad|daddy|grandma|wedding|gold|finger|key|curtain|plastic|small|\\w+'s) ring",
    "eraser cap", "water bead", "orbeez", "polystyrene (?:bead|ball|pellet)", "styrofoam (?:bead|ball|pellet)", "bb pellet",
    "ball bearing", "lego (?:stud|brick|1x1)", "1x1 brick", "dice", "die(?= in)", "pistachio shell", "cherry stone", "fruit pit", "corn kernel",
    "dry (?:rice|pasta|pea|corn)", "dried (?:pea|corn|chickpea)", "round (?:glass )?sphere", "small sphere", "jelly bean", "ping[- ]?pong ball",
    "golf ball", "bouncy ball", "super ?ball", "cotton bud tip", "peg", "(?:board[- ]game|game|plastic|colou?red|round) counter", "counters(?! the)", "token", "seashell", "small round [a-z]+",
    "弹珠", "玻璃珠", "玻璃球", "玻璃弹子", "弹子", "钢珠", "滚珠", "小珠", "珠子", "串珠", "木珠", "米珠", "纽扣", "扣子", "硬币", "铜板", "钢镚", "一元币",
    "黄豆", "绿豆", "红豆", "黑豆", "豆子", "豆粒", "芸豆", "蚕豆", "玉米粒", "大米粒", "生米", "小石子", "石子", "鹅卵石", "小石头", "小积木", "小颗粒", "小零件",
    "小配件", "围棋子", "棋子", "骰子", "色子", "瓶盖", "笔帽", "笔盖", "回形针", "图钉", "螺丝", "螺母", "亮片", "水钻", "活动眼睛", "毛球", "小绒球", "小毛绒球",
    "水宝宝", "水晶珠", "海洋宝宝", "吸水珠", "泡沫粒", "泡沫珠", "橡皮头", "小贝壳", "橡果", "果核", "樱桃核", "枣核", "弹力球", "乒乓球", "发夹", "耳环", "戒指",
    "小玩偶配件", "迷你\\w{0,3}", "指甲盖大小", "拇指大小", "米粒大小", "通心粉", "珍珠米", "薏米", "黑米", "贝壳面", "西米", "花生米", "谷粒", "小球", "小圆\\w", "算珠", "雪花片", "瓜子",
)  # fmt: skip
BALLOON = _words(
    "balloon", "latex glove (?:balloon|puppet)", "inflated glove", "气球", "汽球", "水球", "吹胀的手套", "橡胶手套吹"
)
MAGNET = _words(
    "magnet", "magnetic \\w+", "rare[- ]earth(?: \\w+)?", "neodymium", "bucky ?ball", "button (?:cell|batter(?:y|ie))", "coin (?:cell|batter(?:y|ie))", "cr ?20\\d\\d", "lr ?44",
    "(?<!without )batter(?:y|ie)(?!-| ?operated| ?powered)", "small batter(?:y|ie)", "lithium (?:cell|batter(?:y|ie))", "flat round batter(?:y|ie)",
    "磁铁", "磁石", "磁片", "磁条", "磁块", "磁棒", "磁扣", "磁球", "电池(?!驱动|供电|式)", "吸铁石", "磁力\\w", "磁性\\w", "巴克球", "磁珠", "纽扣电池", "扣式电池", "电子表电池", "小电池", "锂电池", "圆形电池", "冰箱贴",
)  # fmt: skip
WATER = _words(
    "bath ?tub", "bath", "paddling pool", "wading pool", "swimming pool", "pool", "pond", "lake", "river", "stream", "creek", "sea", "ocean",
    "(?:tub|bucket|basin|bowl|tray|tank|barrel|container|sink) (?:full )?(?:of|with) (?:\\w+ )?water",
    "fill (?:a|the) (?:\\w+ )?(?:tub|bucket|basin|sink|bowl)", "water (?:table|play|tray|tub)", "swim", "underwater", "hold (?:his|her) breath", "fountain", "(?:the|a|kitchen|bathroom|wash) ?sink", "hose", "sprinkler", "puddle",
    "踢水", "泼水", "半盆水", "[盆桶缸箱池]里?(?:装|放|倒|接|盛)[^,，]{0,3}水", "(?:装|放|倒|接|盛)(?:满|半|一|点|些|着)?[盆桶缸]?水(?!果|彩)", "坐进[^,，]{0,4}[盆桶缸水]", "打水仗", "洗脸池", "洗手池", "水槽", "浴缸", "浴盆", "澡盆", "洗澡", "泡澡", "水池", "泳池", "游泳", "戏水", "玩水", "池塘", "湖边", "河边", "小溪", "溪边", "海边", "大海里", "水桶", "水盆", "一盆水",
    "一桶水", "盆里(?:装|放|倒|接)满?水", "接满水", "装满水", "脸盆", "水缸", "喷泉", "憋气",
)  # fmt: skip
CORD = _words(
    "cord", "rope", "string", "long ribbon", "ribbon", "yarn", "shoe ?lace", "lanyard", "necklace", "scar(?:f|ve)", "leash", "lasso", "cable", "wire", "twine",
    "elastic band", "thread", "strap", "bungee",
    "绳子", "绳", "长绳", "麻绳", "跳绳", "细线", "毛线", "长线", "丝带", "彩带", "缎带", "鞋带", "围巾", "项链", "挂绳", "电线", "数据线", "皮筋", "橡皮筋", "松紧带", "铁丝", "线绳",
)  # fmt: skip
NECK = re.compile(
    r"\bneck\b|\bthroat\b|脖子|颈|(?:around|round|about|over|on|under) (?:\w+ ){0,2}(?:arms?|waist|wrist|body)|"
    r"(?:绕|套|系|挂|围|拴|绑|缠)\w{0,4}(?:脖子|颈|腰|手腕|身上|脚踝)|(?:脖子|颈|腰|手腕|脚踝)\w{0,4}(?:绕|套|系|挂|围|拴|绑|缠)"
)
CHOKING_FOOD = _words(
    "(?:whole |mixed |salted )?nut", "peanut", "almond", "cashew", "pistachio", "hazelnut", "whole grape", "grape", "popcorn", "hard cand(?:y|ie)", "cand(?:y|ie)", "lollipop", "jelly ?bean",
    "marshmallow", "chewing gum", "gum", "hot ?dog", "sausage slice", "raw carrot", "cherry tomato(?:es)?", "whole cherr(?:y|ie)", "olive", "raisin",
    "sunflower seed", "pumpkin seed", "jelly cup", "smartie", "m ?& ?m", "skittle", "boiled sweet", "toffee", "blueberr(?:y|ie)", "ice cube",
    "坚果", "花生", "核桃", "杏仁", "腰果", "开心果", "榛子", "葡萄", "爆米花", "硬糖", "糖果", "糖豆", "棒棒糖", "水果糖", "彩虹糖", "果冻", "棉花糖", "口香糖", "泡泡糖",
    "热狗", "香肠", "火腿肠", "圣女果", "小番茄", "樱桃", "提子", "车厘子", "瓜子", "桂圆", "龙眼", "荔枝", "汤圆", "年糕", "糯米团", "蓝莓", "豆子吃", "冰块", "葡萄干", "红枣",
)  # fmt: skip
CUT_FOOD = re.compile(
    r"(?:cut (?:\w+ ){1,4}(?:into|in) (?:\w+ )?(?:quarters|halves|slices|strips|small|tiny)|(?:切|撕|掰|剪)(?:成|得)?(?:很)?(?:小|细|薄|碎|条|丁)|quartered|halved|cut (?:into|in) (?:quarters|halves|small)|squashed|flattened|grated|chopped|lengthways|lengthwise|steamed (?:until|soft)|mashed|pureed|切成(?:四|小|薄|细|碎|丁|丝)|切碎|对半切|竖着切|去核|压扁|压烂|一捏就(?:烂|碎)|(?:蒸|煮)(?:软|烂|到)|压成泥|打成泥|磨碎)"
)
FLASH = _words(
    "strobe", "strobing", "disco (?:light|ball|lamp)", "flash(?:ing|es)?", "flicker(?:ing)?", "blink(?:ing)? (?:light|lamp|led)",
    "flick (?:the )?(?:light|lamp|switch)", "light(?:s)? on and off", "lamp on and off", "torch on and off", "flashlight on and off", "police light", "siren light", "laser",
    "(?:light|lamp|torch|flashlight|switch)(?: \\w+){0,2} on and off", "频闪", "一闪一闪", "闪光", "爆闪", "闪烁", "一闪一闪的灯", "闪灯", "快速开关灯", "反复开关灯", "开灯关灯", "开关灯", "忽明忽暗", "忽亮忽暗", "警灯", "迪斯科[灯球]?", "(?:灯|光|球)[^,，]{0,6}闪", "(?:快速|不停|一直|来回)[^,，]{0,3}闪", "舞台灯", "激光", "彩灯闪",
)  # fmt: skip
HEIGHT = _words(
    "climb(?:ing)?", "jump(?:ing)? (?:off|from|down)", "jump", "swing", "trampoline", "ladder", "bunk bed", "balance beam", "table ?top", "spin(?:ning)? chair",
    "from the (?:sofa|table|bed|couch)", "somersault", "handstand", "slide", "window ?sill", "balcon(?:y|ie)", "throw (?:him|her|the child) up",
    "攀爬", "爬高", "爬上", "跳下", "往下跳", "跳床", "蹦床", "秋千", "荡", "高处", "梯子", "上铺", "平衡木", "转椅", "翻跟头", "倒立", "滑梯", "窗台", "阳台", "抛起", "举高", "桌子上跳",
)  # fmt: skip
SHARP_HEAT = _words(
    "stove", "oven", "hob", "candle", "lighter", "matches", "match(?:es)? box", "flame", "fire", "bonfire", "boiling", "hot (?:water|tea|oil|wax|glue|pan|iron|plate|soup)", "glue gun", "hair ?dryer", "kettle", "radiator",
    "knife", "knives", "scissor", "razor", "blade", "needle", "(?<!\\w )(?:safety |sewing |push |straight )pins?", "pins and needles", "toothpick", "skewer", "nail(?!s? polish)", "saw", "hammer", "drill", "box cutter", "broken (?:glass|plate|cup|mirror|bottle|china|vase|jar|bowl|tile|light ?bulb|ornament)",
    "glass", "glass (?:jar|cup|bottle|bowl)", "mirror shard", "thermometer", "bleach", "detergent", "(?:the|an|hot) iron", "iron(?:ing)? (?:wax|the|clothes|beads|on|over)", "freshly (?:boiled|cooked|baked|fried) \\w+", "straight from the (?:oven|pan|pot|stove)", "piping hot", "steaming(?: hot)?", "sharp (?!eyes|ears|turn|left|right)\\w+", "jagged \\w+", "serrated \\w+", "wire (?:hanger|end|mesh)", "coat ?hanger wire", "laundry pod", "dishwasher tablet", "drain cleaner", "acid", "ammonia", "borax",
    "super ?glue", "paint thinner", "alcohol", "disinfectant", "pesticide", "insecticide", "medicine", "pill", "tablet of \\w+", "essential oil", "nail polish remover", "sparkler", "firework", "firecracker", "dry ice", "socket", "outlet", "cleaning (?:product|fluid|spray)",
    "炉子", "炉火", "铁丝", "尖(?:锐|利|的|头|角)", "锋利", "边缘[^,，]{0,3}(?:尖|锐|利)", "刚(?:煮|烧|烤|炸|炒|出)(?:好|开|熟|锅)", "滚热", "冒热气", "烫手", "灶", "烤箱", "蜡烛", "打火机", "火柴", "明火", "火堆", "点火", "火苗", "开水", "沸水", "热水", "热油", "热汤", "滚烫", "热蜡", "热熔胶", "胶枪", "电吹风", "吹风机", "熨斗", "水壶", "热锅", "暖气片",
    "刀", "剪刀", "刀片", "针", "大头针", "牙签", "竹签", "钉子", "锯", "锤子", "电钻", "碎玻璃", "玻璃", "瓷碗碎", "镜子碎", "温度计", "漂白", "洗衣凝珠", "洗衣液", "洗洁精", "洁厕", "消毒液", "消毒水",
    "84液", "酒精", "硼砂", "强力胶", "502", "杀虫", "农药", "药片", "药丸", "药瓶", "吃药玩", "精油", "洗甲水", "仙女棒", "烟花", "鞭炮", "干冰", "插座", "插孔", "清洁剂",
)  # fmt: skip
TOY_SHARP = re.compile(
    r"(?:toy|plastic play|wooden play|play-?dough|blunt|safety|child-?safe|儿童安全|安全|玩具|塑料玩具|木制玩具|过家家的?)\W{0,2}(?:\w+ )?$"
)
"""Before what is then a toy; of safety scissors the plan has to say who holds them, which their own warning does."""
ALONE = (
    r"\bleave (?:him|her|them|the (?:child|kid|toddler|baby|boy|girl)) (?:\w+ )?(?:alone|unattended|unsupervised|by (?:him|her|them)sel(?:f|ves)|in the|with the (?:tablet|tv))|"
    r"\b(?:(?<!words )(?<!sounds )(?<!gestures )(?<!hands )(?<!\bit )alone|unattended|unsupervised|without (?:an? |any )?(?:adult|grown-?up|supervision|supervising|anyone))\b|"
    r"(?:no|without) (?:need (?:for|of) )?(?:an? )?(?:adult|supervision)|(?:no|not) (?:one )?need(?:ed)? (?:to )?(?:watch|supervise|be there|stay)|"
    r"while you (?:cook|shower|work|nap|sleep|rest|are (?:out|away|in (?:the )?(?:another|other|next|kitchen|shower))|go|take a|make|do the|answer|check)|"
    r"\b(?:you|parent|mum|mom|dad|adult)s? (?:can |may |should |then )?(?:go(?:es)? (?:and |to )?(?:cook|shower|nap|sleep|work|shop|rest|out)|leaves? the (?:room|house|park|child)|step(?:s)? out|"
    r"take(?:s)? a (?:nap|shower|call|break in)|nap|fall asleep|go(?:es)? to (?:the|another) (?:kitchen|room|shop|store|next))|"
    r"\blet (?:him|her|them) (?:play|do (?:it|this)|explore|manage|splash|stay) (?:\w+ ){0,3}(?:on (?:his|her|their) own|by (?:him|her|them)sel(?:f|ves)|alone)\b.{0,30}|close the door behind|shut the door and|"
    r"一个人(?:留|待|呆|在|玩|关)|独自(?:一人)?|单独(?:留|待|呆|玩|在)|无人(?:看|照|陪|监)|没人(?:看|照|陪)|(?:不用|不必|无需|不需要|没必要)(?:\w{0,3})(?:看着|陪|照看|照顾|守|盯|监护|管)|"
    r"(?:家长|大人|妈妈|爸爸|爷爷|奶奶|你|您)(?:就|便|这时|此时)?(?:可以|可|就能|能)?(?:先)?(?:去|出去|出门|离开|走开|回)(?:\w{0,3})(?:做饭|洗澡|睡觉|休息|上班|买菜|打电话|办事|忙|别的房间|另一个房间|厨房|房间|刷手机|一会|片刻)|"
    r"(?:家长|大人|妈妈|爸爸|你)(?:就|可以|先|悄悄)*(?:离开|走开|出门|小睡|睡一会|刷手机|戴上?耳机)|锁(?:上|好)?门(?:让|把)|关上门(?:让|出)|(?:隔壁|另一个|另一间|别的|其他|其它)(?:房间|屋)|隔着门|在门外(?:等|听|看)|走出(?:房间|屋)|"
    r"\b(?:do|does|need) not (?:have|need) to (?:be|stay|sit) (?:in|there|present|with|near|around|nearby)|\bdon't (?:have|need) to (?:be|stay|sit|watch)|\bgo (?:and |to )?(?:\w+ ){1,7}while (?:he|she|they|the (?:child|baby))|\bfrom (?:the (?:next|other) room|another room|upstairs|the kitchen)\b"
)
FORCED = (
    r"\b(?:hold|pin|press|push|strap|tie|restrain|keep)(?:ing|s)? (?:him|her|them|the (?:child|boy|girl|kid)|(?:his|her) (?:head|hands?|arms?|face|chin|legs?|body)) (?:\w+ ){0,6}(?:down|still|in place|against|tight(?:ly)?|firmly|until|till|back|to the (?:floor|wall|chair|bed|table|mat|ground)|towards|so (?:that )?(?:he|she|you))|"
    r"\brestrain|\bforc(?:e|es|ed|ing) (?:him|her|them|eye|the|a |his)|\bforcibl|\bby force|\bmake (?:him|her|them) (?:sit|stay|look|eat|touch|finish|apologi[sz]e|repeat|do it) (?:\w+ ){0,6}(?:until|till|even if|no matter|anyway|whether)|"
    r"\buntil (?:he|she|they|the child) (?:obey|compl|answer|looks? (?:at|into|in)|says? |give|stop(?:s)? crying|apologi|behave|listen|does (?:it|as|what)|submit|finish|repeats?|performs?|talks?)|\b(?:no|withhold(?:ing)?|without|deny|denied|take away|removes?|skip) (?:\w+ ){0,3}(?:food|snack|dinner|lunch|meal|dessert|water|supper|drink|comfort|hugs?|cuddl\w+) (?:\w+ ){0,2}(?:until|till|unless|if|when|for|as)|"
    r"\bwithhold|\bpunish|\bspank|\bslap|\bsmack|\bhit (?:him|her|the child)|\bshout at|\byell at|\bscold|\bshame|\bhumiliat|\bthreaten|\btime-?out|\bstand in the corner|\bnaughty (?:step|chair|corner)|"
    r"\block (?:him|her|them|the child) (?:in|up|inside|out)|\bignore (?:his|her|their|the|all|any) (?:\w+ )?(?:cr(?:y|ies|ying)|tears|protests?|screams?|distress|no\b)|\blet (?:him|her) cry|\bcry it out|\bphysically (?:turn|move|make|guide (?:him|her) even)|"
    r"\b(?:even if|although|though|no matter (?:how|if|whether)|regardless (?:of|if)) (?:he|she|they|the child|his|her) (?:\w+ ){0,3}(?:cr(?:y|ies)|scream|protest|resist|struggl|refus|is upset|hates?|fights?|objects?)|\bbreak (?:his|her) (?:will|resistance)|\bobey|\bdon'?t (?:let (?:him|her) (?:go|leave|stop|off)|give in)|\bnot allowed to (?:leave|stop|cry)|"
    r"\btak(?:e|es|ing) (?:away )?(?:his|her) (?:favou?rite|blanket|comfort|teddy|toy) (?:\w+ ){0,3}(?:away )?(?:until|till|if|unless|as punishment|when he)|"
    r"\b(?:grab|pull|drag|yank|shove|jerk|seize|grip|twist)(?:s|ging|ing)? (?:him|her|them|(?:his|her|their) (?:\w+ )?(?:wrists?|arms?|hands?|chin|face|head|hair|ears?|shoulders?|legs?))\b(?! (?:gently )?(?:close|in for a|up for a)? ?(?:hug|cuddle))|"
    r"\beven (?:when|if|though|while|as) (?:he|she|they|the child) (?:\w+ ){0,2}(?:pull|turn|push|walk|run|squirm|wriggle|shake|beg|ask|want|say|cover|freez|panic|gag|hid|flinch|whimper|sob|kick)\w*|"
    r"\b(?:door|gate|lid|box) (?:\w+ ){0,2}(?:closed|locked|shut|blocked)\b.{0,40}\b(?:has to|have to|must|cannot|can't|until|before (?:he|she))|\b(?:blocks?|bars?|stand in) (?:the|his|her) (?:door|way out|exit)|\b(?:has|have) to (?:\w+ ){0,5}before (?:he|she|they) (?:\w+ ){0,2}(?:gets? out|leaves?|eats?|may|can|is allowed|gets?)|"
    r"\b(?:tell|warn|say to) (?:him|her|them)\b.{0,30}\b(?:will|won't|not|going to|doesn't|never) (?:\w+ ){0,3}(?:leave|love|like|come back|go away|be angry|give away|throw|call the police|take)|\b(?:gets?|getting|become) used to (?:it|the noise|the pain|being)\b|\b(?:turn|make) (?:it|the \w+) (?:\w+ )?louder\b.{0,40}(?:ears|cries|cry|used to|tolerate)|\bdesensiti[sz]|\btoughen|\bshow (?:him|her) who is (?:the )?boss|"
    r"(?:抓|拽|拉|扯|拖|掰|扳|扭|揪)(?:住|着|起|过)?(?:他|她|孩子)?的?(?:手腕|胳膊|手臂|下巴|脸|头发|耳朵|肩膀|腿)|(?:捂耳朵|躲开|后退|发抖|推开|哭|尖叫|害怕)[^.!?;]{0,8}(?:就)?(?:再|更|继续|加大|调大|调高|坚持)|(?:让|叫)(?:他|她|孩子)(?:慢慢)?(?:习惯|适应)(?:疼|噪|害怕|痛)|"
    r"(?:不|没)(?!想|愿|喜欢|要|舒服)[^.!?;]{1,10}(?:就|便)[^.!?;]{0,6}(?:收(?:回|走|掉|起他)|拿走|撤走|没收|饿|罚|打|骂|离开他|不理|不要他|不喜欢他|扔掉|不给|不准|关起)|饿到|(?:之前|以前)[^.!?;]{0,2}(?:不准|不许|不让|不能|别想)(?:他|她|孩子)?(?:离开|走|吃|喝|起来|停|睡|下)|(?:妈妈|爸爸|我|大人)(?:就)?(?:不要|不爱|不喜欢|要离开|不理)(?:你|他|她)|叫警察|大灰狼(?:来)?(?:抓|吃)(?:你|他|她)|"
    r"按住|压住|摁住|按着他|按着她|压着他|绑(?:住|在|起来)|捆|箍住|抓住(?:他|她|孩子|手)?(?:不放|不松|别松|直到)|抱住(?:他|她|孩子)?(?:不放|不让|不许|直到)|固定住(?:他|她|孩子|头|双?手)|强迫|强制|强行|硬(?:逼|拉|拽|让|塞|灌)|逼(?:他|她|孩子|着|迫)|"
    r"惩罚|处罚|体罚|罚(?:站|坐|他|她|抄|跪|不)|打(?:手心|屁股|他|她|骂|一顿|一巴掌)|揍|扇(?:他|她|孩子|耳光|巴掌|一)|(?:掐|拧)(?:他|她|孩子|耳|胳膊|手臂|脸|大腿|一)|骂(?:他|她|孩子)?|吼(?:他|她|孩子)?|训斥|呵斥|羞辱|嘲笑(?:他|她|孩子)|恐吓|吓唬|威胁|"
    r"(?:不给|不许|不让|不准|禁止|没收|扣掉|取消)(?:他|她|孩子)?(?:吃|喝|饭|零食|晚饭|水|睡|哭|上厕所|停|走|离开|休息|拥抱|抱)|饿(?:他|她|孩子|一顿|着|几)|"
    r"(?:直到|否则就?|不然就?|除非)(?:他|她|孩子)?(?:肯|愿意)?(?:听话|服从|回答|看着你|开口|说出|叫|道歉|不哭|认错|照做|完成|配合|屈服|坐好|妥协)|(?:不|没)(?:听话|配合|照做|开口|回答|完成|看|说)\w{0,4}就(?:不|没|别|要|罚|打|没收|拿走|饿|关)|"
    r"(?:哭|闹|尖叫|挣扎|反抗|抗拒|不愿意|拒绝|害怕|说不要?)(?:了|闹|得再\w+|起来)?(?:也|都)(?:不要|别|不能|不许|要|得|必须|继续|坚持)\w{0,6}|(?:哪怕|即使|即便|就算|不管|无论)(?:他|她|孩子)?\w{0,4}(?:哭|闹|尖叫|挣扎|反抗|抗拒|不愿意|拒绝|害怕)|让(?:他|她|孩子)?哭(?:个)?够|(?:不要|别)理(?:他|她|孩子)?(?:的)?哭|不理(?:会|睬)?(?:他|她|孩子)?(?:的)?哭|"
    r"关(?:进|到|在)(?:小黑屋|房间|厕所|柜子|卫生间|门外)|小黑屋|拿走(?:他|她|孩子)?(?:最)?(?:喜欢|心爱)的\w{0,6}(?:直到|除非|作为|才|逼)|绝不(?:松手|放手|妥协)|不(?:松手|放手)"
)
CLAIMS = (
    r"\b(?:cures?|curing|cured|heals?|reverses?|eliminates?|gets? rid of|fix(?:es)?) (?:\w+ ){0,4}(?:autism|asd|adhd|delay|disorder|autistic|condition|symptoms?|him|her|him of|stutter|epilepsy)|\bautism[- ]free|\bcure for\b|\bwill (?:be )?(?:cured|normal|recover)|"
    r"\b(?:diagnos(?:e|es|is|ed|ing|tic)) |\b(?:this |which )?(?:shows?|proves?|means?|confirms?|indicates?|is a sign) (?:that )?(?:he|she|the child|your child) (?:\w+ ){0,3}(?:autis\w+|asd|adhd|retard\w*|delayed|disorder)|\b(?:has|have) (?:mild |severe )?(?:autism|asd|adhd) (?:because|since|as)|"
    r"\b(?:replac(?:e|es|ing)|instead of|substitutes? for|no (?:more |longer )?(?:any )?needs? (?:for|of)|no longer (?:need|require)s?|don'?t need|won'?t need|doesn'?t need|without|skip|cancel|drop|quit|rather than|makes? .{0,20}unnecessary) (?:\w+ ){0,3}(?:therap\w+|doctor|therapist|medication|medicine|treatment|paediatrician|pediatrician|specialist|speech session)|\bcancel (?:\w+ ){0,3}(?:sessions|appointments?)\b|"
    r"\b(?:stop|stopping|reduce|halve|lower|skip|pause|come off|wean off|discontinue|throw away) (?:\w+ ){0,3}(?:medication|medicine|meds|pills?|dose|tablets|ritalin|risperidone|treatment|anticonvulsants?)|\bas effective as (?:\w+ )?(?:therapy|medication|medicine)|\bclinically proven\b|\bguaranteed? (?:to|results|progress|improve)|"
    r"\b(?:autism|asd|adhd|delay|disorder|symptoms?|condition)\b.{0,20}\b(?:go(?:es)? away|disappear|vanish|fade|be gone|is gone)|\b(?:become|be|turn into|like) (?:a )?(?:normal|typical) (?:child|kid|boy|girl)|(?:变(?:成|得)?|成为|和|像|恢复)(?:一个)?正常(?:的)?(?:孩子|人|儿童)?|(?:自闭|孤独|多动|症状|迟缓|毛病)\w{0,4}(?:消失|不见|没了|好了|会好|痊愈)|"
    r"治(?:愈|好|疗(?!师))(?:\w{0,2}(?:自闭|孤独|多动|发育|语言|迟缓|孩子|他|她|病|症))?|根治|康复率|治愈率|(?:摆脱|告别|消除|逆转)(?:自闭|孤独|多动|症状|迟缓)\w?|诊断(?!书|报告|材料)|确诊|(?:说明|证明|表明|可以判断|意味着)(?:了)?(?:他|她|孩子|宝宝)\w{0,4}(?:自闭|孤独|多动|迟缓|智力|异常|障碍)|"
    r"(?:代替|替代|取代|不用再?|不必再?|无需再?|不需要再?|可以不|停(?:掉|止)?|取消)(?:去|做|看|找)?\w{0,3}(?:治疗|康复|医生|医院|语训|训练课|就医|干预课|治疗师|复诊)|停药|断药|减药|减量|少吃药|(?:不用|不必|停止|停|别)(?:再)?(?:吃|服)药|药(?:物)?(?:可以|就|都)?(?:停|减|不用|不吃)|(?:保证|包)(?:好|见效|开口|治)|\w{0,3}(?:疗法|方法)?可以?治(?:自闭|孤独|多动|病|好)"
)
OUTDOOR = _words(
    "park", "playground", "street", "road", "car park", "parking lot", "forest", "woods", "beach", "field", "open gate", "sidewalk", "pavement", "hike", "backyard", "garden",
    "公园", "操场", "马路", "街上", "路边", "停车场", "树林", "森林", "沙滩", "草地", "户外", "院子", "小区里", "郊外", "广场", "人行道",
)  # fmt: skip
SENSES: dict[str, re.Pattern[str]] = {
    "auditory": _words("drum", "loud", "whistle", "bang", "clap", "speaker", "siren", "vacuum", "cymbal", "shout", "鼓", "大声", "哨", "敲", "音响", "喇叭", "铃", "吸尘器", "尖叫"),
    "tactile": _words("slime", "foam", "finger ?paint", "play-?dough", "sand", "mud", "sticky", "glue", "shaving cream", "feather", "史莱姆", "泡沫", "手指画", "橡皮泥", "黏土", "沙", "泥", "黏", "胶水", "羽毛", "湿"),
    "visual": _words("bright", "torch", "flashlight", "glitter", "spinning light", "disco", "strobe", "强光", "手电", "亮晶晶", "彩灯", "闪"),
    "vestibular": _words("spin", "swing", "upside down", "roll", "trampoline", "bounce", "旋转", "转圈", "秋千", "荡", "倒立", "打滚", "蹦床"),
    "proprioceptive": _words("squeeze", "deep pressure", "heavy blanket", "tight hug", "挤压", "重毯", "紧紧抱", "压"),
    "oral": _words("taste", "lick", "blow", "chew", "whistle", "尝", "舔", "吹", "嚼"),
    "smell": _words("scent", "perfume", "vinegar", "spice", "smell", "essential oil", "香水", "醋", "气味", "闻", "香料"),
}  # fmt: skip
ADULT = re.compile(
    r"arm'?s (?:reach|length)|within reach of|hand in hand|\bhold(?:s|ing)? (?:his|her) hand|(?:grandma|grandpa|granny|you|parent|mum|mom|dad|an adult) (?:kneel|crouch|stand)s?\b|(?:a|one|your) hand on (?:his|her|him)|your (?:hand|arm)s? (?:\w+ ){0,2}(?:on|around|under|behind) (?:his|her)|adult (?:stays|holds|is|sits|keeps|always)|(?:you|parent|mum|mom|dad|an adult) (?:stay|hold|sit|keep)s?\b|you (?:are )?(?:kneel|sit|stand|crouch|stay)ing (?:right )?(?:beside|next to|with|behind|close)|never (?:leave|alone)|supervis|stay (?:right )?(?:next to|beside|with)|"
    r"一臂|伸手(?:可|能|就能)及|大人(?:始终|全程|一直|在旁|陪)|家长(?:始终|全程|一直|在旁|陪)|全程(?:陪|看)|不离开|寸步不离|扶着|托着|站在(?:他|她|孩子)?身后|环着|(?:大人|家长|妈妈|爸爸|奶奶|爷爷|你)[^,，。]{0,2}(?:抱|搂)着?(?:他|她|孩子)|看护|陪在|牵着(?:他|她|孩子)|手(?:一直|始终)?(?:碰得到|扶|托)|(?:大人|家长|妈妈|爸爸|奶奶|爷爷|你)[^,，。]{0,4}(?:坐|蹲|跪|站|陪)在[^,，。]{0,4}(?:旁|边|身边)"
)


def is_pretence(clause: str, start: int, end: int) -> bool:
    """A picture of the thing, or playing that it is there."""
    return bool(_PRETENCE.search(clause[:start]) or _PICTURE_AFTER.match(clause[end:]))

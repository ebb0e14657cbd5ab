"""How a Chinese name is written: called small, doubled, with a suffix, with a surname, in pinyin."""

# ruff: noqa: E501 - lists of words: a group to a line reads best

from __future__ import annotations

import re

SURNAMES = (
    "张王李赵刘陈杨黄吴周徐孙朱马胡林郭何罗梁宋郑谢韩唐冯邓曹彭萧肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付邹孟熊秦邱江尹薛闫段雷"
    "侯龙史陶黎贺顾毛郝龚邵钱严覃武戴莫孔汤高"
)
_SURNAMES_THAT_ARE_WORDS = "黄马熊石江金田雷龙方高叶林毛白路花"
_DOUBLE_SURNAMES = "欧阳|上官|司马|诸葛|东方|皇甫|尉迟|公孙|慕容|令狐"
_GAP = r"[\s·・.,_*~-]{0,2}"
_BEFORE, _AFTER = (
    "小大阿老",
    ("宝宝", "宝贝", "公主", "王子", "妹妹", "弟弟", "哥哥", "姐姐", "崽崽", *"宝仔儿妹哥弟姐崽酱爷娃丫总囡"),
)
# Words that hold a letter of many nicknames: what they begin or end is no name.
_WORDS = frozenset(
    "快乐 音乐 欢乐 可乐 娱乐 玩乐 享乐 乐园 乐器 乐高 乐曲 乐趣 乐队 乐意 乐谱 乐观 乐于 乐子 乐呵 平安 晚安 早安 不安 保安 公安 安静 安全 安排 安慰 安抚 安心 安装 安稳 "
    "今天 每天 明天 昨天 春天 夏天 秋天 冬天 白天 聊天 后天 前天 整天 几天 三天 两天 天空 天气 天黑 天真 天然 天亮 天线 天鹅 水果 苹果 如果 结果 效果 果汁 果然 果冻 果园 果实 果子 果酱 坚果 "
    "聪明 说明 发明 光明 透明 文明 明天 明白 明年 明显 明亮 开心 小心 中心 关心 耐心 放心 安心 细心 担心 心里 心情 心跳 心理 心爱 红豆 绿豆 黄豆 土豆 大豆 豆子 豆浆 豆腐 豆袋 小豆 "
    "米饭 大米 小米 米粒 玉米 糯米 爆米 星星 明星 星期 星空 火星 月亮 月饼 满月 岁月 个月 每月 小雨 大雨 下雨 雨水 雨伞 雨衣 小雪 大雪 下雪 雪花 雪人 小花 开花 花园 花朵 花草 浪花 花儿 "
    "宇宙 宇航 孩子 儿子 杯子 盒子 椅子 桌子 鞋子 车子 样子 子弹 子女 点儿 一点 大点 小点 早点 圆圈 圆形 团圆 圆子 小圆 大圆 文字 语文 作文 文具 诗歌 古诗 佳佳 最佳 思考 意思 可以 可能 "
    "小可 小鱼 小鸟 小虎 小马 小熊 小牛 小羊 小狗 小猫 小鹿 小石 小草 小西 小北 大海 小海 海边 海洋 海豚 大山 小山 高山 阳光 太阳 朝阳 夕阳 阳台 大树 小树 树叶 果儿 月儿 鸟儿 这儿 那儿 一会儿 "
    "甜点 香甜 甜食 大甜 糖果 小糖 红糖 白糖 大福 幸福 福气 小福 希望 新年 新鲜 小新 大新 小样 妮子 小小 大大 小大 老大 老小 童年 儿童 童话 大龙 恐龙 小龙 龙舟 小宝 大宝 宝宝 宝贝 奇怪 好奇 神奇 小奇 一起 一诺 "
    "悠闲 慢悠 西瓜 东西 瓜子 小瓜 大瓜 木头 积木 木块 树木 小木 大木 饼干 小饼 大饼 小帅 元气 一元 元旦 单元 小元 大元 森林 小林 树林 小米 萌萌 蒙蒙 糊糊 妞妞 方圆".split()
)
_PINYIN: dict[str, str] = {}
for _sound, _letters in (
    line.split(":")
    for line in (
        "le:乐 an:安 tian:天甜田添 dou:豆 guo:果国 ming:明铭鸣 xin:心欣新馨鑫昕 mi:米咪 xing:星兴杏 yue:月悦玥跃 yu:雨宇语玉钰瑜羽雨予煜 xue:雪学 hua:花华 zi:子梓紫 "
        "dian:点 yuan:圆媛元源远缘 wen:文雯 shi:诗石时 jia:佳嘉家 si:思 ke:可科 yang:阳洋扬 hai:海 shan:山 shu:树 tang:糖堂 fu:福 xiao:小晓笑 ni:妮 tong:童桐彤 long:龙 bao:宝 qi:奇琪琦淇 nuo:诺 "
        "yi:一怡艺依逸毅伊奕 you:悠佑优 gua:瓜 mu:木沐 bing:饼冰 shuai:帅 sen:森 lin:林琳霖 meng:萌梦 niu:妞牛 zhang:张 wang:王旺 li:李丽莉 zhao:赵 liu:刘 chen:陈晨辰 huang:黄 wu:吴 zhou:周 xu:徐 sun:孙 "
        "zhu:朱 ma:马 hu:胡虎 he:何和 gao:高 ying:莹英颖 han:涵晗翰 rui:睿瑞蕊 hao:浩昊皓豪好 xuan:轩萱璇 chenn:宸 ze:泽 ran:然冉 jun:俊军君 jie:杰洁 wei:伟薇威 lan:兰岚 qing:晴清青 ting:婷 na:娜 "
        "dong:东冬 nan:楠南 bei:贝北 duo:多朵 en:恩 ai:爱 kai:凯开 lei:蕾雷 lu:璐露鹿 man:曼满 ning:宁柠 peng:鹏 tao:桃涛 tuan:团 xi:西希曦熙 ya:雅丫 zhi:智志芝 "
    ).split()
    for line in [line]
):  # fmt: skip
    for _letter in _letters:
        _PINYIN[_letter] = _sound
_SHORT_WORDS = frozenset(
    "an he you me can fan long sun man pan ma a la ha hi do to so yang ming wen hang hen ran sang song ban dan den fun ken pen ten tong wan ye she er en na ai le wei she ke nan".split()
)


def is_chinese(name: str) -> bool:
    return bool(name) and all("\u4e00" <= one <= "\u9fff" for one in name)


def forms(name: str) -> list[str]:
    """Of a nickname or a full name: what is looked for, the longest first. A single letter is looked for with what
    makes it a name, as 小 before it or 宝 behind it."""
    given_name = _given(name)
    variants = {name, given_name} if len(given_name) > 1 else {name}
    letters = dict.fromkeys(given_name if len(given_name) > 1 else name)
    for one in letters:
        if one in "小大阿老宝贝儿仔妹哥弟姐子的":
            continue
        variants |= {one * 2, *(before + one for before in _BEFORE), *(one + after for after in _AFTER)}
        variants |= {f"小{one * 2}", f"阿{one * 2}"}
    named = {name, given_name}
    if len(given_name) == len(name) - 1 and name[0] not in _SURNAMES_THAT_ARE_WORDS:
        variants |= {f"老{name[0]}", f"小{name[0]}"}
    variants -= {form for form in variants if form in _WORDS and form not in named}
    return sorted((form for form in variants if len(form) > 1), key=len, reverse=True)


def pattern(name: str) -> str:
    """As a part of a regular expression over plain text."""
    alternatives = []
    for form in forms(name):
        if len(set(form)) == 1:
            adverb = "(?!都|想|要|去|来|玩|喊|吃|哭|闹|盼|吵)" if form == "天天" != name else ""
            alternatives.append(f"{form[0]}(?:{_GAP}{form[0]})+{adverb}")
        elif form in (name, _given(name)):
            alternatives.append(_GAP.join(form))
        else:
            alternatives.append(form)
    surname = f"(?:(?:{_DOUBLE_SURNAMES}|[{SURNAMES}])(?={'|'.join(map(re.escape, forms(name)))}))?"
    return f"{surname}(?:{'|'.join(alternatives)})"


def pinyin_pattern(name: str) -> str:
    """With and without gaps; "" where a letter is not known. Regular expressions are matched without case."""
    parts = []
    for form in forms(name)[:40]:
        sounds = [_PINYIN.get(letter, "").replace("chenn", "chen") for letter in form]
        if not all(sounds) or len("".join(sounds)) < 4:
            continue
        gap = r"[ '’_-]?" if not all(sound in _SHORT_WORDS for sound in sounds) else r"['’_-]?"
        parts.append(gap.join(sounds))
        parts.append("(?-i:" + " ".join(sound.capitalize() for sound in sounds) + ")")
        parts.append(r"[ ._-]".join("".join(sounds)))
    return "|".join(sorted(set(parts), key=len, reverse=True))


def initials_pattern(name: str) -> str:
    """L.L. and LL宝 for 乐乐; "" where a letter is not known. Two capitals alone may be anything, as AA of a battery."""
    sounds = [_PINYIN.get(letter, "") for letter in name]
    if not 2 <= len(sounds) <= 3 or not all(sounds):
        return ""
    first = [sound[0].upper() for sound in sounds]
    return r"\.".join(first) + r"(?:\.|\b)|" + "".join(first) + f"(?:{'|'.join(_AFTER[:8])}|[宝仔妹弟崽酱])"


def stands_in_words(text: str, start: int, end: int) -> bool:
    """Whether what was found only bridges words, as 乐乐 in 快乐乐园 and in 快快乐乐."""
    before, after = text[start - 1 : start], text[end : end + 1]
    first, last = text[start], text[end - 1]
    word_before, word_after = before + first in _WORDS, last + after in _WORDS
    if word_before and word_after:
        return True
    if end - start != 2 or first != last:
        return False
    doubled_left = start > 1 and text[start - 2] == before and (before + first) in _WORDS
    doubled_right = text[end : end + 1] == text[end + 1 : end + 2] != "" and (last + after) in _WORDS
    return doubled_left or doubled_right


def _given(name: str) -> str:
    if re.match(_DOUBLE_SURNAMES, name) and len(name) > 2:
        return name[2:]
    return name[1:] if len(name) >= 3 and name[0] in SURNAMES and len(set(name)) > 1 else name

"""Which questions ask the same: 40 pairs that do, 40 that look alike and do not."""

from __future__ import annotations

from app.core.text.duplicates import alike

SAME = """
故宫门票价格 | 故宫 门票的价格
北京天气 | 北京的天气
特斯拉2024年销量 | 2024年特斯拉的销量
python 异步 教程 | Python异步教程
请问杭州西湖开放时间 | 杭州西湖的开放时间
帮我查一下人民币汇率 | 人民币汇率
电动汽车电池寿命 | 电动汽车 电池 寿命
什么是量子纠缠 | 量子纠缠是什么
关于碳中和政策 | 碳中和的政策
上海迪士尼乐园门票多少钱 | 上海迪士尼乐园 门票 多少钱
《红楼梦》作者 | 红楼梦 作者
中国 GDP 2023 | 中国GDP2023
深圳房价走势？ | 深圳房价走势
机器学习，入门书籍 | 机器学习入门书籍
全球变暖的原因 | 全球变暖原因
苏州园林介绍 | 介绍苏州园林
５Ｇ 网络覆盖 | 5G网络覆盖
哪些是诺贝尔文学奖得主 | 诺贝尔文学奖得主有哪些
长城有多长 | 长城多长
新能源汽车补贴政策 | 新能源汽车的补贴政策
how tall is mount everest | mount everest how tall
best laptops 2024 | best laptop 2024
What is the capital of France? | capital of France
solar panel efficiency | efficiency of solar panels
history of the Roman Empire | Roman Empire history
python asyncio tutorial | tutorial python asyncio
Tesla Model 3 range | range of the Tesla Model 3
climate change causes | causes of climate change
how do vaccines work | how vaccines work
recipe for apple pie | apple pie recipes
show me the population of Japan | population of Japan
"quantum computing" companies | quantum computing company
COVID-19 vaccine side effects | side effects of COVID-19 vaccine
cheapest flights London Paris | London Paris cheapest flight
electric car battery life | battery life of electric cars
GDP of Germany 2023 | Germany GDP 2023
who wrote Hamlet | Hamlet, who wrote it
World Cup 2022 winner | winner of the World Cup 2022
benefits of green tea | green tea benefits
ＡＩ safety research | AI safety research
"""
OTHER = """
故宫门票价格 | 故宫门票预约
特斯拉2023年销量 | 特斯拉2024年销量
北京天气 | 上海天气
中国进口大豆数量 | 中国出口大豆数量
电动汽车的优点 | 电动汽车的缺点
iPhone 15 价格 | iPhone 16 价格
北京大学录取分数线 | 南京大学录取分数线
人民币上涨原因 | 人民币下跌原因
适合做手术的病人 | 不适合做手术的病人
手术前注意事项 | 手术后注意事项
世界最大的湖 | 世界最小的湖
男子100米世界纪录 | 女子100米世界纪录
2024年一季度GDP | 2024年二季度GDP
东北地区人口 | 西北地区人口
Python 3.11 新特性 | Python 3.12 新特性
小米汽车销量 | 小米手机销量
华为财报 | 华为专利
红楼梦作者 | 西游记作者
杭州到上海高铁 | 杭州到南京高铁
新版税法 | 旧版税法
population of Japan 2010 | population of Japan 2020
best laptops | worst laptops
pros of remote work | cons of remote work
Tesla Model 3 range | Tesla Model S range
Tesla Model Y price | Tesla Model 3 price
imports of oil to China | exports of oil from China
life before the war | life after the war
GDP of Germany | GDP of France
first man on the moon | last man on the moon
python 2 print | python 3 print
vitamin C benefits | vitamin D benefits
causes of inflation | effects of inflation
is coffee healthy | is coffee not healthy
north Korea economy | south Korea economy
capital gains tax rate | income tax rate
stock price increase reasons | stock price decrease reasons
least populated country | most populated country
tea with caffeine | tea without caffeine
Paris museums | Paris restaurants
World Cup 2018 winner | World Cup 2022 winner
"""


def pairs(text: str) -> list[tuple[str, str]]:
    return [(one.strip(), other.strip()) for line in text.strip().splitlines() for one, other in [line.split(" | ")]]


def test_what_asks_the_same_is_a_duplicate_and_what_changes_the_meaning_is_none() -> None:
    same, other = pairs(SAME), pairs(OTHER)
    assert (len(same), len(other)) == (40, 40)
    missed = [pair for pair in same if not alike(*pair)]
    wrong = [pair for pair in other if alike(*pair)]
    assert (missed, wrong) == ([], [])


def test_it_is_the_same_both_ways_and_any_text_is_compared() -> None:
    for one, other in (*pairs(SAME), *pairs(OTHER), ("", ""), ("？", "!"), ("\ud800", "x"), ("a" * 10_000, "a")):
        assert alike(one, other) == alike(other, one)
        assert alike(one, one)

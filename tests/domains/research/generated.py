"""Reports as research products write them, each with what is wrong with it: nothing, or one fault put in on purpose.

The styles are crossed by a seed: how a sentence refers, how the list is written, under which heading, and what else
stands in such reports (code, check boxes, tables of contents, intervals, enumerations).
"""

# ruff: noqa: E501 - forms as they are written, one beside the other

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

FAULTS = ("C01", "C02", "C03", "C04", "C07", "C08", "C09")
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
ROMAN = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv", "xvi"]
NAMES = "Smith Lee Garcia Müller Okafor Tanaka Novak Rossi Silva Khan Dubois Olsen Petrov Haddad Brown Kim".split()
NAMES_ZH = "王明 李华 张伟 刘洋 陈静 杨帆 赵磊 黄敏 周涛 吴倩 徐强 孙丽 胡军 朱琳 高峰 林芳".split()
TOPICS = (
    "solar panels|urban farming|battery recycling|tea exports|remote work|coral reefs|rail freight|wheat prices".split(
        "|"
    )
)
TOPICS_ZH = "光伏组件|城市农业|电池回收|茶叶出口|远程办公|珊瑚礁|铁路货运|小麦价格".split("|")


@dataclass(frozen=True)
class Source:
    n: int
    title: str
    url: str
    author: str
    year: int


@dataclass(frozen=True)
class Style:
    """`cite` of several sources; `entry` of one; `joins` whether list and text name sources by number."""

    name: str
    cite: Callable[[Sequence[Source], random.Random, bool], str]
    entries: tuple[str, ...]
    numbered: bool = True
    faults: tuple[str, ...] = FAULTS


@dataclass(frozen=True)
class Report:
    name: str
    text: str
    fault: str
    sources: int


def _bracket(sources: Sequence[Source], chance: random.Random, zh: bool) -> str:
    numbers = [one.n for one in sources]
    if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[0] + len(numbers))):
        return f"[{numbers[0]}{chance.choice('-–—~')}{numbers[-1]}]"
    if chance.random() < 0.5:
        return "".join(f"[{n}]" for n in numbers)
    return "[" + chance.choice([", ", ",", "，", "、"] if zh else [", ", ",", "; "]).join(map(str, numbers)) + "]"


def _each(form: str) -> Callable[[Sequence[Source], random.Random, bool], str]:
    def cite(sources: Sequence[Source], chance: random.Random, _zh: bool) -> str:
        lines = f"L{chance.randint(1, 40)}-L{chance.randint(41, 90)}"
        return "".join(
            form.format(n=one.n, url=one.url, up=str(one.n).translate(RAISED), circ=_circled(one.n),
                        roman=ROMAN[one.n % 17], lines=lines, title=one.title, domain=one.url.split("/")[2])
            for one in sources
        )  # fmt: skip

    return cite


def _joined(form: str, between: str) -> Callable[[Sequence[Source], random.Random, bool], str]:
    def cite(sources: Sequence[Source], _chance: random.Random, _zh: bool) -> str:
        return form.format(between.join(str(one.n) for one in sources))

    return cite


def _circled(n: int) -> str:
    return chr(0x2460 + n - 1) if n <= 20 else f"({n})"


def _author(sources: Sequence[Source], chance: random.Random, zh: bool) -> str:
    more = " et al." if chance.random() < 0.4 else ""
    if zh:
        return "（" + "；".join(f"{one.author}{'等' if more else ''}，{one.year}" for one in sources) + "）"
    comma = chance.choice([", ", " "])
    return " (" + "; ".join(f"{one.author}{more}{comma}{one.year}" for one in sources) + ")"


NUMBERED = (
    "[{n}] {title}. {url}", "[{n}] [{title}]({url})", "{n}. {title}. {url}", "{n}. {url}", "{n}. [{title}]({url})",
    "{n}、{title}：{url}", "- [{n}] {title} {url}", "**[{n}]** {title} – <{url}>", '[{n}]: {url} "{title}"',
    "{n}) {title}, {url}", "* {n}. {title} ({url})", "| {n} | {title} | {url} |", "[{n}] {author} ({year}). {title}. {url}",
    "{n}. **{title}**\n   - URL: {url}\n   - Accessed: 2026-02-03", "[{n}] {author}. {title}[EB/OL]. {year}. {url}.\n",
)  # fmt: skip
NOTES = ("[^{n}]: {title}. {url}", "[^{n}]: [{title}]({url})", "[^{n}]: {url}")
CIRCLED = ("{circ} {title} {url}", "{circ}{title}：{url}", "- {circ} [{title}]({url})")
PARENS = ("({n}) {title}. {url}", "（{n}）{title}：{url}", "{n}. {title} {url}", "[{n}] {title} {url}")
ROMANS = ("[{roman}] {title} {url}", "{roman}. {title} {url}", "({roman}) {title} {url}")
AUTHORS = (
    "- {author}, J. ({year}). {title}. {url}", "{author}, J. ({year}). {title}. Journal of Things, 3(2), 1-9. {url}\n",
    "* {author} {year}. {title}. {url}",
)  # fmt: skip
BULLETS = ("- [{title}]({url})", "* {title}: {url}", "- {title} — {domain} ({url})")
LOOSE = ("C07", "C08", "C09", "C04")

STYLES = (
    Style("brackets", _bracket, NUMBERED),
    Style("brackets spaced", lambda s, c, z: " " + _bracket(s, c, z), NUMBERED),
    Style("bold brackets", _each("**[{n}]**"), NUMBERED),
    Style("corner brackets", _each("【{n}】"), (*NUMBERED, "【{n}】{title} {url}")),
    Style("dagger", _each("【{n}†source】"), NUMBERED),
    Style("dagger lines", _each("【{n}†{lines}】"), NUMBERED),
    Style("linked", _each("[{n}]({url})"), NUMBERED, faults=("C02", "C03", "C04", "C07", "C08", "C09")),
    Style("double linked", _each("[[{n}]]({url})"), NUMBERED, faults=("C02", "C03", "C04", "C07", "C08", "C09")),
    Style("escaped", _each("\\[{n}\\]"), NUMBERED),
    Style("raised tags", _each("<sup>{n}</sup>"), NUMBERED),
    Style("raised bracket tags", _each("<sup>[{n}]</sup>"), NUMBERED),
    Style(
        "raised",
        lambda s, c, z: ",".join(str(one.n).translate(RAISED) for one in s),
        NUMBERED,
        faults=("C02", "C03", "C04", "C07", "C08", "C09", "C01"),
    ),
    Style("footnotes", _each("[^{n}]"), NOTES, faults=("C01", "C02", "C04", "C07", "C08", "C09")),
    Style("words", _each("[Source {n}]"), NUMBERED),
    Style("words zh", _each("[来源{n}]"), NUMBERED),
    Style("full-width", _joined("［{}］", "，"), NUMBERED),
    Style("parentheses", _joined(" ({})", ", "), PARENS),
    Style("parentheses zh", _joined("（{}）", "，"), PARENS),
    Style("circled", _each("{circ}"), CIRCLED),
    Style("circled on numbers", _each("{circ}"), ("{n}. {title} {url}", "[{n}] {title} {url}")),
    Style("roman", _each("[{roman}]"), ROMANS),
    Style("authors", _author, AUTHORS, numbered=False, faults=LOOSE),
    Style("titles", _each(" ([{domain}]({url}))"), BULLETS, numbered=False, faults=("C02", "C04", "C07", "C08", "C09")),
    Style("titles alone", _each(" ([{title}]({url}))"), ("",), numbered=False, faults=("C07", "C08", "C09")),
)
HEADINGS = (
    "## References", "## Sources", "### Sources", "# References", "## Works cited", "## Bibliography", "Sources:", "**Sources**",
    "**References:**", "## 8. References", "## Sources and references", "## Citations", "## Reference list", "References\n----------",
)  # fmt: skip
HEADINGS_ZH = (
    "## 参考文献", "## 引用", "## 参考资料", "## 资料来源", "## 信息来源", "**参考资料**", "参考文献：", "## 六、参考文献", "### 引用来源",
    "## 参考资料与来源", "【参考文献】", "## 数据来源", "## 参考链接", "## 引用文献",
)  # fmt: skip
EXTRAS = (
    "```python\nrow = table[0]\nprint(row[9], x[12])\n```\n", "Use `items[7]` to read the eighth.\n",
    "- [x] scope agreed\n- [ ] peer review\n", "![figure](chart.png)\n", "The mean lies in the interval [12, 18]{c}.\n",
    "As one writer put it, “[it] grew […] without pause”{c}.\n", "Three points: (a) cost, (b) speed, (c) trust.\n",
    "1. First the seed\n2. Then the leaf\n3. Then the fruit\n", "> A short remark in between{c}.\n", "In [2019] the rule changed{c}.\n",
    "The formula is $a_{{[9]}} = b$ as before{c}.\n", "---\n", 'Call {{"items": [1]}} what you like.\n',
    "| Region | Share |\n|---|---|\n| North | 41%{c} |\n| South | 59%{c} |\n", "**Note:** the [appendix] holds more.\n",
)  # fmt: skip
SENTENCES = (
    "Demand for {topic} grew steadily over the decade{c}.", "Most experts expect {topic} to change again{c}.",
    "Output reached {a} million units in {y}{c}.", "The share of {topic} rose to {b}% in {y}{c}.",
    "{name} disagrees with that view{c}.", "Prices fell, while quality improved{c}, as surveys show.",
    "Two camps exist on {topic}{c}; neither has won.",
)  # fmt: skip
SENTENCES_ZH = (
    "{topic}的需求在过去十年稳步增长{c}。", "多数专家认为{topic}还会变化{c}。", "{y}年产量达到{a}万件{c}。", "{topic}的占比在{y}年升至{b}%{c}。",
    "{name}对此持不同意见{c}。", "价格下降{c}，而质量有所提高。", "围绕{topic}有两种看法{c}，尚无定论。",
)  # fmt: skip
ENDS = (
    "",
    "",
    "\n---\n*This report was put together by a program.*\n",
    "\n> Disclaimer: no advice.\n",
    "\n## Appendix\nNothing else.\n",
)
ENDS_ZH = ("", "", "\n---\n*本报告由程序整理。*\n", "\n> 免责声明：不构成建议。\n", "\n## 附录\n无。\n")


def report(seed: int, styles: Sequence[Style] = STYLES) -> Report:
    chance = random.Random(seed)
    style, zh = styles[seed % len(styles)], chance.random() < 0.5
    fault = chance.choice(style.faults) if seed // len(styles) % 2 else ""
    count = chance.randint(4, 14)
    sources = [_source(n, chance, zh) for n in range(1, count + 1)]
    if fault == "C03":
        gap = chance.randint(2, count - 1)
        sources = [one for one in sources if one.n != gap]
    form = chance.choice(style.entries)
    text = _body(sources, style, chance, zh, fault)
    if fault == "C08":
        return Report(f"{style.name} {form!r} zh={zh}", text, fault, 0)
    listed = list(sources)
    if fault == "C04":
        twin = chance.choice(sources)
        listed.append(Source(count + 1, twin.title + " again", twin.url + "?utm_source=x", twin.author, twin.year))
        text += "\n" + _sentence(listed[-1:], style, chance, zh) + "\n"
    if fault == "C02":
        listed.append(_source(count + 1, chance, zh))
    if form:
        text += f"\n{chance.choice(HEADINGS_ZH if zh else HEADINGS)}\n\n{_listing(listed, form, chance)}\n"
        text += chance.choice(ENDS_ZH if zh else ENDS)
    return Report(f"{style.name} {form!r} zh={zh}", text, fault, len(listed))


def _source(n: int, chance: random.Random, zh: bool) -> Source:
    topic = chance.choice(TOPICS_ZH if zh else TOPICS)
    title = f"{topic}年度观察第{n}辑" if zh else f"A long look at {topic}, volume {n}"
    url = f"https://{chance.choice(['www.', ''])}site{n}.{chance.choice(['org', 'com', 'gov.cn'])}/{chance.randint(100, 999)}/{n}.html"
    return Source(n, title, url, (NAMES_ZH if zh else NAMES)[n - 1], 2000 + n)


def _sentence(sources: Sequence[Source], style: Style, chance: random.Random, zh: bool) -> str:
    form = chance.choice(SENTENCES_ZH if zh else SENTENCES)
    return form.format(
        c=style.cite(sources, chance, zh), topic=chance.choice(TOPICS_ZH if zh else TOPICS), a=chance.randint(2, 90),
        b=chance.randint(3, 97), y=chance.randint(2001, 2025), name="专家" if zh else "The author",
    )  # fmt: skip


def _body(sources: Sequence[Source], style: Style, chance: random.Random, zh: bool, fault: str) -> str:
    left, sections = list(sources), []
    heads = ("概述", "现状", "趋势", "结论") if zh else ("Overview", "State of play", "Trends", "Conclusion")
    place = chance.randrange(len(heads))
    for number, head in enumerate(heads):
        lines = []
        for _ in range(chance.randint(1, 3)):
            group = [left.pop(0) for _ in range(min(len(left), chance.choice((1, 1, 2, 3))))] or [
                chance.choice(sources)
            ]
            lines.append(_sentence(group, style, chance, zh))
        text = ("" if zh else " ").join(lines) + "\n"
        if chance.random() < 0.6:
            extra = chance.choice(EXTRAS)
            if "[9]" not in extra or "$" in extra or "`" in extra:
                text += "\n" + extra.format(c=style.cite([chance.choice(sources)], chance, zh))
        if number == place and fault == "C01":
            text += "\n" + _sentence([Source(16, "x", "https://x.org/16", "Nobody", 1999)], style, chance, zh) + "\n"
        if number == place and fault == "C07":
            text += "\n" + ("与此同时，出口额增长了37.5%。" if zh else "Meanwhile exports rose by 37.5%.") + "\n"
        if number == place and fault == "C09":
            text += "\n" + ("详见[下文](#没有这一节)。" if zh else "More [below](#no-such-part).") + "\n"
        sections.append(f"## {head}\n\n{text}")
    while left:
        sections.append(_sentence([left.pop(0)], style, chance, zh) + "\n")
    title = "# 研究报告\n\n" if zh else "# A research report\n\n"
    contents = ""
    if chance.random() < 0.3:
        contents = "".join(f"- [{head}](#{head.lower().replace(' ', '-')})\n" for head in heads) + "\n"
    text = title + contents + "\n".join(sections)
    if fault == "C08":
        return "".join(
            f"# {i}\n\nNothing here names where it is from.\n\n" for i in (("一", "二") if zh else ("One", "Two"))
        )
    return text


def _listing(sources: Sequence[Source], form: str, chance: random.Random) -> str:
    lines = []
    if form.startswith("|"):
        lines.append("| # | Title | Link |\n|---|---|---|")
    for one in sources:
        lines.append(
            form.format(n=one.n, title=one.title, url=one.url, author=one.author, year=one.year, circ=_circled(one.n),
                        roman=ROMAN[one.n], domain=one.url.split("/")[2])
        )  # fmt: skip
    between = "\n" if form.startswith(("|", "-", "*")) or chance.random() < 0.6 else "\n\n"
    return between.join(lines)

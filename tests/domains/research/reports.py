"""Reports as people and models write them, whole and broken, each with what is wrong with it.

`expected` names the figures that are not zero; `codes` the codes with how often each is found. C07 is counted only
where a report is about it.
"""

# ruff: noqa: E501 - a table: one report a line

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Case:
    name: str
    text: str
    sources: int
    references: int
    cited: int
    codes: dict[str, int] = field(default_factory=dict)
    counts_figures: bool = False


A, B, C, D = "https://a.org/one", "https://b.com/two", "https://c.net/three", "https://d.cn/four"

CASES = [
    Case("bracketed list", f"# Tea\nTea is grown in hills [1]. It needs rain [2].\n\n## References\n[1] {A}\n[2] {B} - Two\n", 2, 2, 2),
    Case("Chinese, heading of its own line", f"茶树喜湿润 [1]。多在山地[2]。\n\n参考文献：\n[1] {A} - 茶\n[2] {B} - 山\n", 2, 2, 2),
    Case("numbers with full stops", f"Some claim [1] and more [2].\n\nSources:\n1. One, {A}\n2. Two, {B}\n", 2, 2, 2),
    Case("definitions of links", f'Text [1] more [2].\n\n[1]: {A}\n[2]: {B} "Title"\n', 2, 2, 2),
    Case("footnotes", f"Text[^1] more[^note].\n\n[^1]: One, {A}\n[^note]: Two, {B}\n", 2, 2, 2),
    Case("full-width brackets", f"增长【１】，下降［2］。\n\n## 参考资料\n【1】甲 {A}\n【2】乙 {B}\n", 2, 2, 2),
    Case("ranges and lists", f"All say so [1-3], some [1, 4] or [2][4], 也有【1、3】.\n\n## Sources\n[1] {A}\n[2] {B}\n[3] {C}\n[4] {D}\n", 4, 9, 4),
    Case("dangling", f"One [1], three [3], three again [3].\n\n## 来源\n[1] {A}\n[2] {B}\n", 2, 3, 1, {"C01": 1, "C02": 1}),
    Case("dangling in a range", f"See [1–4].\n\n## References\n1. {A}\n2. {B}\n", 2, 4, 2, {"C01": 2}),
    Case("gap", f"A [1] b [2] d [4].\n\n## References\n[1] {A}\n[2] {B}\n[4] {D}\n", 3, 3, 3, {"C03": 1}),
    Case("duplicate by tracking", f"A [1], b [2].\n\n## References\n[1] {A}\n[2] http://www.a.org/one/?utm_source=x#part\n", 2, 2, 2, {"C04": 1}),
    Case("duplicate by title", "A [1], b [2].\n\n## References\n[1] Smith, J. On the growth of tea in hills. 2020.\n[2] Smith J., On the Growth of Tea in Hills, 2020\n", 2, 2, 2, {"C04": 1}),
    Case("duplicate by doi", "A [1], b [2].\n\n## References\n[1] Smith. doi:10.1000/ABC.1\n[2] Smith, https://doi.org/10.1000/abc.1\n", 2, 2, 2, {"C04": 1}),
    Case("nothing at all", "A report that names nobody and links nowhere.\n", 0, 0, 0, {"C08": 1}),
    Case("empty", "", 0, 0, 0, {"C08": 1}),
    Case("marks without a list", "One [1] and two [2].\n", 0, 2, 0, {"C01": 2, "C08": 1}),
    Case("links in place of numbers", f"So says [One]({A}), and [Two]({B}), [One again]({A}#x).\n", 2, 3, 2),
    Case("numbers that are links themselves", f"So [1]({A}) and [2]({B}).\n", 2, 2, 2),
    Case("double brackets with links and a list", f"So [[1]]({A}) and [[2]]({B}).\n\n## Sources\n1. [One]({A})\n2. [Two]({B})\n", 2, 2, 2),
    Case("linked marks to anchors", 'So [1](#ref-1) and [2](#ref-2).\n\n## References\n<a id="ref-1"></a>[1] One thing of note\n<a id="ref-2"></a>[2] Another thing\n', 2, 2, 2),
    Case("dead anchor", f"So [1](#ref-1), see [above](#intro) and [there](#nowhere).\n\n# Intro\nx\n\n## References\n[1] {A}\n", 1, 1, 1, {"C09": 2}),
    Case("Chinese contents", f"[一、概述](#一概述) [二、没有](#二没有)\n\n## 一、概述\n好 [1]\n\n## 参考资料\n[1] {A}\n", 1, 1, 1, {"C09": 1}),
    Case("code is no text", f"Take `a[7]` and\n```python\nb[9] = 1\n```\nas in [1].\n\n## References\n[1] {A}\n", 1, 1, 1),
    Case("a fence around the whole", f"```markdown\n# T\nSo [1].\n\n## Sources\n[1] {A}\n```\n", 1, 1, 1),
    Case("a fence that never closes", f"So [1].\n```\nmore [2]\n\n## Sources\n[1] {A}\n[2] {B}\n", 2, 2, 2),
    Case("years in brackets", f"In [2019] it was so [1]; 见[2020-2024]。\n\n## Sources\n[1] {A}\n", 1, 1, 1),
    Case("an interval", f"Mean 5 (95% CI [12, 18]) as found [1].\n\n## Sources\n[1] {A}\n", 1, 1, 1),
    Case("pictures and tasks", f"![3](x.png)\n- [ ] todo\n- [x] done [1]\n\n## Sources\n[1] {A}\n", 1, 1, 1),
    Case("bold numbers in the list", f"So [1] and [2].\n\n**参考资料**\n\n**[1]** 甲 {A}\n**[2]** 乙 {B}\n", 2, 2, 2),
    Case("bullets before the numbers", f"So [1] and [2].\n\n### Works Cited\n- [1] One {A}\n- [2] Two {B}\n", 2, 2, 2),
    Case("unnumbered bullets", f"So [1] and [2].\n\n## 参考来源\n- [甲]({A})\n- [乙]({B})\n", 2, 2, 2),
    Case("bullets cited by their links", f"So [One]({A}).\n\n## References\n- [One]({A})\n- [Two]({B})\n", 2, 0, 1, {"C02": 1}),
    Case("a table of sources", f"So [1] and [2].\n\n## Sources\n\n| # | Title | Link |\n|---|---|---|\n| 1 | One | {A} |\n| 2 | Two | {B} |\n", 2, 2, 2),
    Case("several lines for one source", f"So [1] and [2].\n\n## 参考文献\n1. 甲的书\n   - 链接：{A}\n   - 访问：2025年\n2. 乙的书\n   {B}\n", 2, 2, 2),
    Case("all in one line", f"So [1] and [2] and [3].\n\nSources: [1] {A} [2] {B} [3] {C}\n", 3, 3, 3),
    Case("no heading above the list", f"So [1] and [2].\n\n---\n[1] One {A}\n[2] Two {B}\n", 2, 2, 2),
    Case("a list of books, then one of pages", f"So [1] and [2].\n\n## 参考文献\n1. 王某，《书》，2009年。 [2]\n2. 李某，《另书》，2010年。\n3. 张某，《三书》，2011年。\n\n参考文献：\n[1] {A}\n[2] {B}\n", 2, 3, 2),
    Case("numbered heading", f"So [1].\n\n## 8. References\n[1] {A}\n", 1, 1, 1),
    Case("Chinese numbered heading", f"见[1]。\n\n## 八、参考资料与来源\n1. {A}\n", 1, 1, 1),
    Case("underlined heading", f"So [1].\n\nReferences\n----------\n[1] {A}\n", 1, 1, 1),
    Case("text after the list", f"So [1].\n\n## Sources\n[1] {A}\n\n## Annex\nMore of it [2].\n", 1, 2, 1, {"C01": 1}),
    Case("words before the number", f"如此[来源1]，也[来源 2]。\n\n## 来源\n[1] {A}\n[2] {B}\n", 2, 2, 2),
    Case("Windows line ends", f"So [1].\r\n\r\n## Sources\r\n[1] {A}\r\n[2] {A}\r\n", 2, 1, 1, {"C02": 1, "C04": 1}),
    Case("raised", f"So<sup>1</sup> and<sup>[2]</sup>.\n\n## Sources\n1. {A}\n2. {B}\n", 2, 2, 2),
    Case("escaped brackets", f"So \\[1\\] and \\[2\\].\n\n## Sources\n\\[1\\] {A}\n\\[2\\] {B}\n", 2, 2, 2),
    Case("brackets joined by a dash", f"As shown [1]–[3], also [1]-[2].\n\n## References\n[1] {A}\n[2] {B}\n[3] {C}\n", 3, 5, 3),
    Case("carets on both sides", f"So[^1^] and so[^2^].\n\n## 参考网址\n1. {A}\n2. {B}\n", 2, 2, 2),
    Case("a wave for a range", f"如此[1~3]，又如[citation:2]、[网页3]。\n\n## 引用\n[1] {A}\n[2] {B}\n[3] {C}\n", 3, 5, 3),
    Case("a national standard's list", f"见文献[1]。\n\n参考文献\n\n[1] 王某. 茶的研究[J]. 茶学, 2020, 3(2): 1-5.\n\n[2] 李某. 茶[EB/OL]. (2020-01-01)[2021-02-03]. {B}.\n", 2, 1, 1, {"C02": 1}),
    Case("figures", f"Sales rose 12% in 2024. Profit was 3.5 million [1]. 利润增长了20%。[1] 共有3个原因。\n\n## Sources\n[1] {A}\n", 1, 2, 1, {"C07": 1}, True),
    Case("figures in headings and lists", f"# The 10 best of 2024\n1. First of all\n2. In 1999 it began\n\n图12 显示如此 [1]。\n\n## Sources\n[1] {A}\n", 1, 1, 1, {"C07": 1}, True),
    Case("pages behind the number", f"So [1, p. 3], [2: 23-25] and [1，第3页]，又见[2, Fig. 4]。\n\n## References\n[1] {A}\n[2] {B}\n", 2, 4, 2),
    Case("spaces and signs around the number", f"So [ 1 ], [#2], [No. 3], [注1], [S2] and [see 3].\n\n## References\n[1] {A}\n[2] {B}\n[3] {C}\n", 3, 6, 3),
    Case("the same signs where no source has the number", f"Take #[ 9 ], x[4:7], [No. 12], [#40] and [S5], see [1].\n\n## References\n[1] {A}\n", 1, 1, 1),
    Case("a list of footnotes cited by plain numbers", f"So [1] and [2].\n\n## References\n[^1]: One. {A}\n- [^2]: [Two]({B})\n", 2, 2, 2),
    Case("words before the numbers of the list", f"如此[1]，也[来源2]。\n\n## 信源\n来源1：甲 {A}\n来源2：乙 {B}\n", 2, 2, 2),
    Case("letters before the numbers", f"So [S1] and [S2].\n\n## Literature\n[S1] One {A}\n[S2] Two {B}\n", 2, 2, 2),
    Case("numbers and nothing behind them", f"So [1] and [2].\n\n## Works Consulted\n1 Smith, J. On tea in hills {A}\n2 Lee, K. On rain and soil {B}\n", 2, 2, 2),
    Case("items of HTML", f'So [1] and [2].\n\n参考文献\n<ol>\n<li>One <a href="{A}">{A}</a></li>\n<li>Two {B}</li>\n</ol>\n', 2, 2, 2),
    Case("a heading in brackets above books", "见[1]与[2]。\n\n【参考文献】\n\n1. 王某 (2020). 茶的研究甲编.\n2. 李某 (2021). 茶的研究乙编.\n", 2, 2, 2),
    Case("a table below a bare heading", f"So<sup>1</sup>.\n\n参考文献\n\n| # | Title | Link |\n|---|---|---|\n| 1 | One | {A} |\n", 1, 1, 1),
    Case("formulas", f"As $a[3] = b_{{[9]}}$ and $$x[4]^2$$ show [1], it costs $5 [2] or $6.\n\n## Links\n[1] {A}\n[2] {B}\n", 2, 2, 2),
    Case("names and full stops in the brackets", f"So [1.] and [2: Smith 2020].\n\n## References\n1. One {A}\n2. Two {B}\n", 2, 2, 2),
    Case("a list below each chapter", f"# A\nx [1].\n\n## 参考来源\n1. {A}\n\n# B\ny [1].\n\n## 参考来源\n1. {B}\n", 2, 2, 2),
    Case("half a sign in an address", f"So [1].\n\n## References\n[1] {A}?q=\ud800\n", 1, 1, 1),
    Case("raised by TeX, raised behind words", f"So it is$^{{[1]}}$ in all of them.\n\n## References\n[1] {A}\n", 1, 1, 1),
    Case("raised digits behind a word and units", f"It grew over the decade¹ on 40 km² of land.² \n\n## 附：资料来源\n1. One {A}\n2. Two {B}\n", 2, 2, 2),
    Case("numbers in round brackets", f"Tea grew (1). Rain fell（2）; both (1, 2). (3) is a point, f(2) a function.\n\n## Sources\n1. One {A}\n2. Two {B}\n", 2, 4, 2),
    Case("points in round brackets beside references", f"It has (1) cost, (2) speed (1), as in [1].\n\n## Sources\n[1] {A}\n", 1, 1, 1),
    Case("numbers in circles", f"茶多①。雨少②，皆然①②。\n\n## 参考资料\n① 甲 {A}\n② 乙 {B}\n", 2, 4, 2),
    Case("a circle too many", f"茶多①。雨少②，皆然③。\n\n## 参考资料\n① 甲 {A}\n② 乙 {B}\n", 2, 3, 2, {"C01": 1}),
    Case("points in circles beside references", f"有三点：①成本 ②速度 ③信任，见[1]与[2]。\n\n## 參考資料\n1. {A}\n2. {B}\n", 2, 2, 2),
    Case("roman numerals", f"So [i], and [ii]; [iv].\n- [x] done\n\n## Sources\n[i] One {A}\n[ii] Two {B}\n[iii] Three {C}\n", 3, 3, 2, {"C01": 1, "C02": 1}),
    Case("author and year", f"Tea grows (Smith, 2020; Lee et al. 2019), says Kim (2021); 亦见（王明等，2018）.\n\n## References\n- Smith, J. (2020). Tea. {A}\n- Lee, K. 2019. Rain. {B}\n- Kim, P. (2021). Hills. {C}\n- 王明. 茶. 2018. {D}\n", 4, 4, 4),
    Case("author and year, entries without a sign", f"Tea grows (Smith, 2020), rain falls (Lee 2019).\n\n## References\n\nSmith, J. (2020). Tea. {A}\n\nLee, K. (2019). Rain.\n{B}\n\n---\n*Generated in 2026.*\n", 2, 2, 2),
    Case("an organisation by another name", f"Tea grows (OECD, 2020) where rain falls (Lee, 2019; Kim, 2021).\n\n## References\n- Organisation for Economic Co-operation (2020). Tea. {A}\n- Lee, K. (2019). Rain. {B}\n- Kim, P. (2021). Hills. {C}\n", 3, 2, 2, {"C02": 1}),
    Case("addresses as they are", f"Tea grows ({A}), rain falls ({B}),习惯。 In 2020 it was 30% ({C})。\n", 3, 3, 3, {}, True),
    Case("the site's name before its address", f"Tea ([www.a.org]({A})).\n\nSources:\n- Tea — www.a.org ({A})\n- Rain — www.b.com ({B})\n", 2, 0, 1, {"C02": 1}),
    Case("a heading inside the list", f"So [1], [2] and [3].\n\n**References**\n\n1. One {A}\n\n### Institutions\n\n2. Two {B}\n3. Three {C}\n", 3, 3, 3),
    Case("linked numbers that are raised", f'So<sup><a href="{A}">1</a></sup> it is.<sup><a href="#x">[2]</a></sup> <a id="x"></a>\n\n## Sources\n1. {A}\n2. {B}\n', 2, 2, 2),
    Case("numbers that a copy set down", f"The market grew last year.1 It rose 12% in 2026.2,3 Version 2.1 applies.1\n\n#### **Works cited**\n1. One, {A}\n2. Two, {B}\n3. Three, {C}\n", 3, 4, 3, {}, True),
    Case("numbers before the full stop", f"They act as simulators3. Storytelling binds (says one)1. GPT4 and v2. do not. It rose2, too.\n\n## Works cited\n1. One, {A}\n2. Two, {B}\n3. Three, {C}\n", 3, 3, 3),
    Case("figures and expressions in brackets", f'Scores (1-100), normalised to [0,1], of 14 (50): see (1), and (2). `a` class="f"[^>]*>[^<]* "ref":"[9]" (2).\n\n## Sources\n1. {A}\n2. {B}\n', 2, 3, 2),
    Case("numbers joined by words", f"So [1 and 2], [3 & 4], [1 to 3]; 又见[2和3]。\n\n## References\n[1] {A}\n[2] {B}\n[3] {C}\n[4] {D}\n", 4, 9, 4),
    Case("carets", f"Tea grows^1^. Rain falls^2,3^ on 10^6^ fields.\n\n## References\n1. {A}\n2. {B}\n3. {C}\n", 3, 3, 3),
    Case("author and year in square brackets", "Tea grows [Smith et al., 2020; Lee, 2019], as Kim [2021] shows.\n\nReferences\n\nLee, K. (2019). Rain. Journal 3(2).\n\nKim, P. (2021). Hills. Press.\n\nSmith, J. (2020). Tea. Press.\n", 3, 3, 3),
    Case("sources below each section", f"## A\n\nTea grew by 12% in 2020.\n\n**Sources:** [One]({A}), [Two]({B})\n\n## B\n\nRain fell by 30%.\n", 2, 2, 2, {"C07": 1}, True),
    Case("a table under its own heading", f"So [1]; so [2].\n\n## Source table\n\n| ID | Source | URL |\n|---|---|---|\n| [1] | One | {A} |\n| [2] | Two | {B} |\n", 2, 2, 2),
    Case("lists in JSON, dates", f'Take {{"rows": [3], "a": [1]}} as of [2024-05], see [1].\n\n## Sources\n[1] {A}\n', 1, 1, 1),
    Case("references behind the stop, with words", f"Sales rose 12% in 2024. (see [1]) 利润增长了20%。（参见[2]）\n\n## Sources\n[1] {A}\n[2] {B}\n", 2, 2, 2, {}, True),
    Case("a table with its reference", f"| year | sum |\n|---|---|\n| 2020 | 1,000 [1] |\n| 2021 | 2,000 |\n\n## Sources\n[1] {A}\n", 1, 1, 1, {}, True),
]  # fmt: skip

UNSEEN = [
    Case("dagger marks", f"He said so【1†source】and so【2†L10-L20】.\n\n## Sources\n1. {A}\n2. {B}\n", 2, 2, 2),
    Case("a bold heading in English with a colon", f"See [1]; [3].\n\n**Sources:**\n1) One {A}\n2) Two {B}\n3) Three {C}\n", 3, 2, 2, {"C02": 1}),
    Case("footnotes, one missing, one unused", f"A[^a] b[^b].\n\n[^a]: {A}\n[^c]: {C}\n", 2, 2, 1, {"C01": 1, "C02": 1}),
    Case("Chinese commas in numbers", f"如图所示［1，3］，另见［2–3］。\n\n参考资料：\n1、甲 {A}\n2、乙 {B}\n3、丙 {C}\n", 3, 4, 3),
    Case("headings below the list's heading", f"So [1] and [2].\n\n## References\n### Web\n[1] {A}\n### Books\n[2] A book about tea in hills\n", 2, 2, 2),
    Case("two broken ends at once", f"So [1] and [7].\n\n## 引用来源\n[1] {A}\n[3] {A}?utm_medium=y\n", 2, 2, 1, {"C01": 1, "C02": 1, "C03": 1, "C04": 1}),
    Case("a quote of somebody's list", f"> So [1].\n\n> ## Sources\n\nReal text [1].\n\n## Sources\n- [1]: {A}\n", 1, 2, 1),
    Case("html list", f"<p>So [1].</p>\n<h2>References</h2>\n<p>[1] {A}</p>\n<p>[2] {B}</p>\n", 2, 1, 1, {"C02": 1}),
    Case("a reference behind an address", f"See {C}[1] and ({D})[2].\n\n## Sources\n[1] {A}\n[2] {B}\n", 2, 2, 2),
    Case("sources in the first chapter too", f"# Data sources and their quality\nThey differ [1].\n\n# Findings\nSo [2].\n\n# References\n[1] {A}\n[2] {B}\n", 2, 2, 2),
]  # fmt: skip
"""Kept aside while the checks were written; run once, at the end, and counted then."""

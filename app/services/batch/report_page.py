"""The report of an evaluation as one HTML page, without scripts and without anything from elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from html import escape

from app.core.resources import resource_dir
from app.core.run.price import money_text
from app.core.text.i18n import _, current_language
from app.core.wording.figures import seconds_text

from .evaluation import EvalResult, EvalVariant
from .figures import Figures, Gain, Spread, figures_of, gains_of
from .report import gain_heads, gain_row, heads, percent, price, variant_title

_WIDTH = 120
"""Of the picture of a spread."""
_MOST_OPEN = 8
"""Answers that are shown without a click."""


def html_report(title: str, results: Sequence[EvalResult], variants: Sequence[EvalVariant], not_asked: int = 0) -> str:
    figures = figures_of(results, variants)
    words = _("{cases} cases, {variants} combinations, {answers} answers")
    about = words.format(cases=len({one.case for one in results}), variants=len(figures), answers=len(results))
    if not_asked:
        about += _("; {n} questions were not asked").format(n=not_asked)
    style = (resource_dir() / "server" / "report.css").read_text("utf-8")
    heading = _("Settings compared: {name}").format(name=title)
    return (
        f'<!doctype html>\n<html lang="{current_language().replace("_", "-")}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(heading)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f"<header><h1>{escape(heading)}</h1><p>{escape(about)}</p></header>\n"
        f"{_figures_section(figures)}{_gains_section(gains_of(results, variants))}"
        f"{_matrix_section(results, figures)}{_answers_section(results)}</body>\n</html>\n"
    )


def _section(title: str, about: str, content: str) -> str:
    return f"<section><h2>{escape(title)}</h2><p>{escape(about)}</p>{content}</section>\n"


def _table(names: Sequence[str], rows: Iterator[str], numbers_from: int = 1) -> str:
    head = "".join(
        f'<th scope="col"{" class=n" if place >= numbers_from else ""}>{escape(name)}</th>'
        for place, name in enumerate(names)
    )
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


def _figures_section(figures: Sequence[Figures]) -> str:
    most_tokens = max((one.tokens.high for one in figures), default=0.0)
    most_seconds = max((one.seconds.high for one in figures), default=0.0)
    best = max((one.score.mean for one in figures), default=0.0)
    dearest: dict[str, float] = {}
    for one in figures:
        for currency, spread in one.money.items():
            dearest[currency] = max(dearest.get(currency, 0.0), spread.high)

    def rows() -> Iterator[str]:
        for one in figures:
            is_best = ' class="best"' if one.score.mean == best and len(figures) > 1 else ""
            prices = [_measured(partial(price, name), spread, dearest[name]) for name, spread in one.money.items()]
            cells = [
                _measured(percent, one.score, 1.0),
                _measured("{:,.0f}".format, one.tokens, most_tokens),
                _measured("{:.1f}".format, one.seconds, most_seconds),
                "".join(prices) or "–",
            ]
            numbers = "".join(f'<td class="n">{cell}</td>' for cell in cells)
            yield (
                f'<tr><th scope="row"{is_best}>{escape(variant_title(one.variant))}</th>'
                f'<td class="n">{one.passed}/{one.runs}</td>{numbers}</tr>'
            )

    about = _(
        "The mean of all answers; below it the lowest and the highest. The bar holds the middle half, its mark is the "
        "median."
    )
    return _section(_("What each combination is worth"), about, _table(heads(), rows()))


def _measured(text_of: Callable[[float], str], spread: Spread, top: float) -> str:
    low, high = text_of(spread.low), text_of(spread.high)
    words = f"{low} – {high}" if low != high else low
    return f"<strong>{escape(text_of(spread.mean))}</strong><small>{escape(words)}</small>{_bar(spread, top, words)}"


def _bar(spread: Spread, top: float, words: str) -> str:
    """A line from the lowest to the highest, a bar over the middle half, a mark at the median."""

    def at(value: float) -> float:
        return round(2 + (value / top if top else 0.0) * (_WIDTH - 4), 1)

    quarter, end = at(spread.quarter), at(spread.three_quarters)
    return (
        f'<svg width="{_WIDTH}" height="10" viewBox="0 0 {_WIDTH} 10" preserveAspectRatio="none" role="img"'
        f' aria-label="{escape(words)}">'
        f'<line class="all" x1="2" x2="{_WIDTH - 2}" y1="5" y2="5"/>'
        f'<line class="range" x1="{at(spread.low)}" x2="{at(spread.high)}" y1="5" y2="5"/>'
        f'<rect class="half" x="{quarter}" width="{round(max(1.0, end - quarter), 1)}" y="2" height="6" rx="1"/>'
        f'<rect class="median" x="{round(at(spread.median) - 1, 1)}" width="2" y="0" height="10"/></svg>'
    )


def _gains_section(gains: Sequence[Gain]) -> str:
    if not gains:
        return ""

    def rows() -> Iterator[str]:
        for gain in gains:
            change, quality, *rest = gain_row(gain)
            sign = "up" if gain.score > 0.005 else "down" if gain.score < -0.005 else "same"
            width = round(abs(gain.score) * 50, 1)
            left = 50 if gain.score >= 0 else 50 - width
            picture = (
                f'<svg width="{_WIDTH}" height="10" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
                f'<line class="all" x1="0" x2="100" y1="5" y2="5"/>'
                f'<rect class="{sign}" x="{left}" width="{width}" y="1" height="8"/>'
                '<rect class="zero" x="49.6" width="0.8" y="0" height="10"/></svg>'
            )
            others = "".join(f'<td class="n">{escape(cell)}</td>' for cell in rest)
            yield (
                f'<tr><th scope="row">{escape(change)}</th>'
                f'<td class="n"><strong class="{sign}">{escape(quality)}</strong>{picture}</td>{others}</tr>'
            )

    about = _(
        "Each change alone, everything else being equal: what it gained in quality, in how many cases, and what it "
        "cost more."
    )
    return _section(_("What each change gained"), about, _table(gain_heads(), rows()))


def _matrix_section(results: Sequence[EvalResult], figures: Sequence[Figures]) -> str:
    cases = list(dict.fromkeys(one.case for one in results))
    if len(cases) < 2 or len(figures) < 2:
        return ""

    def rows() -> Iterator[str]:
        for case in cases:
            cells = []
            for column in figures:
                own = [one for one in results if one.case == case and one.variant is column.variant]
                share = sum(one.score for one in own) / len(own) if own else 0.0
                style = (
                    "none" if not own else "all-met" if all(one.passed for one in own) else "part" if share else "unmet"
                )
                cells.append(f'<td class="n {style}">{percent(share) if own else "–"}</td>')
            yield f'<tr><th scope="row">{escape(case)}</th>{"".join(cells)}</tr>'

    names = (_("case"), *(variant_title(one.variant) for one in figures))
    return _section(_("Quality of each case"), _("The share of its checks that hold."), _table(names, rows()))


def _answers_section(results: Sequence[EvalResult]) -> str:
    """By case, in the order in which they came; the first that failed are open."""
    by_case: dict[str, list[EvalResult]] = {}
    for one in results:
        by_case.setdefault(one.case, []).append(one)
    parts, opened = [], 0
    for one in (result for group in by_case.values() for result in group):
        is_open = not one.passed and opened < _MOST_OPEN
        opened += is_open
        parts.append(_answer(one, is_open=is_open))
    return _section(_("Every answer"), _("The first in which a check fails are open."), "".join(parts))


def _answer(result: EvalResult, *, is_open: bool) -> str:
    sign, style = ("✓", "up") if result.passed else ("✗", "down")
    answer = result.answer
    facts = [_("{n} tokens").format(n=f"{result.tokens:,.0f}"), seconds_text(answer.seconds)]
    if answer.money:
        facts.append(money_text(answer.money))
    checks = "".join(
        f'<li class="{"up" if verdict.holds else "down"}">{"✓" if verdict.holds else "✗"} '
        f"<code>{escape(check.text)}</code>{' – ' + escape(verdict.why) if verdict.why else ''}</li>"
        for check, verdict in result.verdicts
    )
    error = "" if answer.error is None else f'<p class="down">{escape(str(answer.error.get("message", "")))}</p>'
    return (
        f'<details{"" if result.passed else " open"}><summary><span class="{style}">{sign}</span> '
        f"{escape(result.case)} · {escape(variant_title(result.variant))}<small>{escape(' · '.join(facts))}</small>"
        f'</summary><p class="question">{escape(answer.query)}</p>{error}<pre>{escape(answer.answer)}</pre>'
        f"<ul>{checks}</ul></details>"
    )

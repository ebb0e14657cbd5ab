"""The report of an evaluation as one HTML page without scripts."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from app.core.run.price import money_text
from app.core.text.i18n import _

from .evaluation import EvalResult, Figures

_STYLE = (
    "body{font:15px/1.6 system-ui,'Noto Sans CJK SC',sans-serif;max-width:1000px;margin:24px auto;padding:0 16px;"
    "color-scheme:light dark}table{border-collapse:collapse;width:100%;margin:16px 0}"
    "th,td{border-bottom:1px solid #8886;padding:4px 8px;text-align:left;vertical-align:top}"
    "td.n{text-align:right;font-variant-numeric:tabular-nums}.bad{color:#b3261e}pre{white-space:pre-wrap}"
)


def row_of(one: Figures, first: Figures) -> tuple[str, ...]:
    """The cells of a variant: name, runs, quality, what it gained over the first, tokens, seconds, price."""
    gain = "–" if one is first else f"{(one.score - first.score) * 100:+.0f} %"
    times = "" if one is first or not first.tokens else f" (×{one.tokens / first.tokens:.1f})"
    return (
        one.variant.name,
        f"{one.passed}/{one.runs}",
        f"{one.score * 100:.0f} % ± {one.score_spread * 100:.0f}",
        gain,
        f"{one.tokens:,.0f} ± {one.tokens_spread:,.0f}{times}",
        f"{one.seconds:.1f} ± {one.seconds_spread:.1f}",
        money_text(one.money) if one.money else "–",
    )


def heads() -> tuple[str, ...]:
    return (_("variant"), _("passed"), _("quality"), _("gain"), _("tokens"), _("seconds"), _("price"))


def html_report(title: str, figures: Sequence[Figures], results: Sequence[EvalResult]) -> str:
    table = [f"<tr>{''.join(f'<th>{escape(head)}</th>' for head in heads())}</tr>"]
    for one in figures:
        name, *cells = row_of(one, figures[0])
        table.append(f"<tr><td>{escape(name)}</td>{''.join(f'<td class=n>{escape(cell)}</td>' for cell in cells)}</tr>")
    parts = []
    for result in sorted(results, key=lambda one: (one.case, one.variant.name)):
        reasons = "; ".join(verdict.why for _check, verdict in result.verdicts if verdict.why)
        style = "" if result.score == 1.0 else " class=bad"
        parts.append(
            f"<tr><td>{escape(result.case)}</td><td>{escape(result.variant.name)}</td>"
            f"<td{style}>{result.score:.2f}</td><td>{escape(reasons)}</td>"
            f"<td><details><summary>{escape(result.answer.answer[:80])}</summary>"
            f"<pre>{escape(result.answer.answer)}</pre></details></td></tr>"
        )
    names = (_("case"), _("variant"), _("quality"), _("why"), _("answer"))
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    return (
        f'<!doctype html><html><head><meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style></head>'
        f"<body><h1>{escape(title)}</h1><table>{''.join(table)}</table>"
        f"<table><tr>{head}</tr>{''.join(parts)}</table></body></html>\n"
    )

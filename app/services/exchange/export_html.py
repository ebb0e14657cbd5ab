"""A conversation as one HTML file: no script, nothing loaded from anywhere, readable in any browser.

What was written by a model or a page is rendered with raw HTML off and pictures as their text; a
policy in the file's head forbids the browser what could slip through all the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any
from urllib.parse import urlsplit

from markdown_it import MarkdownIt

from app.core.exchange.markdown import card_of, cost_line, heading
from app.core.exchange.options import Include
from app.core.run.events import LoopEnd, LoopError, Notice
from app.core.run.messages import Attachment, Call, Fact, Message, Part, PlanPart, Reasoning, Text
from app.core.text.i18n import _, current_language
from app.core.tools.card_markdown import card_markdown

from .formula_rules import add_formulas

LONGEST_RENDERED = 200_000
"""Characters; longer texts are shown as they are."""

_STYLE = """
:root { color-scheme: light dark; --ink: #1d2129; --soft: #5c6370; --line: #dfe2e8; --back: #ffffff; --card: #f5f6f8;
  --mark: #2f6fed; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e6eb; --soft: #9aa1ad; --line: #363a43; --back: #17191e;
  --card: #20232a; --mark: #7aa5ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2.5rem 1.25rem 5rem; max-width: 46rem; background: var(--back); color: var(--ink);
  font: 16px/1.65 system-ui, "Segoe UI", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.3; margin: 0 0 .25rem; }
.about, .cost, .when { color: var(--soft); font-size: .85rem; }
article { margin: 2rem 0; overflow-wrap: anywhere; }
article > header { display: flex; gap: .75rem; align-items: baseline; margin-bottom: .4rem; }
.who { font-weight: 600; }
.user .body { background: var(--card); border-radius: .75rem; padding: .75rem 1rem; }
.user .body > :first-child, details > :nth-child(2) { margin-top: 0; }
.user .body > :last-child { margin-bottom: 0; }
details { border: 1px solid var(--line); border-radius: .6rem; margin: .6rem 0; padding: 0 .9rem; }
details[open] { padding-bottom: .7rem; }
summary { cursor: pointer; color: var(--soft); padding: .5rem 0; font-size: .9rem; }
summary b { color: var(--ink); font-weight: 600; }
pre { background: var(--card); border-radius: .5rem; padding: .75rem 1rem; overflow-x: auto; white-space: pre-wrap;
  font: .85rem/1.55 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }
code { font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; font-size: .9em; }
table { border-collapse: collapse; display: block; overflow-x: auto; margin: 1rem 0; }
th, td { border: 1px solid var(--line); padding: .35rem .7rem; text-align: left; }
th { background: var(--card); }
blockquote { margin: 1rem 0; padding: 0 1rem; border-left: 3px solid var(--line); color: var(--soft); }
a { color: var(--mark); }
.failed { border-left: 3px solid #c8372d; padding-left: .9rem; }
@media print { body { max-width: none; } details { break-inside: avoid; } }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def to_html(title: str, agent: str, messages: Iterable[Message], include: Include) -> str:
    shown = escape(title)
    return "\n".join([
        "<!DOCTYPE html>",
        f'<html lang="{"zh-CN" if current_language() == "zh_CN" else "en"}">',
        '<head>\n<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>{shown}</title>\n<style>{_STYLE}</style>\n</head>\n<body>",
        f"<h1>{shown}</h1>",
        f'<p class="about">{escape(_("Agent"))}: {escape(agent)}</p>' if agent else "",
        *(_article(message, include) for message in messages),
        "</body>\n</html>\n",
    ])  # fmt: skip


def _article(message: Message, include: Include) -> str:
    who, _sep, when = heading(message).partition(" · ")
    body = "\n".join([*(block for part in message.parts for block in _part(part, include)), *_end(message)])
    cost = f'\n<p class="cost">{escape(line)}</p>' if include.cost and (line := cost_line(message)) else ""
    head = f'<header><span class="who">{escape(who)}</span> <span class="when">{escape(when)}</span></header>'
    return f'<article class="{message.role}">{head}\n<div class="body">\n{body}\n</div>{cost}\n</article>'


def _end(message: Message) -> Iterator[str]:
    if isinstance(message.end, LoopError):
        yield f'<p class="failed">{escape(message.end.error.code)}: {escape(message.end.error.message)}</p>'
    elif isinstance(message.end, LoopEnd) and message.end.answer and message.end.answer not in message.text:
        yield rendered(message.end.answer)


def _part(part: Part, include: Include) -> Iterator[str]:
    match part:
        case Text(text):
            yield rendered(text)
        case Reasoning(text):
            if include.reasoning:
                yield _folded(f"<b>{escape(_('Reasoning'))}</b>", rendered(text))
        case Call():
            if include.tools:
                yield _call(part, include)
        case PlanPart(plan):
            steps = "".join(f"<li>{escape(step.description)} – {escape(step.status)}</li>" for step in plan.steps)
            yield _folded(f"<b>{escape(_('Plan'))}</b>: {escape(plan.goal)}", f"<ol>{steps}</ol>")
        case Attachment(_ref, name, _mime, text):
            yield _folded(f"<b>{escape(_('File'))}</b>: {escape(name)}", _plain(text))
        case Fact(Notice(_code, text)) if text:
            yield f"<blockquote><p>{escape(text)}</p></blockquote>"
        case _:
            pass


def _call(part: Call, include: Include) -> str:
    args = json.dumps(dict(part.call.args), ensure_ascii=False, indent=2, default=str) if part.call.args else ""
    inside = [_plain(args)] if args else []
    summary = ""
    if part.result is not None and include.results:
        summary = escape(part.result.summary.partition("\n")[0][:200])
        card = card_of(part.result.display)
        inside.append(rendered(card_markdown(*card)) if card else _plain(part.result.text or part.result.summary))
    head = f"<b>{escape(_('Tool'))}</b>: {escape(part.call.name)}" + (f" – {summary}" if summary else "")
    return _folded(head, "\n".join(inside))


def _folded(head: str, body: str) -> str:
    return f"<details><summary>{head}</summary>\n{body}\n</details>"


def _plain(text: str) -> str:
    return f"<pre>{escape(text)}</pre>" if text else ""


# ---------------------------------------------------------------- Markdown


def rendered(text: str) -> str:
    if len(text) > LONGEST_RENDERED:
        return _plain(text)
    html: str = _markdown().render(text)
    return html


def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])
    markdown.validateLink = _may_be_linked  # type: ignore[method-assign]
    add_formulas(markdown)
    for formula in ("math_inline", "math_inline_double", "math_block", "math_block_label"):
        markdown.add_render_rule(formula, _formula)
    markdown.add_render_rule("image", _picture)
    markdown.add_render_rule("link_open", _link)
    return markdown


def _may_be_linked(url: str) -> bool:
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return False
    return parts.scheme in ("http", "https", "mailto") and (parts.scheme == "mailto" or bool(parts.netloc))


def _picture(_renderer: Any, tokens: Any, index: int, _options: Any, _env: Any) -> str:
    """Its words, never the picture: that would be a request to wherever the text says."""
    return escape(f"[{tokens[index].content}]")


def _formula(_renderer: Any, tokens: Any, index: int, _options: Any, _env: Any) -> str:
    """Its source, whole: a page without scripts cannot draw it."""
    token = tokens[index]
    if token.type.startswith("math_block"):
        return f"<pre><code>{escape(token.content.strip())}</code></pre>\n"
    return f"<code>{escape(token.content)}</code>"


def _link(_renderer: Any, tokens: Any, index: int, _options: Any, _env: Any) -> str:
    url = escape(str(tokens[index].attrGet("href") or ""))
    return f'<a href="{url}" rel="noopener noreferrer nofollow" target="_blank">'

"""A conversation as one HTML file: no script, nothing loaded from elsewhere, readable in any browser.

Text of models and pages is rendered with raw HTML off. Stored pictures and drawn formulas are in the file; an external
picture is shown as its text. A content security policy in the head blocks anything else.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any
from urllib.parse import urlsplit

from markdown_it import MarkdownIt

from app.core.exchange.answer_first import ExportedMessage, readings
from app.core.exchange.markdown import answer_card_blocks, card_of, cost_line, heading, result_text
from app.core.exchange.options import Include
from app.core.exchange.pictures import INLINE_PICTURE, STORED_PICTURE, pictures_of_result
from app.core.run.messages import Attachment, Call, Fact, Message, Part, PlanPart, Reasoning, Text
from app.core.text.hidden import bidi_marked
from app.core.text.i18n import _, current_language
from app.core.tools.card import is_answer
from app.core.tools.card_markdown import card_markdown

from .formula_picture import FormulaPictures
from .formula_rules import add_formulas
from .picture_facts import picture_facts

LONGEST_RENDERED = 200_000
"""Characters, but for those of pictures; longer texts are shown as they are."""
_FONT_PIXELS = 16
_FORMULA_SCALE = 1.12
"""The letters of the mathematical font are smaller than those of the text around at the same size."""

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
img { max-width: 100%; }
figure { margin: .6rem 0; } figure img { max-height: 30rem; border-radius: .5rem; }
figcaption { color: var(--soft); font-size: .85rem; }
.math { overflow-x: auto; }
img.formula { max-width: none; }
@media (prefers-color-scheme: dark) { img.formula { filter: invert(1); } }
.failed { border-left: 3px solid #c8372d; padding-left: .9rem; }
@media print { body { max-width: none; } details { break-inside: avoid; } }
"""
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def to_html(
    title: str, agent: str, messages: Iterable[Message], include: Include, pictures: Mapping[str, bytes] | None = None
) -> str:
    """`pictures` are the files of kept pictures, by their hash. For a worker thread: formulas are drawn."""
    escaped_title = escape(title)
    page = _Page(include, pictures or {})
    return "\n".join([
        "<!DOCTYPE html>",
        f'<html lang="{current_language().replace("_", "-")}">',
        '<head>\n<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>{escaped_title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>",
        f"<h1>{escaped_title}</h1>",
        f'<p class="about">{escape(_("Agent"))}: {escape(agent)}</p>' if agent else "",
        *(page.article(reading) for reading in readings(messages)),
        "</body>\n</html>\n",
    ])  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Page:
    include: Include
    pictures: Mapping[str, bytes]
    formulas: FormulaPictures = field(default_factory=lambda: FormulaPictures(_FONT_PIXELS * _FORMULA_SCALE))

    def article(self, reading: ExportedMessage) -> str:
        """The answer first; the work that led to it is folded below."""
        message = reading.message
        if reading.deed:
            return f'<p class="cost">{escape(reading.deed)}</p>'
        who, _sep, when = heading(message).partition(" · ")
        cards = [self._rendered("\n\n".join(answer_card_blocks(card))) for card in reading.cards]
        work = "\n".join(block for part in reading.work_shown(self.include) for block in self._part(part))
        title = _("How it came about")
        folded = [_folded(f"<b>{escape(title)}</b>", work)] if work else []
        blocks = (block for part in reading.answer for block in self._part(part))
        body = "\n".join([*cards, *blocks, *self._end(message), *folded])
        cost = f'\n<p class="cost">{escape(line)}</p>' if self.include.cost and (line := cost_line(message)) else ""
        head = f'<header><span class="who">{escape(who)}</span> <span class="when">{escape(when)}</span></header>'
        return f'<article class="{message.role}">{head}\n<div class="body">\n{body}\n</div>{cost}\n</article>'

    def _end(self, message: Message) -> Iterator[str]:
        if message.failure is not None:
            yield f'<p class="failed">{escape(message.failure.code)}: {escape(message.failure.message)}</p>'
        elif message.late_answer:
            yield self._rendered(message.late_answer)

    def _part(self, part: Part) -> Iterator[str]:
        match part:
            case Text(text):
                yield self._rendered(text)
            case Reasoning(text):
                if self.include.reasoning:
                    yield _folded(f"<b>{escape(_('Reasoning'))}</b>", self._rendered(text))
            case Call():
                if self.include.tools:
                    yield self._call(part)
            case PlanPart(plan):
                steps = "".join(f"<li>{escape(step.description)} – {escape(step.status)}</li>" for step in plan.steps)
                yield _folded(f"<b>{escape(_('Plan'))}</b>: {escape(plan.goal)}", f"<ol>{steps}</ol>")
            case Attachment(ref, name, _mime, text):
                yield self._figure(name, ref) or _folded(f"<b>{escape(_('File'))}</b>: {escape(name)}", _plain(text))
            case Fact(notice=text) if text:
                yield f"<blockquote><p>{escape(text)}</p></blockquote>"
            case _:
                pass

    def _call(self, part: Call) -> str:
        args = json.dumps(dict(part.call.args), ensure_ascii=False, indent=2, default=str) if part.call.args else ""
        inside = [_plain(args)] if args else []
        summary = ""
        if part.result is not None and self.include.results:
            summary = escape(part.result.summary.partition("\n")[0][:200])
            card, text = card_of(part.result.card), result_text(part.result)
            if not is_answer(part.result.card):  # that is in the answer
                inside.append(self._rendered(card_markdown(*card)) if card else _plain(text))
            inside += [self._figure(title, ref) for title, ref in pictures_of_result(part.result.card)]
        head = f"<b>{escape(_('Tool'))}</b>: {escape(part.call.name)}" + (f" – {summary}" if summary else "")
        return _folded(head, "\n".join(inside))

    def _rendered(self, text: str) -> str:
        return rendered(text, self.pictures, self.formulas)

    def _figure(self, name: str, ref: str) -> str:
        """ "" if there is no such picture."""
        if not (address := _address(f"att:{ref}", self.pictures)):
            return ""
        return f'<figure><img src="{address}" alt=""><figcaption>{escape(name)}</figcaption></figure>'


def _folded(head: str, body: str) -> str:
    return f"<details><summary>{head}</summary>\n{body}\n</details>"


def _plain(text: str) -> str:
    return f"<pre>{escape(text)}</pre>" if text else ""


# ---------------------------------------------------------------- Markdown


def rendered(text: str, pictures: Mapping[str, bytes] | None = None, formulas: FormulaPictures | None = None) -> str:
    """Without `formulas` their source is shown."""
    if len(text) > LONGEST_RENDERED and len(INLINE_PICTURE.sub("", text)) > LONGEST_RENDERED:
        return _plain(text)
    html: str = _markdown().render(bidi_marked(text), {"pictures": pictures or {}, "formulas": formulas})
    return html


def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])
    # Of links as well as of pictures; which of them leads where is asked again when they are written.
    markdown.validateLink = lambda url: _may_be_linked(url) or _is_picture(url)  # type: ignore[method-assign]
    add_formulas(markdown)
    for formula in ("math_inline", "math_inline_double", "math_block", "math_block_label"):
        markdown.add_render_rule(formula, _formula)
    markdown.add_render_rule("image", _picture)
    markdown.add_render_rule("link_open", _link)
    return markdown


def _is_picture(url: str) -> bool:
    return bool(STORED_PICTURE.fullmatch(url) or INLINE_PICTURE.fullmatch(url))


def _may_be_linked(url: str) -> bool:
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return False
    return parts.scheme in ("http", "https", "mailto") and (parts.scheme == "mailto" or bool(parts.netloc))


def _picture(_renderer: Any, tokens: Any, index: int, _options: Any, env: Any) -> str:
    """Its words, if it is not in the file: everything else would be a request to wherever the text says."""
    words = escape(tokens[index].content)
    address = _address(str(tokens[index].attrGet("src") or ""), env["pictures"])
    return f'<img src="{address}" alt="{words}">' if address else f"[{words}]"


def _address(source: str, pictures: Mapping[str, bytes]) -> str:
    """A `data:` address, made of nothing but its own letters; "" for what is no picture we have."""
    if INLINE_PICTURE.fullmatch(source):
        return source
    match = STORED_PICTURE.fullmatch(source)
    data = pictures.get(match.group(1)) if match else None
    facts = picture_facts(data) if data else None
    return f"data:{facts.mime};base64,{base64.b64encode(data).decode()}" if data and facts else ""


def _formula(_renderer: Any, tokens: Any, index: int, _options: Any, env: Any) -> str:
    """A drawing; its source, whole, where there is none."""
    token = tokens[index]
    is_block = token.type.startswith("math_block")
    tex = token.content.strip() if is_block else token.content
    is_display = is_block or token.type.endswith("double") or token.markup == "\\["
    drawn = env["formulas"].picture(tex, display=is_display) if env["formulas"] else None
    if drawn is None:
        return f"<pre><code>{escape(tex)}</code></pre>\n" if is_block else f"<code>{escape(tex)}</code>"
    place = f"height:{drawn.height / _FONT_PIXELS:.3f}em;vertical-align:{-drawn.below / _FONT_PIXELS:.3f}em"
    address = f"data:image/svg+xml;base64,{base64.b64encode(drawn.svg.encode()).decode()}"
    words = escape(" ".join(tex.split()))
    image = f'<img class="formula" src="{address}" alt="{words}" title="{words}" style="{place}">'
    return f'<p class="math">{image}</p>\n' if is_block else image


def _link(_renderer: Any, tokens: Any, index: int, _options: Any, _env: Any) -> str:
    url = str(tokens[index].attrGet("href") or "")
    if not _may_be_linked(url):
        return "<a>"
    return f'<a href="{escape(url)}" rel="noopener noreferrer nofollow" target="_blank">'

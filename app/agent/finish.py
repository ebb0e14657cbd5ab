"""What is left to say at the end: JSON found in an answer, and the text when a model says nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from app.core.text.i18n import N_, Marked, _, ngettext, worded_in
from app.core.tools import finite

from .context import RunContext

LONGEST_JSON = 400_000
"""Characters looked through for JSON; models that write more have not written a plan."""


def find_json(text: str) -> Any:
    """The JSON in `text`: the whole of it, a fenced block, or the first balanced object.

    Raises ValueError. Numbers that JSON does not know (NaN, Infinity) and duplicate keys are refused.
    """
    text = text[:LONGEST_JSON]
    problem: ValueError | None = None
    for candidate in _candidates(text):
        try:
            return finite.loads(candidate, object_pairs_hook=_unique)
        except RecursionError:
            problem = problem or ValueError(Marked(N_("the JSON is nested too deeply")))
        except json.JSONDecodeError as error:
            words = N_("it breaks off or is not JSON at line {line}, place {place}")
            problem = problem or ValueError(Marked(words, line=error.lineno, place=error.colno))
        except ValueError as error:
            problem = problem or error
    raise problem or ValueError(Marked(N_("no JSON object was found")))


def fault_in(language: str, error: ValueError) -> str:
    """What `find_json` found wrong."""
    return worded_in(language, error.args[0]) if error.args and isinstance(error.args[0], str) else str(error)


def _candidates(text: str) -> Iterator[str]:
    after_thinking = text.rpartition("</think>")[2]
    for source in dict.fromkeys((after_thinking, text)):
        if source.strip().startswith("{"):
            yield source.strip()
        yield from _fenced(source)
        if balanced := first_object(source):
            yield balanced


def _fenced(text: str) -> Iterator[str]:
    """The contents of ``` fences, in order."""
    inside: list[str] | None = None
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            if inside is not None:
                yield "\n".join(inside)
                inside = None
            else:
                inside = []
        elif inside is not None:
            inside.append(line)
    if inside:
        yield "\n".join(inside)


def first_object(text: str) -> str:
    """From the first `{` to the `}` that closes it, strings respected; "" if it never closes."""
    start = text.find("{")
    depth, in_string, escaped = 0, False, False
    for place in range(max(start, 0), len(text) if start >= 0 else 0):
        char = text[place]
        if in_string:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == '"':
                in_string = False
        elif char == '"':
            in_string = True
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0:
                return text[start : place + 1]
    return ""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) != len(pairs):
        raise ValueError(Marked(N_("a key stands twice in one object")))
    return unique


def fallback_text(ctx: RunContext, round: int = 0, rounds: int = 0) -> str:
    """An honest answer made of the tool results, when the model gave none."""
    done = [result for result in ctx.state.returned if result.ok]
    head = ngettext("%d tool has returned a result.", "%d tools have returned results.", len(done)) % len(done)
    if rounds:
        head = _("Reflection round %(round)d of %(rounds)d.") % {"round": round, "rounds": rounds} + " " + head
    lines = [_("The model gave no answer of its own; this is put together from the tool results."), "", head, ""]
    lines += [f"- **{result.name}**: {result.summary or result.text[:300]}" for result in done]
    lines += [
        "",
        _("What may help:"),
        "- " + _("raise the longest tool result in the settings of this agent"),
        "- " + _("use a model that reads a longer context"),
        "- " + _("shorten the system prompt (now %d characters)") % len(ctx.request.profile.system_prompt),
    ]
    return "\n".join(lines)

"""Removes tool calls written as text from what is shown, where no calls are allowed.

Models write them at the last step of a run, when their tools were removed. Only markup that begins a line outside a
code fence counts, so a text about markup stays whole.
"""

from __future__ import annotations

from typing import Final

_MARKS: Final = {
    "<tool_call>": "</tool_call>",
    "<function=": "</function>",
    "<invoke name=": "</invoke>",
    "<minimax:tool_call>": "</minimax:tool_call>",
    "<｜DSML｜function_calls>": "</｜DSML｜function_calls>",
    "<｜DSML｜tool_calls>": "</｜DSML｜tool_calls>",
    "<｜DSML｜invoke name=": "</｜DSML｜invoke>",
    "<|tool_calls_section_begin|>": "<|tool_calls_section_end|>",
    "<｜tool▁calls▁begin｜>": "<｜tool▁calls▁end｜>",
    "<|python_tag|>": "",
    "[TOOL_CALLS]": "",
}
"""Opening mark → closing mark; "" = to the end of the message."""
_FENCES: Final = ("```", "~~~")
_LOOK: Final = 80


class MarkupGuard:
    """Call `feed` to get the text without calls; `finish` returns what was held back."""

    def __init__(self) -> None:
        self._held = ""
        self._line_start = True
        self._fenced = False
        self._closer: str | None = None
        self.suppressed = False

    def feed(self, text: str) -> str:
        return self._run(text, at_end=False)

    def finish(self) -> str:
        return self._run("", at_end=True)

    def _run(self, text: str, *, at_end: bool) -> str:
        text = self._held + text
        self._held = ""
        out: list[str] = []
        at = 0
        while at < len(text):
            if self._closer is not None:
                at = self._skip_call(text, at)
            elif self._line_start and (after := self._begin_line(text, at, at_end=at_end)) is not None:
                if after == at:
                    # Not decided yet: this may become a mark.
                    self._held = text[at:]
                    break
                at = after
            else:
                end = text.find("\n", at) + 1
                self._line_start = end > 0
                out.append(text[at : end or len(text)])
                at = end or len(text)
        return "".join(out)

    def _begin_line(self, text: str, at: int, *, at_end: bool) -> int | None:
        """Behind the opening mark that begins this line; `at` itself to wait; None for an ordinary line."""
        head = text[at : at + _LOOK].lstrip(" \t")
        if not self._fenced:
            for mark, closer in _MARKS.items():
                if head.startswith(mark):
                    self._closer, self.suppressed = closer, True
                    return text.index(mark, at) + len(mark)
        complete = at_end or len(text) - at >= _LOOK
        if not complete and (not head or any(mark.startswith(head) for mark in (*_MARKS, *_FENCES))):
            return at
        if head.startswith(_FENCES):
            self._fenced = not self._fenced
        self._line_start = False
        return None

    def _skip_call(self, text: str, at: int) -> int:
        closer = self._closer or ""
        end = text.find(closer, at) if closer else -1
        if end < 0:
            # The closing mark may be cut in two.
            self._held = text[max(at, len(text) - len(closer) + 1) :] if closer else ""
            return len(text)
        self._closer = None
        self._line_start = True
        return end + len(closer)

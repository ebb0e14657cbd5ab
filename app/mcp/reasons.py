"""Why a program ended: the line of its output that names the error, which is seldom the last one.

Interpreters and package managers print frames, hints and log names after the error. Lines are weighed by their form;
of the heaviest, the last one counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

LONGEST: Final = 300
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_FRAME_OF_GROUP = re.compile(r"^[\s|+-]*(?:\|\s)?\s*")
"""What Python draws in front of the lines of an exception group."""
_NOTHING: Final = re.compile(
    r"""(?ix)
    ^\W*$ | ^\s*at\s | ^\s*File\s" | ^node:internal | ^Node\.js\s v | ^\s*throw\s | ^Require\ stack | ^Traceback\ \(most
    | A\ complete\ log\ of\ this\ run | ^npm\ (warn|notice)\b | ^npm\ (error|ERR!)(\s+(404|code|errno))?\s*$
    | ^npm\ (error|ERR!)\s.*(Note\ that\ you\ can|tarball,\ folder|bug\ the\ author|npm-debug\.log)
    | ^note:\ run\ with | ^goroutine\ \d | ^exit\ status\ \d | ^See\ 'docker | ^Run\ 'docker | ^usage:\s
    | ^(For|Try)\ .*(help|--help)
    | Warning:\s | \(Use\ `node\ -- | ^\s*(code|errno|syscall|path|requireStack|spawnargs):\s
    | sub-exceptions?\)$ | ^During\ handling\ of | ^The\ above\ exception | ^\s*hint:\s
    """
)
_PLAIN_RECORD = re.compile(r"(?i)^\W*(\S+\s+){0,4}\W*(info|debug|trace|notice)\b")
_WEIGHTS: Final = (
    (
        6,
        re.compile(
            r"^(?:(?:error: )?Uncaught (?:\(in promise\) )?|Unhandled \w+:? )?(?:[\w$]+\.)*\w*"
            r"(?:Error|Exception|Exit|Timeout)(?: \[\w+\])?: \S"
        ),
    ),
    (6, re.compile(r"^(?:Exception in thread \S+ |Caused by: )\S+: ")),
    (5, re.compile(r"╰─▶|^panic: |^thread '.*' panicked at|(?i:^fatal|\bfatal:)")),
    (5, re.compile(r"^npm (?:error|ERR!) 404 +(?:The requested|')")),
    (4, re.compile(r"(?i)^(?:\S+: )?error(?:\[\w+\])?: \S|^docker: |Error response from daemon")),
    (4, re.compile(r"(?i)command not found|: not found$|No such file or directory|Permission denied|No module named")),
    (
        3,
        re.compile(
            r"(?i)\b(?:errors?|failed|failure|cannot|can't|could not|unable|missing|required?|invalid|denied|refused|"
            r"must be|not set|not found|unauthori[sz]ed|expired|EACCES|ENOENT|EADDRINUSE)\b|错误|失败|无法|缺少"
        ),
    ),
)


def reason_in(lines: Sequence[str], *, only_errors: bool = False) -> str:
    """One line of them, at most LONGEST characters; "" where there is none, or none that looks like an error."""
    best, chosen = 3 if only_errors else 1, -1
    for place, line in enumerate(lines):
        weight = _weight(_bare(line))
        if weight >= best:
            best, chosen = weight, place
    if chosen < 0:
        return ""
    text = _bare(lines[chosen]).removeprefix("╰─▶ ").removeprefix("× ")
    for more in _continued(lines, chosen):
        text = f"{text} {_bare(more)}"
    return text[:LONGEST]


def _bare(line: str) -> str:
    return _FRAME_OF_GROUP.sub("", _ANSI.sub("", line)).strip()


def _weight(line: str) -> int:
    if not line or _NOTHING.search(line):
        return 0
    for weight, pattern in _WEIGHTS:
        if pattern.search(line):
            return weight
    return 1 if _PLAIN_RECORD.search(line) else 2


def _continued(lines: Sequence[str], place: int) -> list[str]:
    """The lines a program has broken this one into."""
    rest = lines[place + 1 : place + 4]
    if "panicked at" in lines[place]:
        return list(rest[:1])
    if "╰─▶" not in lines[place]:
        return []
    wrapped: list[str] = []
    for line in rest:
        if not line.startswith("      ") or not line.strip():
            break
        wrapped.append(line)
    return wrapped

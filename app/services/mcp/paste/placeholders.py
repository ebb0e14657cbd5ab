"""Placeholders in a text: `${input:key}`, `$KEY`, `<YOUR_KEY>`, `your-api-key`, `/path/to/folder`.

They are never used as values. If a placeholder means the person's folder, that folder is filled in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

# Every part is bounded and none can match in two ways: the time is that of one look at the text.
_SIGNS: Final = re.compile(
    r"""
      \$\{\{ \s{0,4} (?P<double> [^{}]{1,80} ) \}\}
    | \$\{ (?P<braces> [^{}]{1,120} ) \}
    | \$\( (?P<command> [^()\n]{1,120} ) \)
    | \$env: (?P<shell> [A-Za-z_] [A-Za-z0-9_]{0,60} )
    | \$ (?P<dollar> [A-Za-z_] [A-Za-z0-9_]{0,60} )
    | \{\{ (?P<curly> [^{}]{1,80} ) \}\}
    | \{ (?P<kind> (?:env|file|input): [^{}]{1,80} ) \}
    | \{ (?P<upper> [A-Z][A-Z0-9_]{2,60} ) \}
    | < (?P<angle> [^\W\d_] [^<>\n]{0,60} ) >
    | % (?P<percent> [A-Z_][A-Z0-9_]{2,40} ) %
    | \[ (?P<square> (?:YOUR|Your|your|INSERT|ENTER) [^\[\]\n]{0,60} ) \]
    | (?<! [A-Za-z0-9] ) (?P<your> (?:YOUR|Your|your|INSERT|REPLACE) [_-] [A-Za-z0-9_-]{1,60} )
    """,
    re.VERBOSE,
)
_HOMES: Final = {"home", "env:home", "userhome", "userprofile", "env:userprofile"}
_SEPARATORS: Final = frozenset(" \t\n\"'=,;|")
_SECRET_WORDS: Final = ("key", "token", "secret", "password", "passwd", "authorization", "auth", "credential", "pat")
_FILLERS: Final = (
    "your", "replace", "insert", "changeme", "change-me", "change_me", "placeholder", "todo", "enter-", "enter_",
    "enter ", "paste", "-here", "_here", " here", "...", "…", "xxxx", "****", "你的", "您的", "替换", "填入", "填写",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sign:
    """One open place of a text."""

    text: str
    """As it is written; it is this that a value replaces."""
    name: str
    """What is asked for."""
    variable: str = ""
    """The environment variable it refers to, where it is written as one."""
    default: str = ""
    input: str = ""
    """The id of an `${input:…}`."""


def signs_in(text: str) -> list[Sign]:
    """Each once. A path that is made up is asked for whole."""
    paths = _paths(text)
    signs = {path: Sign(path, _path_name(path)) for path in paths}
    spans = [(place := text.find(path), place + len(path)) for path in paths]
    for match in _SIGNS.finditer(text):
        sign = _sign(match)
        if sign is not None and not any(start <= match.start() < end for start, end in spans):
            signs.setdefault(sign.text, sign)
    return list(signs.values())


def with_home(text: str) -> str:
    """The person's folder put in where a text names it."""

    def put(match: re.Match[str]) -> str:
        kind = match.lastgroup or ""
        inner = match[kind].strip().lower()
        is_home = kind in ("braces", "dollar", "percent", "kind") and inner in _HOMES
        return str(Path.home()) if is_home else match[0]

    return _SIGNS.sub(put, text)


def is_filler(value: str, name: str = "") -> bool:
    """Whether a whole value only stands for one. `name` is that of its variable, header or option."""
    text = value.strip()
    plain = text.casefold()
    if not text or "://" in text or "/" in text:
        return not text
    if is_secret_name(name) and any("\u4e00" <= sign <= "\u9fff" for sign in text):
        return True  # no key has Chinese words in it
    if any(word in plain for word in _FILLERS) or (len(plain) > 2 and not plain.strip("x*.-_ •")):
        return True
    is_word = text.isupper() and text.replace("_", "").replace("-", "").isalnum()
    return is_word and is_secret_name(name) and (text == name.upper() or is_secret_name(text))


def is_secret_name(name: str) -> bool:
    words = name.casefold().replace("-", "_").split("_")
    return any(word in words or (len(word) > 4 and word in name.casefold()) for word in _SECRET_WORDS) or (
        name.casefold().endswith(("key", "token"))
    )


def plain_name(text: str) -> str:
    """A name that can be typed: letters, digits and _."""
    name = "".join(sign if sign.isalnum() else "_" for sign in text.strip())
    while "__" in name:
        name = name.replace("__", "_")
    return name.strip("_")[:60] or "value"


def _sign(match: re.Match[str]) -> Sign | None:
    kind = match.lastgroup or ""
    inner = match[kind].strip()
    if not inner:
        return None
    if kind == "command":
        return Sign(match[0], plain_name(inner))
    if kind not in ("braces", "kind", "shell", "dollar", "percent"):
        return Sign(match[0], plain_name(inner))
    body, _dash, default = inner.partition(":-")
    scheme, colon, rest = body.partition(":")
    if colon and scheme.lower() in ("input", "prompt", "promptstring"):
        return Sign(match[0], plain_name(rest), input=rest.strip(), default=default)
    name = rest if colon and rest else body
    is_variable = not colon or scheme.lower() == "env"
    variable = name.strip() if is_variable and plain_name(name) == name.strip() else ""
    return Sign(match[0], plain_name(name), variable=variable, default=default)


def _paths(text: str) -> list[str]:
    """`…/path/to/…` and the folders of an invented person, each whole."""
    plain, found, at = text.casefold().replace("\\", "/"), list[str](), 0
    while True:
        places = [place for mark in _PATH_MARKS if (place := plain.find(mark, at)) >= 0]
        if not places or len(found) >= 20:
            return found
        start = end = min(places)
        while start and text[start - 1] not in _SEPARATORS and not _is_mount_colon(text, start - 1):
            start -= 1
        while end < len(text) and text[end] not in _SEPARATORS and not _is_mount_colon(text, end):
            end += 1
        if len(text) == len(plain) and "://" not in text[start:end]:
            found.append(text[start:end])
        at = max(end, min(places) + 1)


_PATH_MARKS: Final = (
    "path/to", "path_to_", "path-to-", "/parent/folder/",
    *(f"/{folder}/{name}" for folder in ("users", "home") for name in ("username", "user/", "you/", "your", "name/")),
)  # fmt: skip


def _is_mount_colon(text: str, at: int) -> bool:
    """The colon of `host:container`, not of `C:\\`."""
    return text[at] == ":" and not (at == 1 or (at >= 2 and text[at - 2] in _SEPARATORS))


def _path_name(path: str) -> str:
    last = path.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return "path_" + plain_name(last) if last and last.casefold() != "to" else "path"

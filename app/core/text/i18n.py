"""Texts in the user's language, for every floor; no Qt.

    _("Send")                            where a person reads it
    N_("Send")                           where it is only marked, to be looked up later
    ngettext("%d step", "%d steps", n)   counts
    say_in(language, "…", name=value)    in the language of a conversation (tools: `ctx.say`)

One catalogue per language is in resources/i18n/<lang>.po and is read as it is, at the first
look-up: no compile step stands between a translator and the window. The sentences in the code
are English; a missing translation shows them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

from ..resources import resource_dir

LANGUAGES = ("zh_CN", "en")
"""Those the program is shipped in. Any other becomes possible by its catalogue in resources/i18n."""
SOURCE = "en"
"""What is in the code."""

_language = ""
_open: dict[str, Catalogue] = {}
"""The window's language and those of its conversations."""


class Catalogue:
    """The translations of one language. An entry is read when it is asked for: a start asks for one in ten."""

    def __init__(self, path: Path) -> None:
        self._entries = CatalogueEntries(path.read_bytes() if path.exists() else b"")
        self._forms: dict[str, tuple[str, ...]] = {}
        self._form: Callable[[int], int] | None = None

    def text(self, source: str) -> str:
        return self._translations(source)[0] or source

    def plural(self, one: str, many: str, n: int) -> str:
        forms = self._translations(one)
        if not forms[0]:
            return one if n == 1 else many
        if self._form is None:
            from gettext import c2py  # loads `locale` and more: most catalogues are never asked

            self._form = c2py(self._plural_rule() or "n != 1")
        form = self._form(n)
        return (forms[form] if form < len(forms) else "") or forms[0]

    def _translations(self, source: str) -> tuple[str, ...]:
        """The translation, and after it its further plural forms; "" = there is none."""
        forms = self._forms.get(source)
        if forms is None:
            forms = self._forms[source] = self._entries.forms(source) if source else ("",)
        return forms

    def _plural_rule(self) -> str:
        head = self._entries.forms("")[0]
        return head.partition("plural=")[2].partition(";")[0]


def N_(text: str) -> str:
    return text


def _(text: str) -> str:
    return catalogue().text(text)


def ngettext(one: str, many: str, n: int) -> str:
    """The plural form for `n`; the caller fills in the number."""
    return catalogue().plural(one, many, n)


def say_in(language: str, text: str, /, **values: object) -> str:
    """`text` in the language of a conversation, which need not be the window's, with the values in their places."""
    words = catalogue(language).text(text)
    return words.format(**values) if values else words


class Marked(str):
    """A text in English that can still be said in another language: for what travels as plain text.

    Marked("{n} are too many", n=7): the words are in the catalogues through N_.
    """

    __slots__ = ("values", "words")

    words: str
    values: dict[str, object]

    def __new__(cls, words: str, /, **values: object) -> Marked:
        text = super().__new__(cls, words.format(**values) if values else words)
        text.words, text.values = words, values
        return text


def worded_in(language: str, text: str) -> str:
    """Of a `Marked` text, or of one whose words are in the catalogue as they are."""
    if not isinstance(text, Marked):
        return say_in(language, text)
    return say_in(language, text.words, **{
        name: worded_in(language, value) if isinstance(value, Marked) else value for name, value in text.values.items()
    })  # fmt: skip


def count_in(language: str, one: str, many: str, n: int, /, **values: object) -> str:
    """As `say_in`, in the plural form for `n`, which is `{n}` in both."""
    return catalogue(language).plural(one, many, n).format(n=n, **values)


def catalogue(language: str = "") -> Catalogue:
    """Of a language, else of the window's; read at the first look-up."""
    language = language or current_language()
    if language not in _open:
        code = nearest(language)
        _open[language] = _open[code] if code in _open else Catalogue(_folder() / f"{code}.po")
    return _open[language]


def current_language() -> str:
    if not _language:
        set_language("")
    return _language


def language_of(text: str) -> str:
    """What tools speak after a question of this text: its language; where it has no letters, that of the program."""
    if any("\u4e00" <= char <= "\u9fff" for char in text):
        return "zh_CN"
    is_in_other_letters = speaks_chinese() and any(char.isalpha() for char in text)
    return "en" if is_in_other_letters else current_language()


def set_language(language: str) -> str:
    """Choose by code; "" asks TRIPTYCH_LANG, then the system. Returns what was chosen."""
    global _language
    _language = nearest(language or os.environ.get("TRIPTYCH_LANG", "") or _system_language())
    return _language


def nearest(language: str) -> str:
    """The language there is a catalogue for: this one, else one of the same first part, else English."""
    wanted = language.partition(".")[0].partition("@")[0].replace("-", "_")
    if wanted in LANGUAGES:
        return wanted
    codes = languages()
    same = [code for code in codes if code.lower() == wanted.lower()]
    kindred = [code for code in codes if code.partition("_")[0] == wanted.partition("_")[0].lower()]
    return next(iter([*same, *kindred]), SOURCE)


def languages() -> tuple[str, ...]:
    """Those the program is shipped in, and every other there is a catalogue of."""
    others = sorted(path.stem for path in _folder().glob("*.po") if path.stem not in LANGUAGES)
    return (*LANGUAGES, *others)


def language_key() -> str:
    """The window's language as texts in several languages name it (`{zh = "…", en = "…"}`)."""
    return current_language().partition("_")[0]


def speaks_chinese(language: str = "") -> bool:
    """For what is no text: which of two names of a place, which font, which date."""
    return (language or current_language()).startswith("zh")


@contextmanager
def using_language(language: str) -> Iterator[None]:
    """For what a program reads: it says the same whatever the person reads."""
    before = current_language()
    set_language(language)
    try:
        yield
    finally:
        set_language(before)


def _system_language() -> str:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
        if value := os.environ.get(name):
            return value
    import locale

    return locale.getlocale()[0] or SOURCE


def _folder() -> Path:
    return resource_dir() / "i18n"


def read_po(path: Path) -> dict[str, str]:
    """Message → translation. Of a plural entry the first form is under its message; fuzzy entries do not count."""
    entries = CatalogueEntries(path.read_bytes())
    texts = {source: entries.forms(source)[0] for source in entries.sources() if source}
    return {source: text for source, text in texts.items() if text}


_BEGINNING = 20
"""Characters by which a message in several lines is looked for: no more than a line holds."""


class CatalogueEntries:
    """The entries of a catalogue, found by the first line of their message.

    Bytes, because this is done before the first paint: of six thousand entries none is taken apart but what is asked
    for. Those whose message has escapes are read together, at the first message that needs it.
    """

    def __init__(self, po: bytes) -> None:
        before_all, *entries = (b"\n" + po.replace(b"\r\n", b"\n")).split(b"\nmsgid ")
        if b"fuzzy" in po:
            entries = [entry for before, entry in pairwise([before_all, *entries]) if not _ends_fuzzy(before)]
        self._plain = {entry[: entry.find(b"\n")]: entry for entry in entries}
        self._long = [entry for entry in entries if entry.startswith(b'""\n')]
        self._others: dict[str, bytes] | None = None

    def forms(self, source: str) -> tuple[str, ...]:
        """The translation, or each of its plural forms in their order; "" = there is none."""
        line = b'"%b"' % source.encode("utf-8", "surrogatepass")
        entry = self._plain.get(line) if source else None
        if entry is None:
            entry = self._long_entry(source) or self._read_others().get(source)
        return _forms(entry.partition(b"\nmsgstr")[2]) if entry is not None else ("",)

    def sources(self) -> list[str]:
        plain = [line[1:-1].decode() for line in self._plain if b"\\" not in line and len(line) > 2]
        return [*plain, *self._read_others()]

    def _long_entry(self, source: str) -> bytes | None:
        """Of a message in several lines, found by its beginning: cheaper than all of them read."""
        begin = b'""\n"%b' % source[:_BEGINNING].encode("utf-8", "surrogatepass")
        return next((entry for entry in self._long if entry.startswith(begin) and _message(entry) == source), None)

    def _read_others(self) -> dict[str, bytes]:
        if self._others is None:
            escaped = [entry for line, entry in self._plain.items() if b"\\" in line]
            self._others = {_message(entry): entry for entry in [*escaped, *self._long]}
        return self._others


def _message(entry: bytes) -> str:
    return _unquoted(entry.partition(b"\nmsgstr")[0].partition(b"\nmsgid_plural ")[0])


def _forms(entry: bytes) -> tuple[str, ...]:
    """Of what follows `msgstr`: the translation, or each of its plural forms in their order."""
    first, *forms = entry.partition(b"\n#")[0].split(b"\nmsgstr[")
    texts = [_unquoted(first.removeprefix(b"[0]"))]
    for form in forms:
        texts.append(_unquoted(form.partition(b"]")[2]))
    return tuple(texts)


def _ends_fuzzy(text: bytes) -> bool:
    """Whether the comments before an entry say that its translation is a guess."""
    return any(line.startswith(b"#,") and b"fuzzy" in line for line in text.split(b"\n"))


def _unquoted(lines: bytes) -> str:
    """The text of one or more lines in quotes."""
    text = "".join(line[1:-1] for line in lines.strip().decode().split("\n"))
    if "\\" not in text:
        return text
    from json import loads  # the escapes of a catalogue are JSON's, and this is five times quicker than `ast`

    return str(loads(f'"{text}"'))

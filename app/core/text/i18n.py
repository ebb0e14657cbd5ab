"""Texts in the user's language, for every floor; no Qt.

    _("Send")                            where a person reads it
    N_("Send")                           where it is only marked, to be looked up later
    ngettext("%d step", "%d steps", n)   counts
    say_in(language, "…", name=value)    in the language of a conversation (tools: `ctx.say`)

One catalogue per language lies in resources/i18n/<lang>.po and is read as it is, at the first
look-up: no compile step stands between a translator and the window. The sentences in the code
are English; a missing translation shows them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ..resources import resource_dir

LANGUAGES = ("zh_CN", "en")
"""Those the program is shipped in. Any other becomes possible by its catalogue in resources/i18n."""
SOURCE = "en"
"""What stands in the code."""

_language = ""
_open: dict[str, Catalogue] = {}
"""The window's language and those of its conversations."""


class Catalogue:
    """The translations of one language."""

    def __init__(self, path: Path) -> None:
        self._texts, self._plural_rule = _entries(path.read_text("utf-8")) if path.exists() else ({}, "")
        self._form: Callable[[int], int] | None = None

    def text(self, source: str) -> str:
        return self._texts.get(source) or source

    def plural(self, one: str, many: str, n: int) -> str:
        if one not in self._texts:
            return one if n == 1 else many
        if self._form is None:
            from gettext import c2py  # loads `locale` and more: most catalogues are never asked

            self._form = c2py(self._plural_rule or "n != 1")
        return self._texts.get(_form_key(one, self._form(n))) or self._texts[one]


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

    Marked("{n} are too many", n=7): the words stand in the catalogues through N_.
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
    """Message → translation. Of a plural entry the first form stands under its message; fuzzy entries do not count."""
    return {source: text for source, text in _entries(path.read_text("utf-8"))[0].items() if "\0" not in source}


def _entries(po: str) -> tuple[dict[str, str], str]:
    """The texts, with each further plural form under a key of its own, and the rule that picks one."""
    texts: dict[str, str] = {}
    before, *entries = ("\n" + po).split("\nmsgid ")
    for entry in entries:
        source, _mark, rest = entry.partition("\nmsgstr")
        # English stands in the code: nearly every entry of its catalogue is empty.
        if not rest.startswith((' ""\n\n', '[0] ""\n')) and not _ends_fuzzy(before):
            first, *forms = rest.partition("\n#")[0].split("\nmsgstr[")
            message = _unquoted(source.partition("\nmsgid_plural ")[0])
            texts[message] = _unquoted(first.removeprefix("[0]"))
            for form in forms:
                number, _bracket, text = form.partition("]")
                texts[_form_key(message, int(number))] = _unquoted(text)
        before = rest
    rule = texts.pop("", "").partition("plural=")[2].partition(";")[0]  # in the catalogue's own head
    return {source: target for source, target in texts.items() if target}, rule


def _form_key(message: str, form: int) -> str:
    return f"{message}\0{form}" if form else message


def _ends_fuzzy(text: str) -> bool:
    """Whether the comments before an entry say that its translation is a guess."""
    return "fuzzy" in text and any(line.startswith("#,") and "fuzzy" in line for line in text.split("\n"))


def _unquoted(lines: str) -> str:
    """The text of one or more lines in quotes."""
    lines = lines.strip()
    if "\\" not in lines and "\n" not in lines:
        return lines[1:-1]
    from json import loads  # the escapes of a catalogue are JSON's, and this is five times quicker than `ast`

    return "".join(loads(line) for line in lines.split("\n"))

"""The texts of a rule book in the language of a conversation.

A book holds them in English; the catalogues of resources/i18n translate them as every other text of ours, so that a
further language is a catalogue more. A book of a package, which has no catalogue, may hold further languages itself:
`{ en = "…", zh = "…" }`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Any

from app.core.text.i18n import SOURCE, catalogue

from .template import Filter, Template, TemplateError
from .wording import filters

_log = logging.getLogger(__name__)
SECTIONS = frozenset({"goal", "answer", "ask", "does"})
"""The keys of intents and their calls that hold texts."""


def key_of(language: str) -> str:
    """As books name languages: `zh` of zh_CN."""
    return language.partition("_")[0].casefold()


class Words:
    """What codes and slots are called, and with that the filters of the templates."""

    def __init__(self, tables: Mapping[str, Mapping[str, str]]) -> None:
        self._tables = tables
        self._words: dict[str, Mapping[str, str]] = {}
        self._filters: dict[str, Mapping[str, Filter]] = {}

    def of(self, language: str) -> Mapping[str, str]:
        if language not in self._words:
            source, own = self._tables.get(SOURCE, {}), self._tables.get(key_of(language), {})
            translate = catalogue(language).text
            self._words[language] = {code: translate(word) for code, word in source.items()} | dict(own)
        return self._words[language]

    def filters(self, language: str) -> Mapping[str, Filter]:
        if language not in self._filters:
            self._filters[language] = filters(language, self.of(language))
        return self._filters[language]


class LocalisedText:
    """One text as a template, by language."""

    def __init__(self, raw: str | Mapping[str, str], words: Words) -> None:
        """Raises TemplateError."""
        own = {SOURCE: raw} if isinstance(raw, str) else dict(raw)
        self._raw = {language: text.strip("\n") for language, text in own.items()}
        self._words = words
        self._templates = {language: self._template(text, language) for language, text in self._raw.items()}

    def __getitem__(self, language: str) -> Template:
        key = key_of(language)
        if key in self._raw:
            return self._templates[key]
        if language not in self._templates:
            source = self._raw[SOURCE]
            try:
                self._templates[language] = self._template(catalogue(language).text(source), language)
            except TemplateError as error:
                _log.warning("the translation into %s of %r is no template: %s", language, source[:80], error)
                self._templates[language] = self._template(source, language)
        return self._templates[language]

    def _template(self, text: str, language: str) -> Template:
        return Template(text, self._words.filters(language))


def texts_in(book: Mapping[str, Any]) -> Iterator[str]:
    """What of a book (as read from its file) is to be translated."""
    yield from book.get("words", {}).get(SOURCE, {}).values()
    yield from _sources(book.get("messages", {}).values())
    for intent in book.get("intent", ()):
        yield from _sources(value for key, value in intent.items() if key in SECTIONS)
        yield from _of_calls(intent.get("call", ()))
    for group in book.get("calls", {}).values():
        yield from _of_calls(group)


def _of_calls(calls: Any) -> Iterator[str]:
    for call in calls:
        yield from _sources(value for key, value in call.items() if key in SECTIONS)


def _sources(texts: Any) -> Iterator[str]:
    """Those that a catalogue translates: not those of a book that holds its own translations."""
    for raw in texts:
        if isinstance(raw, str):
            yield raw.strip("\n")
        elif raw.keys() == {SOURCE}:
            yield raw[SOURCE].strip("\n")

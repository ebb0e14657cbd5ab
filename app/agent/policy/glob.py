"""One pattern against one value: as strictly as what allows needs it, or as loosely as what forbids does."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any

from app.core.text.folding import folded_forms
from app.core.text.hidden import without_hidden
from app.core.text.lookalikes import mixed_words

from .readings import from_file_address, is_address, lexical, looks_like_path, path_reading, plain_address, real_path
from .subject import Leaf, Subject

EVERY = "*"
_LITERAL = re.compile(r"(?:[^*?\[]|\[[*?\[]\])*")
_WITH_SLASH = re.compile(r"(?:\*+/)?[^\s\"{}:]*/")
_WILD = frozenset("*?[")


def escaped(text: str) -> str:
    """The pattern that fits this text and no other."""
    return "".join(f"[{char}]" if char in _WILD else char for char in text)


def unescaped(text: str) -> str:
    """The text that `escaped` was given."""
    return re.sub(r"\[([*?\[])\]", r"\1", text)


@dataclass(frozen=True)
class Glob:
    """A text in which `*`, `?` and `[…]` stand for others."""

    text: str

    @cached_property
    def literal(self) -> str | None:
        """The one text it fits; None where it stands for several."""
        if _LITERAL.fullmatch(self.text) is None:
            return None
        return unescaped(self.text)

    @cached_property
    def is_path(self) -> bool:
        """Whether what it is compared with has to be read as a path, whatever it is called."""
        return looks_like_path(self.text) or (bool(_WITH_SLASH.match(self.text)) and not is_address(self.text))

    def covers(self, leaf: Leaf, subject: Subject, fixed: bool) -> bool:
        """Whether it fits all that the value may be read as."""
        if self.text == EVERY:
            return True
        if self.literal is None and isinstance(leaf.value, str) and is_odd(leaf.value):
            return False  # a star stands for what a person would expect behind it
        reads_path = leaf.kind == "path" or (leaf.kind == "text" and looks_like_path(self.text))
        if not reads_path:
            forms = leaf.reading.strict
            wanted = {self.text, _plain_pattern(self.text)}
            if self.literal is not None:
                return forms <= {self.literal, plain_address(self.literal) if leaf.kind == "address" else self.literal}
            return all(any(fnmatchcase(form, one) for one in wanted) for form in forms)
        forms = leaf.as_path.strict
        if self._fits_all(forms, self._path_forms(subject, fixed)):
            return True
        return leaf.folds_case and self._fits_all(
            {form.lower() for form in forms}, {form.lower() for form in self._path_forms(subject, fixed)}
        )

    def _fits_all(self, forms: Any, wanted: Any) -> bool:
        if self.literal is not None:
            return all(form in wanted for form in forms)
        return all(any(fnmatchcase(form, one) for one in wanted) for form in forms)

    def touches(self, leaf: Leaf, subject: Subject) -> bool:
        """Whether it fits anything that the value may be read as."""
        return self.fits_any(leaf.loose_as_path if self.is_path else leaf.loose, subject)

    def fits_any(self, forms: frozenset[str], subject: Subject) -> bool:
        wanted = self._loose_forms(subject)
        return any(fnmatchcase(form, one) for form in forms for one in wanted)

    def _path_forms(self, subject: Subject, fixed: bool) -> set[str]:
        """The pattern from the root on, as the paths it is compared with are."""
        if self.literal is not None:
            spelled = set(path_reading(self.literal, subject.bases).strict) if not fixed else set()
            for one in (self.literal, from_file_address(self.literal)):
                spelled |= {lexical(placed) for placed in _placed(one, subject)} | {lexical(one)}
            return spelled
        found: set[str] = set()
        for one in (self.text, from_file_address(self.text), _at_home(self.text)):
            for placed in (one, *_placed(one, subject)):
                found |= {placed, _lexical_pattern(placed)}
        return found if fixed else found | {_followed(one, subject.real) for one in found}

    def _loose_forms(self, subject: Subject) -> frozenset[str]:
        forms = {self.text, _plain_pattern(self.text)}
        if self.is_path:
            forms |= self._path_forms(subject, False)
            if self.literal is not None:
                forms = {escaped(form) for form in forms} | {self.text}
        return frozenset(folded for form in forms for folded in folded_forms(form))


def is_odd(value: str) -> bool:
    """Holds what a reader does not see, or takes for something else."""
    return without_hidden(value)[1] > 0 or bool(mixed_words(value, 1))


def _placed(text: str, subject: Subject) -> Iterator[str]:
    if text.startswith(("/", "*", "?", "[")) or is_address(text):
        return
    for base in subject.bases:
        yield posixpath.join(base, text)


def _at_home(text: str) -> str:
    return os.path.expanduser(text) if text.startswith("~") else text  # noqa: PTH111 - it may hold wildcards


def _lexical_pattern(text: str) -> str:
    """As `lexical`, where the wildcards leave no doubt which folder `..` is in."""
    if re.search(r"\[[^\]]*/", text) or re.search(r"[*?\[][^/]*/\.\.", text):
        return text
    return lexical(text)


def _followed(text: str, real: Callable[[str], str]) -> str:
    """With the links in front of the first wildcard followed."""
    if not text.startswith("/"):
        return text
    parts = text.split("/")
    fixed = next((n for n, part in enumerate(parts) if not _WILD.isdisjoint(part)), len(parts))
    before, behind = "/".join(parts[:fixed]), parts[fixed:]
    return "/".join((escaped(real(before or "/")).rstrip("/"), *behind)) if behind else escaped(real(before))


def followed_path(text: str) -> str:
    """A pattern of paths with the links in it followed."""
    literal = Glob(text).literal
    if literal is not None:
        return escaped(real_path(literal)) if literal.startswith("/") else text
    return _followed(_at_home(text), real_path)


def _plain_pattern(text: str) -> str:
    """Scheme and host of an address in small letters, the usual port left out."""
    if not is_address(text):
        return text
    scheme, _sep, rest = text.partition("://")
    host, slash, path = rest.partition("/")
    host = re.sub(r":(?:80|443)$", "", host.lower())
    return f"{scheme.lower()}://{host}{slash}{path}"

"""Patterns of calls, as rules and grants hold them.

    *                                     every call
    /srv/notes/*                          what the tool reaches: its paths and addresses, else its one argument
    path=/srv/notes/*                     one argument by name
    {"mode":"new","path":"/ws/*"}         every argument by name, as the approval card suggests it
    *"path":"/ws/*                        any other text: the arguments as JSON, names sorted, without spaces

`*` and `?` stand for other characters, `[x]` for the sign x. A pattern that allows fits when every reading of the
call fits, and every path and address of it is covered; one that asks or forbids fits when any reading does.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import lru_cache

from app.core.tools.tool import canonical_args

from .glob import EVERY, Glob, escaped, followed_path, is_odd
from .named_arguments import NamedArguments, globs_of, read_named, with_links_followed
from .subject import Subject

__all__ = ["EVERY", "PermissionPattern", "escaped", "pattern", "without_links"]

_SHORT = re.compile(r"([^\s=*?\[\]{}\"/\\]{1,64})=(.*)", re.DOTALL)


@lru_cache(maxsize=2_000)
def pattern(text: str) -> PermissionPattern:
    return PermissionPattern(text)


def without_links(text: str) -> str:
    """A pattern of paths with the links in it followed, as a grant keeps it: what a link means later is no matter."""
    named = read_named(text)
    if named is not None and named.is_whole:
        return canonical_args(with_links_followed(named.members))
    return followed_path(text)


class PermissionPattern:
    def __init__(self, text: str) -> None:
        self.text = text
        self._glob = Glob(text)
        self._named = read_named(text)

    @property
    def is_about_paths(self) -> bool:
        """Whether arguments have to be read as paths for it, whatever they are called."""
        return any(glob.is_path for glob in (self._glob, *globs_of(self._named.members if self._named else None))) or (
            (short := _SHORT.fullmatch(self.text)) is not None and Glob(short[2]).is_path
        )

    def allows(self, subject: Subject, *, fixed: bool = False) -> bool:
        """Every reading fits. `fixed`: links in the pattern itself were followed when it was granted; one that has
        been bent since leads nowhere."""
        if self.text == EVERY:
            return True
        if subject.overflows:
            return False
        if self._named is not None and subject.declared is None:
            return self._named.covers(subject, fixed)
        if (short := self._short(subject)) is not None:
            return NamedArguments({short[0]: short[1]}, is_whole=False).covers(subject, fixed)
        return self._covers(subject, fixed)

    def forbids(self, subject: Subject) -> bool:
        """Any reading fits."""
        if self.text == EVERY or subject.overflows:
            return True
        if (short := self._short(subject)) is not None:
            return NamedArguments({short[0]: short[1]}, is_whole=False).touches(subject)
        if self._named is not None and self._named.touches(subject):
            return True
        return self._touches(subject)

    def _short(self, subject: Subject) -> tuple[str, Glob] | None:
        match = _SHORT.fullmatch(self.text)
        return (match[1], Glob(match[2])) if match is not None and subject.knows(match[1]) else None

    def _covers(self, subject: Subject, fixed: bool) -> bool:
        glob = self._glob
        if subject.declared is not None:
            return glob.covers(subject.declared, subject, fixed)
        reached = subject.located or (subject.leaves if len(subject.leaves) == 1 else ())
        if reached and all(glob.covers(leaf, subject, fixed) for leaf in reached):
            return True
        return self._covers_text(subject)

    def _covers_text(self, subject: Subject) -> bool:
        texts = subject.strict_texts
        if self._glob.literal is None and is_odd(subject.text):
            return False
        if not texts or not all(fnmatchcase(text, self.text) for text in texts):
            return False
        if len(subject.located) < 2:
            return True
        return all(fnmatchcase(text, self.text) for leaf in subject.located for text in subject.alone(leaf))

    def _touches(self, subject: Subject) -> bool:
        glob = self._glob
        if subject.declared is not None and glob.touches(subject.declared, subject):
            return True
        if any(glob.touches(leaf, subject) for leaf in subject.leaves):
            return True
        if glob.is_path and glob.fits_any(subject.words, subject):
            return True
        return glob.fits_any(subject.loose_texts, subject)

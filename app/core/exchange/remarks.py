"""What an import corrected or left out, counted by kind and worded in the user's language.

Readers add to it; the caller shows `sentences`. Everything that is left out is counted: an import never drops
anything silently.
"""

from __future__ import annotations

from typing import Literal

from app.core.text.i18n import _, ngettext

Kind = Literal[
    # left out
    "branches", "system", "instructions", "pictures", "remote_pictures", "sounds", "files", "archive_files",
    "references", "unknown", "empty", "hidden", "results", "errors", "deleted", "lines",
    # corrected
    "title", "state", "id", "parent", "date", "agent", "mode",
]  # fmt: skip

_MOST_NAMES = 3


class Remarks:
    def __init__(self) -> None:
        self._counts: dict[tuple[Kind, str], int] = {}
        self._names: dict[Kind, dict[str, None]] = {}

    def add(self, kind: Kind, count: int = 1, *, name: str = "") -> None:
        """`name` is what it is about, where each thing has a sentence of its own."""
        if count:
            self._counts[kind, name] = self._counts.get((kind, name), 0) + count

    def add_named(self, kind: Kind, name: str) -> None:
        """One sentence for all of a kind, which names the first few."""
        self.add(kind)
        self._names.setdefault(kind, {})[name[:60]] = None

    def sentences(self) -> list[str]:
        """One for each kind, in the order in which they were first met."""
        return [self._sentence(kind, name, n) for (kind, name), n in self._counts.items()]

    def _sentence(self, kind: Kind, name: str, n: int) -> str:
        listed = list(self._names.get(kind, ()))
        names = ", ".join([*listed[:_MOST_NAMES], *(["…"] if len(listed) > _MOST_NAMES else [])])
        return _words(kind, n).format(n=n, name=name, names=names)


def _words(kind: Kind, n: int) -> str:
    match kind:
        case "branches":
            return ngettext("Left out: {n} message of another branch", "Left out: {n} messages of other branches", n)
        case "system":
            return ngettext(
                "Left out: {n} system message, because here the agent has its own",
                "Left out: {n} system messages, because here the agent has its own",
                n,
            )
        case "instructions":
            return ngettext(
                "Left out: {n} message with the other program's instructions or memory",
                "Left out: {n} messages with the other program's instructions or memory",
                n,
            )
        case "hidden":
            return ngettext(
                "Left out: {n} message that the other program did not show",
                "Left out: {n} messages that the other program did not show",
                n,
            )
        case "pictures" | "remote_pictures" | "sounds" | "files" | "archive_files":
            return _file_words(kind, n)
        case "references":
            return ngettext("Left out: {n} reference to a source", "Left out: {n} references to sources", n)
        case "unknown":
            return ngettext(
                "Left out: {n} piece of a kind that is not known here ({names})",
                "Left out: {n} pieces of kinds that are not known here ({names})",
                n,
            )
        case "empty":
            return ngettext("Left out: {n} conversation without a message", "Left out: {n} empty conversations", n)
        case "results":
            return ngettext(
                "{n} result of a tool had no call and stands alone",
                "{n} results of tools had no call and stand alone",
                n,
            )
        case "errors" | "deleted" | "lines":
            return _gone(kind, n)
        case _:
            return _mended(kind, n)


def _file_words(kind: Kind, n: int) -> str:
    match kind:
        case "pictures":
            return ngettext(
                "{n} picture is not in the file: only its name was kept",
                "{n} pictures are not in the file: only their names were kept",
                n,
            )
        case "remote_pictures":
            return ngettext(
                "{n} picture stands on the web: its address was kept",
                "{n} pictures stand on the web: their addresses were kept",
                n,
            )
        case "sounds":
            return ngettext("Left out: {n} sound or video", "Left out: {n} sounds or videos", n)
        case "files":
            return ngettext(
                "{n} attached file is not in the file: only its name was kept",
                "{n} attached files are not in the file: only their names were kept",
                n,
            )
        case _:
            return ngettext(
                "Not read: {n} other file of the archive ({names})",
                "Not read: {n} other files of the archive ({names})",
                n,
            )


def _gone(kind: Kind, n: int) -> str:
    match kind:
        case "errors":
            return ngettext("Left out: {n} error message", "Left out: {n} error messages", n)
        case "deleted":
            return ngettext(
                "Left out: {n} conversation deleted in the other program",
                "Left out: {n} conversations deleted in the other program",
                n,
            )
        case _:
            return ngettext(
                "Left out: {n} line of the file that cannot be read",
                "Left out: {n} lines of the file that cannot be read",
                n,
            )


def _mended(kind: Kind, n: int) -> str:
    match kind:
        case "title":
            return ngettext("{n} title was cut", "{n} titles were cut", n)
        case "id":
            return ngettext(
                "{n} message had the id of another and got a new one",
                "{n} messages had the id of another and got a new one",
                n,
            )
        case "parent":
            return ngettext(
                "{n} message named a question that is not before it",
                "{n} messages named a question that is not before them",
                n,
            )
        case "date":
            return ngettext("{n} date that is none was left out", "{n} dates that are none were left out", n)
        case "state":
            return _("Message {name} had a state that there is not")
        case "agent":
            return _("There is no agent {name} here: the session goes on with the usual one")
        case _:
            return _("There is no mode {name} here")

"""What would start, in words: for the window and the command line."""

from __future__ import annotations

from collections.abc import Mapping

from app.core.text.i18n import N_, _

from .views import StartReview

_TITLES: Mapping[str, str] = {
    "program": N_("Program"),
    "argument": N_("Argument"),
    "folder": N_("Folder"),
    "variable": N_("Variable"),
    "proxy": N_("Passed on with its password"),
    "file": N_("File"),
    "address": N_("Address"),
    "header": N_("Header"),
}


def line_title(label: str) -> str:
    """Of a `ReviewLine`."""
    return _(_TITLES.get(label, label))


def warnings_of(review: StartReview) -> list[str]:
    """What a person should know before they agree, a sentence or two each."""
    found: list[str] = []
    if not review.is_first and any(line.mark for line in review.lines):
        found.append(_("It is not what you agreed to before: + is new, − is gone."))
    if review.unpinned:
        found.append(
            _("{package} has no fixed version: each start may run something newer that nobody has looked at. "
              "Write the version behind its name.").format(package=review.unpinned)
        )  # fmt: skip
    found += [_("Others on this computer may change {file}.").format(file=file) for file in review.open_to_others]
    if review.missing:
        found.append(_("No value is stored for {names}.").format(names=", ".join(review.missing)))
    if review.withheld:
        found.append(
            _("{names} is not passed on, because it holds a password. If the server needs a proxy's, tick that in "
              "its form.").format(names=", ".join(review.withheld))
        )  # fmt: skip
    if review.is_plain_http:
        found.append(_("The connection is not encrypted; everybody in the same network can read it."))
    return found

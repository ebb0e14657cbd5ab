"""Before an address opens outside, or a picture is loaded from it: which one, spelled out."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.core.text.i18n import N_, _
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.theme import Theme
from app.ui.widgets.plain_view import PlainView
from app.ui.widgets.safe_text import SafeLabel, visible

_SCHEMES = ("https", "http", "mailto")
_LONGEST = 2_000

_WARNINGS = {
    "idn": N_("The name contains letters of other scripts; it may imitate another site."),
    "ip": N_("This is a bare number instead of a name."),
    "userinfo": N_("What stands before the @ is not the site you will reach."),
    "port": N_("The address names an unusual port."),
    "http": N_("The connection is not encrypted."),
}


@dataclass(frozen=True, slots=True)
class Link:
    """An address that may be opened. `url` is the whole, encoded, with the host in punycode."""

    url: str
    host: str
    """Or the mail address."""
    warnings: tuple[str, ...] = ()


def read_link(address: str) -> Link | None:
    """None if it must not be opened: another scheme, or a spelling that programs read differently."""
    if len(address) > _LONGEST or "\\" in address or any(not c.isprintable() or c == " " for c in address):
        return None
    if not address.startswith(tuple(f"{scheme}:" for scheme in _SCHEMES)):
        return None
    url = QUrl(address, QUrl.ParsingMode.StrictMode)
    if not url.isValid() or url.scheme() not in _SCHEMES:
        return None
    encoded = bytes(url.toEncoded().data()).decode("ascii")
    if url.scheme() == "mailto":
        return Link(encoded, visible(url.path())) if url.path() else None
    host = url.host(QUrl.ComponentFormattingOption.FullyEncoded)
    if not host:
        return None
    warnings = [
        code
        for code, found in (
            ("idn", "xn--" in host),
            ("ip", _is_number(host)),
            ("userinfo", bool(url.userInfo())),
            ("port", url.port() != -1),
            ("http", url.scheme() == "http"),
        )
        if found
    ]
    return Link(encoded, host, tuple(warnings))


def ask_to_open_link(
    parent: QWidget,
    theme: Theme,
    address: str,
    *,
    open_url: Callable[[QUrl], bool] = QDesktopServices.openUrl,
) -> AskDialog:
    """Show where a click would lead; opens it only after the person says so."""
    link = read_link(address)
    if link is None:
        text = _("Only web and mail addresses are opened. This one is not: {address}")
        question = text.format(address=address[:200])
        dialog = AskDialog(parent, theme, _("This link is not opened"), question, [("", _("Close"), "primary")])
    else:
        dialog = _question(parent, theme, link, open_url)
    dialog.open()
    return dialog


def ask_to_load_picture(
    parent: QWidget, theme: Theme, address: str, on_yes: Callable[[], None], *, moved: bool = False
) -> AskDialog | None:
    """Show from where a picture would come; None if nothing may be asked for there."""
    link = read_link(address)
    if link is None or not link.url.startswith("https:"):
        return None
    text = _("This address is asked once, without cookies. The site learns your network address and what stands here.")
    if moved:
        text = _("The site sends on to another address.") + " " + text

    answers = [("", _("Cancel"), ""), ("load", _("Load picture"), "primary")]
    dialog = AskDialog(parent, theme, _("Load this picture?"), text, answers, middle=_spelled_out(theme, link))
    dialog.agreed.connect(on_yes)
    dialog.setObjectName("loadPictureDialog")
    dialog.open()
    return dialog


def _question(parent: QWidget, theme: Theme, link: Link, open_url: Callable[[QUrl], bool]) -> AskDialog:
    dialog = AskDialog(
        parent,
        theme,
        _("Open this address?"),
        _("It opens in another program, outside Triptych."),
        [("", _("Cancel"), ""), ("open", _("Open"), "primary")],
        middle=_spelled_out(theme, link),
    )
    dialog.agreed.connect(partial(open_url, QUrl(link.url, QUrl.ParsingMode.StrictMode)))
    return dialog


def _spelled_out(theme: Theme, link: Link) -> QWidget:
    """The host, the whole address, and what is odd about it."""
    middle = QWidget()
    column = QVBoxLayout(middle)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(theme.space(1))
    column.addWidget(SafeLabel(link.host, role="strong"))
    view = PlainView(theme, link.url, code=True, lines=6, exact=True)
    view.setAccessibleName(_("The whole address"))
    column.addWidget(view)
    for code in link.warnings:
        warning = SafeLabel(_(_WARNINGS[code]), role="error" if code in ("idn", "userinfo") else "meta")
        warning.setWordWrap(True)
        column.addWidget(warning)
    return middle


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True

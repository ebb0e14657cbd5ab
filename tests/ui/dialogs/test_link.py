from __future__ import annotations

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.ui.dialogs import ask_to_open_link
from app.ui.dialogs.approvals.link import read_link
from app.ui.theme import Theme


class Opened:
    """Stands in for the desktop and remembers what it was asked to open."""

    def __init__(self) -> None:
        self.urls: list[QUrl] = []

    def __call__(self, url: QUrl) -> bool:
        self.urls.append(url)
        return True


@pytest.fixture
def host(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    return widget


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "ms-msdt:/id",
        "smb://host/share",
        "vscode://x",
        "HTTPS:\\\\host",
        "https://host\\@evil.example",
        "https://ho st/",
        "https://host/\x00",
        "https://host/\u202e",
        "https:///path-only",
        "//host/path",
        "data:text/html,x",
        "mailto:",
        "https://" + "a" * 3_000,
        "",
    ],
)
def test_other_addresses_are_never_opened(host: QWidget, address: str) -> None:
    opened = Opened()
    dialog = ask_to_open_link(host, Theme(), address, open_url=opened)
    assert set(dialog.buttons) == {""}
    dialog.buttons[""].click()
    assert opened.urls == []


@pytest.mark.parametrize(
    "address", ["https://example.org/a?b=c&d=%20#e", "http://example.org/", "mailto:someone@example.org"]
)
def test_a_confirmed_address_opens_byte_for_byte(host: QWidget, address: str) -> None:
    opened = Opened()
    dialog = ask_to_open_link(host, Theme(), address, open_url=opened)
    assert opened.urls == []
    dialog.buttons["open"].click()
    assert [bytes(url.toEncoded().data()).decode() for url in opened.urls] == [address]


def test_saying_no_opens_nothing(host: QWidget) -> None:
    opened = Opened()
    dialog = ask_to_open_link(host, Theme(), "https://example.org", open_url=opened)
    dialog.reject()
    assert opened.urls == []


@pytest.mark.parametrize(
    ("address", "host", "warning"),
    [
        ("https://аррӏе.com/", "xn--80ak6aa92e.com", "idn"),
        ("https://127.0.0.1/", "127.0.0.1", "ip"),
        ("https://bank.example@evil.example/", "evil.example", "userinfo"),
        ("https://example.org:8443/", "example.org", "port"),
        ("http://example.org/", "example.org", "http"),
    ],
)
def test_what_may_deceive_is_named(address: str, host: str, warning: str) -> None:
    link = read_link(address)
    assert link is not None
    assert link.host == host
    assert warning in link.warnings


def test_the_dialog_shows_the_whole_address(host: QWidget) -> None:
    dialog = ask_to_open_link(host, Theme(), "https://аррӏе.com/%3Cb%3E", open_url=lambda _url: True)
    assert dialog.findChildren(QPlainTextEdit)[0].toPlainText() == "https://xn--80ak6aa92e.com/%3Cb%3E"

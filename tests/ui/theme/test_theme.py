"""Both themes can be read, scale, and draw every icon."""

from __future__ import annotations

import sys
from itertools import product

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontDatabase, QFontInfo, QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QSlider,
    QTabBar,
    QTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.core.resources import resource_dir
from app.ui.theme import Scheme, Theme, Tokens, apply, icon_names, resolve
from app.ui.theme.fonts import choose_families, load_shipped, make_font, mono_families, ui_families
from app.ui.theme.sheet import style_sheet
from app.ui.theme.tokens import DARK, LIGHT

THEMES = {"light": LIGHT, "dark": DARK}
GROUNDS = ["surface", "side", "raised", "sunken", "hover", "bubble", "selected"]
INKS = ["text", "muted"]
COLOURED = ["accent", "ok", "warn", "error"]


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_text_and_the_edges_of_controls_are_seen_on_every_ground() -> None:
    poor = []
    for (name, tokens), ground in product(
        THEMES.items(), [*GROUNDS, "accent_tint", "ok_tint", "warn_tint", "error_tint"]
    ):
        for ink, least in [*((ink, 4.5) for ink in (*INKS, *COLOURED)), ("outline", 3.0)]:
            ratio = contrast(getattr(tokens, ink), getattr(tokens, ground))
            if ratio < least:
                poor.append(f"{name}: {ink} on {ground} has {ratio:.2f}, wants {least}")
    assert poor == []


def test_the_marks_of_controls_are_drawn_in_the_colours_of_their_theme() -> None:
    for name, tokens in THEMES.items():
        for mark in ("check", "minus", "tick", "chevron-up", "chevron-down", "chevron-right"):
            drawing = (resource_dir() / "marks" / name / f"{mark}.svg").read_text("utf-8")
            ink = {"check": tokens.on_accent, "minus": tokens.on_accent, "tick": tokens.accent}.get(mark, tokens.muted)
            assert f'stroke="{ink}"' in drawing, (name, mark)


def is_near(pixel: QColor, ink: str) -> bool:
    """As thin lines are painted: with soft edges."""
    wanted = QColor(ink)
    off = (pixel.red() - wanted.red(), pixel.green() - wanted.green(), pixel.blue() - wanted.blue())
    return max(map(abs, off)) < 48


@pytest.mark.parametrize("name", THEMES)
def test_check_boxes_alone_and_in_lists_show_a_mark_on_the_accent(
    qapp: QApplication, qtbot: QtBot, name: Scheme
) -> None:
    apply(qapp, Theme(name))
    tokens, box, listed = THEMES[name], QCheckBox("one"), QListWidget()
    entry = QListWidgetItem("one", listed)
    seen: dict[str, list[list[int]]] = {"box": [], "list": []}
    for state in (Qt.CheckState.Unchecked, Qt.CheckState.Checked):
        box.setCheckState(state)
        entry.setCheckState(state)
        for kind, widget in (("box", box), ("list", listed)):
            qtbot.addWidget(widget)
            widget.resize(200, 60)
            image = widget.grab().toImage()
            pixels = [image.pixelColor(x, y) for x in range(28) for y in range(60)]
            inks = (tokens.accent, tokens.on_accent, tokens.outline)
            seen[kind].append([sum(is_near(pixel, ink) for pixel in pixels) for ink in inks])
    for kind, ((accent, _, edge), (ground, mark, _)) in seen.items():
        assert (accent == 0, edge > 20) == (True, True), (kind, accent, edge)
        assert (ground > 80, mark > 3) == (True, True), (kind, ground, mark)
    apply(qapp, Theme("light"))


@pytest.mark.parametrize("name", THEMES)
def test_text_can_be_read_on_tints_selection_and_accent(name: str) -> None:
    tokens = THEMES[name]
    pairs = [("text", "highlight"), ("on_accent", "accent"), ("on_accent", "accent_hover")]
    pairs += [(ink, tint) for ink in ("text", "muted") for tint in ("ok_tint", "warn_tint", "error_tint")]
    pairs += [(state, f"{state}_tint") for state in ("ok", "warn", "error")]
    poor = [pair for pair in pairs if contrast(getattr(tokens, pair[0]), getattr(tokens, pair[1])) < 4.5]
    assert poor == []


@pytest.mark.parametrize("name", THEMES)
def test_highlighted_code_can_be_read(name: str) -> None:
    tokens = THEMES[name]
    assert all(contrast(colour, tokens.sunken) >= 4.5 for colour in tokens.syntax.values())


@pytest.mark.parametrize("tokens", THEMES.values(), ids=THEMES)
def test_the_style_sheet_fills_in_every_value_and_qt_accepts_it(qapp: QApplication, tokens: Tokens) -> None:
    sheet = style_sheet(tokens, 1.0)
    assert "$" not in sheet
    qapp.setStyleSheet(sheet)


def test_sizes_follow_the_zoom_within_bounds() -> None:
    assert Theme(zoom=2.0).size("body") == 2 * Theme().size("body")
    assert Theme(zoom=99).zoom < 3
    assert Theme(zoom=0.01).size("meta") >= 8


def test_every_icon_is_drawn_in_the_colour_asked_for(qtbot: QtBot) -> None:
    theme = Theme("light")
    for name in icon_names():
        image = theme.pixmap(name, "error", 16, ratio=2.0).toImage()
        inked = [
            image.pixelColor(x, y)
            for x in range(image.width())
            for y in range(image.height())
            if image.pixelColor(x, y).alpha() > 250
        ]
        assert inked, name
        assert all(abs(colour.red() - 0xBC) < 8 and colour.green() < 0x40 for colour in inked), name


@pytest.mark.parametrize("name", ["no-such-icon", "../../LICENSE", "", "🧭"])
def test_a_name_from_a_profile_that_is_no_icon_shows_the_common_one(qtbot: QtBot, name: str) -> None:
    theme = Theme("light")
    assert theme.pixmap(name).toImage() == theme.pixmap("sparkles").toImage()


def test_an_icon_is_drawn_once(qtbot: QtBot) -> None:
    theme = Theme("dark")
    assert theme.icon("plus").cacheKey() == theme.icon("plus").cacheKey()


def test_latin_comes_before_han_and_han_is_named() -> None:
    for families in (ui_families(), mono_families()):
        assert "Noto Sans CJK SC" in families
        assert "CJK" not in families[0]


def test_an_explicit_choice_wins_and_the_unknown_desktop_is_light(qapp: QApplication) -> None:
    assert (resolve("dark"), resolve("light")) == ("dark", "light")
    assert resolve("system") in ("light", "dark")


def test_a_theme_reaches_palette_font_and_sheet(qapp: QApplication) -> None:
    schemes: list[tuple[Scheme, Tokens]] = [("dark", DARK), ("light", LIGHT)]
    for scheme, tokens in schemes:
        apply(qapp, Theme(scheme))
        assert qapp.palette().window().color().name().upper() == tokens.surface
        assert tokens.surface in qapp.styleSheet()
    assert qapp.font().pixelSize() == Theme().size("ui")


def test_a_chosen_font_comes_before_the_usual_ones_and_keeps_their_glyphs() -> None:
    usual_text, usual_code = ui_families(), mono_families()
    choose_families("My Sans", "My Mono")
    try:
        assert ui_families() == ["My Sans", *usual_text]
        assert Theme().font("code").families() == ["My Mono", *usual_code]
        assert Theme().font("body").families()[0] == "My Sans"
    finally:
        choose_families("", "")
    assert ui_families() == usual_text


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("kind", [QLineEdit, QPlainTextEdit, QTextEdit])
def test_hints_in_empty_fields_can_be_read(qapp: QApplication, name: str, kind: type[QWidget]) -> None:
    apply(qapp, Theme("dark" if name == "dark" else "light"))
    field = kind()
    field.ensurePolished()
    hint = field.palette().placeholderText().color()
    assert hint.alpha() == 255
    assert contrast(hint.name(), THEMES[name].raised) >= 4.5


@pytest.mark.parametrize("percent", [60, 90, 100, 110, 125, 130, 150, 175, 200, 250])
def test_round_buttons_are_round_at_every_zoom(qapp: QApplication, qtbot: QtBot, percent: int) -> None:
    theme = Theme("light", percent / 100)
    apply(qapp, theme)
    host = QWidget()
    qtbot.addWidget(host)
    button = QPushButton(host)
    button.setObjectName("stopButton")
    button.setProperty("kind", "primary")
    button.setFixedSize(theme.space(4), theme.space(4))
    host.show()
    seen = host.grab().toImage()
    assert seen.pixelColor(button.width() // 2, 2).name() == theme.color("accent").name()
    assert seen.pixelColor(1, 1).name() != theme.color("accent").name()
    apply(qapp, Theme("light"))


@pytest.mark.parametrize("name", THEMES)
def test_what_has_the_keyboard_can_be_seen(qapp: QApplication, qtbot: QtBot, name: Scheme) -> None:
    apply(qapp, Theme(name))
    host = QWidget()
    qtbot.addWidget(host)
    column = QVBoxLayout(host)
    tabs = QTabBar()
    tabs.addTab("Outline")
    tabs.addTab("Cost")
    parts = [tabs, QCheckBox("check"), QRadioButton("choice"), QSlider(), QPushButton("do"), QLineEdit(), QToolButton()]
    for part in parts:
        column.addWidget(part)
    host.show()
    host.activateWindow()
    qtbot.waitUntil(host.isActiveWindow)
    for place, part in enumerate(parts):
        parts[place - 1].setFocus(Qt.FocusReason.TabFocusReason)
        without = host.grab(part.geometry()).toImage()
        QTest.keyClick(parts[place - 1], Qt.Key.Key_Tab)
        assert part.hasFocus()
        assert host.grab(part.geometry()).toImage() != without, type(part).__name__
    apply(qapp, Theme("light"))


def test_linux_has_its_letters_with_it_in_weights_that_differ(qapp: QApplication) -> None:
    load_shipped()
    if sys.platform in ("win32", "darwin"):
        return
    assert QFontDatabase.hasFamily("Inter")
    widths = {}
    for weight in (400, 500, DARK.strong_weight, LIGHT.strong_weight):
        font = make_font("body", 4.0, weight)
        assert QFontInfo(font).family() == "Inter"
        widths[weight] = QFontMetricsF(font).horizontalAdvance("Plan three days in Beijing for two")
    assert len(set(widths.values())) == 4, widths
    figures = QFontMetricsF(make_font("ui", 4.0))
    assert figures.horizontalAdvance("1111") == figures.horizontalAdvance("0000")

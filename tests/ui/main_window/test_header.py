"""In a narrow window with large letters the header gives way in words, never in buttons."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.ui.main_window.header import WindowHeader
from app.ui.theme import Theme
from app.ui.widgets.selectors.selector import Option

NARROWEST = 420


def header_of(qtbot: QtBot, zoom: float, width: int, *, temporary: bool = False) -> WindowHeader:
    theme = Theme("light", zoom)
    header = WindowHeader(theme)
    header.setFont(theme.font("ui"))
    qtbot.addWidget(header)
    header.agent.set_options([Option("travel", "A planner of long and quiet journeys", "map")])
    header.model.set_options([Option("m", "The default: offline/rules")])
    for selector, chosen in ((header.agent, "travel"), (header.model, "m")):
        selector.set_chosen(chosen)
    header.set_title("A title that nobody could read in a window so narrow", temporary=temporary)
    header.meter.set_figures(600, 1_000)
    header.setMinimumWidth(1)  # as the pane has it: the header has to take what the window leaves
    header.resize(width, header.height())
    header.show()
    return header


def parts(header: WindowHeader) -> list[QWidget]:
    found = [header._row.itemAt(n).widget() for n in range(header._row.count())]  # type: ignore[union-attr]
    return [part for part in found if part is not None and part.isVisible()]


def words_of(header: WindowHeader) -> tuple[bool, bool, bool]:
    """Whether the agent's words, the meter and the model's words are shown."""
    return not header.agent._is_short, header.meter.isVisible(), not header.model._is_short


@pytest.mark.parametrize("temporary", [False, True])
@pytest.mark.parametrize("zoom", [1.0, 1.25, 1.5])
def test_everything_shown_stands_inside_the_narrowest_window(qtbot: QtBot, zoom: float, temporary: bool) -> None:
    header = header_of(qtbot, zoom, NARROWEST, temporary=temporary)
    shown = parts(header)
    qtbot.waitUntil(lambda: shown[-1].geometry().right() < header.width())
    for one, following in itertools.pairwise(shown):
        assert one.geometry().right() < following.geometry().left()
    assert header.menu_button in shown
    assert header.width() == NARROWEST


def test_the_figures_go_first_then_the_words_of_the_model_and_those_of_the_agent_last(qtbot: QtBot) -> None:
    header = header_of(qtbot, 2.5, 1400, temporary=True)
    seen = [words_of(header)]
    for width in range(1400, 200, -5):
        header.resize(width, header.height())
        if words_of(header) != seen[-1]:
            seen.append(words_of(header))
    assert seen == [(True, True, True), (True, False, True), (True, False, False), (False, False, False)]
    header.resize(1400, header.height())
    assert words_of(header) == (True, True, True)


def test_a_meter_that_has_nothing_to_tell_takes_no_room_and_stays_away(qtbot: QtBot) -> None:
    header = header_of(qtbot, 1.5, 900)
    header.meter.set_figures(0, 1_000)
    header.resize(300, header.height())
    header.resize(900, header.height())
    assert not header.meter.isVisible()
    header.meter.set_figures(700, 1_000)
    assert header.meter.isVisible()

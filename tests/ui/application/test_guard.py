"""The start refuses what would crash later, and mends what it can."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.ui.application.guard import CannotStart, check_versions, mend_environment


def test_the_binding_that_crashes_is_refused_on_old_pythons_only() -> None:
    with pytest.raises(CannotStart, match=r"6\.11\.3"):
        check_versions("6.12.0", (3, 11))
    check_versions("6.12.0", (3, 12))
    check_versions("6.11.3", (3, 11))


def test_fcitx_is_reached_through_ibus_where_qt_has_no_plug_in_for_it(tmp_path: Path) -> None:
    environ = {"QT_IM_MODULE": "fcitx5"}
    assert "ibus" in mend_environment(environ, tmp_path)
    assert environ["QT_IM_MODULE"] == "ibus"

    (tmp_path / "libfcitx5platforminputcontextplugin.so").touch()
    environ = {"QT_IM_MODULE": "fcitx"}
    assert mend_environment(environ, tmp_path) == ""
    assert environ["QT_IM_MODULE"] == "fcitx"


def test_a_person_with_another_input_method_is_left_alone(tmp_path: Path) -> None:
    environ = {"QT_IM_MODULE": "compose", "QT_API": "pyqt5"}
    assert mend_environment(environ, tmp_path) == ""
    assert environ == {"QT_IM_MODULE": "compose", "QT_API": "pyside6"}

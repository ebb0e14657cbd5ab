"""A combination of keys as desktops register it: which modifiers, which key."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence

_HELD = (
    ("control", Qt.KeyboardModifier.ControlModifier),
    ("alt", Qt.KeyboardModifier.AltModifier),
    ("shift", Qt.KeyboardModifier.ShiftModifier),
    ("meta", Qt.KeyboardModifier.MetaModifier),
)
_LAST_FUNCTION_KEY = 24


@dataclass(frozen=True, slots=True)
class Combination:
    held: frozenset[str]
    """Of control, alt, shift, meta."""
    sign: str = ""
    """The letter (small), digit or sign of the key, a space included; "" for a function key."""
    function_key: int = 0
    """1 for F1; 0 = it is none."""


def combination_of(keys: str) -> Combination | None:
    """Of keys in Qt's portable form; None for those that no desktop should be asked for: a letter without Ctrl, Alt or
    the system's key would be gone for every other program."""
    sequence = QKeySequence(keys, QKeySequence.SequenceFormat.PortableText)
    if sequence.count() != 1:
        return None
    pressed = sequence[0]  # type: ignore[index]  # PySide knows it as a list at run time only
    key = int(pressed.key().value)
    held = frozenset(name for name, modifier in _HELD if pressed.keyboardModifiers() & modifier)
    function_key = key - int(Qt.Key.Key_F1.value) + 1
    if 1 <= function_key <= _LAST_FUNCTION_KEY:
        return Combination(held, function_key=function_key)
    if 0x20 <= key <= 0x7E and held & {"control", "alt", "meta"}:
        return Combination(held, chr(key).lower())
    return None

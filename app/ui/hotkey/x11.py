"""Keys of an X11 desktop, over a connection of our own: Qt's stays as it is, and no error of ours can end the program.

libxcb is there wherever Qt shows a window on X11. The requests wait for the server, as those of Qt do; they are made
when the person changes the keys, not while somebody types.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

from PySide6.QtCore import QObject, QSocketNotifier

from app.ui.hotkey.combination import Combination
from app.ui.hotkey.keyboard import DesktopKeyboard

_MASKS = {"shift": 1, "control": 4, "alt": 8, "meta": 64}
_LOCKS = (0, 2, 16, 18)
"""Caps lock, number lock, both: the keys count whatever they are."""
_F1 = 0xFFBE
"""Keysym; those of signs are their codes."""
_ASYNC = 1
_KEY_PRESS, _MAPPING_CHANGED = 2, 34
_MIN_KEYCODE, _MAX_KEYCODE = 34, 35
"""Bytes of the connection's setup."""


class _Cookie(ctypes.Structure):
    _fields_ = (("sequence", ctypes.c_uint),)


class _Screens(ctypes.Structure):
    _fields_ = (("data", ctypes.c_void_p), ("rem", ctypes.c_int), ("index", ctypes.c_int))


class X11Keyboard(DesktopKeyboard):
    can_take = True

    def __init__(self, parent: QObject | None = None, display: str = "") -> None:
        """`display`: as in DISPLAY, whose value is used if it is empty."""
        super().__init__(parent)
        self._display = display
        self._xcb: ctypes.CDLL | None = None
        self._connection: int | None = None
        self._notifier: QSocketNotifier | None = None
        self._keys: Combination | None = None
        self._taken: list[tuple[int, int]] = []
        """Keycode and modifiers of each grab."""

    def take(self, keys: Combination) -> bool:
        self._let_go()
        if not self._connect():
            return False
        self._keys = keys
        code, mask = self._code_of(keys), sum(_MASKS[name] for name in keys.held)
        is_taken = bool(code) and all(self._grab(code, mask | lock) for lock in _LOCKS)
        if not is_taken:
            self.give_back()
        return is_taken

    def give_back(self) -> None:
        self._let_go()
        self._keys = None
        notifier, self._notifier = self._notifier, None
        if notifier is not None:
            notifier.setEnabled(False)
            notifier.deleteLater()
        if self._connection is not None and self._xcb is not None:
            self._xcb.xcb_disconnect(ctypes.c_void_p(self._connection))
        self._connection = None

    def _let_go(self) -> None:
        taken, self._taken = self._taken, []
        if self._xcb is None or self._connection is None:
            return
        for code, mask in taken:
            self._xcb.xcb_ungrab_key(self._at(), ctypes.c_uint8(code), self._root(), ctypes.c_uint16(mask))
        self._xcb.xcb_flush(self._at())

    # ------------------------------------------------------------ the server

    def _connect(self) -> bool:
        if self._connection is not None:
            return True
        try:
            xcb = self._xcb = self._xcb or _library()
        except OSError:
            return False
        connection = xcb.xcb_connect(self._display.encode() or None, None)
        if xcb.xcb_connection_has_error(ctypes.c_void_p(connection)):
            xcb.xcb_disconnect(ctypes.c_void_p(connection))
            return False
        self._connection = connection
        notifier = QSocketNotifier(xcb.xcb_get_file_descriptor(self._at()), QSocketNotifier.Type.Read, self)
        notifier.activated.connect(self._read)
        self._notifier = notifier
        return True

    def _at(self) -> ctypes.c_void_p:
        return ctypes.c_void_p(self._connection)

    def _root(self) -> ctypes.c_uint32:
        assert self._xcb is not None
        screens = self._xcb.xcb_setup_roots_iterator(ctypes.c_void_p(self._xcb.xcb_get_setup(self._at())))
        return ctypes.c_uint32.from_address(screens.data)

    def _code_of(self, keys: Combination) -> int:
        """The keycode on this layout; 0: there is none."""
        wanted = _F1 + keys.function_key - 1 if keys.function_key else ord(keys.sign)
        for column in (0, 1):
            for code, signs in self._layout():
                if len(signs) > column and signs[column] == wanted:
                    return code
        return 0

    def _layout(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Each keycode with the keysyms on it."""
        assert self._xcb is not None
        setup = self._xcb.xcb_get_setup(self._at())
        first, last = (ctypes.c_uint8.from_address(setup + place).value for place in (_MIN_KEYCODE, _MAX_KEYCODE))
        count = last - first + 1
        cookie = self._xcb.xcb_get_keyboard_mapping(self._at(), ctypes.c_uint8(first), ctypes.c_uint8(count))
        reply = self._xcb.xcb_get_keyboard_mapping_reply(self._at(), cookie, None)
        if not reply:
            return
        each = ctypes.c_uint8.from_address(reply + 1).value
        signs = (ctypes.c_uint32 * (count * each)).from_address(
            self._xcb.xcb_get_keyboard_mapping_keysyms(ctypes.c_void_p(reply))
        )
        codes = [(first + n, tuple(signs[n * each : (n + 1) * each])) for n in range(count)]
        _free(reply)
        yield from codes

    def _grab(self, code: int, mask: int) -> bool:
        assert self._xcb is not None
        cookie = self._xcb.xcb_grab_key_checked(
            self._at(), ctypes.c_uint8(0), self._root(), ctypes.c_uint16(mask), ctypes.c_uint8(code),
            ctypes.c_uint8(_ASYNC), ctypes.c_uint8(_ASYNC),
        )  # fmt: skip
        fault = self._xcb.xcb_request_check(self._at(), cookie)
        if fault:
            _free(fault)
            return False
        self._taken.append((code, mask))
        return True

    def _read(self) -> None:
        assert self._xcb is not None
        while self._connection is not None:
            event = self._xcb.xcb_poll_for_event(self._at())
            if not event:
                break
            kind = ctypes.c_uint8.from_address(event).value & 0x7F
            _free(event)
            if kind == _KEY_PRESS:
                self.pressed.emit()
            elif kind == _MAPPING_CHANGED and self._keys is not None:
                self.take(self._keys)  # the layout is another one, and the key perhaps elsewhere
        if self._connection is not None and self._xcb.xcb_connection_has_error(self._at()):
            self.give_back()


def _library() -> ctypes.CDLL:
    """Raises OSError where there is none."""
    xcb = ctypes.CDLL("libxcb.so.1")
    for name in (
        "xcb_connect", "xcb_get_setup", "xcb_get_keyboard_mapping_reply", "xcb_get_keyboard_mapping_keysyms",
        "xcb_request_check", "xcb_poll_for_event",
    ):  # fmt: skip
        getattr(xcb, name).restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = (ctypes.c_char_p, ctypes.c_void_p)
    xcb.xcb_setup_roots_iterator.restype = _Screens
    for name in ("xcb_get_keyboard_mapping", "xcb_grab_key_checked", "xcb_ungrab_key"):
        getattr(xcb, name).restype = _Cookie
    return xcb


def _free(address: int) -> None:
    """What the library has allocated for us."""
    ctypes.CDLL(None).free(ctypes.c_void_p(address))

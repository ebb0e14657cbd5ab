"""Keys of the whole desktop: pressed in whatever program, heard here. Opt-in, on X11 and on Windows.

`combination` reads the keys a person chose, `x11` and `windows` register them, `controller` follows the setting.
Elsewhere (Wayland, macOS) a program cannot take keys for itself: a shortcut of the system calls `triptych --ask`.
"""

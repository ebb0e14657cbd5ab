"""Where the frozen program begins: PyInstaller runs a script, not a package, so this stands in for `python -m app`."""

from app.__main__ import program

program()

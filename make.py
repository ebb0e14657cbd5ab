#!/usr/bin/env python3
"""`make run`, `make test` and the other commands of a developer, with nothing but the standard library.

The Makefile is a thin call of this file; on Windows it is called directly: `py -3 make.py run`.
This file is read by whatever Python the machine calls `python3` or `python`, so that it can say what is wrong with an
old one: it keeps to what Python 2.7 can read. The folder `building/` keeps to the language of Python 3.7 and looks for
a suitable interpreter itself (`building/interpreter.py`).
"""

import sys

if sys.version_info < (3, 7):  # noqa: UP036 - read by an older one, which is told so
    sys.stderr.write(
        "make: Triptych needs Python 3.11 to 3.14, and this is Python %d.%d (%s).\n"
        "      Name a newer one: make run PYTHON=python3.12, or python3.12 make.py run\n"
        % (sys.version_info[0], sys.version_info[1], sys.executable)
    )
    sys.exit(1)

from building.targets import TARGETS, main

__all__ = ["TARGETS", "main"]

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

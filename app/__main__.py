"""`python -m app`, `triptych`, and the entry point of the bundle.

Any Python may read this file, so that it can name a version that is too old: it uses only syntax that Python 2.7
can parse. The rest is in `app/entry.py`.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - read by an older one, which is told so
    sys.stderr.write(
        "triptych: Python 3.11 or newer is needed, and this is Python %d.%d (%s).\n"
        "  Start it with a newer one, or with: make run\n" % (sys.version_info[0], sys.version_info[1], sys.executable)
    )
    sys.exit(1)

from app.entry import main, program

__all__ = ["main", "program"]

if __name__ == "__main__":
    program()

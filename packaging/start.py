"""Where the frozen program begins: PyInstaller runs a script, not a package, so this stands in for `python -m app`."""

import sys

from app.__main__ import main

sys.exit(main())

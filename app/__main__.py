"""`python -m app`, `triptych`, and the entry the bundle freezes.

A sub-command never imports Qt; without one the window opens.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.services.container import Services


def main(argv: Sequence[str] | None = None) -> int:
    try:
        return _main(argv)
    except KeyboardInterrupt:  # while everything is loaded
        return 4


def _main(argv: Sequence[str] | None) -> int:
    from app.cli.parser import arguments, parse, utf8_streams

    utf8_streams()
    given = arguments() if argv is None else list(argv)
    args = parse(given)
    if args.command is not None:
        from app.cli.start import execute

        return execute(args, partial(_services, safe_mode=args.safe_mode))
    from app.main import open_window

    return open_window(args)


def _services(data_dir: str | None, *, safe_mode: bool = False) -> Services:
    from app.compose import build

    return build(data_dir, safe_mode=safe_mode)


if __name__ == "__main__":
    sys.exit(main())

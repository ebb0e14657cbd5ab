"""P16 of the quality page: the built bundle against `python -m app`, and its size.

    python -m tests.benchmarks.whole.bundle_start p16 [--json] [--short]

Wall seconds of a whole `--smoke` (start, services, one answer in the window, end), the bundle and the checkout in turn;
megabytes of the folder, and of the archive where `make bundle --pack` wrote one. Needs a bundle in `dist`.
"""

from __future__ import annotations

import sys
import tempfile
from typing import Any

from building import bundle, bundle_figures
from building.places import DIST
from tests.benchmarks.program import figure

GOAL, PACKED_MB, UNPACKED_MB = 1.5, 95, 300


def measure(*, short: bool = False) -> dict[str, Any]:
    if not bundle.PROGRAM.exists():
        raise SystemExit("there is no bundle: `make bundle` builds it")
    with tempfile.TemporaryDirectory(prefix="triptych-p16-") as home, bundle.display() as shown:
        env = {**bundle.bare_environment(home), **shown}
        source = [sys.executable, "-m", "app"]
        ours, floor = bundle_figures.starts([str(bundle.PROGRAM)], source, env, home, pairs=3 if short else 7)
    ratio, unpacked = ours / floor, bundle.megabytes(bundle.FOLDER)
    packed = max((round(file.stat().st_size / 1e6) for file in DIST.glob("triptych-*.tar.xz")), default=None)
    is_small = unpacked <= UNPACKED_MB and (packed is None or packed <= PACKED_MB)
    return {
        "name": "P16", "ours": ours, "floor": floor, "ratio": round(ratio, 3), "goal": GOAL,
        "ok": ratio <= GOAL and is_small, "unpacked_mb": unpacked, "packed_mb": packed,
    }  # fmt: skip


def main() -> int:
    return figure(__doc__, ["p16"], lambda _name, short: measure(short=short))


if __name__ == "__main__":
    raise SystemExit(main())

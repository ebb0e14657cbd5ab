"""The command line all these programs have: a figure's name, `--short`, `--json`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any


def figure(about: str | None, names: Sequence[str], measure: Callable[[str, bool], Mapping[str, Any]]) -> int:
    """`measure` takes the name and whether it is to be short. Returns the exit code: 0 where the goal was reached."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="?" if len(names) == 1 else None, default=names[0], choices=names)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--short", action="store_true", help="fewer repetitions")
    wanted = parser.parse_args()
    result = measure(wanted.name, wanted.short)
    if wanted.json:
        print(json.dumps(result))
    else:
        for key, value in result.items():
            print(f"{key:24} {value}")
    return 0 if result["ok"] else 1

"""The bundle takes along what the program loads by name."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

PACKAGING = Path(__file__).parents[1] / "packaging"


def _module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"packaging_{name}", PACKAGING / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_extension_that_compares_vectors_is_collected_and_kept() -> None:
    binaries, data = _module("loaded_by_name").sqlite_extension()
    ((library, folder),) = binaries
    assert Path(library).is_file()
    place = f"{folder}/{Path(library).name}"
    described = json.loads(Path(data[0][0]).read_text("utf-8"))
    assert Path(place).stem in json.dumps(described), "apsw finds it by this description"
    assert place in _module("slim").reach([(place, library, "BINARY")]), "nothing links it, and it stays"
    assert "binaries=extension" in (PACKAGING / "triptych.spec").read_text("utf-8")

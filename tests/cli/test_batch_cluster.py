"""The example that spreads a batch over a cluster: Dask on this machine, and real processes of the program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "batch_cluster.py"


@pytest.mark.soak
def test_a_batch_runs_as_tasks_of_a_cluster(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="the extra batch is not installed")
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"turns": [{"content": "yes"}], "repeat_last": True}), "utf-8")
    lines = [json.dumps({"id": "named", "query": "one"}), json.dumps("two"), "", json.dumps({"query": "three"})]
    (tmp_path / "in.jsonl").write_text("\n".join(lines), "utf-8")
    ended = subprocess.run(
        [sys.executable, str(EXAMPLE), "in.jsonl", "--out", "out.jsonl", "--workers", "2", "--slices", "2",
         "--folder", str(tmp_path / "slices"), "--mode", "direct"],
        cwd=tmp_path, env={**os.environ, "TRIPTYCH_MODEL": f"script/{script.as_posix()}"},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    answers = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert [(one["id"], one["answer"]) for one in answers] == [("named", "yes"), ("2", "yes"), ("4", "yes")]

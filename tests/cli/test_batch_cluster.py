"""The example that spreads a batch over a cluster: Dask on this machine, and real processes of the program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.compose import build
from tests.knowledge.postgres import postgres_server

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "batch_cluster.py"


def spread(folder: Path, out: str) -> None:
    """Asks three questions in two tasks of two workers."""
    script = folder / "script.json"
    script.write_text(json.dumps({"turns": [{"content": "yes"}], "repeat_last": True}), "utf-8")
    lines = [json.dumps({"id": "named", "query": "one"}), json.dumps("two"), "", json.dumps({"query": "three"})]
    (folder / "tmp").mkdir()
    (folder / "in.jsonl").write_text("\n".join(lines), "utf-8")
    ended = subprocess.run(
        [sys.executable, str(EXAMPLE), "in.jsonl", "--out", out, "--workers", "2", "--slices", "2",
         "--mode", "direct"],
        cwd=folder, env={**os.environ, "TRIPTYCH_MODEL": f"script/{script.as_posix()}", "TMPDIR": str(folder / "tmp")},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert not list((folder / "tmp").iterdir()), "nothing is left behind"


def test_a_batch_runs_as_tasks_of_a_cluster(tmp_path: Path) -> None:
    spread(tmp_path, "out.jsonl")
    answers = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert [(one["id"], one["answer"]) for one in answers] == [("named", "yes"), ("2", "yes"), ("4", "yes")]


@pytest.mark.soak
async def test_the_tasks_of_a_cluster_write_into_one_table(tmp_path: Path) -> None:
    with postgres_server() as postgres:
        spread(tmp_path, postgres.address)
        services = build(tmp_path / "data", {})
        await services.open()
        store = services.batches.store_of(postgres.address, "in")
        kept = await store.open(resumes=True)
        await store.close()
        await services.close()
    assert {id: one.answer for id, one in kept.items()} == {"named": "yes", "2": "yes", "4": "yes"}

"""Why a program ended: the line a person would point at, of what real programs write when they fail."""

from __future__ import annotations

import sys

import pytest

from app.mcp import Hub
from app.mcp.connection import StartFailed
from app.mcp.reasons import reason_in
from tests.mcp.conftest import plan_of

NODE = """node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module '/nope/server.js'
Require stack:
- /tmp/start.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at Module._load (node:internal/modules/cjs/loader:1038:27) {
  code: 'MODULE_NOT_FOUND',
  requireStack: [ '/tmp/start.js' ]
}

Node.js v20.20.2"""
NPM = """npm warn Unknown user config "nodedir". This will stop working in the next major version of npm.
npm error code E404
npm error 404 Not Found - GET https://registry.example/@nope%2fserver
npm error 404
npm error 404  The requested resource '@nope/server@*' could not be found or you do not have permission to access it.
npm error 404
npm error 404 Note that you can also install from a
npm error 404 tarball, folder, http url, or git url.
npm error A complete log of this run can be found in: /srv/u/.npm/_logs/2026-11-22T21_01_51_607Z-debug-0.log"""
UV = """  × No solution found when resolving tool dependencies:
  ╰─▶ Because mcp-nope was not found in the package registry and you require
      mcp-nope, we can conclude that your requirements are unsatisfiable.

      hint: An index URL could not be queried."""
GROUP = """  + Exception Group Traceback (most recent call last):
  |   File "/srv/server.py", line 6, in main
  |     async with asyncio.TaskGroup() as g: ...
  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/srv/server.py", line 2, in serve
    |     raise ValueError("BRAVE_API_KEY is empty")
    | ValueError: BRAVE_API_KEY is empty
    +------------------------------------"""
PYTHON = """Traceback (most recent call last):
  File "/srv/server.py", line 1, in <module>
    import mcp
ModuleNotFoundError: No module named 'mcp'
sys:1: RuntimeWarning: coroutine was never awaited"""
CAUSE = """[eval]:1
Promise.reject(new TypeError('x'))
    ^

TypeError: x is undefined
    at main (s.js:1:1) {
  [cause]: Error: inner
      at main (s.js:1:2)
}

Node.js v20.20.2"""
RUST = """thread 'main' panicked at src/main.rs:2:5:
no config file
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace"""
GO = """panic: open /x: permission denied

goroutine 1 [running]:
main.main()
\t/s.go:5 +0x1d
exit status 2"""
DOCKER = """docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?

Run 'docker run --help' for more information"""
CLAP = """\x1b[31merror\x1b[0m: unexpected argument '--x' found

  tip: a similar argument exists

For more information, try '--help'."""
WARNED = """(node:12) [DEP0040] DeprecationWarning: The `punycode` module is deprecated.
(Use `node --trace-deprecation ...` to show where the warning was created)
Please give a folder"""
JAVA = 'Exception in thread "main" java.lang.IllegalStateException: no token'
CASES = (
    (NODE, "Error: Cannot find module '/nope/server.js'"),
    (
        NPM,
        (
            "npm error 404  The requested resource '@nope/server@*' could not be found or you do not have permission "
            "to access it."
        ),
    ),
    (
        UV,
        (
            "Because mcp-nope was not found in the package registry and you require mcp-nope, we can conclude that "
            "your requirements are unsatisfiable."
        ),
    ),
    (GROUP, "ValueError: BRAVE_API_KEY is empty"),
    (PYTHON, "ModuleNotFoundError: No module named 'mcp'"),
    (CAUSE, "TypeError: x is undefined"),
    (RUST, "thread 'main' panicked at src/main.rs:2:5: no config file"),
    (GO, "panic: open /x: permission denied"),
    (DOCKER, DOCKER.splitlines()[0]),
    ("usage: srv [-h] root\nsrv: error: the root is missing", "srv: error: the root is missing"),
    (f"{JAVA}\n\tat Main.main(Main.java:3)", JAVA),
    ("2026-01-01 10:00:00 INFO starting up\nGITHUB_TOKEN is not set\nDEBUG bye", "GITHUB_TOKEN is not set"),
    ("sh: 1: nope-command: not found", "sh: 1: nope-command: not found"),
    (CLAP, "error: unexpected argument '--x' found"),
    (WARNED, "Please give a folder"),
    ("错误：缺少令牌\n再见", "错误：缺少令牌"),
    ("one\ntwo", "two"),
    ("\n \n---", ""),
)


def test_the_line_that_names_the_error_is_found() -> None:
    wrong = {said: found for said, told in CASES if (found := reason_in(said.splitlines())) != told}
    assert wrong == {}


@pytest.mark.parametrize("pipe", ["stderr", "stdout"])
async def test_a_server_that_ends_at_once_says_why_on_whichever_pipe(hub: Hub, pipe: str) -> None:
    script = f"import sys; print('Error: GITHUB_TOKEN is required\\\\nNode.js v20', file=sys.{pipe}); sys.exit(1)"
    with pytest.raises(StartFailed) as failed:
        await hub.start(plan_of(id="ends", command=sys.executable, args=("-c", script.replace("\\\\n", "\\n"))))
    assert failed.value.code == "ended"
    assert failed.value.message.endswith("Error: GITHUB_TOKEN is required")


async def test_what_an_earlier_start_wrote_does_not_explain_a_later_end(hub: Hub, tmp_path) -> None:  # type: ignore[no-untyped-def]
    script = tmp_path / "server.py"
    for text, told in (("sys.exit('Error: the first')", "Error: the first"), ("sys.exit(3)", "(exit code 3)")):
        script.write_text(f"import sys\n{text}\n", "utf-8")
        with pytest.raises(StartFailed) as failed:
            await hub.start(plan_of(id="ends", command=sys.executable, args=(str(script),)))
        assert failed.value.message.endswith(told)

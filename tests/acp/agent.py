"""An agent that plays a script: JSON-RPC over standard streams, written by hand so that it can be as rude as it likes.

The script is a JSON file: a list of turns, one for each prompt; a turn is a list of moves: `{"update": {…}}`,
`{"ask": method, "params": {…}}`, `{"raw": text}`, `{"end": reason}`, `{"error": text}`, `{"die": 3}`,
`{"flood": n}`, `{"hang": true}`, `{"huge": megabytes}`, `{"stderr": text}`, `{"child": true}`.
What it is sent is written to the file beside the script, one line each. A file `.offers` beside it holds what a session
begins with: its modes and options.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

SCRIPT = Path(sys.argv[1])
OFFERED = SCRIPT.with_suffix(".offers")
OFFERS = json.loads(OFFERED.read_text("utf-8")) if OFFERED.exists() else {}
HEARD = SCRIPT.with_suffix(".heard")
OPTIONS = [
    {"optionId": "always", "name": "Always", "kind": "allow_always"},
    {"optionId": "yes", "name": "Yes", "kind": "allow_once"},
    {"optionId": "no", "name": "No", "kind": "reject_once"},
]


def send(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def hear() -> dict[str, Any]:
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    with HEARD.open("a", encoding="utf-8") as file:
        file.write(line)
    message: dict[str, Any] = json.loads(line)
    return message


def ask(method: str, params: dict[str, Any], number: int) -> dict[str, Any]:
    """Its answer; other messages meanwhile are heard and forgotten."""
    send({"id": f"q{number}", "method": method, "params": params})
    while (message := hear()).get("id") != f"q{number}":
        if message.get("method") == "session/cancel":
            return {"cancelled": True}
    return message


def play(turn: list[dict[str, Any]], session: str, id: int) -> None:
    for number, move in enumerate(turn):
        match next(iter(move)):
            case "update":
                send({"method": "session/update", "params": {"sessionId": session, "update": move["update"]}})
            case "ask":
                params = {"sessionId": session, **move["params"]}
                if move["ask"] == "session/request_permission":
                    params.setdefault("options", OPTIONS)
                answer = ask(move["ask"], params, number)
                if move.get("tell"):
                    text = json.dumps(answer.get("result", answer.get("error")))
                    chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
                    send({"method": "session/update", "params": {"sessionId": session, "update": chunk}})
            case "raw":
                sys.stdout.write(move["raw"] + "\n")
                sys.stdout.flush()
            case "flood":
                chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "x" * 50}}
                line = json.dumps(
                    {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": session, "update": chunk}}
                )
                for _ in range(move["flood"]):
                    sys.stdout.write(line + "\n")
                sys.stdout.flush()
            case "huge":
                sys.stdout.write("x" * (move["huge"] * 1024 * 1024) + "\n")
                sys.stdout.flush()
            case "stderr":
                print(move["stderr"], file=sys.stderr, flush=True)
            case "child":
                subprocess.Popen(["sleep", "600"], start_new_session=True)
            case "die":
                os._exit(move["die"])
            case "hang":
                time.sleep(600)
            case "error":
                send({"id": id, "error": {"code": move.get("code", -32603), "message": move["error"]}})
                return
            case "end":
                send({"id": id, "result": {"stopReason": move["end"]}})
                return


def main() -> None:
    turns = json.loads(SCRIPT.read_text("utf-8"))
    while True:
        message = hear()
        session = "s1"
        match message.get("method"):
            case "initialize":
                can = {"loadSession": True, "promptCapabilities": {"image": True}}
                about = {"name": "played", "version": "1"}
                result = {"protocolVersion": 1, "agentCapabilities": can, "agentInfo": about, "authMethods": []}
                send({"id": message["id"], "result": result})
            case "session/new":
                send({"id": message["id"], "result": {"sessionId": session, **OFFERS}})
            case "session/set_mode":
                send({"id": message["id"], "result": {}})
            case "session/set_config_option":
                send({"id": message["id"], "result": {"configOptions": []}})
            case "session/load":
                send({"id": message["id"], "result": {}})
            case "session/prompt":
                play(turns.pop(0) if turns else [{"end": "end_turn"}], session, message["id"])
            case "session/cancel":
                pass
            case _ if "id" in message and "method" in message:
                send({"id": message["id"], "error": {"code": -32601, "message": "no such method"}})


main()

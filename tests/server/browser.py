"""A real browser without a window, driven over the DevTools pipe: no package of its own, only Debian's chromium."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")


def browser_path() -> str:
    """ "" where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), "")


class Page:
    def __init__(self, read_end: int, write_end: int) -> None:
        self._read_end, self._write_end = read_end, write_end
        self._rest, self._session, self._number = b"", "", 0
        self.complaints: list[str] = []
        """What the browser's console says: refused scripts, exceptions."""

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            data = os.read(self._read_end, 65_536)
            assert data, "the browser has ended"
            self._rest += data
        message, _end, self._rest = self._rest.partition(b"\0")
        answer: dict[str, Any] = json.loads(message)
        return answer

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = await asyncio.to_thread(self._message)
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result
            if answer.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown"):
                self.complaints.append(json.dumps(answer["params"]))

    async def open(self, address: str) -> None:
        target = await self.call("Target.createTarget", url="about:blank")
        attached = await self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Log", "Runtime", "Page"):
            await self.call(f"{domain}.enable")
        await self.call("Page.navigate", url=address)

    async def value(self, script: str) -> Any:
        answer = await self.call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    async def until(self, script: str) -> None:
        for _ in range(1_200):
            if await self.value(script):
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"never true: {script}; the page: {await self.value('document.body.innerText')}")

    async def click(self, id: str) -> None:
        await self.press(f"#{id}")

    async def press(self, selector: str) -> None:
        """With the mouse, where it is seen, once it is there and stands still."""
        find = f"document.querySelector({json.dumps(selector)})"
        await self.until(f"{find} !== null && !{find}.disabled")
        place = json.loads(await self.value(
            f"(() => {{ const e = {find}; e.scrollIntoView({{block: 'center', behavior: 'instant'}});"
            " const b = e.getBoundingClientRect();"
            " return JSON.stringify([b.x + b.width / 2, b.y + b.height / 2]) })()"
        ))  # fmt: skip
        for kind in ("mousePressed", "mouseReleased"):
            await self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    async def type(self, id: str, text: str) -> None:
        await self.click(id)
        await self.call("Input.insertText", text=text)

    async def write(self, selector: str, text: str) -> None:
        """In the place of what the field holds."""
        await self.press(selector)
        await self.value(f"document.querySelector({json.dumps(selector)}).select()")
        await self.call("Input.insertText", text=text)

    async def enter(self) -> None:
        key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"}
        await self.call("Input.dispatchKeyEvent", type="keyDown", **key)
        await self.call("Input.dispatchKeyEvent", type="keyUp", **key)


@asynccontextmanager
async def browser(program: str, folder: Path) -> AsyncIterator[Page]:
    their_in, our_out = os.pipe()
    our_in, their_out = os.pipe()

    # 3 and 4 are the numbers the browser speaks on; the shell of Debian cannot name those above 9.
    command = "import os, sys; os.dup2(%d, 63); os.dup2(%d, 64); os.dup2(63, 3); os.dup2(64, 4); os.execv(*%s)"
    arguments = "(sys.argv[1], sys.argv[1:])"
    options = (
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--remote-debugging-pipe", f"--user-data-dir={folder}", "--lang=en",
    )  # fmt: skip
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-S", "-c", command % (their_in, their_out, arguments), program, *options,
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL, pass_fds=(their_in, their_out),
    )  # fmt: skip
    os.close(their_in)
    os.close(their_out)
    try:
        yield Page(our_in, our_out)
    finally:
        process.kill()
        await process.wait()
        os.close(our_in)
        os.close(our_out)

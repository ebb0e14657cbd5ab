"""The chat page of the server in a real browser: what a person types is answered, and the policy refuses no script."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from app.core.resources import resource_dir
from app.core.text.i18n import using_language

from .browser import Page, browser, browser_path
from .conftest import TOKEN, Served, until


@pytest.mark.skipif(not browser_path() or sys.platform == "win32", reason="no chromium on this machine")
async def test_the_page_answers_stops_and_says_what_is_wrong(served: Served) -> None:
    served.plays({"reasoning": "hm", "content": "<b>from</b> the page"})
    async with browser(browser_path(), served.folder / "browser") as page:
        await page.open(served.address)
        await page.until("document.body?.dataset.ready === 'yes'")
        await page.type("token", "wrong")
        await page.enter()
        await page.until("document.getElementById('refused').textContent.includes('token')")
        await page.value("document.getElementById('token').value = ''")
        await page.type("token", TOKEN)
        await page.enter()
        await page.until("document.getElementById('agent').options.length > 3")
        await page.value("document.getElementById('agent').value = 'assistant'")
        await page.value("document.getElementById('mode').value = 'direct'")
        await page.type("message", "hello")
        await page.enter()
        await page.until("document.querySelector('.end') !== null")
        assert await page.value("document.querySelector('.question').textContent") == "hello"
        assert await page.value("document.querySelector('.answer').textContent") == "<b>from</b> the page"
        served.plays({"content": "never", "delay": 60})
        await page.type("message", "again")
        await page.click("send")
        await page.until("!document.getElementById('stop').hidden")
        await until(served.services.chat.running_sessions, "the run")
        await page.click("stop")
        await until(lambda: not served.services.chat.running_sessions(), "the end of the run that nobody waits for")
        await page.until("document.getElementById('stop').hidden")
        assert [one for one in page.complaints if "401" not in one] == []


SCRIPTS = [resource_dir() / "server" / name for name in ("chat.js", "run.js")]
ASK_CALC = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "6*7"}}]}
WHICH = {"question": "Which <one>?", "options": ["red", "blue"]}
ASK_PERSON = {"tool_calls": [{"name": "ask_user", "arguments": WHICH}]}


@asynccontextmanager
async def connected(served: Served) -> AsyncIterator[Page]:
    """The page with the assistant and its token; every call of the calculator asks, every plan waits."""
    settings = served.services.settings
    change = {"tools": {"calculator": "ask", "ask_user": "allow"}, "plan_review": "always", "enable_reflection": False}
    await settings.save_profile(settings.profile("assistant").model_copy(update=change))
    async with browser(browser_path(), served.folder / "browser") as page:
        await page.open(served.address)
        await page.until("document.body?.dataset.ready === 'yes'")
        await page.type("token", TOKEN)
        await page.enter()
        await page.until("document.getElementById('agent').options.length > 3")
        await page.value("document.getElementById('agent').value = 'assistant'")
        yield page
        assert page.complaints == []


async def ask(page: Page, text: str, mode: str) -> None:
    await page.value(f"document.getElementById('mode').value = '{mode}'")
    await page.type("message", text)
    await page.enter()


LAST = "[...document.querySelectorAll('article')].at(-1)"


@pytest.mark.skipif(not browser_path() or sys.platform == "win32", reason="no chromium on this machine")
async def test_what_a_run_asks_is_answered_on_the_page(served: Served) -> None:
    async with connected(served) as page:
        modes = await page.value("[...document.getElementById('mode').options].map((one) => one.text).join()")
        assert modes == "as the agent,Auto,Direct,ReAct,Plan"
        served.plays(ASK_CALC, {"content": "It is done."}, repeat_last=False)
        await ask(page, "reckon", "react")
        await page.until("document.querySelector('.approval dd') !== null")
        assert await page.value("document.querySelector('.approval dl').textContent") == "expression6*7"
        await page.press(".approval details summary")
        await page.write(".approval textarea", '{"expression": "6*8"}')
        await page.press(".approval button.primary")
        await page.until(f"{LAST}.querySelector('.end') !== null")
        assert await page.value("document.querySelectorAll('.ask').length") == 0
        await page.until(f"{LAST}.querySelector('.call').textContent.includes('48')")
        await ask(page, "again", "react")
        await page.write(".approval .reason", "too <dear>")
        await page.press(".approval .deny")
        await page.until(f"{LAST}.querySelector('.end') !== null")
        assert (await page.value(f"{LAST}.querySelector('.sign').textContent")) == "✗"
        served.plays(ASK_PERSON, {"content": "Blue it is."}, repeat_last=False)
        await ask(page, "choose", "react")
        await page.until("document.querySelector('.wanted h2') !== null")
        assert await page.value("document.querySelector('.wanted h2').textContent") == "Which <one>?"
        await page.press(".wanted .buttons button:nth-child(2)")
        await page.until(f"{LAST}.querySelector('.answer').textContent === 'Blue it is.'")
        await ask(page, "choose again", "react")
        await page.write(".wanted form input", "green")
        await page.enter()
        await page.until(f"{LAST}.querySelector('.end') !== null")
    (row, *_others) = await served.services.sessions.rows()
    stored = str(await served.services.sessions.messages(row.id))
    assert all(text in stored for text in ("too <dear>", "green", "6*8"))


@pytest.mark.skipif(not browser_path() or sys.platform == "win32", reason="no chromium on this machine")
async def test_a_plan_is_changed_and_run_on_the_page(served: Served) -> None:
    steps: list[dict[str, Any]] = [
        {"step": n, "action": "calculator", "params": {"expression": f"{n}*7"}, "description": f"reckon {n}"}
        for n in (1, 2, 3)
    ]
    steps[2]["needs"] = [2]
    served.plays({"content": json.dumps({"goal": "know", "steps": steps})}, {"content": "There."}, repeat_last=False)
    async with connected(served) as page:
        settings = served.services.settings
        profile = settings.profile("assistant").model_copy(update={"tools": {"calculator": "allow"}})
        await settings.save_profile(profile)
        await ask(page, "plan it", "plan")
        await page.until("document.querySelectorAll('.review li').length === 3")
        await page.press(".review li:nth-child(1) button:nth-of-type(2)")
        await page.until("document.querySelectorAll('.review li').length === 2")
        await page.write(".review li:nth-child(2) input", "reckon last")
        await page.press(".review li:nth-child(2) summary")
        await page.write(".review li:nth-child(2) textarea", "no JSON")
        await page.press(".review .primary")
        await page.until("document.querySelector('.review .error') !== null")
        await page.write(".review li:nth-child(2) textarea", '{"formula": "3*7"}')
        await page.press(".review .primary")
        await page.until("(document.querySelector('.review .error') || {}).textContent?.includes('formula') === true")
        await page.until("document.querySelectorAll('.review li').length === 3")
        await page.press(".review li:nth-child(1) button:nth-of-type(2)")
        await page.press(".review .primary")
        await page.until(f"{LAST}.querySelector('.end') !== null")
        shown = await page.value("[...document.querySelectorAll('.plan li')].map((one) => one.textContent).join()")
        assert shown == "reckon 2Done,reckon 3Done"
        assert await page.value("document.querySelectorAll('.ask').length") == 0


async def test_the_page_speaks_the_language_of_the_program(served: Served) -> None:
    with using_language("zh_CN"):
        page = (await served.http.get("/")).text
        words = (await served.http.get("/page/words.json")).json()
    assert '<html lang="zh-CN">' in page
    assert ">连接</button>" in page
    assert "$" not in page, "every text has its place"
    assert (words["own_mode"], words["modes"]["plan"]) == ("按智能体设置", "规划模式")
    used = set(re.findall(r"words\.(\w+)", "".join(path.read_text("utf-8") for path in SCRIPTS))) - {"json"}
    assert used - words.keys() == set()
    assert words.keys() - used == set(), "nobody shows them"

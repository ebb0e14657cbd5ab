"""The chat page of the server in a real browser: what a person types is answered, and the policy refuses no script."""

from __future__ import annotations

import sys

import pytest

from app.core.text.i18n import using_language

from .browser import browser, browser_path
from .conftest import TOKEN, Served, until


@pytest.mark.skipif(not browser_path() or sys.platform == "win32", reason="no chromium on this machine")
async def test_the_page_answers_stops_and_says_what_is_wrong(served: Served) -> None:
    served.plays({"reasoning": "hm", "content": "<b>from</b> the page"})
    async with browser(browser_path(), served.folder / "browser") as page:
        await page.open(served.address)
        await page.until("document.readyState === 'complete'")
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
        await page.until("document.querySelector('.facts') !== null")
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


async def test_the_page_speaks_the_language_of_the_program(served: Served) -> None:
    with using_language("zh_CN"):
        page = (await served.http.get("/")).text
    assert '<html lang="zh-CN">' in page
    assert "按智能体设置" in page
    assert "$" not in page, "every text has its place"

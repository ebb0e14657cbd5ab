"""Every sentence of an error with what to do, out of the program: `python -m building.error_page` writes the pages.

docs/errors.md and docs/errors.zh.md are never written by hand; a test compares them with the program.
"""

from __future__ import annotations

import re

from app.core.text.i18n import _, set_language
from app.core.wording.errors import ERRORS
from building.places import REPO

_ABOUT = (
    "Every sentence the program says when something fails, written out of it by `python -m building.error_page`. "
    "“…” stands for a name or a reason. The code is what the log, the command line and the local API say."
)
_ABOUT_CHINESE = (
    "程序出错时会说的每一句话，由 `python -m building.error_page` 从程序中生成。"
    "“…”代表名称或原因。代码用在日志、命令行和本地 API 里。"
)
HEADS = {
    "en": (
        "What an error says", "When something goes wrong", "trouble.md", _ABOUT, ("it says", "what to do", "code"),
    ),
    "zh": ("出错时的提示", "出了问题怎么办", "trouble.zh.md", _ABOUT_CHINESE, ("提示", "怎么办", "代码")),
}  # fmt: skip


def page(language: str) -> str:
    title, back, link, about, columns = HEADS[language]
    set_language("zh_CN" if language == "zh" else "en")
    lines = [f"# {title}", "", f"[{back}]({link})", "", about, "", f"| {' | '.join(columns)} |", "|---|---|---|"]
    lines += [f"| {_cell(_(what))} | {_cell(_(do))} | `{code}` |" for code, (what, do, _action) in ERRORS.items()]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return re.sub(r"\{\w+\}", "…", text).replace("|", "\\|")


def main() -> None:
    for language, name in (("en", "errors.md"), ("zh", "errors.zh.md")):
        (REPO / "docs" / name).write_text(page(language), encoding="utf-8")


if __name__ == "__main__":
    main()

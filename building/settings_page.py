"""Every setting with its default and its hint, out of the program: `python -m building.settings_page` writes the pages.

docs/settings.md and docs/settings.zh.md are never written by hand; a test compares them with the program.
"""

from __future__ import annotations

from itertools import groupby

from app.core.preferences import Preferences
from app.core.profile import AgentProfile
from app.core.setting import SettingInfo, describe
from app.core.text.i18n import _, set_language
from building.places import REPO

_ABOUT = (
    "What each setting does, written out of the program by `python -m building.settings_page`. The window shows beside "
    "a setting of an agent what its value costs, from your own runs once there are enough."
)
_ABOUT_CHINESE = (
    "每项设置的作用，由 `python -m building.settings_page` 从程序中生成。"
    "窗口会在智能体的设置旁边显示它的值花费多少，运行次数足够后用你自己的运行来计算。"
)
HEADS = {
    "en": (
        "Settings", _ABOUT, "Of an agent", "Of the program", ("setting", "default", "what it does"),
        ("on", "off", "empty"),
    ),
    "zh": ("设置", _ABOUT_CHINESE, "智能体的设置", "程序的设置", ("设置", "默认", "作用"), ("开", "关", "空")),
}  # fmt: skip
LONGEST = 60


def page(language: str) -> str:
    title, about, of_agent, of_program, columns, words = HEADS[language]
    set_language("zh_CN" if language == "zh" else "en")
    lines = [f"# {title}", "", about]
    for heading, model in ((of_agent, AgentProfile), (of_program, Preferences)):
        lines += ["", f"## {heading}"]
        for group, infos in groupby(describe(model), _group):
            lines += ["", f"### {_(group)}", "", f"| {' | '.join(columns)} |", "|---|---|---|"]
            lines += [f"| {_cell(_(one.title))} | {_default(one, words)} | {_help(one)} |" for one in infos]
    return "\n".join(lines) + "\n"


def _group(info: SettingInfo) -> str:
    return info.group


def _default(info: SettingInfo, words: tuple[str, str, str]) -> str:
    value = info.default
    if isinstance(value, bool):
        return words[0] if value else words[1]
    if isinstance(value, int | float):
        return f"{value:,} {_(info.unit)}".strip() if info.unit else f"{value:,}"
    if not isinstance(value, str) or not value:
        return words[2]
    return f"`{_cell(value if len(value) <= LONGEST else value[:LONGEST] + '…')}`"


def _help(info: SettingInfo) -> str:
    return _cell(_(info.help)) if info.help else ""


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").replace("<", "&lt;").split())


def main() -> None:
    for language, name in (("en", "settings.md"), ("zh", "settings.zh.md")):
        (REPO / "docs" / name).write_text(page(language), encoding="utf-8")


if __name__ == "__main__":
    main()

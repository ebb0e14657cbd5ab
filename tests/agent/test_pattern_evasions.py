"""Ways around a rule: other spellings of a path, other looks of a word, other places of an argument.

Two tables: what a rule that forbids must catch, and what a rule that allows must not let run unasked. Beside them
what an honest rule must still mean, or the tables would be easy.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from app.agent.policy.patterns import escaped
from app.agent.policy.permission import Permissions, fits
from app.agent.policy.subject import Subject
from app.core.profile import PermissionRule, PermissionWord
from app.core.tools.tool import PermissionClass, Tool, ToolContext, ToolResult, canonical_args

FILE = {"properties": {"path": {"type": "string"}, "content": {"type": "string"}}}
MOVE = {"properties": {"source": {"type": "string"}, "destination": {"type": "string"}}}
DESCRIBED = {"properties": {"where": {"type": "string", "description": "Absolute path of the file to read"}}}
FORMATTED = {"properties": {"it": {"type": "string", "format": "path"}}}
PLAIN = {"properties": {"q": {"type": "string"}}}
MANY = {"properties": {"paths": {"type": "array", "items": {"type": "string"}}}}


def made(schema: Mapping[str, Any], permission: PermissionClass = "mcp", **more: Any) -> Tool:
    def body(ctx: ToolContext, args: dict[str, Any]) -> ToolResult:
        raise AssertionError("nothing runs here")

    return Tool("files__it", "", permission, body, lambda: schema, lambda _args: [], **more)


def word_of(rule: PermissionWord, pattern: str, tool: Tool, args: Mapping[str, Any]) -> str:
    """What happens under this rule alone, in an agent that allows (a deny, an ask) or asks (an allow)."""
    other: PermissionWord = "ask" if rule == "allow" else "allow"
    return Permissions({"*": other}, [PermissionRule(subject=pattern, word=rule)]).decide(tool, args).word


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """`private` and `notes` below it, links between them, one to a folder outside."""
    folder = Path(os.path.realpath(tmp_path)) / "u"
    for name in ("private", "notes/sub", "Work"):
        (folder / name).mkdir(parents=True)
    (folder / "private/key").write_text("k")
    (folder / "notes/a.md").write_text("a")
    (folder / "notes/in").symlink_to(folder / "private")
    (folder / "notes/file").symlink_to(folder / "private/key")
    (folder / "notes/chain").symlink_to(folder / "notes/in")
    (folder / "alias").symlink_to(folder)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    monkeypatch.chdir(folder / "Work")
    return folder


def paths(home: Path, folder: str, name: str) -> dict[str, str]:
    """Spellings of one file of a folder."""
    h, there = str(home), f"{home}/{folder}"
    return {
        "dot": f"{there}/./{name}",
        "dot in front": f"{h}/./{folder}/{name}",
        "double slash": f"{h}//{folder}//{name}",
        "slashes at the root": f"//{h.lstrip('/')}/{folder}/{name}",
        "three slashes": f"///{h.lstrip('/')}/{folder}/{name}",
        "up and down": f"{there}/x/../{name}",
        "up over itself": f"{there}/../{folder}/{name}",
        "up from another": f"{h}/notes/sub/../../{folder}/{name}",
        "up beyond the root": f"{'/..' * 3}{there}/{name}",
        "file URL": f"file://{there}/{name}",
        "file URL with a host": f"file://localhost{there}/{name}",
        "file URL, one slash": f"file:{there}/{name}",
        "file URL, capitals": f"FILE://{there}/{name}",
        "file URL, encoded": f"file://{h}/%{ord(folder[0]):02x}{folder[1:]}/{name}",
        "encoded": f"{h}/%{ord(folder[0]):02x}{folder[1:]}/{name}",
        "encoded twice": f"{h}/%25{ord(folder[0]):02x}{folder[1:]}/{name}",
        "encoded slash": f"{h}%2f{folder}%2F{name}",
        "encoded dots": f"{h}/notes/%2e%2e/{folder}/{name}",
        "home": f"~/{folder}/{name}",
        "home, detour": f"~/notes/../{folder}/{name}",
        "variable": f"$HOME/{folder}/{name}",
        "variable in braces": f"${{HOME}}/{folder}/{name}",
        "relative": f"../{folder}/{name}",
        "relative, detour": f"./../notes/../{folder}/{name}",
        "link": f"{h}/alias/{folder}/{name}",
        "links": f"{h}/alias/alias/alias/{folder}/{name}",
        "spaces around": f"  {there}/{name} ",
        "quotes around": f'"{there}/{name}"',
        "backslashes": f"{h}\\{folder}\\{name}",
        "NUL behind": f"{there}/{name}\0.png",
        "newline behind": f"{there}/{name}\n",
        "slash behind": f"{there}/{name}/",
    }


async def test_a_rule_that_forbids_a_folder_is_not_passed_by_another_spelling(home: Path) -> None:
    h = str(home)
    spelled = {
        **paths(home, "private", "key"),
        "link into it": f"{h}/notes/in/key",
        "link to its file": f"{h}/notes/file",
        "chain of links": f"{h}/notes/chain/key",
        "up out of a link": f"{h}/notes/in/../private/key",
        "case": f"{h}/PRIVATE/key",
        "one capital": f"{h}/Private/Key",
        "full width": f"{h}/ｐｒｉｖａｔｅ/key",
        "full-width slash": f"{h}/private／key",
        "Cyrillic": f"{h}/рrivаtе/key",
        "zero width": f"{h}/pri\u200bvate/key",
        "soft hyphen": f"{h}/pri\u00advate/key",
        "bidi": f"{h}/pri\u202evate/key",
        "accent, decomposed": f"{h}/priva\u0301te/key",
        "small capitals": f"{h}/ᴘʀɪᴠᴀᴛᴇ/key",
        "bold letters": f"{h}/𝗽𝗿𝗶𝘃𝗮𝘁𝗲/key",
        "newline inside": f"{h}/pri\nvate/key",
        "dot at the end": f"{h}/private./key",
        "space at the end": f"{h}/private /key",
        "stream": f"{h}/private:stream/key",
        "the folder itself": f"{h}/private",
        "the folder, slash": f"{h}/private/",
        "tag characters": f"{h}/private\U000e0041/key",
    }
    patterns = [
        f"{h}/private/*",
        "~/private/*",
        f"file://{h}/private/*",
        f"path={h}/private/*",
        '{"path":"~/private/*"}',
    ]
    passed = [
        (pattern, how)
        for pattern in patterns
        for how, path in spelled.items()
        if word_of("deny", pattern, made(FILE), {"path": path, "content": "x"}) != "deny"
    ]
    assert passed == []
    assert len(spelled) >= 50


async def test_it_is_not_passed_by_where_the_path_stands_either(home: Path) -> None:
    h = str(home)
    key, detour = f"{h}/private/key", f"{h}/notes/../private/key"
    bare = f"{h}/private/*"
    cases: dict[str, tuple[str, Tool, dict[str, Any]]] = {
        "another argument": (bare, made(MOVE), {"source": f"{h}/notes/a.md", "destination": detour}),
        "known by its description": (bare, made(DESCRIBED), {"where": "../private/key"}),
        "known by its format": (bare, made(FORMATTED), {"it": "../private/key"}),
        "known by the rule": (bare, made(PLAIN), {"q": "../private/key"}),
        "in a list": (bare, made(MANY), {"paths": [f"{h}/notes/a.md", detour]}),
        "deep in a structure": (bare, made(PLAIN), {"q": {"a": [{"b": detour}]}}),
        "as a key": (bare, made(PLAIN), {"q": {detour: "x"}}),
        "an unknown argument": (bare, made(PLAIN), {"zzz": detour}),
        "below a server's folder": (bare, made(FILE, roots=(h,)), {"path": "private/key"}),
        "below another root": (bare, made(FILE, roots=("/nowhere", f"{h}/private")), {"path": "key"}),
        "in a command": (bare, made({"properties": {"command": {}}}, "exec"), {"command": f"cat <{detour}"}),
        "in an argument vector": (bare, made({"properties": {"argv": {}}}), {"argv": ["sh", "-c", f"cat '{key}'"]}),
        "of a tool with a subject": (
            bare, made(FILE, "fs.write", subject=lambda args: str(args["path"])), {"path": "~/notes/../private/key"}
        ),
        "an old rule on the text": (f'*"path":"{h}/private/*', made(FILE), {"content": "", "path": detour}),
        "an old rule, all of it": (
            f'{{"content":"*","path":"{h}/private/*"}}', made(FILE), {"path": detour, "content": ""}
        ),
        "an old rule with a further argument": (f'{{"path":"{h}/private/*"}}', made(FILE), {"path": key, "tail": 3}),
        "by name, other case": (f"path={h}/private/*", made(FILE), {"Path": key, "path": key}),
        "too many to look at": (bare, made(MANY), {"paths": [f"{h}/notes/{n}" for n in range(900)]}),
    }  # fmt: skip
    assert [how for how, (pattern, tool, args) in cases.items() if word_of("deny", pattern, tool, args) != "deny"] == []


async def test_a_rule_that_forbids_a_word_is_not_passed_by_another_look(home: Path) -> None:
    looks = [
        "secret", "SECRET", "SeCrEt", "ｓｅｃｒｅｔ", "sеcret", "ѕесrеt", "s\u200becret", "s\u2060e\u2060c\u2060ret",
        "sec\u00adret", "sec\nret", "sec\r\nret", "sec\u2028ret", "sec\tret", "s\u0335e\u0335c\u0335r\u0335e\u0335t",
        "śècřêț", "ꜱᴇᴄʀᴇᴛ", "𝐬𝐞𝐜𝐫𝐞𝐭", "ⓢⓔⓒⓡⓔⓣ", "🅂🄴🄲🅁🄴🅃", "se\ufe0fcret", "se\u034fcret", "sec\u202eret",
        "sec\x00ret", "sec\x08ret", "ſecret", "se\U000e0063cret", "𝓈ℯ𝒸𝓇ℯ𝓉", "ѕecreᴛ", "ꮪecret", "s\u3164ecret",
        "sec\u180eret",
    ]  # fmt: skip
    tools = {"known": ("q", made(PLAIN)), "a subject": ("q", made(PLAIN, subject=lambda args: str(args["q"])))}
    passed = [
        (pattern, kind, look)
        for look in looks
        for kind, (name, tool) in tools.items()
        for pattern in ("*secret*", "*SECRET*", "*sеcret*", "q=*secret*", '{"q":"*secret*"}')
        if word_of("deny", pattern, tool, {name: f"read the {look} file"}) != "deny"
        and not (kind == "a subject" and pattern.startswith("{"))
    ]
    assert passed == []


async def test_a_rule_that_allows_a_folder_lets_nothing_else_run(home: Path) -> None:
    h = str(home)
    outside = {
        **{how: path for how, path in paths(home, "private", "key").items() if how != "backslashes"},
        "backslashes out": f"{h}/notes\\..\\private\\key",
        "out of it": f"{h}/notes/../private/key",
        "far out of it": f"{h}/notes/../../../../../../../../etc/passwd",
        "out, encoded": f"{h}/notes/%2e%2e/private/key",
        "out, encoded twice": f"{h}/notes/%252e%252e/private/key",
        "out, encoded slash": f"{h}/notes/..%2fprivate/key",
        "out by a link": f"{h}/notes/in/key",
        "out by a link to a file": f"{h}/notes/file",
        "out by a chain": f"{h}/notes/chain/key",
        "out behind a link": f"{h}/notes/in/../a.md",
        "a twin's prefix": f"{h}/notes_secret/a",
        "another case": f"{h}/NOTES/a.md",
        "look-alike": f"{h}/nоtes/a.md",
        "hidden character": f"{h}/notes/a\u200b.md",
        "bidi": f"{h}/notes/\u202egnp.exe",
        "NUL": f"{h}/private/key\0{h}/notes/a.md",
        "newline out": f"{h}/notes/a\n/../../../private/key",
        "variable": f"{h}/notes/$HOME/../../../../../../../../etc/passwd",
        "another file URL": f"file://{h}/notes/../private/key",
        "relative": "../notes/../private/key",
        "elsewhere": "/etc/passwd",
        "empty": "",
    }
    patterns = [
        f"{h}/notes/*", "~/notes/*", f"path={h}/notes/*", f'{{"content":"*","path":"{h}/notes/*"}}',
        f'{{"content":"*","path":"{h}/notes/*', f'*"path":"{h}/notes/*',
    ]  # fmt: skip
    ran = [
        (pattern, how)
        for pattern in patterns
        for how, path in outside.items()
        if word_of("allow", pattern, made(FILE), {"path": path, "content": "x"}) != "ask"
    ]
    assert ran == []
    assert len(outside) >= 50


async def test_a_rule_that_allows_vouches_for_no_other_argument(home: Path) -> None:
    h = str(home)
    inside, out = f"{h}/notes/a.md", f"{h}/private/key"
    one = f"{h}/notes/*"
    cases: dict[str, tuple[str, Tool, dict[str, Any]]] = {
        "a second path": (one, made(MOVE), {"source": inside, "destination": out}),
        "by name": (f"source={one}", made(MOVE), {"source": inside, "destination": out}),
        "an old rule, open": (f'{{"destination":"{one}', made(MOVE), {"destination": inside, "source": out}),
        "an old rule, text": (f'*"destination":"{one}', made(MOVE), {"destination": inside, "source": out}),
        "an old rule, star in between": (
            f'{{"destination":"{one}"*}}', made(MOVE), {"destination": inside, "source": out}
        ),
        "a path the schema does not tell of": (f"path={one}", made(FILE), {"path": inside, "content": "", "to": out}),
        "a site": (f"path={one}", made(FILE), {"path": inside, "content": "", "to": "https://evil.test/"}),
        "in a list": (one, made(MANY), {"paths": [inside, out]}),
        "in a list, by name": (f'{{"paths":"{one}"}}', made(MANY), {"paths": [inside, out]}),
        "a longer list": (f'{{"paths":["{one}"]}}', made(MANY), {"paths": [inside, inside]}),
        "deep below": (f'{{"q":"*","path":"{one}"}}', made(FILE), {"path": inside, "q": {"x": 1}, "more": out}),
        "as a key": (f"path={one}", made(FILE), {"path": inside, "map": {out: 1}}),
        "a further argument": (f'{{"path":"{one}"}}', made(FILE), {"path": inside, "content": "x"}),
        "another value": ('{"lines":3,"path":"' + one + '"}', made(FILE), {"path": inside, "lines": 4}),
        "true for 1": ('{"lines":1,"path":"' + one + '"}', made(FILE), {"path": inside, "lines": True}),
        "quoted into the text": (f'{{"content":"*","path":"{one}"}}', made(FILE),
                                 {"content": f'","path":"{one}', "path": out}),
        "relative to two folders": (one, made(FILE, roots=(f"{h}/notes", f"{h}/private")), {"path": "key"}),
        "too many to look at": (one, made(MANY), {"paths": [inside] * 900}),
        "a command": ("git *", made({"properties": {"command": {}}}, "exec"), {"command": "git status"}),
    }  # fmt: skip
    assert [how for how, (pattern, tool, args) in cases.items() if word_of("allow", pattern, tool, args) != "ask"] == []


async def test_an_honest_rule_means_what_it_says(home: Path) -> None:
    h = str(home)
    one = f"{h}/notes/*"
    subject = made(FILE, "fs.write", subject=lambda args: str(args["path"]))
    net = made({"properties": {"url": {"type": "string"}}}, "net", subject=lambda args: str(args["url"]))
    file = made(FILE)
    cases: dict[str, tuple[PermissionWord, str, Tool, dict[str, Any], str]] = {
        "inside": ("allow", one, file, {"path": f"{h}/notes/a.md", "content": "x\ny"}, "allow"),
        "inside, new": ("allow", one, file, {"path": f"{h}/notes/new/b.md", "content": ""}, "allow"),
        "inside, detour": ("allow", one, file, {"path": f"{h}/notes/sub/../a.md"}, "allow"),
        "inside, by home": ("allow", "~/notes/*", file, {"path": f"{h}/notes/a.md"}, "allow"),
        "home in the call": ("allow", one, file, {"path": "~/notes/a.md"}, "allow"),
        "file URL in the call": ("allow", one, file, {"path": f"file://{h}/notes/a.md"}, "allow"),
        "through a link that leads inside": ("allow", one, file, {"path": f"{h}/alias/notes/a.md"}, "allow"),
        "a folder reached by a link": ("allow", f"{h}/alias/notes/*", file, {"path": f"{h}/notes/a.md"}, "allow"),
        "both of them": ("allow", one, made(MOVE), {"source": f"{h}/notes/a", "destination": f"{h}/notes/b"}, "allow"),
        "by names": ("allow", f'{{"destination":"{one}","source":"{one}"}}', made(MOVE),
                     {"source": f"{h}/notes/a", "destination": f"{h}/notes/b"}, "allow"),
        "all of a list": ("allow", one, made(MANY), {"paths": [f"{h}/notes/a", f"{h}/notes/b"]}, "allow"),
        "a number left open": ("allow", '{"lines":*,"path":"' + one + '"}', file,
                               {"path": f"{h}/notes/a", "lines": 9}, "allow"),
        "everything": ("allow", "*", file, {"path": "/etc/passwd"}, "allow"),
        "by its ending": ("allow", "*.md", file, {"path": f"{h}/notes/a.md", "content": "x"}, "allow"),
        "another ending": ("allow", "*.md", file, {"path": f"{h}/notes/a.txt", "content": "x"}, "ask"),
        "an old rule for a subject": ("allow", one, subject, {"path": f"{h}/notes/a.md", "content": "x"}, "allow"),
        "relative": ("allow", "notes/*", subject, {"path": "notes/a.md", "content": "x"}, "allow"),
        "relative, out": ("allow", "notes/*", subject, {"path": "notes/../a.md", "content": "x"}, "ask"),
        "below a server's folder": ("allow", one, made(FILE, roots=(f"{h}/notes",)), {"path": "a.md"}, "allow"),
        "a site": ("allow", "https://a.test/*", net, {"url": "https://a.test/x"}, "allow"),
        "a site, spelled otherwise": ("allow", "https://a.test/*", net, {"url": "HTTPS://A.TEST:443/x"}, "allow"),
        "a site, detour": ("allow", "https://a.test/docs/*", net, {"url": "https://a.test/docs/../admin"}, "ask"),
        "a site, encoded": ("allow", "https://a.test/docs/*", net, {"url": "https://a.test/docs/%2e%2e/admin"}, "ask"),
        "a site, with a name in front": ("allow", "https://a.test/*", net, {"url": "https://a.test@evil.test/"}, "ask"),
        "a site, look-alike": ("allow", "https://a.test/*", net, {"url": "https://а.test/"}, "ask"),
        "a host denied": ("deny", "https://evil.test/*", net, {"url": "hTTps://user@EVIL.test:443/x"}, "deny"),
        "a host denied by its name": ("deny", "evil.test", net, {"url": "https://www.evil.test./x"}, "deny"),
        "a host denied, another full stop": ("deny", "*evil.test*", net, {"url": "https://evil。test/"}, "deny"),
        "a text": ("allow", "note: *", made(PLAIN), {"q": "note: milk"}, "allow"),
        "an old rule on the text": ("allow", '{"q":"note: *"}', made(PLAIN), {"q": "note: milk"}, "allow"),
        "a text with a hidden character": ("allow", "note: *", made(PLAIN), {"q": "note: mi\u200blk"}, "ask"),
        "not denied: another folder": ("deny", f"{h}/private/*", file, {"path": f"{h}/notes/a.md"}, "allow"),
        "not denied: a name in prose": ("deny", f"{h}/private/*", file,
                                        {"path": f"{h}/notes/a.md", "content": f"see {h}/private/key"}, "allow"),
        "not denied: another word": ("deny", "*secret*", file, {"path": "a.md", "content": "top sec ret"}, "allow"),
        "denied: a bare name": ("deny", ".env", file, {"path": f"{h}/notes/.env"}, "deny"),
        "asked, loosely": ("ask", f"{h}/private/*", file, {"path": "~/notes/../private/key"}, "ask"),
        "Chinese": ("deny", "*机密*", file, {"path": f"{h}/机 密".replace(" ", "\u200b")}, "deny"),
        "Chinese, honest": ("allow", f"{h}/笔记/*", file, {"path": f"{h}/笔记/今天.md", "content": "好"}, "allow"),
    }  # fmt: skip
    wrong = {
        how: got
        for how, (rule, pattern, tool, args, expected) in cases.items()
        if (got := word_of(rule, pattern, tool, args)) != expected
    }
    assert wrong == {}


async def test_what_the_card_suggests_fits_that_call_and_no_other(home: Path) -> None:
    h = str(home)
    calls: list[dict[str, Any]] = [
        {"path": f"{h}/notes/a.md", "content": "x"},
        {"path": f"{h}/alias/notes/[a]*?.md", "content": '[1] *bold* \\ "q" \n'},
        {"path": f"{h}/notes/in/key"},
        {"path": "~/notes/a.md", "lines": [1, [2.5, None, True]], "map": {"k*": "[v]"}},
        {"content": '{"path":"/etc"}', "path": f"{h}/notes"},
        {},
        {"content": ""},
        {"path": f"{h}/a b/c'd"},
        {"content": "中文 🙂 ﬁ"},
    ]  # fmt: skip
    tool = made(FILE)
    found = [Subject.read(tool, args).suggestion for args in calls]
    assert None not in found
    rules = [PermissionRule(subject=escaped(str(text)), word="allow") for text in found]
    fitting = [
        [n for n, args in enumerate(calls) if fits(rule, Subject.read(tool, args), fixed=True)] for rule in rules
    ]
    assert fitting == [[n] for n in range(len(calls))]


async def test_a_link_that_is_bent_after_the_grant_leads_nowhere(home: Path) -> None:
    """Granted while it pointed to one folder; then it, or the folder itself, points to another."""
    tool = made(FILE)
    args = {"path": f"{home}/door/key"}
    (home / "door").symlink_to(home / "notes")
    grant = PermissionRule(subject=escaped(str(Subject.read(tool, args).suggestion)), word="allow")
    assert fits(grant, Subject.read(tool, args), fixed=True)
    (home / "door").unlink()
    (home / "door").symlink_to(home / "private")
    assert not fits(grant, Subject.read(tool, args), fixed=True)
    (home / "door").unlink()
    (home / "door").symlink_to(home / "notes")
    (home / "notes").rename(home / "old")
    (home / "notes").symlink_to(home / "private")
    assert not fits(grant, Subject.read(tool, args), fixed=True)


async def test_case_is_the_file_systems(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    args = {"path": f"{home}/NOTES/A.md"}
    assert word_of("allow", f"{home}/notes/*", made(FILE), args) == "ask"
    monkeypatch.setattr("app.agent.policy.subject.folds_case", lambda _path: True)
    assert word_of("allow", f"{home}/notes/*", made(FILE), args) == "allow"


def test_the_clock_of_a_hostile_pattern_and_a_hostile_call_is_bounded() -> None:
    """The largest arguments there may be, against rules full of stars: it ends, and with a word."""
    tool = made(PLAIN)
    big = {"q": "a" * 120_000 + "/../" * 30_000}
    for text in ("*a*a*a*a*a*a*a*b", "*/*/*/*/*/*/*/*/x", "?" * 300 + "*", "[" * 500, '{"q":' * 300, "*" * 4_000 + "b"):
        assert word_of("deny", text, tool, big) in ("allow", "deny")
        assert word_of("allow", text, tool, big) in ("allow", "ask")
    assert json.loads(canonical_args(big)) == big

"""The rules on a card: tried before they are kept, refused where they contradict each other, taken back."""

from __future__ import annotations

from pathlib import Path

from .rig import call, program, with_list


async def test_rules_are_tried_kept_refused_and_taken_back(tmp_path: Path) -> None:
    async with program(tmp_path) as services:
        await with_list(services, tmp_path)
        first = await call(services, "show_matching_rules")
        assert (first.data["synonyms"], first.data["version"]) == ("", 0)
        rules = {"synonyms": "球阀 = 圆球开关 = 圆球阀门", "forbidden": "快装球阀 ≠ 球阀"}
        tried = await call(services, "try_rules", line="圆球开关 DN25", **rules)
        assert "1007" in tried.data["tried"].splitlines()[1]
        assert (await call(services, "show_matching_rules")).data["synonyms"] == ""
        none = await call(services, "match_price", keywords="圆球开关 DN25", customer_level="B")
        assert none.data["chosen"] is None
        kept = await call(services, "save_rules", **rules, base=0)
        assert kept.ok, kept.error
        found = await call(services, "match_price", keywords="圆球开关 DN25", customer_level="B")
        assert found.data["chosen"] == "1007"
        apart = await call(services, "match_price", keywords="快装球阀 DN25", customer_level="B")
        assert apart.data["chosen"] is None
        faulty = {
            "pair": {"forbidden": "a ≠ b ≠ c"},
            "one word": {"synonyms": "alone"},
            "no size": {"equivalent": "big = small"},
            "both": {"synonyms": "hot = warm", "forbidden": "warm ≠ hot"},
            "no code": {"learned": "words without a code"},
        }
        codes = {name: (await call(services, "save_rules", **each, base=1)).error for name, each in faulty.items()}
        assert {name: error.code if error else "" for name, error in codes.items()} == dict.fromkeys(
            faulty, "BAD_RULES"
        )
        stale = await call(services, "save_rules", synonyms="x = y", base=7)
        assert stale.error is not None
        assert stale.error.code == "STALE"
        await call(services, "save_rules", synonyms="弯头 = 弯管", equivalent='3/4" = dn25', base=1)
        back = await call(services, "undo_rules")
        assert back.data["synonyms"] == rules["synonyms"]


async def test_what_was_learned_is_seen_and_can_be_forgotten(tmp_path: Path) -> None:
    async with program(tmp_path) as services:
        await with_list(services, tmp_path)
        quote = await call(services, "run_quotation_fill", text="弯头 DN50 ×10", customer_level="B")
        run = quote.data["run_id"]
        await call(services, "select_match", run_id=run, choices=[{"line": 1, "code": "1004"}], remember=True)
        shown = await call(services, "show_matching_rules")
        assert shown.data["learned"] == "弯头 dn50 → 1004"
        await call(services, "save_rules", learned="", base=shown.data["version"])
        again = await call(services, "match_price", keywords="弯头 DN50", customer_level="B")
        assert again.data["chosen"] is None

"""Price lists imported and lines matched through the composed program, by the names other programs lean on."""

from __future__ import annotations

from pathlib import Path

from .rig import INQUIRY, call, program, with_list


async def test_the_inquiry_is_matched_at_every_spelling_of_the_level(tmp_path: Path) -> None:
    async with program(tmp_path) as services:
        list_id = await with_list(services, tmp_path)
        lines = [{"name": name, "qty": qty} for name, qty in INQUIRY]
        for spelling, price in (("B", "3.5"), ("b档", "3.5"), ("Ｂ级", "3.5"), (" c ", "3.9"), ("客户级别A", "3.2")):
            result = await call(services, "match_price_batch", lines=lines, customer_level=spelling, list_ids=[list_id])
            assert result.ok, (spelling, result.error)
            found = [(line["status"], line["chosen"]) for line in result.data["lines"]]
            assert found == [
                ("single", "1001"), ("single", "1003"), ("single", "1005"), ("exact", "1002"),
                ("needs_selection", None), ("unmatched", None), ("single", "1007"),
            ]  # fmt: skip
            assert result.data["lines"][0]["candidates"][0]["unit_price"] == price
            pending = result.data["lines"][4]["candidates"]
            assert {one["code"] for one in pending[:2]} == {"1003", "1004"}
            assert pending[0]["score"] == pending[1]["score"]
        unknown = await call(services, "match_price", keywords="球阀", customer_level="Z")
        assert unknown.error is not None
        assert unknown.error.code == "INVALID_LEVEL"


async def test_a_long_description_does_not_outweigh_the_name(tmp_path: Path) -> None:
    prose = "用于给水工程，需提供产品合格证与检测报告，含角阀配件安装说明，球阀另计，颜色不限，"
    lines = [{"name": "球阀 DN25", "spec": prose * 6}, {"name": "弯头 DN50", "spec": prose * 6}]
    async with program(tmp_path) as services:
        await with_list(services, tmp_path)
        result = await call(services, "match_price_batch", lines=lines, customer_level="B")
    first, second = result.data["lines"]
    assert first["candidates"][0]["code"] == "1007"
    assert first["candidates"][0]["score"] <= 1
    assert {one["code"] for one in second["candidates"][:2]} == {"1003", "1004"}


async def test_what_is_confirmed_of_a_header_is_taken_for_the_next_list_with_it(tmp_path: Path) -> None:
    async with program(tmp_path) as services:
        first, second = tmp_path / "一月.csv", tmp_path / "二月.csv"
        first.write_text("品名,型号,报价一,报价二\n球阀,DN25,1,2\n角阀,DN15,3,4\n", "utf-8")
        second.write_text("品名,型号,报价一,报价二\n球阀,DN32,5,6\n角阀,DN20,7,8\n", "utf-8")
        proposed = await call(services, "import_price_list", path=str(first))
        assert proposed.data["levels"] == ["报价一", "报价二"]
        assert not proposed.data["mapping_confirmed"]
        assert proposed.display is not None
        assert (proposed.display.role, proposed.display.actions[0].tool) == ("answer", "confirm_mapping")
        await call(services, "import_price_list", path=str(first), mapping={"price": {"B": "报价二"}})
        again = await call(services, "import_price_list", path=str(second), name="二月")
        assert again.data["mapping_confirmed"]
        assert again.data["levels"] == ["B"]
        line = await call(services, "match_price", keywords="球阀 DN32", customer_level="B", list_ids=["二月"])
        assert (line.data["chosen"], line.data["candidates"][0]["unit_price"]) == ("#2", "6")


async def test_without_a_list_or_a_file_the_reason_is_said(tmp_path: Path) -> None:
    (tmp_path / "bare.csv").write_text("a,b\nc,d\n", "utf-8")
    (tmp_path / "names.csv").write_text("品名,规格\n球阀,DN25\n", "utf-8")
    (tmp_path / "broken.xlsx").write_bytes(b"PK\x03\x04 no workbook")
    async with program(tmp_path) as services:
        codes = {}
        codes["match"] = await call(services, "match_price", keywords="球阀", customer_level="B")
        for name in ("absent.xlsx", "bare.csv", "names.csv", "broken.xlsx"):
            codes[name] = await call(services, "import_price_list", path=str(tmp_path / name))
    assert {name: result.error and result.error.code for name, result in codes.items()} == {
        "match": "NO_LIST", "absent.xlsx": "NOT_FOUND", "bare.csv": "NO_HEADER", "names.csv": "NO_PRICE_COLUMN",
        "broken.xlsx": "FORMAT",
    }  # fmt: skip


async def test_where_costs_are_not_shown_the_proposed_columns_show_none(tmp_path: Path) -> None:
    async with program(tmp_path) as services:
        listed = tmp_path / "list.csv"
        listed.write_text("品名,型号,报价,成本\n球阀,DN25,19.8,12.34\n角阀,DN15,3,4\n", "utf-8")
        proposed = await call(services, "import_price_list", path=str(listed))
    assert "D 成本" in str(proposed.display)
    assert "12.34" not in f"{proposed.display} {proposed.data} {proposed.summary}"

"""Files that need no program to make: a PDF whose text can be read in any script, a workbook."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def make_text_pdf(path: Path, pages: Sequence[str], *, width: int = 44) -> Path:
    """A page per text, in lines of `width` characters. No font is embedded: a table says which code is which sign."""
    characters = sorted(set("".join(pages)))
    table = "".join(f"<{ord(c):04x}> <{ord(c):04x}>\n" for c in characters)
    parts = [table[i : i + 100 * 14] for i in range(0, len(table), 100 * 14)]
    ranges = "".join(f"{part.count(chr(10))} beginbfchar\n{part}endbfchar\n" for part in parts)
    unicode = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /U def /CMapType 2 def\n"
        f"1 begincodespacerange <0000> <ffff> endcodespacerange\n{ranges}endcmap end end"
    )
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Count {len(pages)}/Kids[{' '.join(f'{7 + 2 * n} 0 R' for n in range(len(pages)))}]>>",
        "<</Type/Font/Subtype/Type0/BaseFont/Plain/Encoding/Identity-H/DescendantFonts[4 0 R]/ToUnicode 6 0 R>>",
        (
            "<</Type/Font/Subtype/CIDFontType2/BaseFont/Plain/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)"
            "/Supplement 0>>/FontDescriptor 5 0 R/DW 1000>>"
        ),
        (
            "<</Type/FontDescriptor/FontName/Plain/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800"
            "/Descent -200/CapHeight 700/StemV 80>>"
        ),
        f"<</Length {len(unicode)}>>\nstream\n{unicode}\nendstream",
    ]
    for n, text in enumerate(pages):
        lines = [text[i : i + width] for i in range(0, len(text), width)]
        shown = "".join(f"<{''.join(f'{ord(c):04x}' for c in line)}> Tj 0 -16 Td " for line in lines)
        stream = f"BT /F1 12 Tf 30 800 Td {shown}ET"
        objects.append(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>"
            f"/Contents {8 + 2 * n} 0 R>>"
        )
        objects.append(f"<</Length {len(stream)}>>\nstream\n{stream}\nendstream")
    data, places = b"%PDF-1.4\n", []
    for n, body in enumerate(objects, 1):
        places.append(len(data))
        data += f"{n} 0 obj\n{body}\nendobj\n".encode()
    start = len(data)
    data += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    data += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    data += f"trailer <</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n".encode()
    path.write_bytes(data)
    return path


def make_workbook(path: Path, rows: Sequence[Sequence[str]], sheet: str = "Sheet1") -> Path:
    cells = "".join(
        "<row>" + "".join(f'<c t="inlineStr"><is><t>{cell}</t></is></c>' for cell in row) + "</row>" for row in rows
    )
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{kind}.worksheet+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" '
        f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{SHEET}" xmlns:r="{OFFICE}"><sheets>'
        f'<sheet name="{sheet}" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" '
        f'Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{SHEET}"><sheetData>{cells}</sheetData></worksheet>',
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return path

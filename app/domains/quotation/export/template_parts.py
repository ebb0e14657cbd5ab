"""The parts of a template beside its sheets: what lies on a sheet whose rows move, names, charts, the whole file."""

from __future__ import annotations

import copy
import io
import re
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

from ..reading.package import part, xml
from ..reading.xlsx_grid import targets_of
from .formulas import Mover, RepeatedRows, moved, moved_range


def parts_of(archive: zipfile.ZipFile, sheet: str, block: RepeatedRows) -> dict[str, bytes]:
    """What lies on the sheet: drawings, tables, comments."""
    folder, _slash, name = sheet.rpartition("/")
    rels = f"{folder}/_rels/{name}.rels"
    if rels not in archive.namelist():
        return {}
    changes: dict[str, Callable[[bytes, RepeatedRows], bytes]] = {
        "drawing": _drawing,
        "table": _ranges,
        "comments": _ranges,
    }
    replaced = {}
    for raw in targets_of(archive, rels, folder).values():
        target = _flat(raw)
        kind = next((kind for kind in changes if f"/{kind}" in target and target.endswith(".xml")), "")
        if kind and target in archive.namelist():
            replaced[target] = changes[kind](part(archive, target), block)
    return replaced


def _flat(path: str) -> str:
    parts: list[str] = []
    for each in path.split("/"):
        if each == "..":
            del parts[-1:]
        else:
            parts.append(each)
    return "/".join(parts)


def _drawing(data: bytes, block: RepeatedRows) -> bytes:
    root = xml(data)
    for element in root.iter("{*}row"):  # from 0
        if (element.text or "").isdigit():
            element.text = str(block.row(int(element.text) + 1) - 1)
    return written(root)


def _ranges(data: bytes, block: RepeatedRows) -> bytes:
    root = xml(data)
    for element in root.iter():
        if isinstance(element.tag, str) and (ref := element.get("ref")):
            element.set("ref", moved_range(ref, block.outside))
    return written(root)


def workbook_parts(archive: zipfile.ZipFile, movers: Mapping[str, Mover]) -> dict[str, bytes]:
    """Names, charts, pivots; calculated anew when opened; a template's kind becomes that of a workbook."""
    import lxml.etree

    root = xml(part(archive, "xl/workbook.xml"))
    for name in root.iter("{*}definedName"):
        name.text = moved(name.text or "", None, movers)
    calc = next(root.iter("{*}calcPr"), None)
    if calc is None:
        space = root.tag.rpartition("}")[0] + "}"
        calc = lxml.etree.SubElement(root, space + "calcPr")
        behind = [*root.iter("{*}sheets"), *root.iter("{*}externalReferences"), *root.iter("{*}definedNames")]
        behind[-1].addnext(calc)
    calc.set("fullCalcOnLoad", "1")
    replaced = {"xl/workbook.xml": written(root)}
    for name in archive.namelist():
        if not (name.startswith(("xl/charts/chart", "xl/pivotCache/pivotCacheDefinition")) and name.endswith(".xml")):
            continue
        other = xml(part(archive, name))
        for element in other.iter("{*}f"):
            element.text = moved(element.text or "", None, movers, grows=True)
        for element in other.iter("{*}worksheetSource"):
            if (mover := movers.get(element.get("sheet", ""))) and element.get("ref"):
                element.set("ref", moved_range(element.get("ref"), mover))
        replaced[name] = written(other)
    kinds = part(archive, "[Content_Types].xml").replace(b"template.main+xml", b"sheet.main+xml")
    kinds = kinds.replace(b"template.macroEnabled.main+xml", b"sheet.macroEnabled.main+xml")
    kinds = re.sub(rb'<Override[^>]*"/xl/calcChain\.xml"[^>]*/>', b"", kinds)
    rels = re.sub(rb'<Relationship [^>]*"[^"]*calcChain\.xml"[^>]*/>', b"", part(archive, "xl/_rels/workbook.xml.rels"))
    return {**replaced, "[Content_Types].xml": kinds, "xl/_rels/workbook.xml.rels": rels}


def written(root: Any) -> bytes:
    import lxml.etree

    data: bytes = lxml.etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return data


def packed(archive: zipfile.ZipFile, replaced: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for info in archive.infolist():
            if info.filename == "xl/calcChain.xml":  # the order of the formulas before
                continue
            data = replaced.get(info.filename) or part(archive, info.filename)
            target.writestr(copy.copy(info), data, compress_type=info.compress_type)
    return out.getvalue()

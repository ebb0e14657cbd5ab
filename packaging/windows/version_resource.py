"""What Windows shows under "Details" of a program, as the text PyInstaller reads. Read by triptych.spec."""

from __future__ import annotations

_FORM = """VSVersionInfo(
  ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}, mask=0x3F, flags=0x0, OS=0x40004,
    fileType=0x1, subtype=0x0, date=(0, 0)),
  kids=[
    StringFileInfo([StringTable("040904B0", [
      StringStruct("CompanyName", "The Triptych authors"),
      StringStruct("FileDescription", "{description}"),
      StringStruct("FileVersion", "{version}"),
      StringStruct("InternalName", "{name}"),
      StringStruct("LegalCopyright", "MIT licence; parts of others under theirs, see the folder licenses"),
      StringStruct("OriginalFilename", "{name}.exe"),
      StringStruct("ProductName", "Triptych"),
      StringStruct("ProductVersion", "{version}"),
    ])]),
    VarFileInfo([VarStruct("Translation", [0x0409, 1200])]),
  ],
)
"""


def version_resource(name: str, version: str) -> str:
    numbers = ([int(part) for part in version.split(".") if part.isdigit()] + [0] * 4)[:4]
    description = "Triptych" if name.endswith("w") else "Triptych, command line"
    return _FORM.format(numbers=tuple(numbers), name=name, version=version, description=description)

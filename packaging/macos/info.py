"""Info.plist of the application on macOS. Read by triptych.spec."""

from __future__ import annotations

DOCUMENT = "app.triptych.session"
"""The type of an exported session; its files end in `.triptych`."""


def information(version: str) -> dict[str, object]:
    return {
        "CFBundleName": "Triptych",
        "CFBundleDisplayName": "Triptych",
        "CFBundleShortVersionString": version,
        "CFBundleDevelopmentRegion": "en",
        "CFBundleLocalizations": ["en", "zh_CN"],
        "LSApplicationCategoryType": "public.app-category.productivity",
        "LSMinimumSystemVersion": "14.0",  # of Qt 6.12
        "NSHighResolutionCapable": True,
        "NSRequiresAquaSystemAppearance": False,  # the dark look is followed
        "NSHumanReadableCopyright": "MIT licence; parts of others under theirs, see licenses",
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": "Triptych session",
                "CFBundleTypeRole": "Viewer",
                "CFBundleTypeIconFile": "triptych.icns",
                "LSItemContentTypes": [DOCUMENT],
                "LSHandlerRank": "Owner",
            },
        ],
        "UTExportedTypeDeclarations": [
            {
                "UTTypeIdentifier": DOCUMENT,
                "UTTypeDescription": "Triptych session",
                "UTTypeConformsTo": ["public.data"],
                "UTTypeTagSpecification": {
                    "public.filename-extension": ["triptych"],
                    "public.mime-type": ["application/vnd.triptych.session"],
                },
            },
        ],
    }

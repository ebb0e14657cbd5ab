"""Makes every import after Qt's several times cheaper.

WORKAROUND: PySide6 wraps `__import__` and reads the source text of each module that is imported
from then on, only to see whether it might use `from __feature__ import …`. That doubles the time
to the first paint and costs half a second of the time to the first question. We use no such
features, so the answer is always no. Should the hook ever go, nothing happens.
"""

from __future__ import annotations

import sys
from types import ModuleType

_HOOK = "_mod_uses_pyside"


def quicken_imports() -> bool:
    """Call after the first import of PySide6. False if this Qt has no such hook."""
    import PySide6.QtCore  # noqa: F401  loads the hook

    feature = sys.modules.get("shibokensupport.feature")
    if feature is None or not hasattr(feature, _HOOK):
        return False
    setattr(feature, _HOOK, _uses_no_features)
    return True


def _uses_no_features(_module: ModuleType) -> bool:
    return False

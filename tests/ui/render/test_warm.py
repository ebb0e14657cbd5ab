"""The first paint does not wait for the parser and the lexers."""

from __future__ import annotations

import subprocess
import sys

_HEAVY = "('markdown_it', 'mdit_py_plugins', 'pygments')"


def test_the_chat_view_is_imported_without_parser_and_lexers() -> None:
    code = (
        "import sys, app.ui.chat.view\n"
        f"assert not [name for name in {_HEAVY} if name in sys.modules]\n"
        "from app.ui.render.warm import warm_up\n"
        "warm_up()\n"
        f"assert all(name in sys.modules for name in {_HEAVY})\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr

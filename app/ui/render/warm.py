"""The heavy imports of rendering, done before the first answer needs them.

Called once in a background thread after the first paint; touches no Qt.
"""

from __future__ import annotations

from app.ui.render.markdown.blocks import to_blocks
from app.ui.render.markdown.markdown import parse
from app.ui.render.parts.highlight import spans_of


def warm_up() -> None:
    to_blocks(parse("# a\n\n- **b** `c`\n\n| d |\n|---|\n| e |\n"))
    spans_of("python", "def f(): pass", {"Keyword": "#000000"})

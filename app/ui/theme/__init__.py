"""How the window looks: colours, sizes, fonts, icons, one style sheet.

Every widget asks a `Theme` for what it needs; nobody else names a colour or a pixel size.
Knows no widget of ours and no setting: the choice ("system", "light", "dark") and the zoom
are handed in by the application.
"""

from app.ui.theme.icons import icon_names
from app.ui.theme.theme import Scheme, Theme, apply, resolve
from app.ui.theme.tokens import Tokens

__all__ = ["Scheme", "Theme", "Tokens", "apply", "icon_names", "resolve"]

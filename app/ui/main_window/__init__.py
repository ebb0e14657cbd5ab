"""The window: three panes and their arrangement, and what the person does in them.

`window` and the files it imports make the shell, which is painted before anything heavy is
loaded; `compose` and what it imports come after the first paint, together with the services.
"""

from .window import MainWindow

__all__ = ["MainWindow"]

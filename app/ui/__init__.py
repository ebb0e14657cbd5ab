"""The window: the only place that knows Qt.

Gets facts from `services` and paints them; sends what the person did back down. Decides nothing
about models, tools or storage. Rooms from top to bottom: main_window, run_presenter, then chat,
reasoning, sessions and dialogs side by side, cards, render, widgets and application, and at the
ground actions, theme and texts.
"""

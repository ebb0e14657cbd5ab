"""What opens over the window: settings of agents, preferences, providers, and questions to the person.

Each dialog gets the services it needs and a function that starts its asynchronous work. All are
shown with `open()`: a nested event loop would kill the tasks that run meanwhile. What the run,
the chat and the panes do is left to others; the approval card lies here and is placed by them.
"""

from app.ui.dialogs.approvals.approval import ApprovalCard
from app.ui.dialogs.approvals.link import ask_to_load_picture, ask_to_open_link

__all__ = ["ApprovalCard", "ask_to_load_picture", "ask_to_open_link"]

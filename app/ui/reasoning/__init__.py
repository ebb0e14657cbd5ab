"""The right pane: what the agent does, while it does it.

Comes in: every event of a run, live or replayed, through `ReasoningPane.apply`. Goes out: the
step a person clicked and the plan a person edited, as signals. Text of models and tools is shown
literally. Running, storing and answering are left to others; so is the chat.
"""

from app.ui.reasoning.pane import ReasoningPane

__all__ = ["ReasoningPane"]

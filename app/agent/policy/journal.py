"""Records a call that changes something before it runs (T27).

The services implement the journal. If the process dies during a call, its outcome is unknown: it is shown as unknown
and never repeated automatically.
"""

from __future__ import annotations

from typing import Protocol

from app.core.run.model_call import ModelCall


class CallJournal(Protocol):
    async def begin(self, call_id: str, name: str, args_hash: str) -> None:
        """On the disk on return, with all the run has said up to the call's `ToolStarted`, which has been told.

        Raises what the disk raises; the call is not run then.
        """

    def note_model_call(self, call: ModelCall) -> None:
        """A request to the model, for those who want to see it raw; kept when there is time."""

"""What the agent may do in the folder: three named sets of permissions, chosen beside the mode (ruling 45).

They only say what asks and what does not; the gate of every run decides, and a deny of the agent or of the person
stays one. Keys, `.env` and `.git` ask under each of them (`Tool.asks`).
"""

from app.core.domain import PermissionPreset
from app.core.text.i18n import N_

CHANGES = ("edit_file", "write_file", "move_path", "move_paths", "restore_path")
"""What is made at once where edits are accepted: all of it can be undone."""
OTHERS = ("trash_path", "undo_run", "git_commit", "run_command")
"""What changes the folder and is asked for each time."""

PRESETS = (
    PermissionPreset("plan", N_("Read only"), dict.fromkeys((*CHANGES, *OTHERS), "deny")),
    PermissionPreset("build", N_("Ask")),
    PermissionPreset("auto", N_("Auto-accept"), dict.fromkeys(CHANGES, "allow")),
)

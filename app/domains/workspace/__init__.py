"""Work in a folder the person picked: look, search, edit with a view of the change, move, and take all of it back.

`folder` opens paths so that none leads out; `model` holds texts with their bytes, the journal of a run and the bin;
`tools` read arguments and find the words. A run's changes are undone as a whole (`model/journal.py`).
"""

from app.core.domain import Domain
from app.core.resources import domain_dir

from .model.notes import notes_of
from .presets import PRESETS
from .tools.command import run_command
from .tools.editing import edit_file, write_file
from .tools.moving import move_path, move_paths, restore_path, trash_path
from .tools.reading import list_dir, read_file
from .tools.repository import git_commit, git_diff, git_log, git_status
from .tools.runs import summarise_work, todo_write, undo_run
from .tools.searching import glob, grep

TOOLS = (
    list_dir,
    glob,
    grep,
    read_file,
    edit_file,
    write_file,
    move_path,
    move_paths,
    trash_path,
    restore_path,
    todo_write,
    summarise_work,
    undo_run,
    git_status,
    git_diff,
    git_log,
    git_commit,
    run_command,
)
DOMAIN = Domain("workspace", TOOLS, domain_dir("workspace"), presets=PRESETS, folder_notes=notes_of)

__all__ = ["DOMAIN", "TOOLS"]

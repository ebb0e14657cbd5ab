"""Tools that belong to no domain: what any agent may have.

The composition root comes in and reads `BUILTIN_TOOLS`. Checking arguments, permission and
running are left to the executor. To add one: a file with a `@tool` function, its name here.
"""

from .ask_user import ask_user
from .calculator import calculator
from .clock import current_time
from .documents import read_document, search_documents
from .memory import fetch_memory, remember
from .skills import load_skill, read_skill_file

BUILTIN_TOOLS = (
    ask_user,
    calculator,
    current_time,
    fetch_memory,
    remember,
    search_documents,
    read_document,
    load_skill,
    read_skill_file,
)

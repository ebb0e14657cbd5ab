"""Which programs' conversations are read: one line each, found by what a file holds, never by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..document import Body, SessionDocument
from ..foreign_parts import ImportContext
from .chatbox import is_chatbox, read_chatbox
from .chatgpt import is_chatgpt, read_chatgpt
from .cherry_studio import is_cherry, read_cherry
from .claude import is_claude, read_claude
from .deepseek import is_deepseek, read_deepseek
from .jan import is_jan, read_jan
from .lobehub import is_lobe, read_lobe
from .open_webui import is_open_webui, read_open_webui
from .pygpt import is_pygpt, read_pygpt
from .tables import DatabaseTables


@dataclass(frozen=True, slots=True)
class ConversationForm:
    """A program whose files are a list of conversations, or one."""

    program: str
    recognises: Callable[[Body], bool]
    read: Callable[[Body, ImportContext], SessionDocument]


@dataclass(frozen=True, slots=True)
class TableForm:
    """A program whose files hold tables; `places` are the objects in which these lie."""

    program: str
    places: tuple[str, ...]
    recognises: Callable[[DatabaseTables], bool]
    read: Callable[[DatabaseTables, ImportContext], Iterator[SessionDocument]]


CONVERSATIONS = (
    ConversationForm("DeepSeek", is_deepseek, read_deepseek),
    ConversationForm("ChatGPT", is_chatgpt, read_chatgpt),
    ConversationForm("Claude", is_claude, read_claude),
    ConversationForm("Open WebUI", is_open_webui, read_open_webui),
    ConversationForm("Jan", is_jan, read_jan),
)
TABLES = (
    TableForm("Cherry Studio", ("indexedDB", "localStorage"), is_cherry, read_cherry),
    TableForm("LobeHub", ("state", "data"), is_lobe, read_lobe),
    TableForm("Chatbox", (), is_chatbox, read_chatbox),
    TableForm("PyGPT", (), is_pygpt, read_pygpt),
)
PLACES = frozenset(place for form in TABLES for place in form.places)
PROGRAMS = tuple(form.program for form in (*CONVERSATIONS, *TABLES))

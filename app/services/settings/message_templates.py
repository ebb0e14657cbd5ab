"""Texts a person keeps to send again, for all agents."""

from __future__ import annotations

from collections.abc import Mapping

from app.core.errors import BadInput
from app.core.ids import new_id
from app.core.session.prompt_template import PromptTemplate
from app.core.stores import Document, DocumentStore

KIND = "prompt-template"
LONGEST_NAME = 120
LONGEST_TEXT = 20_000


class PromptService:
    def __init__(self, documents: DocumentStore) -> None:
        self._documents = documents

    async def list(self) -> list[PromptTemplate]:
        """By name."""
        templates = [_template(document) for document in await self._documents.list(KIND)]
        return sorted((one for one in templates if one is not None), key=lambda one: one.name.casefold())

    async def save(self, name: str, text: str, id: str = "") -> PromptTemplate:
        """With `id` that template is changed. Names may repeat: they are for people. Raises BadInput."""
        name = " ".join(name.split())[:LONGEST_NAME]
        if not name or not text.strip():
            raise BadInput("a template needs a name and a text", reason="TEMPLATE_EMPTY")
        if len(text) > LONGEST_TEXT:
            message = f"a template has at most {LONGEST_TEXT:,} characters"
            raise BadInput(message, reason="TEMPLATE_LONG", most=LONGEST_TEXT)
        document = await self._documents.put(KIND, id or new_id(), {"name": name, "text": text})
        return PromptTemplate(document.id, name, text)

    async def delete(self, id: str) -> bool:
        return await self._documents.delete(KIND, id)


def _template(document: Document) -> PromptTemplate | None:
    body = document.body
    if not isinstance(body, Mapping) or not isinstance(body.get("text"), str):
        return None
    return PromptTemplate(document.id, str(body.get("name") or ""), body["text"])

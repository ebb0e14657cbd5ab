"""What an editor sends with a prompt, as the text and the attachments of a question."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from app.core.errors import BadInput
from app.core.run.messages import Attachment
from app.core.text.i18n import _
from app.services.exchange.attachments import AttachmentService

if TYPE_CHECKING:
    from acp.interfaces import Client

    from .parts import EditorSession

LONGEST = 2_000_000


class PromptReader:
    def __init__(self, client: Client, session: EditorSession, attachments: AttachmentService) -> None:
        self._client, self._session, self._attachments = client, session, attachments

    async def read(self, blocks: Sequence[Any]) -> tuple[str, tuple[Attachment, ...]]:
        """Raises BadInput for what cannot be taken, before anything is sent."""
        texts: list[str] = []
        files: list[Attachment] = []
        for block in blocks:
            match block.type:
                case "text":
                    texts.append(block.text)
                case "image":
                    files.append(await self._image(f"picture {len(files) + 1}", block.data))
                case "resource":
                    files.append(await self._resource(block.resource))
                case "resource_link":
                    texts.append(f" {block.uri} ")
                    if (file := await self._linked(block)) is not None:
                        files.append(file)
                case _:
                    raise BadInput(_("sound cannot be taken; send it as text"))
        text = "".join(texts).strip()
        if len(text) > LONGEST:
            raise BadInput(_("the question is longer than {n} characters").format(n=LONGEST))
        return text, tuple(files)

    async def _image(self, name: str, data: str) -> Attachment:
        return await self._attachments.add_image(name, _bytes(data), self._session.id)

    async def _resource(self, resource: Any) -> Attachment:
        name = name_of(resource.uri)
        if (text := getattr(resource, "text", None)) is not None:
            return await self._attachments.add_text(name, text, self._session.id)
        if str(resource.mime_type or "").startswith("image/"):
            return await self._image(name, resource.blob)
        text = _bytes(resource.blob).decode("utf-8", "replace")
        return await self._attachments.add_text(name, text, self._session.id)

    async def _linked(self, link: Any) -> Attachment | None:
        """The file as the editor has it, unsaved changes included, where it lets us read; else its name must do."""
        from acp.exceptions import RequestError

        parts = urlsplit(link.uri)
        can_read = self._session.can.fs is not None and self._session.can.fs.read_text_file
        if parts.scheme != "file" or not can_read:
            return None
        try:
            file = await self._client.read_text_file(session_id=self._session.id, path=unquote(parts.path))
        except (RequestError, ConnectionError):
            return None
        return await self._attachments.add_text(name_of(link.uri), file.content, self._session.id)


def name_of(uri: str) -> str:
    return PurePosixPath(unquote(urlsplit(uri).path)).name or "resource"


def _bytes(data: str) -> bytes:
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadInput(_("what was sent with the question is no base64")) from error

"""The text of a PDF document, within bounds. Call it in a thread; the library takes one document at a time."""

from __future__ import annotations

import threading
import time

MOST_PAGES = 500
LONGEST_SECONDS = 30.0
_one_at_a_time = threading.Lock()


class UnreadablePdf(Exception):
    """`why` is `password`, `damaged` or `scan` (pages without any text)."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def pdf_text(data: bytes, longest: int) -> str:
    """Pages with their numbers between them; cut, and said so, after `longest` characters.

    Raises UnreadablePdf.
    """
    with _one_at_a_time:
        # 50 ms and some megabytes: only who adds a PDF pays for it.
        import pypdfium2

        try:
            document = pypdfium2.PdfDocument(data)
        except pypdfium2.PdfiumError as error:
            raise UnreadablePdf("password" if "password" in str(error).lower() else "damaged") from error
        try:
            return _text_of(document, longest)
        except pypdfium2.PdfiumError as error:
            raise UnreadablePdf("damaged") from error
        finally:
            document.close()


def _text_of(document: object, longest: int) -> str:
    pages: list[str] = []
    size, until, count = 0, time.monotonic() + LONGEST_SECONDS, len(document)  # type: ignore[arg-type]
    for number in range(min(count, MOST_PAGES)):
        page = document[number]  # type: ignore[index]
        reader = page.get_textpage()
        text = reader.get_text_range().replace("\r\n", "\n").replace("\x00", "").strip()
        reader.close()
        page.close()
        if text:
            pages.append(f"[Page {number + 1}]\n{text}")
            size += len(pages[-1]) + 2
        if size > longest or time.monotonic() > until:
            break
    else:
        number = count - 1 if count <= MOST_PAGES else MOST_PAGES - 1
    if not pages:
        raise UnreadablePdf("scan")
    whole = "\n\n".join(pages)
    note = f"\n\n[Cut here: page {number + 1} of {count}]"
    if len(whole) > longest:
        return whole[: longest - len(note)] + note
    return whole if number + 1 >= count else whole + note

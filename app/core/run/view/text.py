"""The list of items, and the text in it: what grows, is taken back, or turns out to be of the other kind."""

from __future__ import annotations

from .items import Item, ItemChange, TextItem, TextRole
from .state import ViewState


class RunText(ViewState):
    def __init__(self) -> None:
        super().__init__()
        self._keys = 0
        self._changes: list[ItemChange] = []
        """Of the event that is applied now."""
        self._text: TextItem | None = None
        self._thought: TextItem | None = None

    def _key(self) -> int:
        self._keys += 1
        return self._keys

    def _add(self, item: Item) -> None:
        self.items.append(item)
        self._changes.append(ItemChange("added", item))

    def _changed(self, item: Item) -> None:
        self._changes.append(ItemChange("changed", item))

    def _remove(self, item: Item) -> None:
        self.items.remove(item)
        self._changes.append(ItemChange("removed", item))

    # ------------------------------------------------------------ text

    def _grow(self, role: TextRole, step: int, text: str) -> None:
        item = self._text if role == "visible" else self._thought
        if item is not None and item.step == step:
            item.add(text)
            self._changes.append(ItemChange("grew", item, text))
            return
        if role == "thinking":
            self._close_thought()
        item = TextItem(self._key(), step, self.now, role)
        item.add(text)
        if role == "visible":
            self._text = item
        else:
            self._thought = item
        self._add(item)

    def _close_thought(self) -> None:
        if (thought := self._thought) is not None:
            self._thought, thought.is_open = None, False
            self._changed(thought)

    def _set_remarks(self, step: int | None = None) -> None:
        """What was said so far, in one step or in all, is no part of the answer."""
        for item in self.items:
            if (
                isinstance(item, TextItem)
                and item.role == "visible"
                and step in (None, item.step)
                and not item.is_remark
            ):
                item.is_remark = True
                self._changed(item)

    def _remove_texts(self, step: int, roles: tuple[TextRole, ...]) -> str:
        texts = [one for one in self.items if isinstance(one, TextItem) and one.step == step and one.role in roles]
        for item in texts:
            self._remove(item)
        return "".join(item.text for item in texts)

    def _reclassify(self, step: int, to: str) -> None:
        """The text comes again as the other kind, below what there is."""
        if to == "thinking":
            if text := self._remove_texts(step, ("visible",)):
                self._grow("thinking", step, text)
                self._close_thought()
        elif text := self._remove_texts(step, ("thinking",)):
            last = self.items[-1] if self.items else None
            self._text = last if isinstance(last, TextItem) and last.role == "visible" else None
            self._grow("visible", step, text)

"""Heights of all rows with quick sums: a Fenwick tree.

With it the place of a row and the row at a place are found in a few steps, however long the chat.
"""

from __future__ import annotations

from collections.abc import Iterable


class Heights:
    def __init__(self, values: Iterable[int] = ()) -> None:
        self._values = list(values)
        self._tree = [0, *self._values]
        for index in range(1, len(self._tree)):
            parent = index + (index & -index)
            if parent < len(self._tree):
                self._tree[parent] += self._tree[index]

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, index: int) -> int:
        return self._values[index]

    def __setitem__(self, index: int, value: int) -> None:
        change = value - self._values[index]
        if not change:
            return
        self._values[index] = value
        node = index + 1
        while node < len(self._tree):
            self._tree[node] += change
            node += node & -node

    def append(self, value: int) -> None:
        self._values.append(value)
        node = len(self._values)
        below = self.top(node - 1) - self.top(node - (node & -node))
        self._tree.append(value + below)

    def values(self) -> list[int]:
        return list(self._values)

    def top(self, index: int) -> int:
        """Sum of the heights before that row."""
        total = 0
        while index > 0:
            total += self._tree[index]
            index -= index & -index
        return total

    def total(self) -> int:
        return self.top(len(self._values))

    def row_at(self, y: int) -> int:
        """The row that covers this place; the last one below the end."""
        node, left = 0, y
        step = 1 << max(0, len(self._values).bit_length() - 1)
        while step:
            probe = node + step
            if probe < len(self._tree) and self._tree[probe] <= left:
                node = probe
                left -= self._tree[probe]
            step >>= 1
        return min(node, max(0, len(self._values) - 1))

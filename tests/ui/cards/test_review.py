"""The review card by hand: cells typed in, sums at once, all of it taken back, given to the button that confirms."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.ui.cards import make_card
from app.ui.cards.review.line_list import ReviewList
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel


def choice(code: str, price: str, amount: str) -> dict[str, str]:
    return {"id": code, "label": f"product {code}", "price": price, "amount": amount}


CARD = {
    "card": "review", "role": "answer", "summary": "two lines",
    "payload": {
        "title": "Quotation", "columns": {"product": "Product", "qty": "Quantity", "price": "Unit price",
                                          "amount": "Amount", "state": "Status"},
        "total": "113.00", "subtotal": "100.00", "tax_rate": "13", "total_label": "Total", "sign": "$",
        "cells": ["title", "qty", "price", "amount"],
        "lines": [
            {"no": 1, "title": "pipe", "qty": "100", "price": "1.00", "amount": "100.00", "state": "Set", "tone": "ok"},
            {"no": 2, "title": "elbow", "qty": "8", "price": "–", "amount": "–", "state": "Choose", "tone": "warn",
             "key": "elbow", "choices": [choice("A", "2.50", "20.00"), choice("B", "3.00", "24.00")]},
        ],
    },
    "actions": [{"id": "save", "label": "Confirm", "tool": "select_match", "args": {"choices": []},
                 "fills": ["choices", "remember", "edits"]}],
}  # fmt: skip


def test_cells_are_typed_reckoned_taken_back_and_given(qtbot: QtBot) -> None:
    card = make_card(CARD, Theme("light"))
    assert card is not None
    qtbot.addWidget(card)
    card.resize(900, 400)
    card.show()
    pressed: list[Any] = []
    card.pressed.connect(lambda _button, values: pressed.append(values))
    (lines,) = card.findChildren(ReviewList)
    (after,) = (one for one in card.findChildren(SafeLabel) if one.objectName() == "reviewAfter")
    (button,) = (one for one in card.findChildren(QPushButton) if one.objectName() == "cardAction.save")

    def types(*texts: str) -> None:
        for n, text in enumerate(texts):
            field = lines.findChild(QLineEdit, "reviewCell")
            assert field is not None
            assert field.isVisible()
            QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
            QTest.keyClicks(field, text)
            QTest.keyClick(field, Qt.Key.Key_Tab if n < len(texts) - 1 else Qt.Key.Key_Return)

    lines.setFocus()
    assert "F2" in after.text()
    assert lines.current == 1
    for key in (Qt.Key.Key_2, Qt.Key.Key_Home, Qt.Key.Key_F2):
        QTest.keyClick(lines, key)
    types("50 m", "1.20")
    assert "2 changed; after confirming $94.92" in after.text()  # 60.00 + 24.00 = 84.00, and 13 %
    QTest.mouseDClick(lines, Qt.MouseButton.LeftButton, pos=QPoint(120, 24 + 44 + 20))
    types("bend 90°")
    QTest.keyClick(lines, Qt.Key.Key_F2)
    types("elbow", "nothing")
    assert "no amount" in after.text()
    QTest.keyClick(lines, Qt.Key.Key_F2)
    field = lines.findChild(QLineEdit, "reviewCell")
    assert field is not None
    QTest.keyClicks(field, "999")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    button.click()
    for _n in range(2):
        QTest.keyClick(lines, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    button.click()
    first, second = pressed
    assert first["choices"] == [{"line": 2, "code": "B"}]
    assert [(one["line"], one["cell"], one["value"]) for one in first["edits"]] == [
        (1, "qty", "50 m"), (1, "price", "1.20"), (2, "name", "elbow"),
    ]  # fmt: skip
    assert [one["cell"] for one in second["edits"]] == ["qty", "price"]

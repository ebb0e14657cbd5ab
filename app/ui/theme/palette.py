"""Tokens as a QPalette: what Fusion paints where the style sheet says nothing."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPalette

from app.ui.theme.tokens import Tokens

_Role = QPalette.ColorRole


def palette_of(tokens: Tokens) -> QPalette:
    palette = QPalette()
    for role, color in _roles(tokens).items():
        palette.setColor(role, QColor(color))
    for role in (_Role.WindowText, _Role.Text, _Role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(tokens.outline))
    return palette


def _roles(tokens: Tokens) -> dict[QPalette.ColorRole, str]:
    return {
        _Role.Window: tokens.surface,
        _Role.WindowText: tokens.text,
        _Role.Base: tokens.surface,
        _Role.AlternateBase: tokens.sunken,
        _Role.Text: tokens.text,
        _Role.PlaceholderText: tokens.muted,
        _Role.Button: tokens.raised,
        _Role.ButtonText: tokens.text,
        _Role.BrightText: tokens.error,
        _Role.ToolTipBase: tokens.raised,
        _Role.ToolTipText: tokens.text,
        _Role.Highlight: tokens.highlight,
        # Selected text keeps its colour: the highlight is a tint, not a block.
        _Role.HighlightedText: tokens.text,
        _Role.Link: tokens.accent,
        _Role.LinkVisited: tokens.accent,
        _Role.Accent: tokens.accent,
        _Role.Light: tokens.raised,
        _Role.Midlight: tokens.hover,
        _Role.Mid: tokens.border,
        _Role.Dark: tokens.outline,
        _Role.Shadow: tokens.outline,
    }

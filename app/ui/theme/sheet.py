"""The one style sheet of the application, written from the tokens.

Widgets say what they are by `objectName` or by the dynamic properties used here:
`role` = "title" | "meta" | "display" for labels, `kind` = "primary" | "quiet" | "danger" for buttons,
`align` = "left" for buttons,
`card` = "plain" | "ok" | "warn" | "error" and `pane` = "side" | "centre" for frames.
No widget sets a sheet of its own: that costs a re-polish each time and hides colours from the theme.
"""

from __future__ import annotations

from string import Template

from app.core.resources import resource_dir
from app.ui.theme.fonts import Role, pixel_size
from app.ui.theme.tokens import GRID, Tokens

_SHEET = Template("""
QMainWindow, QDialog, QWidget[pane="centre"] { background: $surface; }
QWidget[pane="side"] { background: $side; }
QWidget[edge="right"] { border-right: 1px solid $border; }
QLabel { background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QLabel[role="title"] { font-size: ${px_title}px; font-weight: $strong_weight; }
QLabel[role="heading"] { font-size: ${px_h3}px; font-weight: $strong_weight; }
QLabel[role="display"] { font-size: ${px_display}px; font-weight: $strong_weight; }
QLabel[role="prose"] { font-size: ${px_body}px; }
QLabel[role="strong"] { font-weight: $strong_weight; }
QLabel[role="meta"] { color: $muted; font-size: ${px_meta}px; }
QLabel[role="tile"] { background: $bubble; border-radius: ${r8}px; }
QLabel[role="error"] { color: $error; }
QLabel[role="ok"] { color: $ok; font-size: ${px_meta}px; }
QLabel[found="true"] { background: $highlight; }
QLabel[role="chip"] { background: $hover; color: $muted; font-size: ${px_meta}px;
  border-radius: ${r6}px; padding: ${g025}px ${g1}px; }

QLabel[role="value"] { background: $hover; color: $muted; font-size: ${px_meta}px;
  border-radius: ${r6}px; padding: 0 ${g05}px; }

QFrame[card="plain"] { background: $sunken; border: 1px solid $border; border-radius: ${r12}px; }
QFrame[card="answer"] { background: $surface; border: 1px solid $border; border-radius: ${r12}px; }
QFrame[card="ok"] { background: $ok_tint; border: 1px solid $border; border-radius: ${r12}px; }
QFrame[card="warn"] { background: $warn_tint; border: 1px solid $border; border-radius: ${r12}px; }
QFrame[card="error"] { background: $error_tint; border: 1px solid $border; border-radius: ${r12}px; }
QFrame[card="raised"] { background: $raised; border: 1px solid $border; border-radius: ${r12}px; }
QFrame[card="plain"]:focus { border-color: $accent; }
QFrame[card="sunken"] { background: $sunken; border: none; border-radius: ${r8}px; }
QFrame[card="below"] { background: $sunken; border: none; border-bottom-left-radius: ${r8}px;
  border-bottom-right-radius: ${r8}px; }
QFrame[card="edited"] { background: $surface; border: 1px solid $accent; border-radius: ${r12}px; }
QFrame[card="waiting"] { background: $surface; border: 1px solid $outline; border-radius: ${r12}px; }
QFrame[card="folded"] { background: transparent; border: 1px solid transparent; }
QFrame[card="quiet"] { background: $surface; border: 1px solid $border; border-radius: ${r12}px; }
QFrame[card="saying"] { background: transparent; border: none; border-left: 3px solid $accent; border-radius: 0; }
QFrame#foundMark { background: transparent; border: 2px solid $accent; border-radius: ${r8}px; }
QDialog[sheet="true"] { background: $raised; border: 1px solid $border; border-radius: ${r12}px; }
QLabel[role="value"][lit="true"] { background: $accent_tint; color: $accent; }
QFrame[line="true"] { background: $border; border: none; }
QFrame#bubble { background: $bubble; border: none; border-radius: ${r16}px; }
QFrame#composerFrame { background: $raised; border: 1px solid $outline; border-radius: ${r16}px; }
QFrame#composerFrame:focus { border-color: $accent; }

QPushButton { background: $raised; color: $text; border: 1px solid $outline; border-radius: ${r8}px;
  padding: ${g075}px ${g15}px; font-weight: 500; }
QPushButton:hover { background: $hover; }
QPushButton:pressed { background: $pressed; }
QPushButton:focus { border-color: $accent; }
QPushButton:disabled, QPushButton[kind="danger"]:disabled { color: $outline; border-color: $border; }
QPushButton[kind="primary"] { background: $accent; color: $on_accent; border-color: $accent; }
QPushButton[kind="primary"]:hover { background: $accent_hover; border-color: $accent_hover; }
QPushButton[kind="primary"]:disabled { background: $hover; color: $muted; border-color: $hover; }
QPushButton[kind="toggle"]:checked { background: $accent_tint; border-color: $accent; }
QPushButton[kind="danger"] { color: $error; }
QPushButton[kind="danger"]:disabled { color: $outline; }
QPushButton[kind="soft"] { background: $hover; border-color: transparent; }
QPushButton[kind="soft"]:hover { background: $pressed; }
QPushButton[kind="soft"]:focus { border-color: $accent; }
QPushButton[kind="quiet"] { background: transparent; border-color: transparent; }
QPushButton[kind="quiet"]:hover { background: $hover; }
QPushButton[kind="quiet"]:focus { border-color: $accent; }
QPushButton[kind="quiet"][tone="error"] { color: $error; }
QPushButton[kind="link"] { background: transparent; border: none; color: $accent; padding: 0px; text-align: left;
  font-weight: 400; }
QPushButton[kind="link"]:hover, QPushButton[kind="link"]:focus { text-decoration: underline; }
QPushButton[kind="reference"] { background: $selected; color: $accent; border: 1px solid transparent;
  border-radius: ${r6}px; padding: ${g05}px ${g1}px; text-align: left; }
QPushButton[kind="reference"]:focus { border-color: $accent; }
QPushButton[kind="offer"] { background: $hover; border: 1px solid transparent; border-radius: ${r6}px;
  padding: ${g05}px ${g1}px; font-weight: 400; }
QPushButton[kind="offer"]:hover { background: $pressed; }
QPushButton[kind="offer"]:focus { border-color: $accent; }
QPushButton[kind="understood"] { background: $bubble; font-size: ${px_meta}px; font-weight: 400;
  border: 1px solid transparent; border-radius: ${r6}px; padding: 0px ${g075}px; }
QPushButton[kind="understood"]:hover { background: $hover; }
QPushButton[kind="understood"][source="assumed"] { background: transparent; color: $muted;
  border: 1px dashed $outline; }
QPushButton[kind="understood"][source="unknown"] { background: $warn_tint; color: $warn; }
QPushButton[kind="understood"]:focus { border: 1px solid $accent; }
QPushButton[align="left"] { text-align: left; }
QPushButton[kind="fold"] { background: transparent; border: 1px solid transparent; border-radius: ${r8}px;
  padding: ${g05}px ${g1}px; text-align: left; font-weight: 400; }
QPushButton[kind="fold"][state="running"] { background: $accent_tint; }
QPushButton[kind="fold"]:focus { border-color: $accent; }

QPushButton[kind="day"] { background: transparent; border: 1px solid transparent; border-radius: ${r14}px;
  color: $muted; padding: 0px ${g15}px; }
QPushButton[kind="day"][dot="true"] { padding-left: ${g3}px; }
QPushButton[kind="day"]:hover { background: $hover; }
QPushButton[kind="day"]:checked { background: $bubble; color: $accent; font-weight: $strong_weight; }
QPushButton[kind="day"]:focus { border-color: $accent; }

QToolButton { background: transparent; border: 1px solid transparent; border-radius: ${r6}px; padding: ${g05}px; }
QToolButton:hover { background: $hover; }
QToolButton:pressed, QToolButton:checked { background: $pressed; }
QToolButton:focus { border-color: $accent; }
QToolButton[kind="chip"] { background: $hover; color: $muted; font-size: ${px_meta}px; border: none;
  border-radius: ${r6}px; padding: ${g025}px ${g1}px; }
QToolButton[kind="chip"]:hover, QToolButton[kind="chip"]:focus { background: $pressed; color: $text; }
QToolButton#modeChip { padding-right: 0px; }
QToolButton[kind="small"] { color: $muted; font-size: ${px_meta}px; padding: ${g025}px ${g075}px; }
QToolButton[kind="small"]:hover { color: $text; }
QToolButton::menu-indicator { image: none; }
QPushButton#jumpToLatestButton { background: $raised; border: 1px solid $outline; border-radius: ${round}px;
  padding: 0px ${g15}px; }
QPushButton#jumpToLatestButton:hover { background: $hover; }
QPushButton#jumpToLatestButton[unread="true"] { border-color: $accent; color: $accent; }
QPushButton#sendButton, QPushButton#stopButton { border-radius: ${round}px; padding: 0px; }

QFrame#segmented { background: $hover; border-radius: ${r8}px; }
QFrame#segmented QAbstractButton { background: transparent; border: 1px solid transparent; border-radius: ${r6}px;
  color: $muted; padding: ${g05}px ${g15}px; }
QFrame#segmented QRadioButton { spacing: 0px; }
QFrame#segmented QRadioButton::indicator { width: 0px; height: 0px; border: none; image: none; }
QFrame#segmented QAbstractButton:hover { color: $text; }
QFrame#segmented QAbstractButton:checked { background: $surface; color: $text; font-weight: $strong_weight; }
QFrame#segmented QAbstractButton:focus { border-color: $accent; }

QLineEdit, QTextEdit, QPlainTextEdit, QSpinBox, QDoubleSpinBox, QComboBox {
  background: $raised; color: $text; border: 1px solid $outline; border-radius: ${r8}px;
  padding: ${g05}px ${g1}px; selection-background-color: $highlight; selection-color: $text;
  placeholder-text-color: $muted; }
QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox { min-height: ${line}px; padding: ${g075}px ${g1}px; }
QLineEdit:disabled, QTextEdit:disabled, QPlainTextEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled,
QComboBox:disabled { color: $outline; background: $sunken; border-color: $border; }
QSpinBox, QDoubleSpinBox { padding-right: ${g25}px; }
QSpinBox::up-button, QDoubleSpinBox::up-button { subcontrol-origin: border; subcontrol-position: top right;
  width: ${g25}px; border: none; border-top-right-radius: ${r8}px; margin: 1px 1px 0px 0px; }
QSpinBox::down-button, QDoubleSpinBox::down-button { subcontrol-origin: border; subcontrol-position: bottom right;
  width: ${g25}px; border: none; border-bottom-right-radius: ${r8}px; margin: 0px 1px 1px 0px; }
QSpinBox::up-button:hover, QDoubleSpinBox::up-button:hover, QSpinBox::down-button:hover,
QDoubleSpinBox::down-button:hover { background: $hover; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url("$marks/chevron-up.svg"); width: ${g125}px;
  height: ${g125}px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url("$marks/chevron-down.svg"); width: ${g125}px;
  height: ${g125}px; }
QComboBox { combobox-popup: 0; padding-right: ${g25}px; }
QComboBox::drop-down { border: none; width: ${g3}px; }
QComboBox::down-arrow { image: url("$marks/chevron-down.svg"); width: ${g15}px; height: ${g15}px; }
QComboBox QLineEdit, QSpinBox QLineEdit, QDoubleSpinBox QLineEdit { border: none; background: transparent;
  padding: 0px; min-height: 0px; }
QComboBox QAbstractItemView::item { min-height: ${g35}px; padding: 0px ${g1}px; border-radius: ${r6}px; }
QComboBox QAbstractItemView::item:hover { background: $hover; }
QComboBox QAbstractItemView::item:selected { background: $selected; color: $text; }

QCheckBox, QRadioButton { spacing: ${g1}px; }
QCheckBox::indicator, QRadioButton::indicator, QGroupBox::indicator, QAbstractItemView::indicator,
QMenu::indicator { width: ${box}px; height: ${box}px; }
QCheckBox::indicator, QGroupBox::indicator, QAbstractItemView::indicator { border: 1px solid $outline;
  border-radius: ${r4}px; background: $raised; }
QRadioButton::indicator { border: 1px solid $outline; border-radius: ${disc}px; background: $raised; }
QCheckBox::indicator:hover, QRadioButton::indicator:hover { background: $hover; }
QCheckBox::indicator:focus, QRadioButton::indicator:focus { border-color: $accent; }
QCheckBox::indicator:checked, QGroupBox::indicator:checked, QAbstractItemView::indicator:checked {
  background: $accent; border-color: $accent; image: url("$marks/check.svg"); }
QCheckBox::indicator:indeterminate, QAbstractItemView::indicator:indeterminate {
  background: $accent; border-color: $accent; image: url("$marks/minus.svg"); }
QRadioButton::indicator:checked { background: $on_accent; border: ${ring}px solid $accent; width: ${hole}px;
  height: ${hole}px; }
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled, QAbstractItemView::indicator:disabled {
  background: $hover; border-color: $border; }
QCheckBox::indicator:checked:disabled, QCheckBox::indicator:indeterminate:disabled,
QAbstractItemView::indicator:checked:disabled { background: $outline; border-color: $outline; }
QRadioButton::indicator:checked:disabled { background: $hover; border: ${ring}px solid $outline; }
QCheckBox:disabled, QRadioButton:disabled { color: $outline; }
QGroupBox { border: none; margin-top: ${g25}px; font-weight: $strong_weight; }
QGroupBox::title { subcontrol-origin: margin; left: 0px; }
QSlider:horizontal { min-height: ${g25}px; }
QSlider::groove:horizontal { height: ${g05}px; border-radius: ${r2}px; background: $pressed; }
QSlider::sub-page:horizontal { border-radius: ${r2}px; background: $accent; }
QSlider::handle:horizontal { width: ${box}px; height: ${box}px; margin: -${over}px 0px; border-radius: ${disc}px;
  border: 1px solid $outline; background: $raised; }
QSlider::handle:horizontal:hover { border-color: $accent; }
QSlider:focus { border: none; }
QSlider::handle:horizontal:focus { border: 2px solid $accent; }
QLineEdit#sessionSearch { padding-left: 0px; }
QLineEdit:focus, QTextEdit:focus, QPlainTextEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus,
QComboBox:focus { border-color: $accent; }
QTextEdit[flat="true"], QPlainTextEdit[flat="true"], QTextBrowser[flat="true"], QTableView[flat="true"] {
  background: transparent; border: none; border-radius: 0px; padding: 0px; }
QTextEdit[box="changes"] { background: $surface; border: 1px solid $border; border-radius: ${r8}px;
  padding: ${g05}px ${g1}px; }
QTextEdit[box="changes"]:focus { border-color: $accent; }
QComboBox QAbstractItemView, QMenu { background: $raised; border: 1px solid $border; border-radius: ${r12}px;
  padding: ${g05}px; selection-background-color: $selected; selection-color: $text; outline: 0; }
QDialog#commandPalette { background: $raised; border: 1px solid $outline; }
QMenu::item { padding: ${g075}px ${g25}px ${g075}px ${g1}px; border-radius: ${r8}px; min-height: ${line}px; }
QMenu::icon { padding-left: ${g1}px; }
QMenu::indicator { margin-left: ${g075}px; }
QMenu::indicator:checked { image: url("$marks/tick.svg"); }
QMenu::right-arrow { image: url("$marks/chevron-right.svg"); width: ${g15}px; height: ${g15}px;
  margin-right: ${g075}px; }
QMenu::item:selected { background: $hover; }
QMenu::item:disabled { color: $outline; }
QMenu::separator { height: 1px; background: $border; margin: ${g05}px ${g1}px; }
QToolTip { background: $raised; color: $text; border: 1px solid $outline; padding: ${g05}px ${g1}px; }

QAbstractItemView { background: transparent; border: none; outline: 0;
  selection-background-color: $selected; selection-color: $text; }
QListView::item { padding: ${g05}px ${g1}px; border-radius: ${r6}px; }
QListView::item:hover { background: $hover; }
QListView::item:selected { background: $selected; color: $text; }
QTableView { gridline-color: $border; }
QTableView[padded="true"]::item { padding: 0px ${g075}px; }
QTableView#toolTable::item { padding: 0px ${g05}px; }
QTableView#toolTable QPushButton[kind="link"] { padding: 0px ${g1}px; }
QTableView QComboBox { padding: ${g05}px ${g25}px ${g05}px ${g1}px; }
QTableView#toolTable QComboBox { background: transparent; border-color: transparent; }
QTableView#toolTable QComboBox:hover { background: $hover; }
QTableView#toolTable QComboBox:focus { border-color: $accent; }
QHeaderView { background: transparent; }
QHeaderView::section { background: transparent; color: $muted; border: none; border-bottom: 1px solid $border;
  padding: ${g05}px ${g1}px; font-weight: $strong_weight; }
QTabBar::tab { background: transparent; color: $muted; padding: ${g075}px ${g125}px; border: none;
  border-bottom: 2px solid transparent; }
QTabBar[tight="true"]::tab { padding: ${g075}px ${g05}px; margin-right: ${g025}px; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:selected { color: $text; border-bottom-color: $accent; }
QTabBar::tab:selected:focus { color: $accent; background: $hover; }
QCheckBox:focus, QRadioButton:focus { color: $accent; }
QTabWidget::pane { border: none; }
QScrollArea, QAbstractScrollArea#chatList { background: transparent; border: none; }
QSplitter::handle { background: $border; }
QSplitter::handle:hover { background: $accent; }
QProgressBar { background: $hover; border: none; border-radius: ${r3}px; max-height: ${g075}px; }
QProgressBar::chunk { background: $accent; border-radius: ${r3}px; }

QScrollBar { background: transparent; border: none; margin: 0px; }
QScrollBar:vertical { width: 10px; }
QScrollBar:horizontal { height: 10px; }
QScrollBar::handle { background: $outline; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0px; height: 0px; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
""")

_ROLES: tuple[Role, ...] = ("title", "display", "meta", "ui", "body", "code", "h3")
_STEPS = {
    "g025": 0.25,
    "g05": 0.5,
    "g075": 0.75,
    "g1": 1.0,
    "g125": 1.25,
    "g15": 1.5,
    "g25": 2.5,
    "g3": 3.0,
    "g35": 3.5,
}
_RADII = (2, 3, 4, 6, 8, 9, 10, 12, 14, 16)
_BOX, _RING = 16, 5
"""Check box with its edges; thickness of a chosen radio button's ring."""
_LINE = 18
"""Of text in a control: with 6 px above and below and the edge, 32."""
_MARKS = resource_dir() / "marks"


def style_sheet(tokens: Tokens, zoom: float) -> str:
    values: dict[str, object] = tokens._asdict()
    values |= {f"px_{role}": pixel_size(role, zoom) for role in _ROLES}
    values |= {name: round(steps * GRID * zoom) for name, steps in _STEPS.items()}
    # Corners grow with the zoom as well, or a large button looks like a box.
    values |= {f"r{radius}": round(radius * zoom) for radius in _RADII}
    # Half a pixel more than half the height, and Qt draws no curve at all.
    values["round"] = round(4 * GRID * zoom) // 2  # of what is four steps high
    box, ring, groove = 2 * round(_BOX * zoom / 2), round(_RING * zoom), round(0.5 * GRID * zoom)
    values |= {"box": box - 2, "disc": box // 2, "ring": ring, "hole": box - 2 * ring, "over": (box - groove) // 2}
    values |= {"line": round(_LINE * zoom), "marks": (_MARKS / tokens.scheme).as_posix()}
    return _SHEET.substitute(values)

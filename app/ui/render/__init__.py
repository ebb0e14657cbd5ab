"""The only renderer of Markdown and other text of models: answers, history, cards, exports to the window.

Source text → `splitter` (what changed) → `blocks` (plain descriptions, no Qt) → segments (widgets).
Nothing here loads a file or an address: images become a line of text, links a signal.
Who comes in: `body.MessageBody` for a message, `markdown` and `blocks` for others who need the structure.
Left to others: which message is shown where (chat), what a click on a link may do (dialogs).
"""

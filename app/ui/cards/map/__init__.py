"""The map card: places of a payload projected, drawn and labelled by us. Nothing is fetched.

`card` is the widget and its fallback in words; `plan`, `labels` and `ground` are its geometry and know no widget.
"""

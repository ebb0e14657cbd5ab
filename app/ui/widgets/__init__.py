"""Small widgets with one job each, used by every pane.

They get data and emit signals; they know no service, no run and no other pane.
"""

"""The one window of the settings: its pages at the side, the search over all of them."""

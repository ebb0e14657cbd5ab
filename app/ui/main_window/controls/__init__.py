"""What acts on the window as a whole: focus, zoom, links out, preferences that show at once."""

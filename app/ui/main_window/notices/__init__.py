"""What the window says by itself: at the start, when a run needs the person, when something cannot be saved."""

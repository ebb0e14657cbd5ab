"""The open session: its run, its messages, what is attached and asked."""

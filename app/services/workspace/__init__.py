"""The folder of a session: picked, remembered, handed to its runs."""

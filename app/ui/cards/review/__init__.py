"""Lines a person goes through one after another: each is settled, or one of a few is chosen for it by a key."""

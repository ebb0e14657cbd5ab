"""A gardener for Triptych: a tool, a mode, a hook, a domain with its agent, and a card."""

"""The HTTP level under every provider: client, timeouts, retries, errors, server-sent events."""

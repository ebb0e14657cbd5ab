"""`ChatModel` over the chat completions API: one request, its stream, its message."""

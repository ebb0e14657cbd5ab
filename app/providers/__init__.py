"""Everything that is a `ChatModel`.

Services ask for a model by its reference (`provider/model`). The wire formats of providers stay in this room; tools,
prompts and the loop are elsewhere.

    registry    presets, catalogue, model lists, discovery, probes      request     a `ModelRequest` as an HTTP body
    http        client, timeouts, retries, errors, server-sent events   chat        one request: stream in, message out
    text_calls  tool calls and reasoning written as text                rules       answers without a network
    vectors     embeddings and ranking

A request goes `registry/catalog` → `chat/openai_chat` → `request/build` → `request/messages`; its answer
`http/read_ahead` → `http/sse` → `chat/assembler`. `http/faults` names errors, `http/endpoint_quirks` remembers what a
server refused.
"""

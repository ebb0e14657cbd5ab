"""Who answers: everything that is a `ChatModel`.

Services come in to make a model of a reference (`provider/model`). What a provider's wire looks
like stays in here; tools, prompts and the loop are left to others.

The way of a request: `catalog` → `openai_chat` → `request` → `wire`. The way of its answer: `pump` → `stream`
→ `sse` → `assembler` → `calls`, `think_tags`, `markup`. What goes wrong gets its name in `faults` and
`network_faults`, what can be learned from it is in `learned`. Calls that models write as text are found by
`text_tools` (its marks, scanners and forms lie beside it) and offered by `text_tools_prompt`. `scripted` and
`offline` answer without a network.
"""

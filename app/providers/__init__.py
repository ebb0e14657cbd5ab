"""Who answers: everything that is a `ChatModel`.

Services come in to make a model of a reference (`provider/model`). What a provider's wire looks
like stays in here; tools, prompts and the loop are left to others.
"""

"""One run, from the question to the terminal event.

Services come in with a `RunSetup` and get a `Run` to listen to. Inside, from the top down: the
run drives a mode, a mode asks for steps, a step asks the model and has its tool calls executed.
What a model's wire looks like, where things are stored and how they are drawn is left to others;
this room knows core only.
"""

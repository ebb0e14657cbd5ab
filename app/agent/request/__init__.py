"""Makes the model request of a step: history, compaction, prompts, continuation."""

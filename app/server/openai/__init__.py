"""Agents as models of the OpenAI protocol: chat completions, responses, embeddings."""

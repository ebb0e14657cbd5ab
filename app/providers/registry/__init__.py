"""Known providers and models: presets, catalogue, discovery, probing."""

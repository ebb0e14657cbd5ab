"""The things of research: findings with their evidence, scores as models write them, what a source is worth."""

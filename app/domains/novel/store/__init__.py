"""The book in the author's folder: Markdown and TOML that any editor opens, read again when somebody else changed it.

project.toml                  title, genre, point of view …
chapters/<id>.md              TOML between +++ lines, then the text
versions/<id>/<version>.md    the same form: what a chapter was, or may become
characters/<name>.toml  world/<title>.toml
facts.toml  foreshadows.toml  timeline.toml
.novel/index.json             sizes, times and check sums of what was read; it can be thrown away
"""

"""Chats: messages that a model's chat template turns into a text, and which of that text is from which message.

- `conversation`: checks messages, chooses a template, and finds what was said in the rendered text.
- `renderer`: a process that renders templates, kept for the next ones, and ended if one takes too much time or memory.
- `sandbox`: what runs in that process: Jinja's sandbox, with what `transformers` offers to templates.

A template comes with a model, from anyone. Jinja's sandbox keeps it away from Python's internals, but nothing in a
process can stop an endless loop or a text of gigabytes, and no limit that a system sets works on Windows, macOS and
Linux alike.
"""

"""Chats: messages that a model's chat template makes a text, and what of that text was said in which message.

- `conversation`: checks messages, chooses a template, and finds what was said in the rendered text.
- `renderer`: a process that renders templates, kept for the next ones, and ended if one takes too much.
- `sandbox`: what runs in that process: Jinja's sandbox, with what `transformers` offers to templates.

A template comes with a model, from anyone. Jinja's sandbox keeps it from Python's inner parts, but nothing in a process
can stop an endless loop or a text of gigabytes, and no limit of the system's exists on Windows, macOS and Linux alike.
"""

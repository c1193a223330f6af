"""A chat with a model: the messages that one types, and what a model's chat template makes of them, as tokens."""

"""The window that reports how well a tokenizer suits texts, and what its vocabulary is worth on them."""

"""Get published tokenizers by name, over the network, only when asked to.

- `names`: what the names look like, and who gets them;
- `hugging_face`: `hf:owner/name`, through huggingface_hub;
- `tiktoken_encodings`: `tiktoken:name`, through tiktoken;
- `download`: where the tokenizer is then.
"""

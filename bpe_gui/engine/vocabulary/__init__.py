"""What a tokenizer knows: its tokens with their ids, and its merges in order.

- `merge_store`: the tokens and merges that all views of a tokenizer share, and to which a run may add. `entries`: the
  tokens of a step. `numbered_tokens`: tokens and merges as arrays, as large files give them.
- `encoding_tables`: the same for kernels, which number tokens with and without ids as symbols.
- `decoder`: ids to bytes; `tracing`: the merges that apply to a word, and those that made a token.
- `merge_recovery`: the merges of tokens for which a file has only ranks; `merge_scratch`: arrays to merge in.
"""

"""The tokenizer that people hold: a frozen view of the first merges of a store.

- `tokenizer`: the public class. `allowed_special`: which special tokens of a text it obeys, and the encoder for each
  choice. `config`: what the folder of a model says of it besides.
- `stream_decoder`: ids that come one by one become text.
- `trimmed_offsets`, `unknown_symbols`: what is found out about an encoding afterwards.
"""

"""Text to ids.

A text goes this way: the sections between its added tokens are found and normalized (`sections`), each section is split
into words, and each unique word is merged once, by kernels that keep it in the cache of an `encoding_worker`.

- `text_encoder`: the interface of the encoders. `recipe_encoder` and `pipeline_encoder` are those of tokenizers with a
  recipe and of published ones; `superwords` joins the words of the former.
- `kernel_encoder` encodes for both of them: UTF-8, with marks in place of what `sections` took out, in chunks and
  threads. `pipeline_kernels` says which steps of a pipeline kernels can follow, and how; `word_by_word` follows the
  others.
- `results`: ids with the places of their tokens.

The ids of a text are always the same: whole or in chunks, in one thread or several, alone or in a batch. Tests compare
these with each other and with a simple oracle.
"""

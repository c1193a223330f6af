"""Read and write tokenizer files in many formats.

`registry` has the table of formats, and says how to add one. The formats:

- `gpt2`, `minbpe`, `subword_nmt`, `spreadsheets`: tokenizers with a recipe; `files` reads their lines within limits;
- `tiktoken`, `tekken`: files of `ranks`;
- `tokenizer_json` with its parts `tokenizer_json_model` and `tokenizer_json_steps`; `transformers_folder`: the same in
  a folder of `transformers`, whose classes are in `transformers_classes`; `recipe_pipelines`: recipes as steps, and
  steps as recipes; `replays`: runs that begin with a tokenizer's merges; `sentencepiece_steps`: SentencePiece's steps
  as those of `tokenizers`; `clip`, `tiktoken_json`: files of their own kind;
- `sentencepiece`; `gguf` with `gguf_metadata`, `llama_cpp_splitters` and `llama_cpp_tokens`.

`spelled_tokens` converts large vocabularies to bytes, many tokens at a time. `downloads` gets published tokenizers by
name.

Before changing a format: a tokenizer read from a file must give the same ids as in the package that the file belongs
to, or the file must be refused with an error that says what is wrong, and where. A written file must give the same ids
when it is read back, here and by that package, or saving must be refused: by the format's `contents`, which
`save_obstacle` asks for the reason before anything is written. Files may be damaged or hostile, so every
reader has limits.
"""

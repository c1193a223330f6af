"""Pipelines: what published tokenizers do to text before and after their merges, as steps.

`pipeline` puts the steps in order: `added_tokens` are taken out of a text, `normalizers` change the text between them,
`pre_tokenizers` split it into words, the model merges each word according to `model_options`, and `decoders` turn
tokens back into text. A step is a small frozen value, named as in Hugging Face's `tokenizers`. `sentencepiece` and
`precompiled_charsmap` have the steps of SentencePiece's models.

Every character of an `aligned_text` knows which bytes of the original it stands for. A pre-tokenizer splits by levels,
which `levels` turns into the tables that kernels use, too. `merge_boundaries` adds a level for text that no step
splits. `library_classes` has the classes of characters in the library, `published_patterns` the expressions
of well-known splitters.

Before changing a step: its words, its offsets and its treatment of characters from every version of Unicode must be
those of the library. The tests compare them.
"""

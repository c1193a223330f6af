"""Datasets: the ids of whole corpora as arrays on disk, to train models on.

- `blocks`: the text of documents in blocks that can be encoded one by one; `rows`: their ids, document by document, in
  order, from several threads.
- `containers`: the files that other programs read: plain numbers, NumPy's, Megatron's and Parquet.
- `manifest`: what a dataset was made from; `dataset_writer` makes one, in shards, and goes on after an interruption;
  `encoded_corpus` opens one again.
- `token_counts`: only how many tokens files have.

Memory is bounded: a few blocks, and the number of tokens of each document. But a text that no chunker may cut, since
steps treat its ends differently, is kept whole.
"""

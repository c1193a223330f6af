"""Datasets: the ids of whole corpora as arrays on disk, to train models on.

- `blocks`: the text of documents in blocks that can be encoded one by one; `rows`: their ids, document by document, in
  order, from several threads.
- `containers`: the files that other programs read: plain numbers, NumPy's, Megatron's and Parquet.
- `manifest`: what a dataset was made from; `dataset_writer` makes one, in shards, and resumes after an interruption;
  `encoded_corpus` opens one again.
- `cluster_encoding`: the same rows, encoded on a Dask cluster.
- `token_counts`: only how many tokens files have.

Memory is bounded: a few blocks, and the number of tokens of each document. The exception is a text that
must not be cut, since some steps treat the ends of a text differently: it is kept whole.
"""

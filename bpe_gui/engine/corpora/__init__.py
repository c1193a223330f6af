"""Corpora: reading documents and counting their unique words.

- `text_files`, `record_files`: read files of one text or of many, as UTF-8, into the caller's buffer; `documents`: the
  documents of a corpus, in files or in memory; `file_search`: find files by pattern.
- `word_arrays`: words and counts in arrays and in a hash table; `counting`: count documents into such tables, in
  several threads, each with a contiguous part of the corpus.
- `corpus`: the documents and their `weights`; counting them gives `word_counts`.
- `counts_facts`, `counts_file`: counts in a Parquet file, with a record of how they were made.
- `bounded_counting`: count more words than fit in memory, with temporary files.
- `cluster`, `remote_files`, `cluster_counting`: count files at any address on a Dask cluster.

However they are counted, words come in the order in which a single thread reading the whole corpus would first see
them, because ties in training and ids depend on it. Positions are in bytes of the text with a mark after each record,
so parts of a corpus can be counted anywhere, in any order, and then merged.
"""

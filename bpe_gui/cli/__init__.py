"""The command line: `bpe-gui train`, `count`, `encode`, `decode`, `convert`, `inspect`, `compare`, `report` and
`audit`.

`main.py` dispatches to a command's module, and turns errors into one line and an exit status. `arguments.py` describes
every command once, with its options and help. `streams.py` reads files and standard input, and writes results, messages
and progress. `tokenizer_files.py` opens the tokenizers that commands name. Each command has a file of its own, except
that `coding.py` has `encode` and `decode`, which hand arrays on disk to `dataset.py`; it is imported only when the
command runs, so that output starts quickly. `steps.py` names the steps of a pipeline for several of them.
"""

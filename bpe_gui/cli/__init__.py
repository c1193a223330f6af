"""The command line: `bpe-gui train`, `count`, `encode`, `decode`, `convert`, `inspect`, `compare` and `report`.

`main.py` dispatches to the module of a command and turns errors into one line and an exit status; `arguments.py`
describes every command once, with its options and its help. `streams.py` reads files and standard input, and writes
results, messages and progress; `tokenizer_files.py` opens what a command names. The rest is a file for each command,
of which only the one that runs is imported: the first line of output should come soon.
"""

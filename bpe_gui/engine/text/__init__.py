"""Text and how it is split into words: recipes, special tokens, the alphabet, and splitters.

An expression is compiled in four steps. `parser` reads it in its dialect (`dialects`) into a syntax tree (`syntax`), in
which everything that engines read differently has become sets of code points (`character_sets`). `nfa` turns the tree
into a graph. `automaton` turns the graph into a deterministic automaton that finds the match a backtracking engine
finds first. `splitter_tables` lays the automaton out as the tables that `kernels.text.automaton` reads.

`compiled_splitters` has the splitters of recipes and finds where text can be split into chunks. `alternatives` finds
which part of an expression matched a word. `writer` writes a tree for another engine.

Before changing any of this:

- An expression must split as it does in its engine, or be refused by name and position. Never guess: a construct that
  no published tokenizer uses is refused if supporting it takes much code.
- `python -m tests.engine.support.expressions 2000` and `python -m tests.fuzzing.expressions --engine tiktoken` (and
  `tokenizers`) compare generated expressions with the engines. Nothing may differ.
- Options apply to a whole expression or to a group. Verbose expressions, comments, `~~` and `||` between sets, and
  atomic groups that can match in several ways are refused.
"""

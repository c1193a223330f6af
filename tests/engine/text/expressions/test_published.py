"""Expressions that are published for models split hostile texts as the engine does that reads them there."""

import random
from collections.abc import Iterator, Sequence
from itertools import batched, pairwise

import numpy as np
import pytest
import regex
import tiktoken
from tokenizers import Regex, pre_tokenizers

from bpe_gui.engine.formats.gguf.llama_cpp_splitters import LLAMA_CPP_SPLITTERS
from bpe_gui.engine.kernels.text.automaton import PIECES, find_all_words
from bpe_gui.engine.text.expressions.automaton import Automaton
from bpe_gui.engine.text.expressions.dialects import ONIGURUMA, PYTHON, RUST
from bpe_gui.engine.text.expressions.parser import parse
from bpe_gui.engine.text.expressions.splitter_tables import Level, new_splitter

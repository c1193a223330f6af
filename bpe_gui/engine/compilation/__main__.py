"""Compile the kernels ahead of time: `python -m bpe_gui.engine.compilation`."""

from .compiled import load

if __name__ == "__main__":
    load()

"""Compile the kernels ahead of time: `python -m bpe_gui.engine.runtime.prepare`."""

from .compiled import load

if __name__ == "__main__":
    load()

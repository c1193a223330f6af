"""`python -m bpe_gui.engine.prepare` compiles the kernels, so that no program has to wait for it later."""

from .compiled import load

if __name__ == "__main__":
    load()

"""`python -m bpe_gui.engine.runtime.prepare` compiles the kernels, so that no program has to wait for it later."""

from bpe_gui.engine.runtime.compiled import load

if __name__ == "__main__":
    load()

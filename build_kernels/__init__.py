"""Compile the engine's kernels to a shared library when the package is built.

Python becomes machine code in three steps:

1. numba reads the bytecode of a function, infers the types of its variables from the annotations of its parameters, and
   writes it as LLVM IR (`compiler.py`). `numba_types.py` teaches it our arrays (an address and a length) and records
   (the address of a table of these); `instructions.py` emits the instructions that functions such as
   `load8` stand for.
2. LLVM optimises the IR and emits an object file for each system in `targets.py`. The IR is the same for all systems of
   64 bits, so any machine makes the object files for all of them.
3. zig, a compiler that comes as a Python package, links them to a library of 100 kB that needs no other (`library.py`).
   The library has a table, which Python fills with the addresses of its functions when it loads it.

`hook.py` does this for `pip install` and for wheels, `python -m build_kernels` for a checkout, and
`python -m build_kernels wheels dist` for the wheels of all systems; the same sources give the same bytes.

Decisions: what numba and llvmlite document is used, and in one place (`compiler._Lowering`) a little more. numba's own
arrays, optimiser and linker are not: its arrays are seven numbers each and count references, its optimiser would
optimise every helper alone and again in each caller, and its linker would copy it to each. Code is
for x86-64-v2 and the first 64-bit ARM processors: code for the processor at hand is 3 to 7 % faster at most.
"""

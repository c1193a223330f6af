"""The hot parts of the engine: small functions over plain arrays, compiled to machine code by numba.

Each is ordinary Python as well, and runs as such until the compiled code is ready (see `compiling`). To keep both the
same, kernels follow three rules:

- Arrays come from outside; a kernel allocates nothing and tells its caller when it needs more room.
- All numbers are whole and fit 64 bits with a sign. A product that may not is made by `bits.multiply`: to compiled
  code, one that overflows is a mistake, and anything may come of it.
- A helper that is called often takes the arrays it needs: handing over all of a run costs more than a small step does.
"""

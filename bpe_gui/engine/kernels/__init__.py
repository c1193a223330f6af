"""The hot parts of the engine: small functions over plain arrays, compiled to machine code by numba.

Each is ordinary Python as well, and runs as such until the compiled code is ready (see `compiling`). To keep both the
same, kernels follow three rules:

- Arrays come from outside; a kernel allocates nothing and tells its caller when it needs more room.
- All numbers are whole and fit 64 bits with a sign. A product that may not is cut at once: `(a * b) & POSITIVE`.
- A helper takes the arrays it needs, not the records that hold them: that is as fast when compiled as if written out.
"""

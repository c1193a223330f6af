"""The hot loops of the engine: small functions over plain arrays, which numba compiles to machine code.

Each is ordinary Python as well and runs as such until the compiled code is loaded (see `runtime.jit`). So that both
give the same results, kernels follow four rules:

- Arrays come from outside. A kernel allocates nothing; it tells its caller when it needs more capacity.
- All numbers are signed 64-bit integers. A sum or product that may overflow is computed by `bits.wrapping_add` or
  `bits.wrapping_multiply`: to the compiler, signed overflow is undefined behaviour.
- No index is negative. Compiled code does not check for indices that count from the end.
- A helper that is called often takes the arrays it needs: passing a record of all arrays costs more than a small step.
"""

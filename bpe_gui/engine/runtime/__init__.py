"""The foundation of the engine, which all stages use and which depends on none of them.

- `errors`: the errors that users can cause, as translatable sentences; `statements`: what values say about themselves,
  likewise; `arguments`: types that are checked.
- `files`, `bounded_json`: read files with clear errors, and write several files or none.
- `memory`, `threads`: available memory, and results of threads in order.
- `printable`: tokens as text; `shown_tokens`: in terminals and notebooks; `statements`: sentences as templates.
- `pickling`: values in few bytes; `forking`: locks that survive a fork; `cached`: properties without a lock; `lazy`:
  imports on first use; `types`.

Nothing here may be slow to import: `import bpe_gui.engine` loads most of it.
"""

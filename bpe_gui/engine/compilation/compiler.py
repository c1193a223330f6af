"""Compile kernels to an object file: numba turns them into LLVM IR; LLVM links, optimises and emits it.

numba's own optimisation is switched off (see `compile_group`). It would optimise every helper by itself, and again as a
part of each function that calls it; LLVM optimises all kernels of a group at once. In the code, a `kind` is one of
numba's types.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import numba
from llvmlite import binding as llvm
from numba import types
from numba.extending import intrinsic, register_jitable

from .kernel import Kernel, helpers, overload_installers
from .machine_code import target_machine
from .numba_types import NUMBER, load_value, type_of, width_of

_LINKED_BY_LOADER: Final = ("llvm.", "memcpy", "memmove", "memset")
"""Prefixes of the names of functions that machine code may call although it does not define them."""

_REPORTS_ERRORS: Final = ("Py", "numba_", "NRT_Free")
"""Prefixes of the names of functions by which numba reports exceptions to Python."""


def compile_kernels(kernels: Sequence[Kernel[..., Any]], report: Callable[[int, int], None]) -> bytes:
    """Return an object file with a function for each kernel, which has the kernel's name.

    `report` is called with the number of kernels done and in total. Raise NumbaError for a kernel that numba refuses,
    and RuntimeError as `_check_calls` does.
    """
    _prepare_numba()
    module, entries = _new_module(), {}
    for done, kernel in enumerate(kernels):
        report(done, len(kernels))
        entry: Any = numba.cfunc(types.void(types.int64))(_entry(kernel))
        module.link_in(llvm.parse_assembly(entry.inspect_llvm()))
        entries[entry.native_name] = kernel.plain.__name__
    _cut_error_paths(module)
    _keep_only(module, entries)
    _optimise(module)
    _check_calls(module)
    report(len(kernels), len(kernels))
    code: bytes = target_machine().emit_object(module)
    return code


def _prepare_numba() -> None:
    for install in overload_installers:
        install()
    for function in helpers:
        register_jitable(function)


def _entry(kernel: Kernel[..., Any]) -> Callable[[int], None]:
    """Return the function to compile for a kernel, which takes the address of a block of numbers.

    It loads the arguments from the block, calls the kernel, and stores the results at the beginning of the block.
    """
    parameters = [type_of(hint) for hint in kernel.parameters]
    function = register_jitable(kernel.plain)

    def typed_load(_context: Any, _block: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            block, values, offset = builder.inttoptr(arguments[0], NUMBER.as_pointer()), [], 0
            for kind in parameters:
                values.append(load_value(context, builder, kind, block, offset, changes=True))
                offset += width_of(kind)
            return context.make_tuple(builder, signature.return_type, values)

        return types.Tuple(parameters)(types.int64), generate

    def typed_store(_context: Any, _block: Any, results: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            block = builder.inttoptr(arguments[0], NUMBER.as_pointer())
            for index, (kind, value) in enumerate(_values(builder, signature.args[1], arguments[1])):
                number = context.cast(builder, value, kind, types.int64)
                builder.store(number, builder.gep(block, [NUMBER(index)]))
            return context.get_dummy_value()

        return types.void(types.int64, results), generate

    load: Any = intrinsic(typed_load)
    store: Any = intrinsic(typed_store)

    def entry(block: int) -> None:
        store(block, function(*load(block)))

    return entry


def _values(builder: Any, kind: Any, value: Any) -> list[tuple[Any, Any]]:
    """Return the type and the value of each result, given a kernel's return type and value."""
    if kind is types.none:
        return []
    if not isinstance(kind, types.BaseTuple):
        return [(kind, value)]
    parts: Any = kind
    return [(part, builder.extract_value(value, index)) for index, part in enumerate(parts)]


def _new_module() -> Any:
    module = llvm.parse_assembly("")
    module.triple = llvm.get_process_triple()
    module.data_layout = str(target_machine().target_data)
    return module


def _cut_error_paths(module: Any) -> None:
    """Define the functions by which numba reports exceptions as ones that end the process.

    So machine code needs nothing from Python. Kernels raise nothing; if one does so all the same, the process ends at
    once rather than going on with wrong numbers.
    """
    definitions = ["declare void @llvm.trap()"]
    for declaration in filter(_is_foreign, module.functions):
        if not declaration.name.startswith(_REPORTS_ERRORS):
            continue
        head = re.sub(r"^declare (.*\)).*$", r"define \1", str(declaration).strip())
        definitions.append(f"{head} {{\n  call void @llvm.trap()\n  unreachable\n}}")
    module.link_in(llvm.parse_assembly("\n".join(definitions)))


def _keep_only(module: Any, entries: dict[str, str]) -> None:
    """Rename the functions in `entries`, which has kernels' names by native names, and hide everything else."""
    for function in module.functions:
        if function.name in entries:
            function.name = entries[function.name]
        elif not function.is_declaration:
            function.linkage = "internal"
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"


def _optimise(module: Any) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = options.loop_interleaving = options.loop_unrolling = True
    builder = llvm.create_pass_builder(target_machine(), options)
    builder.getModulePassManager().run(module, builder)


def _check_calls(module: Any) -> None:
    """Raise RuntimeError if a kernel calls what is missing where the code is loaded: if it allocates, for example."""
    if foreign := [function.name for function in module.functions if _is_foreign(function)]:
        raise RuntimeError(f"Compiled kernels would call {', '.join(foreign)}.")


def _is_foreign(function: Any) -> bool:
    """Return whether a function is only declared, and neither LLVM's nor the C library's."""
    return function.is_declaration and not function.name.startswith(_LINKED_BY_LOADER)

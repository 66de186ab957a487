"""LLVM text to machine code, and machine code into the process.

Takes text; gives an object file as bytes; takes such bytes and gives the addresses of what it
exports. The only file that imports llvmlite.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

LOCK: Final = threading.Lock()
"""llvmlite compiles one module at a time."""
WASM: Final = "wasm32-unknown-unknown"


class NativeMissing(ImportError):  # noqa: N818 - said to those who asked for it
    """Machine code was asked for, and llvmlite is not installed (or does not work here)."""


@cache
def llvm() -> Any:
    """llvmlite's binding, ready for this machine. Raises `NativeMissing`."""
    try:
        import llvmlite.binding as binding
    except Exception as error:  # a broken installation shows itself in many ways
        raise NativeMissing(
            "machine code needs the package `llvmlite`: install `rulewright[native]`"
        ) from error
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding


@cache
def features() -> str:
    """What the processor can do, as LLVM writes it."""
    text: str = llvm().get_host_cpu_features().flatten()
    return text


@cache
def identity() -> str:
    """Everything about compiler and processor that the machine code depends on."""
    binding = llvm()
    import llvmlite

    version = ".".join(str(part) for part in binding.llvm_version_info)
    cpu, triple = binding.get_host_cpu_name(), binding.get_default_triple()
    return f"{llvmlite.__version__} {version} {triple} {cpu} {features()}"


def picks_bits() -> bool:
    """Whether the processor finds a bit by number in one instruction."""
    return "+bmi2" in features().split(",") and "x86_64" in llvm().get_default_triple()


def _target(level: int) -> Any:
    binding = llvm()
    target = binding.Target.from_default_triple()
    return target.create_target_machine(
        cpu=binding.get_host_cpu_name(), features=features(), opt=level
    )


def compile_object(text: str, level: int) -> bytes:
    """An object file for this machine."""
    binding = llvm()
    with LOCK:
        machine = _target(level)
        module = binding.parse_assembly(text)
        # before the passes: they fold addresses, which depend on how far apart numbers lie
        module.triple, module.data_layout = machine.triple, str(machine.target_data)
        module.verify()
        tuning = binding.PipelineTuningOptions(speed_level=level)
        tuning.loop_vectorization = tuning.slp_vectorization = False
        builder = binding.create_pass_builder(machine, tuning)
        if level:
            builder.getModulePassManager().run(module, builder)
        made: bytes = machine.emit_object(module)
    return made


def compile_wasm(text: str, level: int, kept: Iterable[str]) -> bytes:
    """An object file for WebAssembly; of what the text exports only the names in ``kept``."""
    binding = llvm()
    with LOCK:
        binding.initialize_all_targets()
        binding.initialize_all_asmprinters()
        machine = binding.Target.from_triple(WASM).create_target_machine(opt=level)
        module = binding.parse_assembly(text)
        module.triple, module.data_layout = WASM, str(machine.target_data)
        module.verify()
        names = set(kept)
        for function in module.functions:
            if not function.is_declaration and function.name not in names:
                function.linkage = "internal"
        tuning = binding.PipelineTuningOptions(speed_level=level)
        tuning.loop_vectorization = tuning.slp_vectorization = False
        builder = binding.create_pass_builder(machine, tuning)
        builder.getModulePassManager().run(module, builder)
        made: bytes = machine.emit_object(module)
    return made


class Code:
    """An object file in the process; lives as long as this does."""

    def __init__(self, data: bytes, names: Iterable[str], symbols: Mapping[str, int]) -> None:
        binding = llvm()
        with LOCK:
            for name, address in symbols.items():
                binding.add_symbol(name, address)
            self._engine = binding.create_mcjit_compiler(binding.parse_assembly(""), _target(0))
            self._engine.add_object_file(binding.ObjectFileRef.from_data(data))
            self._engine.finalize_object()
            self.addresses = {name: self._engine.get_function_address(name) for name in names}
        missing = [name for name, address in self.addresses.items() if not address]
        if missing:
            raise NativeMissing(f"the machine code has no `{missing[0]}`")

    def function(self, name: str, result: Any, *args: Any) -> Any:
        """A ctypes function; calling it lets other threads run."""
        return ctypes.CFUNCTYPE(result, *args)(self.addresses[name])

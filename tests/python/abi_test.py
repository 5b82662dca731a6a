#!/usr/bin/env python3
"""The structs of sculpt/_abi.py have the sizes and offsets of the C headers, by a C compiler."""

import ctypes
import pathlib
import subprocess
import tempfile
import unittest

import setting


def c_program(names) -> str:
    """A program that prints size and offset of every field of each struct."""
    headers = sorted({header for _, header in names.values()})
    lines = [f"#include <sculpt/{header}>" for header in headers]
    lines += ["#include <stdio.h>", "int main(void) {"]
    for struct, (name, _) in names.items():
        lines.append(f'  printf("{name} size %zu\\n", sizeof({name}));')
        for field in struct._fields_:
            lines.append(f'  printf("{name} {field[0]} %zu %zu\\n", offsetof({name}, {field[0]}), '
                         f"sizeof((({name}*)0)->{field[0]}));")
    return "\n".join([*lines, "  return 0;", "}", ""])


def by_ctypes(names) -> str:
    lines = []
    for struct, (name, _) in names.items():
        lines.append(f"{name} size {ctypes.sizeof(struct)}")
        for field in struct._fields_:
            placed = getattr(struct, field[0])
            lines.append(f"{name} {field[0]} {placed.offset} {placed.size}")
    return "\n".join(lines) + "\n"


class Layout(unittest.TestCase):
    def test_sizes_and_offsets_are_those_of_c(self):
        from sculpt._task import _abi
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "layout.c"
            source.write_text(c_program(_abi.C_NAMES))
            program = source.with_suffix("")
            subprocess.run([*setting.ARGUMENTS, "-std=c99", "-I", setting.ROOT / "sdk/include",
                            source, "-o", program], check=True)
            in_c = subprocess.run([program], check=True, capture_output=True, text=True).stdout
        self.assertEqual(in_c, by_ctypes(_abi.C_NAMES))
        self.assertGreater(len(in_c.splitlines()), 150)

    def test_every_struct_of_the_module_is_compared(self):
        from sculpt._task import _abi
        structs = {value for value in vars(_abi).values() if isinstance(value, type)
                   and issubclass(value, ctypes.Structure) and value is not ctypes.Structure}
        self.assertEqual(structs, set(_abi.C_NAMES))

    def test_flat_forms_have_the_layout_of_the_structs(self):
        from sculpt._task import _abi, _lent
        self.assertEqual(_lent._QUERY.size, ctypes.sizeof(_abi.Query))
        self.assertEqual(_lent._ANSWER.size, ctypes.sizeof(_abi.Answer))
        self.assertEqual(ctypes.sizeof(_lent.FlatAnswer), ctypes.sizeof(_abi.Answer))
        self.assertEqual(_lent.FlatAnswer.data.offset, _abi.Answer.labels.offset)
        self.assertEqual(_lent.FlatAnswer.grow.offset,
                         _abi.Answer.labels.offset + _abi.LabelBuffer.grow.offset)
        self.assertEqual(_lent.FlatAnswer.value.offset, _abi.Answer.value.offset)
        for name, _ in _lent.FlatAccumulator._fields_:
            self.assertEqual(getattr(_lent.FlatAccumulator, name).offset,
                             getattr(_abi.Accumulator, name).offset)

    def test_constants_are_those_of_the_headers(self):
        from sculpt._task import _abi
        headers = "".join(path.read_text() for path in
                          (setting.ROOT / "sdk/include/sculpt").rglob("*.h"))
        self.assertIn(f"SCULPT_ABI_MAJOR {_abi.ABI_MAJOR}\n", headers)
        self.assertIn(f"SCULPT_ABI_MINOR {_abi.ABI_MINOR}\n", headers)
        ids = [value.ID for value in _abi.C_NAMES if hasattr(value, "ID")]
        for name in [*ids, _abi.HOST_LOG, _abi.HOST_SOURCE, _abi.HOST_SUM]:
            self.assertIn(f'"{name.decode()}"', headers)


if __name__ == "__main__":
    setting.main()

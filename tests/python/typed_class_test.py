"""Classes typed into `python -c`, a terminal or a console, as tasks and as kernels: they have no
source.

typed_class_test.py
"""

import code
import contextlib
import io
import os
import subprocess
import sys
import unittest

from setting import DAYS, EXAMPLES, ROOT, main

TYPED = f"""
import numpy, sculpt
from month import Month

class Typed(Month):
    def weight_name(self, j):
        return f"typed {{j}}"

class Products:
    positive = True
    def kernel(self, row, other):
        return float((row.dense * other.dense).sum())

solver = {{"use": "n_slack", "C": 10}}
model = sculpt.train(task=Typed, train={DAYS!r}, solver=solver)
print(model.reached, model.weight_names()[0])
rows, labels = numpy.eye(6), numpy.arange(6) % 3
config = {{"dataset": "arrays", "features": "multiclass", "loss": "zero_one", "solver": solver}}
config.update(kernel=Products, oracle="enumerate")
model = sculpt.train(config, train=sculpt.Arrays(rows, labels))
print(model.reached, *model.predict_joined(sculpt.Arrays(rows)).values)
"""
PRINTED = ["True typed 0", "True 0 1 2 0 1 2"]


class TypedClassTest(unittest.TestCase):
    def printed(self, *words, typed=None) -> list:
        path = os.pathsep.join([str(ROOT / "sdk/python"), str(EXAMPLES)])
        done = subprocess.run([sys.executable, "-B", *words], input=typed, capture_output=True,
                              text=True, timeout=120, check=False,
                              env=dict(os.environ, PYTHONPATH=path))
        self.assertNotIn("Traceback", done.stderr)
        return done.stdout.splitlines()

    def test_a_command_line_is_a_source_of_classes(self):
        self.assertEqual(self.printed("-c", TYPED), PRINTED)

    def test_a_terminal_is_a_source_of_classes(self):
        self.assertEqual(self.printed("-i", "-q", typed=TYPED), PRINTED)

    def test_a_console_in_a_program_is_a_source_of_classes(self):
        sys.path.insert(0, str(EXAMPLES))
        console, said = code.InteractiveConsole(), io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            for line in TYPED.split("\n"):
                console.push(line)
        self.assertEqual(said.getvalue().splitlines(), PRINTED)


if __name__ == "__main__":
    main()

"""pip installs the package from the folder sdk/python. argv: the program sculpt. A slow test."""

import importlib.util
import os
import shutil
import subprocess
import sys

import setting

PROGRAM = """
import numpy as np
import sculpt
labels = np.arange(60) % 3
data = sculpt.Arrays(np.eye(3)[labels] + 0.1, labels)
model = sculpt.train({"dataset": {"use": "arrays", "train": data}, "features": "multiclass",
                      "loss": "zero_one", "oracle": "enumerate",
                      "solver": {"use": "n_slack", "C": 9}})
print(sculpt.__file__, model.evaluate(data)["error"])
"""


class PipTest(setting.FolderTest):

    def test_what_pip_installs_trains(self):
        # pip builds in the folder of its source.
        source = shutil.copytree(setting.ROOT / "sdk/python", self.folder / "source")
        environment = self.folder / "environment"
        self.done([sys.executable, "-m", "venv", "--system-site-packages", environment])
        python = environment / "bin/python3"
        self.done([python, "-m", "pip", "install", "--quiet", "--no-index", "--no-build-isolation",
                   source])
        prefix = os.path.dirname(os.path.dirname(setting.SCULPT))
        place, error = self.done([python, "-c", PROGRAM], SCULPT_PREFIX=prefix).split()
        self.assertTrue(place.startswith(str(environment)), place)
        self.assertEqual(error, "0.0")
        shown = self.done([python, "-m", "pip", "show", "sculpt"])
        self.assertIn(f"Version: {self.done([setting.SCULPT, '--version']).split()[1]}", shown)

    def done(self, words, **environment):
        process = subprocess.run(list(map(str, words)), env=dict(os.environ, **environment),
                                 text=True, capture_output=True, timeout=200, check=False,
                                 cwd=self.folder)
        self.assertEqual(process.returncode, 0, process.stderr)
        return process.stdout


if __name__ == "__main__":
    for module in ("pip", "setuptools", "venv", "ensurepip"):
        if importlib.util.find_spec(module) is None:
            print(f"SKIPPED: there is no module {module}; configs/setup slow installs it")
            sys.exit(77)
    setting.main()

"""What the tests of tasks in Python share: the package, the program, data, and how tests run."""

import ctypes
import importlib.util
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "sdk/python/sculpt/examples"
sys.path.insert(0, str(ROOT / "sdk/python"))
ARGUMENTS = sys.argv[1:]
SCULPT = os.path.abspath(ARGUMENTS[0]) if ARGUMENTS else ""  # of tests that get the program


def main(*modules: str):
    """Runs the tests of the calling file; exits with 77 if numpy or a module is missing."""
    for module in ("numpy", *modules):
        if importlib.util.find_spec(module) is None:
            group = "slow" if module == "torch" else "test"
            print(f"SKIPPED: no {module}; configs/setup {group} installs python3-{module}")
            sys.exit(77)
    unittest.main(argv=sys.argv[:1])


def run(*words, folder, environment=None, timeout=120):
    """The finished process of `sculpt WORDS` in a folder."""
    given = dict(os.environ, XDG_DATA_HOME=str(folder), **(environment or {}))
    if environment is None:
        given.pop("SCULPT_PLUGIN_PATH", None)
    return subprocess.run([SCULPT, *map(str, words)], cwd=folder, env=given, text=True,
                          capture_output=True, timeout=timeout, check=False)


def finished(folder: pathlib.Path) -> dict:
    """The last event of a run."""
    lines = (folder / "events.jsonl").read_text().splitlines()
    return json.loads(lines[-1])


class FolderTest(unittest.TestCase):
    """A test with an empty folder of its own."""

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = pathlib.Path(self._folder.name)

    def write(self, name: str, content) -> pathlib.Path:
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    def model_file(self, body: bytes) -> bytes:
        """The bytes of a model file with this body and its checksum; skips without libxxhash."""
        try:
            library = ctypes.CDLL("libxxhash.so.0")
        except OSError as error:
            self.skipTest(str(error))
        library.XXH3_64bits.restype = ctypes.c_uint64
        library.XXH3_64bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
        return body + library.XXH3_64bits(body, len(body)).to_bytes(8, "little")

    def train(self, experiment: dict, name="run", *words):
        """Trains; the result of the run, which must reach its target."""
        self.write(f"{name}.json", experiment)
        done = run("train", f"{name}.json", "--output", name, *words, folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return finished(self.folder / name)


def python_task(file, train, test=None, **dataset) -> dict:
    """An experiment whose components are one task."""
    splits = {"train": train} if test is None else {"train": train, "test": test}
    return {"dataset": {"use": "python", "file": str(file), **splits, **dataset},
            "features": "python", "loss": "python", "oracle": "python",
            "solver": {"use": "n_slack", "C": 10, "relative_gap": 1e-6}}


DAYS = str(ROOT / "tests/sdk/complete_task/days.txt")
OTHER_DAYS = str(ROOT / "tests/sdk/complete_task/other_days.txt")


def words_text(count: int, letters="abcd", pixels=6) -> str:
    """Words in the format of the plugin letters: each letter has a noisy image of its own."""
    draw = random.Random(1)
    images = {letter: [draw.randrange(2) for _ in range(pixels)] for letter in letters}
    lines = []
    for word in range(1, count + 1):
        length = draw.randrange(1, 7)
        for position in range(length):
            letter = draw.choice(letters)
            bits = "".join(str(bit ^ (draw.random() < 0.15)) for bit in images[letter])
            more = int(position + 1 < length)
            lines.append(f"{word} 0 {position} {letter} {more} {bits}\n")
    return "".join(lines)


def rows_text(count: int, classes=4, inputs=5) -> str:
    """Rows in the format of svmlight, all inputs written out."""
    draw = random.Random(2)
    centres = [[draw.gauss(0, 1) for _ in range(inputs)] for _ in range(classes)]
    lines = []
    for row in range(count):
        label = row % classes
        values = [centre + draw.gauss(0, 0.9) for centre in centres[label]]
        lines.append(f"{label + 1} " + " ".join(f"{k}:{value:.4f}"
                                                for k, value in enumerate(values, 1)) + "\n")
    return "".join(lines)

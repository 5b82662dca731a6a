"""What the tests of several ranks share: mpirun, small experiments, and folders of runs.

Each test file is called with the program: NAME_test.py SCULPT [arguments]. It exits with 77, which
ctest takes for skipped, if Open MPI or libsculpt-mpi.so is missing.
"""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/python"))

from setting import SCULPT, FolderTest, rows_text, words_text  # noqa: E402

CONFIGS = ROOT / "configs"
BUILD = pathlib.Path(SCULPT).parent.parent
# As root and with more ranks than cores: only here, never in the program.
MPIRUN = ["mpirun", "-q", "--oversubscribe"]
ALLOWED = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
           # Ranks of different tests share the cores.
           "OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_mpi_yield_when_idle": "1",
           # After an error of a rank, mpirun would wait two seconds for the others.
           "OMPI_MCA_odls_base_sigkill_timeout": "0"}
# The time that mpirun gives ranks by itself.
USUAL_PATIENCE = {"OMPI_MCA_odls_base_sigkill_timeout": "1"}


def main():
    """Runs the tests of the calling file."""
    if shutil.which("mpirun") is None:
        print("SKIPPED: no mpirun; configs/setup test installs openmpi-bin")
        sys.exit(77)
    if not (BUILD / "lib/sculpt/libsculpt-mpi.so").exists():
        print(f"SKIPPED: no {BUILD}/lib/sculpt/libsculpt-mpi.so; configs/setup test installs "
              "libopenmpi-dev, and then CMake must configure again")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])


def environment_of_ranks(**more) -> dict:
    given = {name: value for name, value in os.environ.items()
             if not name.startswith(("OMPI_", "PMIX_", "PMI_", "SCULPT_PLUGIN_PATH"))}
    return given | ALLOWED | more


def mpirun_words(count: int, *words, program=None) -> list:
    return [*MPIRUN, "-np", str(count), program or SCULPT, *map(str, words)]


class RankTest(FolderTest):
    """Runs of the program in an empty folder, by one process and by several ranks."""

    def sculpt(self, *words, timeout=240):
        """The finished process of one process without ranks."""
        return subprocess.run([SCULPT, *map(str, words)], cwd=self.folder, text=True,
                              env=environment_of_ranks(XDG_DATA_HOME=str(self.folder)),
                              capture_output=True, timeout=timeout, check=False)

    def ranks(self, count, *words, program=None, timeout=240, **environment):
        """The finished process of mpirun."""
        environment.setdefault("XDG_DATA_HOME", str(self.folder))
        return subprocess.run(mpirun_words(count, *words, program=program), cwd=self.folder,
                              text=True, env=environment_of_ranks(**environment),
                              capture_output=True, timeout=timeout, check=False)

    def start_ranks(self, count, *words, program=None, **environment):
        """mpirun, not waited for; its messages go to a pipe."""
        return subprocess.Popen(mpirun_words(count, *words, program=program), cwd=self.folder,
                                text=True, env=environment_of_ranks(**environment),
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def script(self, name: str, lines: str) -> str:
        """A program of the shell in the folder; its path."""
        path = self.write(name, "#!/bin/sh\n" + lines)
        path.chmod(0o755)
        return str(path)

    def model(self, run: str) -> str:
        """The hash of the model of a run."""
        return hashlib.sha256((self.folder / run / "model.sculpt").read_bytes()).hexdigest()

    def passes(self, run: str) -> list:
        """The events of a run without what takes time or memory, or tells of the ranks."""
        lines = (self.folder / run / "events.jsonl").read_text().splitlines()
        return [without_times(json.loads(line)) for line in lines]


IGNORED_KEYS = re.compile(r"seconds|bytes|^times$|checkpoint_written|^sculpt$|^ranks$|^threads$")


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(one) for key, one in value.items()
                if not IGNORED_KEYS.search(key)}
    return [without_times(one) for one in value] if isinstance(value, list) else value


def words_experiment(solver, words=40, **more) -> tuple[dict, dict]:
    """An experiment with words of letters, and the files that it needs."""
    return ({"dataset": {"use": "letters", "train": "words.txt", "unit": "word"},
             "features": {"use": "chain", "bias": True}, "loss": "hamming", "oracle": "viterbi",
             "solver": solver, **more}, {"words.txt": words_text(words)})


def rows_experiment(solver, rows=60, **more) -> tuple[dict, dict]:
    """The same with rows of numbers, one label each."""
    return ({"dataset": {"use": "svmlight", "train": "rows.txt"}, "features": "multiclass",
             "loss": "zero_one", "oracle": "enumerate", "solver": solver, **more},
            {"rows.txt": rows_text(rows)})

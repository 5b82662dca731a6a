"""The key "memory": data in files, the same model, and no more memory than allowed.

memory_test.py SCULPT [large]      large: data of four times the memory; takes minutes"""

import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GENERATOR = ROOT / "configs/data/large/generate.py"
SOLVERS = {
    "perceptron": {"use": "perceptron", "max_passes": 2},
    "subgradient": {"use": "subgradient", "C": 1, "max_passes": 2, "batch": 16},
    "crf": {"use": "crf", "C": 1, "method": "sgd", "sgd_passes": 2, "relative_gap": 1e-9},
    "one_slack": {"use": "one_slack", "C": 1, "max_passes": 2},
    "n_slack": {"use": "n_slack", "C": 1, "max_passes": 2},
    "frank_wolfe": {"use": "frank_wolfe", "C": 1, "max_passes": 2},
}
# Solvers with numbers for each plane of each example, which stay in memory.
NEEDS_MUCH = ("n_slack", "frank_wolfe")
KEEP_PLANES = ("one_slack", "n_slack", "frank_wolfe")


def anonymous_bytes(process: int) -> int:
    try:
        text = pathlib.Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    line = next((line for line in text.splitlines() if line.startswith("RssAnon:")), "x 0")
    return 1024 * int(line.split()[1])


class Memory(unittest.TestCase):
    sculpt, is_large = "", False

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(dir="/var/tmp")
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.counts = ({"rows": 150_000, "sequences": 100_000} if cls.is_large
                      else {"rows": 4_000, "sequences": 2_000})
        words = {"rows": ["--features", "1000", "--density", "0.2"], "sequences": []}
        for kind, count in cls.counts.items():
            subprocess.run([sys.executable, "-B", GENERATOR, kind, "--count", str(count), *words[kind],
                            "-o", cls.folder / f"{kind}.txt"], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def experiment(self, kind: str, solver: dict) -> str:
        parts = {"rows": {"dataset": "svmlight", "features": "multiclass", "loss": "zero_one",
                          "oracle": "enumerate"},
                 "sequences": {"dataset": "conll", "features": "chain", "loss": "hamming",
                               "oracle": "viterbi"}}[kind]
        dataset = {"use": parts["dataset"], "train": str(self.folder / f"{kind}.txt")}
        path = self.folder / "run.json"
        path.write_text(json.dumps({**parts, "dataset": dataset, "solver": solver}))
        return str(path)

    def train(self, experiment: str, output: str, *words, limit=None) -> tuple:
        """(process, its stderr, largest anonymous memory, CPU seconds)"""
        def restrict():
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))

        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.Popen(
            [self.sculpt, "train", experiment, "--output", str(self.folder / output), "--threads", "1",
             "--set", "checkpoint_seconds=inf", *words],
            stdout=subprocess.DEVNULL, stderr=(self.folder / "messages").open("w"),
            preexec_fn=restrict)
        most = 0
        while process.poll() is None:
            most = max(most, anonymous_bytes(process.pid))
            time.sleep(0.005)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return process, (self.folder / "messages").read_text(), most, seconds

    def test_the_model_has_the_same_bytes_and_the_plan_is_printed(self):
        for kind in self.counts:
            data = 0  # the memory of a run that keeps nothing but the data
            for name, solver in SOLVERS.items():
                if self.is_large and (name in NEEDS_MUCH or (kind, name) == ("sequences", "one_slack")):
                    continue
                with self.subTest(kind=kind, solver=name):
                    experiment = self.experiment(kind, solver)
                    whole, error, most, seconds = self.train(experiment, f"{kind}-{name}")
                    self.assertEqual(whole.returncode, 3, error)
                    self.assertNotIn("memory:", error)
                    data = data or most
                    allowed = 1_000_000_000 if not self.is_large else data // 4
                    limited, error, less, more_seconds = self.train(
                        experiment, f"{kind}-{name}-limited", "--set", f"memory={allowed}",
                        limit=int(1.3 * allowed) if self.is_large else None)
                    self.assertEqual(limited.returncode, 3, error)
                    self.assertRegex(error, r"memory: \d+ MB are allowed, \S+ MB are expected")
                    self.assertRegex(error, r"\n +rows of the data +\S+ MB +in files in ")
                    models = [(self.folder / run / "model.sculpt").read_bytes()
                              for run in (f"{kind}-{name}", f"{kind}-{name}-limited")]
                    self.assertEqual(*models)
                    print(f"{kind} {name}: {most / 1e6:.0f} MB, {seconds:.1f} CPU s; limited to "
                          f"{allowed / 1e6:.0f} MB: {less / 1e6:.0f} MB, {more_seconds:.1f} CPU s")
                    if self.is_large:
                        self.assertLessEqual(less, 1.1 * allowed)
                        self.assertLessEqual(more_seconds, 1.5 * seconds)

    def test_a_run_that_needs_more_is_refused_with_what_it_needs(self):
        experiment = self.experiment("rows", SOLVERS["n_slack"])
        done, error, _, _ = self.train(experiment, "refused", "--set", "memory=3MB")
        self.assertEqual(done.returncode, 78, error)
        self.assertRegex(error, r"\"memory\": 3.0 MB are allowed,[^$]* allow at least \d+ MB")
        self.assertFalse((self.folder / "refused").exists())

    def test_planes_are_in_files_if_memory_is_short_and_the_model_is_the_same(self):
        if self.is_large:
            self.skipTest("done with little data")
        for kind in self.counts:
            for name in KEEP_PLANES:
                with self.subTest(kind=kind, solver=name):
                    experiment = self.experiment(kind, SOLVERS[name])
                    _, error, _, _ = self.train(experiment, "short", "--set", "memory=3MB")
                    least = re.search(r"allow at least (\d+ MB)", error)[1].replace(" ", "")
                    self.assertRegex(error, r"\n +(cached )?planes +\S+ MB +in files in ")
                    whole, error, _, _ = self.train(experiment, f"whole-{kind}-{name}")
                    self.assertEqual(whole.returncode, 3, error)
                    short, error, most, _ = self.train(
                        experiment, f"short-{kind}-{name}", "--set", f"memory={least}")
                    self.assertEqual(short.returncode, 3, error)
                    if kind == "rows" or name == "one_slack":  # few planes of sentences fit
                        self.assertRegex(error, r"\n +(cached )?planes +\S+ MB +in files in ")
                    if name == "one_slack":
                        self.assertLessEqual(most, 1.1e6 * float(least[:-2]))
                    # In two parts: the checkpoint is read into files, too.
                    self.train(experiment, f"parts-{kind}-{name}", "--set", f"memory={least}",
                               "--set", "solver.max_passes=1")
                    parts, error, _, _ = self.train(
                        experiment, f"parts-{kind}-{name}", "--set", f"memory={least}", "--resume")
                    self.assertEqual(parts.returncode, 3, error)
                    models = [(self.folder / f"{run}-{kind}-{name}/model.sculpt").read_bytes()
                              for run in ("whole", "short", "parts")]
                    self.assertEqual(models[0], models[1])
                    self.assertEqual(models[0], models[2])

    def test_bad_sizes_are_refused_with_their_place(self):
        experiment = self.experiment("rows", SOLVERS["perceptron"])
        for text in ("4 bananas", "-1GB", "0", "nan", "1e30GB", "[]", "true"):
            done, error, _, _ = self.train(experiment, "bad", "--set", f"memory={text}")
            self.assertEqual(done.returncode, 78, (text, error))
            self.assertIn('write a size such as "500MB"', error)

    def test_a_full_disk_is_named(self):
        experiment = self.experiment("rows", SOLVERS["perceptron"])
        done = subprocess.run([self.sculpt, "train", experiment, "--output", self.folder / "full",
                               "--set", "memory=1GB"], env={"TMPDIR": "/proc"}, capture_output=True,
                              text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("TMPDIR", done.stderr)


if __name__ == "__main__":
    Memory.sculpt = sys.argv[1]
    Memory.is_large = sys.argv[2:] == ["large"]
    unittest.main(argv=[sys.argv[0], "-v"])

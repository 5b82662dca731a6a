"""The key "cache": a file of the data that later runs map, and the same model.

cache_test.py SCULPT"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GENERATOR = ROOT / "configs/data/large/generate.py"
PARTS = {
    "rows": {"dataset": "svmlight", "features": "multiclass", "loss": "zero_one",
             "oracle": "enumerate"},
    "sequences": {"dataset": "conll", "features": "chain", "loss": "hamming", "oracle": "viterbi"},
    "graphs": {"dataset": "graph", "features": "graph", "loss": "hamming", "oracle": "icm"},
}
COUNTS = {"rows": 3000, "sequences": 1000, "graphs": 100}
SOLVER = {"use": "perceptron", "max_passes": 2}


class Cache(unittest.TestCase):
    sculpt = ""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(dir="/var/tmp")
        cls.made = pathlib.Path(cls.scratch.name)
        for kind, count in COUNTS.items():
            subprocess.run([sys.executable, "-B", GENERATOR, kind, "--count", str(count),
                            "-o", cls.made / f"{kind}.txt"], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def setUp(self):
        self.own = tempfile.TemporaryDirectory(dir="/var/tmp")
        self.folder = pathlib.Path(self.own.name)
        self.runs = 0
        for kind in COUNTS:
            shutil.copy(self.made / f"{kind}.txt", self.folder)
        self.age("rows", "sequences", "graphs")

    def tearDown(self):
        self.own.cleanup()

    def age(self, *kinds):
        """Waits until the files count as settled."""
        changed = max((self.folder / f"{kind}.txt").stat().st_ctime for kind in kinds)
        time.sleep(max(0.0, changed + 2.1 - time.time()))

    def command(self, kind, *words, dataset=None, **keys):
        self.runs += 1
        output = self.folder / f"run{self.runs}"
        section = {"use": PARTS[kind]["dataset"], "train": str(self.folder / f"{kind}.txt"),
                   **(dataset or {})}
        config = self.folder / f"run{self.runs}.json"
        config.write_text(json.dumps({"name": "x", **PARTS[kind], "dataset": section, "solver": SOLVER, **keys}))
        return output, [self.sculpt, "train", str(config), "--output", str(output), "--threads",
                        "1", *words]

    def train(self, kind, *words, **keys):
        """(bytes of the model, stderr)"""
        output, command = self.command(kind, *words, **keys)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 3, done.stderr)
        return (output / "model.sculpt").read_bytes(), done.stderr

    def caches(self, folder=None):
        return sorted((folder or self.folder).glob("*.sculpt-cache"))

    def bytes_read(self, command):
        """What the process has read, by all its calls of read()."""
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        text = pathlib.Path(f"/proc/{process.pid}/io").read_text()
        self.assertEqual(process.wait(), 3)
        return int(text.split()[1])

    def test_the_model_is_the_same_and_later_runs_read_no_text(self):
        for kind in COUNTS:
            with self.subTest(kind=kind):
                plain, error = self.train(kind)
                self.assertEqual(self.caches(), [])
                self.assertNotIn("cache", error)
                first, error = self.train(kind, cache="auto")
                self.assertRegex(error, r"cache: .*\.sculpt-cache: made, ")
                second, error = self.train(kind, cache="auto")
                self.assertNotIn("cache", error)
                self.assertEqual(first, plain)
                self.assertEqual(second, plain)
                # Without a file of stamps it reads the sources once more, and makes one.
                (record,) = self.folder.glob("*.sculpt-sources")
                _, command = self.command(kind, cache="auto")
                without_text = self.bytes_read(command)
                record.unlink()
                size = (self.folder / f"{kind}.txt").stat().st_size
                _, command = self.command(kind, cache="auto")
                with_hash = self.bytes_read(command)
                self.assertGreater(with_hash, without_text + 0.9 * size)
                self.assertTrue(record.exists())
                for file in [record, *self.caches()]:
                    file.unlink()

    def test_what_is_learned_logged_and_measured_is_the_same(self):
        lines = (self.folder / "sequences.txt").read_text().split("\n\n")
        (self.folder / "test.txt").write_text(
            "\n\n".join(lines[:50]).replace("\n", "\nnewword NEWTAG ", 3).split("newword", 1)[0]
            + "\n\nnew_word new_tag LABEL_9\nother_word new_tag " + lines[0].split()[2] + "\n\n")
        dataset = {"test": str(self.folder / "test.txt"), "unseen_labels": "wrong", "cutoff": 2}
        time.sleep(2.2)
        results = []
        for cache in ("none", "auto", "auto"):
            output, command = self.command("sequences", dataset=dataset, cache=cache)
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn("does not occur" if "does not occur" in done.stderr else "do not occur",
                          done.stderr)
            finished = json.loads((output / "events.jsonl").read_text().splitlines()[-1])
            messages = sorted(line for line in done.stderr.splitlines() if "conll: " in line)
            results.append(((output / "model.sculpt").read_bytes(), [finished[key] for key in ("train", "test")], messages))
        self.assertEqual(results[0], results[1])
        self.assertEqual(results[0], results[2])

    def test_scaled_rows_weights_and_folds_are_the_same(self):
        weights = self.folder / "weights.txt"
        weights.write_text("".join(f"{1 + k % 3}\n" for k in range(COUNTS["rows"])))
        time.sleep(2.2)
        dataset = {"scaling": "standard", "weights": str(weights)}
        for solver in ({"use": "one_slack", "C": 1, "max_passes": 3},
                       {"use": "crf", "C": 1, "method": "lbfgs", "max_passes": 3}):
            models = [self.train("rows", cache=cache, dataset=dataset, solver=solver,
                                 hold_out={"fraction": 0.2})[0] for cache in ("none", "auto", "auto")]
            self.assertEqual(models[0], models[1])
            self.assertEqual(models[0], models[2])
        self.assertEqual(len(self.caches()), 1)  # solvers share it
        weights.write_text("2\n" * COUNTS["rows"])
        _, error = self.train("rows", cache="auto", dataset=dataset)
        self.assertIn("the data have changed", error)

    def test_changed_data_are_read_anew(self):
        self.train("rows", cache="auto")
        data = self.folder / "rows.txt"
        status = data.stat()
        lines = data.read_bytes().splitlines(keepends=True)
        # As many bytes, and the time of the old ones.
        data.write_bytes(b"".join(lines[1:] + lines[:1]))
        os.utime(data, ns=(status.st_atime_ns, status.st_mtime_ns))
        changed, error = self.train("rows", cache="auto")
        self.assertIn("is made anew, because the data have changed", error)
        self.assertEqual(changed, self.train("rows")[0])

    def test_changes_within_the_resolution_of_the_clock_are_seen(self):
        data = self.folder / "rows.txt"
        lines = data.read_bytes().splitlines(keepends=True)
        data.write_bytes(b"".join(lines))  # just now
        self.train("rows", cache="auto")
        (record,) = self.folder.glob("*.sculpt-sources") or [None]
        self.assertEqual(json.loads(record.read_text())["files"], {})

    def test_touched_data_are_only_compared(self):
        self.train("rows", cache="auto")
        (cache,) = self.caches()
        made = cache.stat().st_ino
        os.utime(self.folder / "rows.txt")
        self.age("rows")
        _, error = self.train("rows", cache="auto")
        self.assertNotIn("cache", error)
        self.assertEqual(cache.stat().st_ino, made)

    def test_a_damaged_cache_is_never_used(self):
        plain, _ = self.train("rows")
        self.train("rows", cache="auto")
        (cache,) = self.caches()
        whole = cache.read_bytes()
        size = len(whole)
        damages = {"empty": b"", "text": b"some text\n" * 1000, "a half": whole[:size // 2],
                   "without its last byte": whole[:-1], "longer": whole + b"x"}
        for place in (0, 9, 13, 20, 30, 50, 4096, 5000, size // 3, size // 2, size - 300, size - 1):
            damages[f"another byte {place}"] = (whole[:place] + bytes([whole[place] ^ 4])
                                                + whole[place + 1:])
        for name, damage in damages.items():
            with self.subTest(damage=name):
                cache.write_bytes(damage)
                model, error = self.train("rows", cache="auto")
                self.assertIn("is made anew, because ", error)
                self.assertEqual(model, plain)
                self.assertEqual(cache.read_bytes(), whole)

    def test_links_pipes_and_files_of_others_are_not_used(self):
        plain, _ = self.train("rows")
        self.train("rows", cache="auto")
        (cache,) = self.caches()
        other = self.folder / "other"
        cache.rename(other)
        content = other.read_bytes()
        for name, make in {"link": lambda: cache.symlink_to(other), "pipe": lambda: os.mkfifo(cache),
                           "writable": lambda: (shutil.copy(other, cache), cache.chmod(0o666))}.items():
            with self.subTest(name=name):
                make()
                model, error = self.train("rows", cache="auto")
                self.assertIn("is made anew, because ", error)
                self.assertEqual(model, plain)
                self.assertTrue(cache.is_file() and not cache.is_symlink())
                self.assertEqual(other.read_bytes(), content)
                cache.unlink()
        cache.mkdir()
        model, error = self.train("rows", cache="auto")
        self.assertIn("no cache is made: ", error)
        self.assertEqual(model, plain)

    def test_a_folder_that_does_not_exist_is_refused(self):
        for name in (self.folder / "missing", self.folder / "rows.txt"):
            _, command = self.command("rows", cache=str(name))
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 78, done.stderr)
            self.assertIn(f'"cache" is {name}, which is no folder', done.stderr)
        for value in (7, "", ["auto"], {}):
            _, command = self.command("rows", cache=value)
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 78, (value, done.stderr))
            self.assertIn("cache", done.stderr)

    def test_a_folder_that_cannot_be_written_is_a_warning(self):
        plain, _ = self.train("rows")
        model, error = self.train("rows", cache="/proc/self")
        self.assertIn("no cache is made: /proc/", error)
        self.assertEqual(model, plain)

    def test_a_full_disk_is_a_warning(self):
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk],
                                 capture_output=True, check=False)
        if mounted.returncode != 0:
            self.skipTest("no right to mount a small disk")
        try:
            plain, _ = self.train("rows")
            model, error = self.train("rows", cache=str(disk))
            self.assertRegex(error, "no cache is made: .*No space left")
            self.assertEqual(model, plain)
            self.assertEqual(list(disk.iterdir()), [])
        finally:
            subprocess.run(["umount", disk], check=True)

    def test_another_build_of_the_plugin_makes_it_anew(self):
        plugins = pathlib.Path(self.sculpt).resolve().parents[1] / "lib/sculpt/plugins"
        own = self.folder / "plugins"
        own.mkdir()
        shutil.copy(plugins / "svmlight.so", own)
        keys = {"plugin_path": [str(own)], "cache": "auto"}
        model, _ = self.train("rows", **keys)
        with (own / "svmlight.so").open("ab") as library:
            library.write(b"\0")
        again, error = self.train("rows", **keys)
        self.assertIn("because another build of the dataset made it", error)
        self.assertEqual(model, again)
        self.assertEqual(len(self.caches()), 1)

    def test_other_parameters_have_a_cache_of_their_own(self):
        self.train("rows", cache="auto")
        self.train("rows", cache="auto", dataset={"scaling": "max_abs"})
        self.assertEqual(len(self.caches()), 2)

    def test_data_without_a_file_or_a_dataset_without_arrays_are_named(self):
        text = (self.folder / "rows.txt").read_text()
        plain, _ = self.train("rows", dataset={"train": {"text": text}})
        model, error = self.train("rows", dataset={"train": {"text": text}}, cache="auto")
        self.assertIn('there is no cache of the data: the split "train" is a part of the experiment',
                      error)
        self.assertEqual(model, plain)
        trees = self.folder / "trees.txt"
        trees.write_text("(S (NP (D the) (N cat)) (V sleeps))\n(S (NP (N cats)) (VP (V see) (NP (N "
                         "cats))))\n")
        config = self.folder / "trees.json"
        config.write_text(json.dumps({
            "dataset": {"use": "trees", "terminals": "words", "rare": 0, "train": str(trees)},
            "features": "grammar", "loss": "zero_one", "oracle": "grammar",
            "solver": {"use": "n_slack", "C": 10}, "cache": "auto"}))
        done = subprocess.run([self.sculpt, "train", config, "--output", self.folder / "trees"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("there is no cache of the data: trees does not offer "
                      "sculpt.cached-arrays/draft-1", done.stderr)
        self.assertEqual(self.caches(), [])

    def test_two_processes_make_it_at_once(self):
        plain, _ = self.train("rows")
        started = []
        for _ in range(3):
            output, command = self.command("rows", cache="auto")
            started.append((output, subprocess.Popen(command, stdout=subprocess.DEVNULL,
                                                     stderr=subprocess.DEVNULL)))
        for output, process in started:
            self.assertEqual(process.wait(), 3)
            self.assertEqual((output / "model.sculpt").read_bytes(), plain)
        self.assertEqual(len(self.caches()), 1)
        self.assertEqual(list(self.folder.glob("*.partial")), [])

    def test_a_killed_process_leaves_nothing_and_the_next_one_makes_it(self):
        for delay in (0.02, 0.05, 0.1, 0.15, 0.2):
            _, command = self.command("sequences", cache="auto")
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.assertEqual(list(self.folder.glob("*.partial")), [])
        self.assertEqual(self.train("sequences", cache="auto")[0], self.train("sequences")[0])

    def test_a_resumed_run_takes_it_up(self):
        solver = {"use": "n_slack", "C": 1, "relative_gap": 1e-9, "max_passes": 4}
        plain, _ = self.train("rows", solver=solver)
        output, command = self.command("rows", "--set", "solver.max_passes=2", cache="auto",
                                       solver=solver)
        subprocess.run(command, capture_output=True, check=False)
        _, again = self.command("rows", "--resume", cache="auto", solver=solver)
        again[again.index("--output") + 1] = str(output)
        done = subprocess.run(again, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("resuming after pass ", done.stderr)
        self.assertEqual((output / "model.sculpt").read_bytes(), plain)

    def test_with_limited_memory_the_cache_counts_as_files(self):
        plain, _ = self.train("rows")
        folder = self.folder / "elsewhere"
        folder.mkdir()
        for _ in range(2):
            model, error = self.train("rows", "--set", "memory=1GB", cache=str(folder))
            self.assertRegex(error, f"rows of the data +0.8 MB +in files in {folder}\n")
            self.assertEqual(model, plain)
        self.assertEqual(len(self.caches(folder)), 1)


if __name__ == "__main__":
    Cache.sculpt = sys.argv[1]
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[2:]])

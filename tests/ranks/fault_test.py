"""A rank that fails in the middle of a run ends all of them, soon, with its message and its code.

fault_test.py SCULPT
"""

import json
import shutil
import socket
import subprocess
import time

from rank_setting import BUILD, RankTest, main, words_experiment

HOST = socket.gethostname()
# From the start of mpirun to the fault, on a busy machine, and the second after it. The calls that
# nobody may wait for take ten seconds.
MAX_SECONDS = 8


class FaultTest(RankTest):
    def setUp(self):
        super().setUp()
        self.experiment, files = words_experiment({"use": "one_slack", "C": 50, "cache": 0,
                                                   "relative_gap": 1e-6})
        self.experiment["plugin_path"] = [str(BUILD / "tests/ranks/plugins")]
        for name, text in files.items():
            self.write(name, text)

    def train_with_fault(self, count, how, *options, **fault):
        """Trains with a loss that fails on a rank; the finished process, and its seconds."""
        self.write("experiment.json", self.experiment | {
            "loss": {"use": "rank_fault", "how": how, **fault}})
        begin = time.monotonic()
        done = self.ranks(count, "train", "experiment.json", "--output", "run", "--quiet",
                          "--threads", 1, *options, timeout=60)
        self.assertLess(time.monotonic() - begin, MAX_SECONDS)
        return done

    def test_an_error_of_an_oracle_is_reported_with_the_rank(self):
        for rank in (0, 1):
            with self.subTest(rank=rank):
                done = self.train_with_fault(2, "error", "--force", rank=rank)
                self.assertEqual(done.returncode, 69, done.stderr)
                self.assertEqual(done.stderr.count(f"sculpt: rank {rank} of 2 on {HOST}: "), 1)
                self.assertEqual(done.stderr.count("this rank has had enough"), 1, done.stderr)
                self.assertNotIn("second signal", done.stderr)
                events = (self.folder / "run/events.jsonl").read_text().splitlines()
                last = json.loads(events[-1])
                self.assertEqual((last["event"], last["exit"]), ("failed", 69))
                self.assertIn(f"rank {rank} of 2", last["message"])

    def test_a_failure_does_not_wait_for_a_long_oracle_call(self):
        # A call of rank 0 takes ten seconds. In the first step, where ranks have equal parts.
        done = self.train_with_fault(2, "error", rank=1, sleeping=0, calls=5)
        self.assertEqual(done.returncode, 69, done.stderr)
        self.assertEqual(done.stderr.count(f"sculpt: rank 1 of 2 on {HOST}: "), 1, done.stderr)
        self.assertEqual(done.stderr.count("this rank has had enough"), 1, done.stderr)

    def test_a_crash_is_reported_with_the_plugin(self):
        for sleeping in (-2, 0):  # no rank, the first one
            with self.subTest(sleeping=sleeping):
                done = self.train_with_fault(3, "segv", "--force", rank=2, sleeping=sleeping,
                                             calls=5)
                self.assertNotEqual(done.returncode, 0)
                self.assertRegex(done.stderr, f"sculpt: rank 2 of 3 on {HOST}: rank_fault: "
                                              r"example [0-9]+: crashed in .*\(SIGSEGV\)")

    def test_a_rank_that_ends_itself_ends_the_others(self):
        for how in ("exit", "kill"):
            with self.subTest(how=how):
                done = self.train_with_fault(2, how, "--force", rank=1)
                self.assertNotEqual(done.returncode, 0, done.stderr)

    def test_a_full_disk_of_the_first_rank(self):
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=40k", "none", disk],
                                 capture_output=True, check=False)
        if mounted.returncode != 0:
            self.skipTest("a small disk needs root: " + mounted.stderr.decode())
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        self.write("experiment.json", self.experiment | {"checkpoint_seconds": 0})
        words = ["train", "experiment.json", "--quiet", "--threads", "1", "--output"]
        alone = self.sculpt(*words, "disk/run")
        self.assertEqual(alone.returncode, 74, alone.stderr)
        shutil.rmtree(disk / "run")
        done = self.ranks(3, *words, "disk/run", timeout=60)
        self.assertEqual(done.returncode, 74, done.stderr)
        self.assertEqual(done.stderr.count("No space left on device"),
                         alone.stderr.count("No space left on device"), done.stderr)


if __name__ == "__main__":
    main()

"""A sweep under mpirun: its cells run on all ranks, and its table and its models are those of one
process.

sweep_test.py SCULPT [--all]       --all: with more numbers of ranks, and killed sweeps
"""

import csv
import json
import os
import signal
import sys
import time
import unittest

from rank_setting import BUILD, USUAL_PATIENCE, RankTest, main, words_experiment

ALL = "--all" in sys.argv
SWEEP = ("sweep", "experiment.json", "--folds", "2", "--best", "loss", "--threads", "1")
VALUES = ("--set", "solver.C=1,10", "--set", "solver.use=n_slack,frank_wolfe")


class SweepSetting(RankTest):
    """An experiment, and what a sweep leaves."""

    def setUp(self):
        super().setUp()
        self.write_experiment()

    def write_experiment(self, checkpoint_seconds=60, **fault):
        experiment, files = words_experiment({"use": "n_slack", "relative_gap": 1e-2}, words=24)
        experiment |= {"plugin_path": [str(BUILD / "tests/ranks/plugins")],
                       "loss": {"use": "rank_fault", **fault},
                       "checkpoint_seconds": checkpoint_seconds}
        for name, text in files.items():
            self.write(name, text)
        self.write("experiment.json", {"name": "same", **experiment})

    def table(self, folder: str) -> list:
        """The rows of the table without seconds."""
        with open(self.folder / folder / "sweep.csv", encoding="utf-8") as file:
            return [{key: value for key, value in row.items() if "seconds" not in key}
                    for row in csv.DictReader(file)]

    def models(self, folder: str) -> dict:
        """The model of each cell and of the final run, by the name of its run."""
        runs = [*(self.folder / folder / "cells").glob("*/"), self.folder / folder / "best"]
        return {run.name: self.model(run) for run in runs if (run / "model.sculpt").exists()}

    def require_same(self, folder: str, other: str, models: int):
        self.assertEqual(self.table(folder), self.table(other))
        self.assertEqual(self.models(folder), self.models(other))
        self.assertEqual(len(self.models(folder)), models)


class SweepTest(SweepSetting):
    def test_the_table_and_the_models_are_those_of_one_process(self):
        alone = self.sculpt(*SWEEP, *VALUES, "--output", "alone")
        self.assertEqual(alone.returncode, 0, alone.stderr)
        for count in (1, 2, 3, 5) if ALL else (3,):
            with self.subTest(ranks=count):
                output = f"ranks{count}"
                done = self.ranks(count, *SWEEP, *VALUES, "--output", output)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.require_same(output, "alone", 9)
                at_a_time = min(count, 4)  # of four chains
                rank = "rank" if count == 1 else "ranks"
                self.assertIn(f"same: 8 cells, at most {at_a_time} at a time, on {count} {rank}",
                              done.stderr)
                self.assertEqual(done.stderr.count("best by loss"), 1)
                for run in (self.folder / output / "cells").glob("*/"):  # no ranks themselves
                    lines = (run / "events.jsonl").read_text().splitlines()
                    self.assertNotIn("ranks", json.loads(lines[-1]))

    def test_a_cell_that_fails_on_any_rank_is_in_the_table(self):
        self.write_experiment(how="segv", rank=-1, calls=1)
        faults = ("--set", "loss.calls=1,1000000", "--set", "solver.C=1,10")
        alone = self.sculpt(*SWEEP, *faults, "--output", "alone")
        done = self.ranks(2, *SWEEP, *faults, "--output", "ranks")
        self.assertNotIn(alone.returncode, (0, 3), alone.stdout)
        self.assertEqual(done.returncode, alone.returncode, done.stderr)
        self.require_same("ranks", "alone", 5)

    def test_an_error_before_the_first_cell_is_told_once_as_by_one_process(self):
        errors = (("--folds", "1000", "--set", "solver.C=1"), ("--set", "solver.C=nonsense"))
        for words in errors[:2 if ALL else 1]:
            with self.subTest(words=words):
                alone = self.sculpt("sweep", "experiment.json", *words)
                done = self.ranks(3, "sweep", "experiment.json", *words)
                self.assertNotEqual(alone.returncode, 0)
                self.assertEqual((done.returncode, done.stderr),
                                 (alone.returncode, alone.stderr))

    def test_jobs_of_a_cluster_are_not_made_by_ranks(self):
        for option in (("--slurm",), ("--collect",), ("--cell", "000.fold0"))[:3 if ALL else 1]:
            with self.subTest(option=option):
                done = self.ranks(2, *SWEEP, *VALUES, *option, timeout=30)
                self.assertEqual(done.returncode, 64)
                self.assertEqual(done.stderr, f"sculpt: {option[0]} does not share its work among "
                                              "processes; start it without mpirun\n")


class StoppedSweepTest(SweepSetting):
    """Sweeps that are stopped or killed, and then continued by another number of ranks."""

    def setUp(self):
        super().setUp()
        self.write_experiment(checkpoint_seconds=0, microseconds=1000)

    def start_slow(self, count: int, **environment):
        """mpirun and the process ids of its ranks, once two cells run and one has ended."""
        program = self.script("rank.sh", "echo $$ > pid.$OMPI_COMM_WORLD_RANK\n"
                                         f'exec {BUILD / "bin/sculpt"} "$@"\n')
        running = self.start_ranks(count, *SWEEP, *VALUES, "--output", "sweep", program=program,
                                   **environment)
        self.addCleanup(running.communicate)
        self.addCleanup(running.kill)
        end = time.monotonic() + 60
        cells = self.folder / "sweep/cells"
        while not (len(list(cells.glob("*.log"))) > 2 and list(cells.glob("*/model.sculpt"))):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        return running, [int((self.folder / f"pid.{rank}").read_text()) for rank in range(count)]

    def require_no_process(self):
        """No process of the sweep is left."""
        end = time.monotonic() + 5
        while time.monotonic() < end:
            left = []
            for folder in os.listdir("/proc"):
                if folder.isdigit():
                    try:
                        with open(f"/proc/{folder}/cmdline", "rb") as file:
                            left += [folder] if str(self.folder).encode() in file.read() else []
                    except OSError:
                        pass
            if not left:
                return
            time.sleep(0.05)
        self.fail(f"processes are left: {left}")

    def resume(self, count: int):
        words = (*SWEEP, *VALUES, "--output", "sweep", "--resume")
        done = self.ranks(count, *words) if count else self.sculpt(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        if not (self.folder / "alone").exists():
            alone = self.sculpt(*SWEEP, *VALUES, "--output", "alone")
            self.assertEqual(alone.returncode, 0, alone.stderr)
        self.require_same("sweep", "alone", 9)

    def test_a_signal_to_one_rank_stops_all_cells_and_another_number_goes_on(self):
        running, ranks = self.start_slow(2)
        os.kill(ranks[1], signal.SIGTERM)
        _, error = running.communicate(timeout=20)
        self.assertEqual(running.returncode, 143, error)
        self.assertIn("stopped on request; the same command with --resume continues", error)
        self.require_no_process()
        self.resume(3)

    @unittest.skipUnless(ALL, "slow")
    def test_ctrl_c_of_mpirun_stops_all_cells_and_one_process_goes_on(self):
        running, _ = self.start_slow(2, **USUAL_PATIENCE)
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=20)
        self.assertNotEqual(running.returncode, 0)
        self.require_no_process()
        self.resume(0)

    @unittest.skipUnless(ALL, "slow")
    def test_a_killed_rank_ends_the_sweep_and_another_number_goes_on(self):
        running, ranks = self.start_slow(3)
        os.kill(ranks[1], signal.SIGKILL)
        running.communicate(timeout=20)
        self.assertNotEqual(running.returncode, 0)
        self.require_no_process()
        self.resume(2)


if __name__ == "__main__":
    main()

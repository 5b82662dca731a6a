"""Runs of several ranks that are killed or stopped: they end, and --resume with any number of
processes reaches the model of the run that nothing disturbed.

killed_run_test.py SCULPT [KILLS]       KILLS: by kill -9, at random moments; 3 by default
"""

import json
import os
import random
import shutil
import signal
import sys
import time

from rank_setting import BUILD, SCULPT, USUAL_PATIENCE, RankTest, main, words_experiment, words_text

KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 3
MICROSECONDS = 2000  # of each oracle call: a run takes a second
REFERENCE = {}  # of a run that nothing disturbs: its model and its seconds


class KilledRunTest(RankTest):
    def setUp(self):
        super().setUp()
        experiment, files = words_experiment({"use": "n_slack", "C": 50, "relative_gap": 1e-3})
        experiment |= {"plugin_path": [str(BUILD / "tests/ranks/plugins")],
                       "loss": {"use": "rank_fault", "microseconds": MICROSECONDS},
                       "checkpoint_seconds": 0}
        for name, text in files.items():
            self.write(name, text)
        self.write("experiment.json", experiment)
        # A rank tells its process id, and then becomes the program.
        self.program = self.script("rank.sh", "echo $$ > pid.tmp.$OMPI_COMM_WORLD_RANK\n"
                                              "mv pid.tmp.$OMPI_COMM_WORLD_RANK "
                                              "pid.$OMPI_COMM_WORLD_RANK\n"
                                              f'exec {SCULPT} "$@"\n')

    def words(self, run: str, *more) -> list:
        return ["train", "experiment.json", "--output", run, "--threads", "1", *more]

    def reference(self) -> float:
        """Trains once without disturbance, by two ranks; the seconds that this took."""
        if not REFERENCE:
            begin = time.monotonic()
            done = self.ranks(2, *self.words("whole"))
            self.assertEqual(done.returncode, 0, done.stderr)
            REFERENCE.update(seconds=time.monotonic() - begin, model=self.model("whole"))
        return REFERENCE["seconds"]

    def start(self, count: int, run: str, **environment):
        """mpirun and the process ids of its ranks."""
        for old in self.folder.glob("pid.*"):
            old.unlink()
        running = self.start_ranks(count, *self.words(run), program=self.program, **environment)
        self.addCleanup(running.communicate)
        self.addCleanup(running.kill)
        paths = [self.folder / f"pid.{rank}" for rank in range(count)]
        end = time.monotonic() + 30
        while not all(path.exists() for path in paths):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        return running, [int(path.read_text()) for path in paths]

    def wait_for_pass(self, run: str, number: int):
        events = self.folder / run / "events.jsonl"
        end = time.monotonic() + 30
        while not events.exists() or events.read_text().count('"event":"pass"') < number:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

    def resume(self, count: int, run: str):
        """Goes on by one process (count 0) or by ranks; the model must be the undisturbed one."""
        words = self.words(run, "--resume")
        done = self.ranks(count, *words) if count else self.sculpt(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.reference()
        self.assertEqual(self.model(run), REFERENCE["model"])

    def test_a_killed_rank_ends_the_run_which_any_number_of_ranks_resume(self):
        seconds = self.reference()
        draw = random.Random(KILLS)
        for kill in range(KILLS):
            count, victim = draw.choice((2, 3)), draw.randrange(2)
            moment, others = draw.uniform(0, seconds), (0, 3, 1, 2, 5)[kill % 5]
            with self.subTest(kill=kill, count=count, victim=victim, moment=moment, others=others):
                running, ranks = self.start(count, "run")
                time.sleep(moment)
                try:
                    os.kill(ranks[victim], signal.SIGKILL)
                except ProcessLookupError:
                    pass  # it has ended: nothing is left to resume
                begin = time.monotonic()
                running.communicate(timeout=20)
                self.assertLess(time.monotonic() - begin, 5)
                self.resume(others, "run")
                shutil.rmtree(self.folder / "run")

    def stop(self, count: int, send, run: str, others: int, **environment):
        """Sends a signal in the middle of a run, and resumes it. The exit code of the first part,
        and what it printed."""
        running, ranks = self.start(count, run, **environment)
        self.wait_for_pass(run, 3)
        begin = time.monotonic()
        send(running, ranks)
        out, error = running.communicate(timeout=20)
        self.assertLess(time.monotonic() - begin, 5)
        self.resume(others, run)
        return running.returncode, out, error

    def test_a_signal_to_one_rank_stops_all_with_a_checkpoint(self):
        for rank, others in ((0, 0), (1, 3)):
            with self.subTest(rank=rank):
                code, out, error = self.stop(2, lambda _, ranks: os.kill(ranks[rank],
                                                                         signal.SIGTERM),
                                             f"one{rank}", others)
                self.assertEqual(code, 3, error)
                self.assertIn("signal", out)
                self.assertLessEqual(error.count("stopping after the running calls"), 1, error)

    def test_a_signal_to_all_ranks_stops_them_with_a_checkpoint(self):
        code, out, error = self.stop(3, lambda _, ranks: [os.kill(rank, signal.SIGINT)
                                                          for rank in ranks], "all", 2)
        self.assertEqual(code, 3, error)
        self.assertIn("signal", out)
        self.assertEqual(error.count("stopping after the running calls"), 1, error)

    def test_a_signal_to_mpirun_stops_its_ranks(self):
        # mpirun ends all processes one second later, so they may have no time for the model.
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number=number):
                code, _, _ = self.stop(2, lambda mpirun, _: mpirun.send_signal(number),
                                       f"mpirun{number}", 3, **USUAL_PATIENCE)
                self.assertNotEqual(code, 0)

    def test_the_time_limit_stops_all_ranks(self):
        done = self.ranks(3, *self.words("short", "--set", "solver.max_seconds=0.3"))
        self.assertEqual(done.returncode, 3, done.stderr)
        events = (self.folder / "short/events.jsonl").read_text().splitlines()
        self.assertEqual(json.loads(events[-1])["stopped_by"], "max_seconds")

    def test_only_the_clock_of_the_first_rank_counts(self):
        if shutil.which("faketime") is None:
            self.skipTest("no faketime; configs/setup test installs it")
        for rank, stopped_by in ((1, "relative_gap"), (0, "max_seconds")):
            with self.subTest(rank=rank):
                fast = self.script("fast.sh", f'if [ "$OMPI_COMM_WORLD_RANK" = {rank} ]; then\n'
                                              f'exec faketime -f "+0 x1000" {SCULPT} "$@"\nfi\n'
                                              f'exec {SCULPT} "$@"\n')
                run = f"fast{rank}"
                self.ranks(2, *self.words(run, "--set", "solver.max_seconds=200"), program=fast,
                           timeout=60)
                events = (self.folder / run / "events.jsonl").read_text().splitlines()
                self.assertEqual(json.loads(events[-1])["stopped_by"], stopped_by)

    def test_a_signal_to_one_rank_ends_an_evaluation_alike_on_all(self):
        experiment = json.loads((self.folder / "experiment.json").read_text())
        experiment["loss"] = {"use": "rank_fault", "how": "term", "rank": 1, "calls": 20000}
        self.write("experiment.json", experiment)
        done = self.sculpt(*self.words("run"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.write("many.txt", words_text(60000))
        done = self.ranks(2, "evaluate", "run", "many.txt",
                          SCULPT_PLUGIN_PATH=str(BUILD / "tests/ranks/plugins"))
        self.assertEqual(done.returncode, 143, done.stderr)
        self.assertEqual(done.stderr, "sculpt: stopped on request, before there was a result\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Worker processes of a task in Python: the same results for any number, faults named, none left.

    workers_test.py SCULPT
"""

import os
import pathlib
import signal
import subprocess
import time

import setting

MONTH = (setting.EXAMPLES / "month.py").read_text()
BEST = "        best = value.argmax()\n"


def changed(statement: str) -> str:
    """month.py with a statement before the choice, and each object's process in pids.txt."""
    text = MONTH.replace(BEST, f"        {statement}\n{BEST}")
    text = text.replace("import numpy as np\n", "import os\nimport time\nimport numpy as np\n")
    return text.replace("        self.rows, self.truths",
                        "        with open('pids.txt', 'a') as file:\n"
                        "            print(os.getpid(), file=file)\n"
                        "        self.rows, self.truths")


def is_alive(process: int) -> bool:
    try:
        state = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


class Workers(setting.FolderTest):
    def experiment(self, workers: int, **more) -> dict:
        return setting.python_task("task.py", setting.DAYS, workers=workers, **more)

    def fails(self, statement: str, workers: int, **more) -> str:
        """The message of a training that fails."""
        self.write("task.py", changed(statement))
        self.write("task.json", self.experiment(workers, **more))
        done = setting.run("train", "task.json", "--output", "run", "--force", folder=self.folder)
        self.assertEqual(done.returncode, 69, done.stderr)
        return next(line for line in done.stderr.splitlines() if line.startswith("sculpt: "))

    def assert_none_is_left(self):
        """All processes with an object of the task end soon."""
        processes = [int(line) for line in (self.folder / "pids.txt").read_text().split()]
        self.assertGreater(len(processes), 1)
        end = time.monotonic() + 20
        while any(map(is_alive, processes)) and time.monotonic() < end:
            time.sleep(0.01)
        self.assertEqual([process for process in processes if is_alive(process)], [])

    def test_results_are_the_same_for_any_number_of_workers(self):
        self.write("task.py", changed("pass"))
        keys = ("primal", "dual", "passes", "oracle_calls", "train")
        results = []
        for workers in (1, 2, 3):
            result = self.train(self.experiment(workers), f"run{workers}")
            results.append([result[key] for key in keys])
        self.assertEqual(results[0], results[1])
        self.assertEqual(results[0], results[2])
        self.assert_none_is_left()

    def test_a_worker_does_not_find_files_of_the_package_as_modules(self):
        """torch.py of the package would hide the module torch."""
        self.write("task.py", "import importlib.util\n"
                   "for name in ('torch', 'sweeping', '_abi'):\n"
                   "    spec = importlib.util.find_spec(name)\n"
                   "    assert spec is None or 'sculpt' not in spec.origin, spec.origin\n"
                   + changed("pass"))
        self.assertTrue(self.train(self.experiment(2))["certified"])

    def test_two_workers_answer_at_the_same_time(self):
        """The oracle sleeps and notes when. Most calls of a worker are in the time of another's."""
        self.write("task.py", changed(
            "begin = time.monotonic(); time.sleep(0.01); print(os.getpid(), begin, "
            "time.monotonic(), file=open('calls.txt', 'a'))"))
        self.train(self.experiment(2))
        calls = {}
        for line in (self.folder / "calls.txt").read_text().splitlines():
            process, begin, end = line.split()
            calls.setdefault(process, []).append((float(begin), float(end)))
        first, second = sorted(calls.values(), key=len, reverse=True)[:2]
        together = sum(any(begin < other_end and other_begin < end
                           for other_begin, other_end in first) for begin, end in second)
        self.assertGreater(len(second), len(first) / 2)
        self.assertGreater(together, len(second) / 2)

    def test_a_value_that_is_left_out_and_a_bound_come_from_workers_too(self):
        self.write("task.py", changed("return sculpt.Answer(value.argmax(), exact=False, "
                                      "bound=value.max())"))
        self.assertTrue(self.train(self.experiment(2))["certified"])

    def test_an_exception_has_the_text_that_it_has_without_workers(self):
        statement = "1 // (query.example != 7)"
        alone = self.fails(statement, 1)
        self.assertIn("example 7: task.py: Month.argmax: ZeroDivisionError", alone)
        self.assertEqual(self.fails(statement, 2), alone)

    def test_a_worker_that_crashes_is_named_with_its_example(self):
        text = self.fails("if query.example == 30: os.kill(os.getpid(), 11)", 2)
        self.assertRegex(text, "^sculpt: python: example 30: worker [12] of 2 was killed by SIGSEGV "
                               "in task.py: Month.argmax$")
        self.assert_none_is_left()
        text = self.fails("if query.example == 3: os._exit(4)", 2)
        self.assertRegex(text, "example 3: worker [12] of 2 ended with exit code 4 in task.py")

    def test_a_worker_that_does_not_come_back_is_named_with_its_example(self):
        text = self.fails("while query.example == 30: pass", 2, worker_seconds=0.5)
        self.assertRegex(text, "example 30: worker [12] of 2 took more than 0.5 seconds for one "
                         r"example \(worker_seconds\) in task.py: Month.argmax")
        self.assert_none_is_left()

    def interrupted(self, statement: str, interrupts: int) -> tuple[int, str]:
        """Exit code and messages of a run with two workers whose group of processes gets SIGINT
        while they start or work. The second one comes when a message says what it does."""
        self.write("task.py", changed(f"if query.example == 30: open('working', 'w').close()\n"
                                      f"        {statement}"))
        self.write("task.json", self.experiment(2))
        process = subprocess.Popen([setting.SCULPT, "train", "task.json", "--output", "run"],
                                   cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, start_new_session=True)
        while process.poll() is None and not (self.folder / "working").exists():
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
        lines = []
        for line in process.stderr:
            lines.append(line)
            if interrupts == 2 and "a second interrupt" in line:
                os.killpg(process.pid, signal.SIGINT)
        process.stderr.close()
        return process.wait(timeout=60), "".join(lines)

    def test_an_interrupt_stops_a_run_with_workers_at_a_checkpoint(self):
        code, text = self.interrupted("time.sleep(0.1)", 1)
        self.assertEqual(code, 3, text)
        self.assertTrue((self.folder / "run/model.sculpt").is_file())
        self.assertNotIn("KeyboardInterrupt", text)
        self.assert_none_is_left()

    def test_an_interrupt_names_a_worker_that_does_not_come_back(self):
        code, text = self.interrupted("while query.example == 30: pass", 2)
        self.assertNotEqual(code, 0)
        self.assertRegex(text, "waiting for worker [12] of 2: 2 seconds in task.py: Month.argmax, "
                         "example 30; a second interrupt ends the run at once")
        self.assert_none_is_left()

    def test_workers_end_with_a_host_that_is_killed(self):
        self.write("task.py", changed("while query.example == 30: pass"))
        self.write("task.json", self.experiment(2))
        process = subprocess.Popen([setting.SCULPT, "train", "task.json", "--output", "run"],
                                   cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        file = self.folder / "pids.txt"
        while process.poll() is None and (not file.exists() or len(file.read_text().split()) < 3):
            time.sleep(0.01)
        process.kill()
        process.wait()
        self.assert_none_is_left()

    def test_check_proves_a_task_with_workers(self):
        self.write("task.py", MONTH)
        self.write("task.json", self.experiment(2))
        done = setting.run("check", "task.json", "--level", "1", "--only",
                           "oracle.batch,oracle.exact,state.predictions", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("oracle.batch            pass", done.stdout)

    def test_workers_belong_to_the_component_that_owns_the_object(self):
        self.write("task.py", MONTH)
        experiment = self.experiment(1)
        experiment["oracle"] = {"use": "python", "file": "task.py", "workers": 2}
        self.write("task.json", experiment)
        done = setting.run("train", "task.json", "--output", "run", folder=self.folder)
        self.assertEqual(done.returncode, 78)
        self.assertIn('"workers" belongs to the features, whose object it shares', done.stderr)


if __name__ == "__main__":
    setting.main()

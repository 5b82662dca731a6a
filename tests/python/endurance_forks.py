"""Forks while three threads train.

    endurance_forks.py COUNT

Prints the exit codes of the children, as JSON.
"""

import json
import multiprocessing
import os
import signal
import sys
import threading
import time

from endurance_work import ROWS, Task, experiment

import numpy
import sculpt


def ended(child: int, seconds: float = 60) -> int:
    """The exit code of a child, -9 if it did not end."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -9


def use_numpy() -> None:
    a = numpy.ones((40, 40))
    assert (a @ a)[0, 0] == 40


class Forks:
    def __init__(self, count: int):
        self.count = count
        self.task = Task()
        self.model = sculpt.train(experiment())
        self.data = sculpt.Arrays(ROWS)
        self.guesses = numpy.concatenate(self.model.predict(self.data))
        self.is_done = False
        self.fits = 0
        self.codes: dict = {}

    def note(self, kind: str, code: int) -> None:
        self.codes.setdefault(kind, {}).setdefault(str(code), 0)
        self.codes[kind][str(code)] += 1

    def fit(self, number: int) -> None:
        """Fits until all forks are done."""
        while not self.is_done:
            if number == 2:
                self.task.train_type()
            else:
                sculpt.train(self.task.experiment() if number else experiment())
            self.fits += 1

    def train_in_child(self) -> int:
        use_numpy()
        same = bytes(sculpt.train(experiment(), threads=2)) == bytes(self.model)
        return 0 if same else 1

    def task_in_child(self) -> int:
        of_file, of_type = sculpt.train(self.task.experiment()), self.task.train_type()
        return 0 if of_file.reached and of_type.reached else 1

    def predict_in_child(self) -> int:
        guesses = numpy.concatenate(self.model.predict(self.data, threads=2))
        return 0 if (guesses == self.guesses).all() else 1

    def end_in_child(self) -> int:
        use_numpy()
        return 0

    def fork_once(self, k: int) -> None:
        kind = (self.end_in_child, self.train_in_child, self.task_in_child,
                self.predict_in_child)[k % 4]
        leaves_at_once = k % 8 < 4
        child = os.fork()
        if child == 0:
            try:
                code = kind()
            except BaseException as error:
                print(f"{kind.__name__}: {error!r}", file=sys.stderr)
                code = 2
            if leaves_at_once:
                os._exit(code)
            sys.exit(code)  # ends the interpreter of the child
        self.note(kind.__name__, ended(child))

    def in_callback(self, k: int) -> None:
        """A fork in on_pass, whose child leaves by an exception or comes back."""
        def fork(_):
            child = os.fork()
            if child == 0:
                use_numpy()
                if k % 2:
                    raise SystemExit(6)
                return None
            self.note(f"on_pass {k % 2}", ended(child))
            return True

        sculpt.train(experiment(), on_pass=fork)

    def run(self) -> None:
        threads = [threading.Thread(target=self.fit, args=(k,)) for k in range(3)]
        for thread in threads:
            thread.start()
        for k in range(self.count):
            if k % 10 == 9:
                self.in_callback(k // 10)
            else:
                self.fork_once(k)
        self.is_done = True
        for thread in threads:
            thread.join()
        with multiprocessing.get_context("fork").Pool(2) as pool:
            pools = pool.map(pool_prediction, [self] * 4)
        print(json.dumps({"codes": self.codes, "fits": self.fits, "pools": pools}))

    def __getstate__(self):
        return {"model": self.model, "guesses": self.guesses}


def pool_prediction(forks: Forks) -> bool:
    again = bytes(sculpt.train(experiment())) == bytes(forks.model)
    guesses = numpy.concatenate(forks.model.predict(sculpt.Arrays(ROWS)))
    return again and bool((guesses == forks.guesses).all())


if __name__ == "__main__":
    Forks(int(sys.argv[1])).run()

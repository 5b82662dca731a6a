"""Faults and interrupts in one process, which trains as before at the end.

    endurance_faults.py COUNT

Prints what happened, as JSON.
"""

import json
import os
import signal
import sys
import threading
import time

from endurance_work import DRAW, LABELS, METHODS, ROWS, Task, experiment

import numpy
import sculpt
from sculpt._host import _running


def resident_megabytes() -> float:
    with open("/proc/self/statm", encoding="ascii") as numbers:
        return int(numbers.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6


class Faults:
    """Calls that fail, each in another way. Each returns what was raised, or None."""

    def __init__(self):
        self.task = Task()
        self.nan = ROWS.copy()
        self.nan[7, 2] = numpy.nan
        self.data = sculpt.Arrays(ROWS, LABELS)
        self.model = sculpt.train(experiment())
        self.kinds = [self.of_config, self.of_arrays, self.of_values, self.of_on_pass,
                      self.of_task, self.of_type, self.of_prediction, self.of_interrupt,
                      self.of_alarm, self.of_stop]

    @staticmethod
    def raised(function, *arguments, **named):
        try:
            function(*arguments, **named)
        except BaseException as error:
            return type(error).__name__
        return None

    def of_config(self):
        return self.raised(sculpt.train, {**experiment(), "loss": f"none{DRAW.random()}"})

    def of_arrays(self):
        return self.raised(sculpt.Arrays, ROWS, LABELS[:DRAW.randrange(60)])

    def of_values(self):
        data = {"use": "arrays", "train": sculpt.Arrays(self.nan, LABELS)}
        return self.raised(sculpt.train, {**experiment(), "dataset": data})

    def of_on_pass(self):
        at = DRAW.randrange(1, 4)

        def fail(one):
            if one.number == at:
                raise LookupError("in on_pass")

        return self.raised(sculpt.train, experiment(), on_pass=fail)

    def of_task(self):
        return self.raised(sculpt.train, self.task.experiment(fault=DRAW.choice(METHODS)))

    def of_type(self):
        return self.raised(self.task.train_type, fault=DRAW.choice(METHODS))

    def of_prediction(self):
        return self.raised(self.model.predict, sculpt.Arrays(numpy.ones((2, 9))))

    def of_interrupt(self):
        """Ctrl-C at a random moment of a fit, sent by another thread."""
        return self.with_signal(signal.SIGINT, experiment())

    def of_alarm(self):
        """An exception of a handler of SIGALRM, as of a time limit, in a fit with a task."""
        return self.with_signal(signal.SIGALRM, self.task.experiment())

    def with_signal(self, number, config):
        seconds = DRAW.uniform(0, 0.006)

        def send():
            time.sleep(seconds)
            signal.pthread_kill(threading.main_thread().ident, number)

        thread = threading.Thread(target=send)
        try:
            thread.start()
            sculpt.train(config)
            thread.join()
            time.sleep(0.001)
        except (KeyboardInterrupt, TimeoutError) as error:
            thread.join()
            return type(error).__name__
        return None

    def of_stop(self):
        """A stop of the session by another thread."""
        seconds = DRAW.uniform(0, 0.004)

        def stop():
            time.sleep(seconds)
            for session in list(_running._threads):
                session.stop()

        thread = threading.Thread(target=stop)
        thread.start()
        raised = self.raised(sculpt.train, experiment())
        thread.join()
        return raised or "stopped"


def raise_timeout(*_):
    raise TimeoutError("by a signal")


def exceptions(count: int) -> None:
    signal.signal(signal.SIGALRM, raise_timeout)
    # Python ignores what a signal handler raises while an object is destroyed.
    ignored: dict = {}

    def note_ignored(event):
        ignored.setdefault(event.exc_type.__name__, 0)
        ignored[event.exc_type.__name__] += 1

    sys.unraisablehook = note_ignored
    faults = Faults()
    expected = bytes(faults.model)
    of_task = bytes(sculpt.train(faults.task.experiment()))
    of_type = bytes(faults.task.train_type())
    found: dict = {}
    done = calls = 0
    warm = None
    while done < count:
        kind = faults.kinds[calls % len(faults.kinds)]
        calls += 1
        raised = kind()
        done += raised is not None
        key = f"{kind.__name__[3:]}: {raised}"
        found[key] = found.get(key, 0) + 1
        if warm is None and done >= count // 5:
            warm = resident_megabytes()
    print(json.dumps({
        "faults": done, "calls": calls, "found": dict(sorted(found.items())), "ignored": ignored,
        "megabytes_at_a_fifth": warm, "megabytes": resident_megabytes(),
        "threads": threading.active_count(),
        "is_right": bytes(sculpt.train(experiment())) == expected
                    and bytes(sculpt.train(faults.task.experiment())) == of_task
                    and bytes(faults.task.train_type()) == of_type}))


if __name__ == "__main__":
    exceptions(int(sys.argv[1]))

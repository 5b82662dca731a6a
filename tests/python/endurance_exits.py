"""One exit of the interpreter, mostly while a daemon thread trains.

    endurance_exits.py KIND
"""

import atexit
import functools
import os
import sys
import threading
import time

from endurance_work import DRAW, Task, experiment

import sculpt
from sculpt._host import _running


def fit_forever(train, began: threading.Event, on_pass=None) -> None:
    def note(one):
        began.set()
        return on_pass(one) if on_pass else None

    while True:
        train(on_pass=note)


def loop_forever(_):
    while True:
        pass


def leave_while_a_daemon_fits(config, on_pass=None) -> None:
    """`config`: an experiment, or a function that trains."""
    began = threading.Event()
    train = config if callable(config) else functools.partial(sculpt.train, config)
    threading.Thread(target=fit_forever, args=(train, began, on_pass), daemon=True).start()
    began.wait()
    time.sleep(DRAW.uniform(0, 0.01))


def exit_by(kind: str) -> None:
    """Exit codes: EXITS of endurance_test.py."""
    DRAW.seed(os.getpid())
    task = Task()
    if kind == "return":
        leave_while_a_daemon_fits(experiment())
    elif kind == "sys.exit":
        leave_while_a_daemon_fits(experiment())
        sys.exit(7)
    elif kind == "task":
        leave_while_a_daemon_fits(task.experiment())
        sys.exit(8)
    elif kind == "class":
        leave_while_a_daemon_fits(task.train_type)
        sys.exit(12)
    elif kind == "exception":
        leave_while_a_daemon_fits(experiment())
        raise ValueError("of the main thread")
    elif kind == "callback":
        sculpt.train(experiment(), on_pass=lambda one: sys.exit(5))
    elif kind == "os._exit":
        sculpt.train(experiment(), on_pass=lambda one: os._exit(9))
    elif kind == "atexit":
        atexit.register(lambda: print(sculpt.train(experiment()).reached))
    elif kind == "waited for":
        threading.Thread(target=lambda: print(sculpt.train(experiment()).reached)).start()
    elif kind == "endless callback":
        _running._SECONDS = 0.2
        leave_while_a_daemon_fits(experiment(), loop_forever)
        sys.exit(10)
    elif kind in ("endless task", "endless class"):
        _running._SECONDS = 0.2
        config = task.experiment(endless=True)
        train = (functools.partial(task.train_type, endless=True) if kind == "endless class" else
                 functools.partial(sculpt.train, config))
        threading.Thread(target=train, daemon=True).start()
        time.sleep(0.2)
        sys.exit(11)


if __name__ == "__main__":
    exit_by(sys.argv[1])

"""A process of endurance_test.py: faults, interrupts, forks or one exit, while the host works.

    endurance_process.py exceptions COUNT | forks COUNT | exit KIND

Prints a line of JSON where it has something to say.
"""

import atexit
import json
import multiprocessing
import os
import pathlib
import random
import signal
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "sdk/python"))
import numpy  # noqa: E402
import sculpt  # noqa: E402
from sculpt import _running  # noqa: E402

DRAW = random.Random(7)
RESULT = numpy.random.default_rng(2)
ROWS, LABELS = RESULT.normal(size=(60, 5)), RESULT.integers(0, 3, 60)
METHODS = ("__init__", "load", "count", "truth", "dimension", "features", "loss", "argmax", "save",
           "seal", "output_shape")
TASK = '''
import numpy as np
import sculpt


class Sizes:
    """Raises in the method `fault`."""
    fault: str = ""
    endless: bool = False

    def __init__(self):
        self.x, self.y = [], []
        self.raise_in("__init__")

    def raise_in(self, method):
        if method == self.fault:
            raise ZeroDivisionError("on purpose")

    def load(self, split, source):
        self.raise_in("load")
        for line in source:
            size, value = line.split()
            self.y.append(int(size))
            self.x.append(np.array([float(value), 1]))

    def count(self):
        self.raise_in("count")
        return len(self.x)

    def truth(self, i):
        self.raise_in("truth")
        return self.y[i]

    def dimension(self):
        self.raise_in("dimension")
        return 6

    def output_shape(self, i):
        self.raise_in("output_shape")
        return sculpt.OutputShape(1, states=3, complete=True)

    def features(self, i, y):
        self.raise_in("features")
        return np.arange(2) + 2 * y[0], self.x[i]

    def loss(self, truth, guess):
        self.raise_in("loss")
        return abs(int(truth[0]) - int(guess[0]))

    def argmax(self, query):
        self.raise_in("argmax")
        while self.endless:
            pass
        score = query.weights.reshape(3, 2) @ self.x[query.example]
        if query.loss_weight > 0:
            score += query.loss_weight * abs(np.arange(3) - query.truth[0])
        return score.argmax(), score.max()

    def save(self):
        self.raise_in("save")
        return b"learned"

    def restore(self, state):
        pass

    def seal(self):
        self.raise_in("seal")
'''


def experiment(c=1000.0, gap=1e-9) -> dict:
    return {"dataset": {"use": "arrays", "train": sculpt.Arrays(ROWS, LABELS)},
            "features": "multiclass", "loss": "zero_one", "oracle": "enumerate",
            "solver": {"use": "n_slack", "C": c, "relative_gap": gap}}


class Task:
    """The file of a task, in the folder that the caller gives and removes."""

    def __init__(self):
        self.file = os.path.join(os.environ["ENDURANCE_FOLDER"], "sizes.py")
        pathlib.Path(self.file).write_text(TASK)

    def experiment(self, **parameters) -> dict:
        text = "".join(f"{k % 3} {k % 3 * 2 + k / 40:.2f}\n" for k in range(12))
        return {"dataset": {"use": "python", "file": self.file, "with": parameters,
                            "train": sculpt.Text(text)},
                "features": "python", "loss": "python", "oracle": "python",
                "solver": {"use": "n_slack", "C": 10}}


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
                      self.of_task, self.of_prediction, self.of_interrupt, self.of_alarm,
                      self.of_stop]

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
                    and bytes(sculpt.train(faults.task.experiment())) == of_task}))


# Forks.

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
            sculpt.train(self.task.experiment() if number % 2 else experiment())
            self.fits += 1

    def train_in_child(self) -> int:
        use_numpy()
        same = bytes(sculpt.train(experiment(), threads=2)) == bytes(self.model)
        return 0 if same else 1

    def task_in_child(self) -> int:
        return 0 if sculpt.train(self.task.experiment()).reached else 1

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
        threads = [threading.Thread(target=self.fit, args=(k,)) for k in range(2)]
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


# Exits of the interpreter.

def fit_forever(config: dict, began: threading.Event, on_pass=None) -> None:
    def note(one):
        began.set()
        return on_pass(one) if on_pass else None

    while True:
        sculpt.train(config, on_pass=note)


def loop_forever(_):
    while True:
        pass


def leave_while_a_daemon_fits(config: dict, on_pass=None) -> None:
    began = threading.Event()
    threading.Thread(target=fit_forever, args=(config, began, on_pass), daemon=True).start()
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
    elif kind == "endless task":
        _running._SECONDS = 0.2
        config = task.experiment(endless=True)
        threading.Thread(target=sculpt.train, args=(config,), daemon=True).start()
        time.sleep(0.2)
        sys.exit(11)


if __name__ == "__main__":
    if sys.argv[1] == "exceptions":
        exceptions(int(sys.argv[2]))
    elif sys.argv[1] == "forks":
        Forks(int(sys.argv[2])).run()
    else:
        exit_by(sys.argv[2])

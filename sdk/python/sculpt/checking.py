"""Checks of tasks and of runs, as the commands check and verify have them."""

import json
import os

from ._host import _arguments, _library, _wording
from ._host._arrays_json import arrays_json
from ._host._child import experiment_file, failure_of, run_in_process
from ._host._experiment import Prepared, as_changes, data_of
from ._host._task_session import TaskSession, refuse_in_task
from ._task._tasks import Tasks
from .arrays import Arrays

_FOUND_FAULTS = 1  # the exit of a check or a verification that found an error


def check(config=None, *, task=None, train=None, validation=None, test=None, parameters=None,
          level: int = 2, only=(), examples=(), seed: int = 1, time_limit: float = 30.0,
          plugin_path=(), **changes) -> dict:
    """Tests the components of an experiment: oracles against brute force, and much more.

    config, task, train, validation, test, parameters, changes   as of train()
    level       1, 2 or 3: how many cases
    only        names of tests ("oracle.exact") or groups of tests ("oracle")
    examples    numbers of the examples to use, counted over all splits
    time_limit  seconds of each test

    Returns the report of `sculpt check --json`: "failed" is 0 if no test failed, and "tests" has
    a dict for each. Of a dict or a task, "experiment" is its name or that of the class, and
    "repeat" has the arguments that repeat a test that failed. The tests run in processes of their
    own, so a crash of a component ends none but its test. They import the class of a task from its
    file. Raises SculptError, UnsupportedError.
    """
    refuse_in_task("sculpt.check")
    names = _arguments.names(only, "only")
    prepared = Prepared(config, changes, task=task, parameters=parameters, train=train,
                        validation=validation, test=test)
    with experiment_file(prepared, "sculpt.check") as file:
        words = ["check", file, "--json", "--level", level, "--seed", seed, "--time-limit",
                 time_limit]
        words += ["--only", ",".join(names)] if names else []
        for option, values in (("--example", examples), ("--set", prepared.changes)):
            for value in values:
                words += [option, value]
        code, printed, said = run_in_process(words, plugin_path)
    if code not in (_library.REACHED, _FOUND_FAULTS) or not printed:
        raise failure_of(code, said, prepared, file)
    if prepared.path is not None:
        return json.loads(printed)
    report = json.loads(_wording.without_file(printed, file, prepared.name))
    for test in report["tests"]:
        if "repeat" in test:
            test["repeat"] = f'only=["{test["name"]}"], level={level}, seed={seed}'
    return report


def verify(run, *, task=None, train=None, probes: int = 3, seed: int = 1, threads: int = 0,
           plugin_path=(), **changes) -> dict:
    """Computes primal and dual of a finished run again, from its data and its checkpoint.

    run      the run folder
    task     its class, or a list of its classes, if they are not in a file
    train    the data, if they were an object or `Arrays`, or where the file is now; also `Text`
    probes   at how many random w planes are compared

    Returns the report of `sculpt verify --json`: "verified" is True if all numbers agree. Raises
    SculptError.
    """
    tasks = Tasks.of(task)
    words = ["verify", _arguments.path_bytes(
        run, "run", 'the folder of a run, such as "runs/words"'), "--json", "--probes", str(probes),
             "--seed", str(seed), "--threads", str(threads)]
    if train is not None:
        changes.update(_data_change(train, tasks))
    for change in as_changes(changes):
        words += ["--set", change]
    session = TaskSession(tasks, threads, plugin_path)
    array, count = _library.texts([_arguments.path_bytes(word, "an argument") for word in words])
    try:
        session.run("sculpt_run_command", session.handle, array, count)
    except _library.SculptError as error:
        if error.exit != _FOUND_FAULTS or not session.results:
            raise
    return json.loads("".join(session.results))


def _data_change(train, tasks: Tasks) -> dict:
    """What changes in the experiment for these data; nothing for an object, which `tasks` has."""
    may_be_any = bool(tasks.classes)
    if isinstance(train, Arrays) and not may_be_any:
        return {"dataset__train": {"arrays": arrays_json(train)}}
    data = data_of("train", train, may_be_any, tasks)
    if "train" in tasks.given:
        return {}
    return {"dataset__train": os.path.abspath(data) if isinstance(data, str) else data}

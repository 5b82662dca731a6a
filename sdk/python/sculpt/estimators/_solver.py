"""The solver of an estimator: its section in the experiment, and what C means there."""

import math
import numbers
import os

from .._host._arguments import integer, shown

# They prove no gap, so no target can be set for them.
_WITHOUT_TARGET = ("perceptron", "subgradient", "generative")


def section(estimator, default: str, price: float) -> dict:
    """The section "solver" of an experiment.

    default  the solver with objective="svm", unless the parameter `solver` names another
    price    solver.C for C = 1: the number of examples, as a rule
    """
    if estimator.objective not in ("svm", "crf"):
        raise ValueError(f"objective is {estimator.objective!r}; it must be 'svm' or 'crf'")
    default = "crf" if estimator.objective == "crf" else default
    given = estimator.solver
    if not (given is None or isinstance(given, (str, dict))):
        raise TypeError(f"solver is {shown(given)}; it must be the name of a solver, such as "
                        "'n_slack', its section of an experiment as a dict, or None")
    keys = {} if given is None else {"use": given} if isinstance(given, str) else dict(given)
    keys.setdefault("use", default)
    if (keys["use"] == "crf") != (estimator.objective == "crf"):
        raise ValueError(f"objective={estimator.objective!r} does not go with the solver "
                         f"{keys['use']!r}; objective='crf' is the solver 'crf'")
    keys.setdefault("C", _scaled(estimator.C, price))
    if has_target(keys):
        keys.setdefault("relative_gap", estimator.relative_gap)
    for limit in ("max_passes", "max_seconds"):
        if getattr(estimator, limit) is not None:
            keys.setdefault(limit, getattr(estimator, limit))
    return keys


def has_target(keys: dict) -> bool:
    """Whether a solver runs until a gap is proved, and not for a number of passes."""
    return keys["use"] not in _WITHOUT_TARGET and keys.get("method") != "sgd"


def _scaled(C, price: float):
    if isinstance(C, bool) or not isinstance(C, numbers.Real) or not C > 0:
        raise ValueError(f"C is {C!r}; it must be a number above 0, or infinity")
    return "inf" if math.isinf(C) else float(C) * price  # float16 of numpy would overflow


def thread_count(n_jobs: "int | None") -> int:
    """Threads for n_jobs of scikit-learn: None is 1, -1 is all, -2 is all but one."""
    if n_jobs is None:
        return 1
    n_jobs = integer(n_jobs, "n_jobs", -2**31, 2**31 - 1)
    if n_jobs == 0:
        raise ValueError("n_jobs is 0; give a number of threads, or -1 for all")
    return n_jobs if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + n_jobs)

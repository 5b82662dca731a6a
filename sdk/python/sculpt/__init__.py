"""sculpt: structured prediction with a certified optimality gap. See README.md beside this folder.

    model = sculpt.train("experiment.json")
    model.predict("new.txt")

A task of your own is a class (task.py). Models need libsculpt; tasks do not. The estimators
(estimators.md) are loaded when they are first named, because that imports scikit-learn.

    _task       tasks as components of the plugin ABI: what the host calls. For task.py
    _host       calls of libsculpt: sessions, runs. For host.py, checking.py, sweeping.py, arrays.py
    _batch      calls of its batch layer. For batch.py and torch.py
    estimators  users of host.py and arrays.py
"""

from ._host._experiment import Text
from ._host._library import HostWarning, Interrupted, SculptError
from ._version import __version__
from .arrays import Arrays, SparseRows
from .checking import check, verify
from .host import Joined, Model, Pass, Scored, command, describe, load, train, version
from .sweeping import Sweep, sweep
from .task import (Answer, Batch, DataError, MissingError, OutputShape, ParameterError, Query,
                   Range, Row, Source, Unit, UnsupportedError)

__all__ = ["Answer", "Arrays", "Batch", "DataError", "HostWarning", "Interrupted", "Joined",
           "MissingError", "Model", "OutputShape", "ParameterError", "Pass", "Query", "Range",
           "Row", "Scored", "SculptError", "Source", "SparseRows", "Sweep", "Text", "Unit",
           "UnsupportedError", "__version__", "check", "command", "describe", "load", "sweep",
           "train", "verify", "version"]

for _error in (DataError, HostWarning, Interrupted, MissingError, ParameterError, SculptError,
               UnsupportedError):
    _error.__module__ = __name__  # tracebacks name it as users import it

_ESTIMATORS = ("GraphLabeller", "Multiclass", "Multilabel", "Ranker", "SequenceTagger",
               "SetClassifier", "Taxonomy")


def __getattr__(name: str):
    if name != "estimators" and name not in _ESTIMATORS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib
    estimators = importlib.import_module(".estimators", __name__)
    return estimators if name == "estimators" else getattr(estimators, name)


def __dir__() -> "list[str]":
    return sorted([*globals(), *_ESTIMATORS, "estimators"])

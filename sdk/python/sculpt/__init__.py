"""sculpt: structured prediction with a certified optimality gap. See README.md beside this folder.

    model = sculpt.train("experiment.json")
    model.predict("new.txt")

A task of your own is a class (task.py). Models need libsculpt; tasks do not.
"""

<<<<<<< HEAD
from ._library import Interrupted, SculptError
from ._version import __version__
=======
from ._library import HostWarning, Interrupted, SculptError
>>>>>>> 5a633fdf (Tests of faults, interrupts, forks and exits in a process of Python)
from .arrays import Arrays
from .host import Model, Pass, Scored, Text, command, describe, load, train, version
from .task import (Answer, Batch, DataError, MissingError, OutputShape, ParameterError, Query,
                   Range, Source, Unit, UnsupportedError)

<<<<<<< HEAD
__all__ = ["Answer", "Arrays", "Batch", "DataError", "Interrupted", "MissingError", "Model",
           "OutputShape", "ParameterError", "Pass", "Query", "Range", "Scored", "SculptError",
           "Source", "Text", "Unit", "UnsupportedError", "__version__", "command", "describe", "load", "train",
=======
__all__ = ["Answer", "Arrays", "Batch", "DataError", "HostWarning", "Interrupted", "MissingError",
           "Model", "OutputShape", "ParameterError", "Pass", "Query", "Range", "Scored", "SculptError",
           "Source", "Text", "Unit", "UnsupportedError", "command", "describe", "load", "train",
>>>>>>> 5a633fdf (Tests of faults, interrupts, forks and exits in a process of Python)
           "version"]

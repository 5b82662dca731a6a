"""sculpt: structured prediction with a certified optimality gap. See README.md beside this folder.

    model = sculpt.train("experiment.json")
    model.predict("new.txt")

A task of your own is a class (task.py). Models need libsculpt; tasks do not.
"""

from ._library import HostWarning, Interrupted, SculptError
from ._version import __version__
from .arrays import Arrays
from .host import Model, Pass, Scored, Text, command, describe, load, train, version
from .task import (Answer, Batch, DataError, MissingError, OutputShape, ParameterError, Query,
                   Range, Source, Unit, UnsupportedError)

__all__ = ["Answer", "Arrays", "Batch", "DataError", "HostWarning", "Interrupted", "MissingError",
           "Model", "OutputShape", "ParameterError", "Pass", "Query", "Range", "Scored",
           "SculptError", "Source", "Text", "Unit", "UnsupportedError", "__version__", "command",
           "describe", "load", "train", "version"]

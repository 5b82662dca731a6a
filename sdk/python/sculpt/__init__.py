"""sculpt: structured prediction with a certified optimality gap. See README.md beside this folder."""

from .task import (Answer, Batch, DataError, MissingError, OutputShape, ParameterError, Query,
                   Range, Source, Unit, UnsupportedError)

__all__ = ["Answer", "Batch", "DataError", "MissingError", "OutputShape", "ParameterError", "Query",
           "Range", "Source", "Unit", "UnsupportedError"]

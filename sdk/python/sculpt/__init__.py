"""sculpt: structured prediction with a certified gap. Its page is README.md beside it."""

from .task import (Answer, Batch, DataError, MissingError, OutputShape, ParameterError, Query,
                   Range, Source, Unit, UnsupportedError)

__all__ = ["Answer", "Batch", "DataError", "MissingError", "OutputShape", "ParameterError", "Query",
           "Range", "Source", "Unit", "UnsupportedError"]

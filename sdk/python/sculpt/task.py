"""Tasks in Python: what a class needs, and the words that it uses.

A class is a dataset, features, a loss and an oracle, or some of them, by its methods:

    dataset   load(split, source)          appends a split; "train" first, "predict" for new data
              count() -> int               the examples of all splits
              truth(example) -> labels     int32[...], an int, or None: unlabelled
              split(name) -> (begin, end)  optional: follows from count() around each load()
              format(example, y) -> str    optional: what `sculpt predict` prints
              parse(example, text) -> y    optional: an output from its text
    features  dimension() -> int
              features(example, y) -> psi  float64[dimension], or (indices, values)
              weight_name(j) -> str        optional: for `sculpt describe MODEL`
              output_shape(example) -> OutputShape                   optional
              enumerate(example) -> iterable of all outputs          optional, for `sculpt check`
    loss      loss(truth, guess) -> float or bool, or loss(example, truth, guess)
    oracle    argmax(query) -> y, (y, value) or Answer               see Query and Answer
              argmax_batch(queries) -> list of such answers          see Batch
    kernel    kernel(row, other) -> float                            see Row
              kernel_rows(rows, others) -> float64[rows, others]     in place of it, or beside it
              positive = True              claims that the kernel is positive semidefinite
    all       save() -> bytes or a dict of arrays, numbers, texts    optional: what was learned
              restore(state)                                         gets what save() returned
              seal()                                                 optional: the setup ends

Outputs are arrays of int32 with one form for each output. A tuple of two from argmax() is always
(y, value): return an output of two labels as a list or an array. Arrays that a method gets are
read-only, and views of memory of the host that are valid until it returns: copy what is kept. Only
the truth of a query is a copy, if it has at most 64 labels. All calls come from one thread.
"""

from ._task._errors import DataError, MissingError, ParameterError, UnsupportedError
from ._task._instance import Batch
from ._task._output_shape import OutputShape
from ._task._kernel import Row
from ._task._lent import Query
from ._task._parameters import Range, Unit
from ._task._results import Answer
from ._task._source import Source

__all__ = ["Answer", "Batch", "DataError", "MissingError", "OutputShape", "ParameterError", "Query",
           "Range", "Row", "Source", "Unit", "UnsupportedError"]

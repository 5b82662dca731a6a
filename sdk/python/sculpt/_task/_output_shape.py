"""The shape of outputs, as the method output_shape() of a task gives it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class OutputShape:
    """The outputs of an example: how many labels, and which values.

    size      the number of labels, or the smallest number if max_size is given
    states    the label at each position is in [0, states), or in [0, states[p]) for an array.
              None: any number from 0 on
    complete  every array of this shape is an output; `sculpt check` then tries all of them
    same      all examples have this shape, so the host asks once
    """
    size: int
    states: object = None
    max_size: int | None = None
    complete: bool = False
    same: bool = False

#!/usr/bin/env python3
"""The parts of the package without a host: parameters, states, results of methods, sources."""

import ctypes
import pickle
import typing
import unittest

import setting


def text_of(function, *arguments) -> str:
    """The text of the error that a call raises."""
    try:
        function(*arguments)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "no error"


class Parameters(unittest.TestCase):
    def declared(self, **annotations):
        from sculpt._task import _parameters
        cls = type("Task", (), {"__annotations__": annotations, "months": 12, "_hidden": 3})
        return _parameters.declared_by(cls, "task.py: Task")

    def checked(self, given, **annotations):
        from sculpt._task import _parameters
        return _parameters.checked_values(self.declared(**annotations), given, "T")

    def test_values_are_those_of_the_experiment_or_the_defaults(self):
        self.assertEqual(self.checked({}, months=int, _hidden=int, kept=typing.ClassVar[int]),
                         {"months": 12})
        self.assertEqual(self.checked({"months": 4, "rate": 1, "widths": [1]}, months=int,
                                      rate=float, widths=list[float]),
                         {"months": 4, "rate": 1.0, "widths": [1.0]})
        self.assertEqual(self.checked({}, months=int, other=float | None)["other"], None)
        self.assertEqual(self.checked({"rate": "inf"}, rate=float)["rate"], float("inf"))

    def test_what_is_wrong_is_named(self):
        from sculpt import Range
        share = typing.Annotated[float, Range(0, 1), "the share"]
        cases = [
            (({"month": 3},), {"months": int}, 'unknown parameter "month", did you mean "months"?'),
            (({"months": 1.5},), {"months": int}, '"months" must be an integer, not 1.5'),
            (({"months": True},), {"months": int}, "must be an integer, not true"),
            (({"share": 2},), {"share": share}, '"share" must be a number from 0 to 1, not 2'),
            (({},), {"share": share}, 'the parameter "share" is missing, it must be a number from '
                                      "0 to 1: the share"),
            (({"way": "up"},), {"way": typing.Literal["left", "right"]},
             '"way" must be one of "left", "right", not "up"'),
            (({"names": [1]},), {"names": list[str]}, "a list, each item a text, not [1]"),
        ]
        for arguments, annotations, expected in cases:
            self.assertIn(expected, text_of(lambda: self.checked(*arguments, **annotations)))
        self.assertIn("the annotation of rows is bytes, which is no type of parameters",
                      text_of(lambda: self.declared(rows=bytes)))
        self.assertIn("the default of months is 12; it must be a text",
                      text_of(lambda: self.declared(months=str)))

    def test_an_object_has_its_parameters_before_init_runs(self):
        import dataclasses
        from sculpt._task import _parameters

        class Plain:
            months: int = 12

            def __init__(self):
                self.half = self.months // 2

        @dataclasses.dataclass
        class Data:
            months: int = 12
            names: list[str] = dataclasses.field(default_factory=lambda: ["a"])

        for cls in (Plain, Data):
            parameters = _parameters.declared_by(cls, "T")
            values = _parameters.checked_values(parameters, {"months": 8}, "T")
            task = _parameters.make_object(cls, values, "T")
            self.assertEqual(task.months, 8)
        self.assertEqual(task.names, ["a"])
        self.assertEqual(_parameters.make_object(Plain, {"months": 8}, "T").half, 4)
        Plain.__init__ = lambda self, other: None
        self.assertIn("__init__ asks for other, which is no parameter of the class",
                      text_of(_parameters.make_object, Plain, {"months": 8}, "T"))


class States(unittest.TestCase):
    def bytes_of(self, contents):
        from sculpt._task import _state
        return _state.to_bytes(_state.State("t.py", "T", "ab", contents))

    def test_contents_come_back_and_equal_contents_are_equal_bytes(self):
        import numpy
        from sculpt._task import _state
        contents = {"b": numpy.arange(6.0).reshape(2, 3), "a": ["x", 1, None], "c": b"\0raw"}
        data = self.bytes_of(contents)
        self.assertEqual(data, self.bytes_of(dict(reversed(contents.items()))))
        again = _state.from_bytes(data)
        self.assertTrue((again.contents["b"] == contents["b"]).all())
        self.assertEqual((again.contents["a"], again.contents["c"]), (["x", 1, None], b"\0raw"))
        self.assertEqual(_state.to_bytes(again), data)
        for simple in (b"bytes", b"", None, {}):
            self.assertEqual(_state.from_bytes(self.bytes_of(simple)).contents, simple)

    def test_pickles_are_refused(self):
        import numpy
        from sculpt._task import _state
        for contents in (pickle.dumps([1]), {"a": pickle.dumps([1])}):
            self.assertIn("returned a pickle", text_of(self.bytes_of, contents))
        self.assertIn("an array of Python objects under 'a', which only a pickle can hold",
                      text_of(self.bytes_of, {"a": numpy.array([object()])}))
        self.assertIn("returned set under 'a'; a state is bytes",
                      text_of(self.bytes_of, {"a": {1}}))
        self.assertIn("returned list; a state is", text_of(self.bytes_of, [1]))
        self.assertIn("is a pickle", text_of(_state.from_bytes, pickle.dumps({"a": 1})))

    def test_damage_of_any_byte_is_noticed(self):
        import numpy
        from sculpt._task import _state
        data = self.bytes_of({"a": numpy.arange(3), "b": "text"})
        damaged = [data[:k] for k in range(len(data))] + [data + b"\0"]
        damaged += [data[:k] + bytes([data[k] ^ 0x81]) + data[k + 1:] for k in range(len(data))]
        for bytes_ in damaged:
            self.assertIn("DataError: its state in the model is damaged",
                          text_of(_state.from_bytes, bytes_))


class Results(unittest.TestCase):
    def test_labels_are_integers_of_any_type(self):
        import numpy
        from sculpt._task import _results
        for value in (2, [2], numpy.int64(2), numpy.array([2], numpy.uint8), numpy.array(2)):
            found = _results.labels(value)
            self.assertEqual((found.tolist(), found.dtype), ([2], numpy.dtype(numpy.int32)))
        self.assertEqual(_results.labels([]).tolist(), [])
        self.assertEqual(_results.labels(numpy.arange(6, dtype=numpy.int32)[::2]).tolist(),
                         [0, 2, 4])

    def test_other_results_are_named(self):
        import numpy
        from sculpt._task import _results
        for value, shown in ((numpy.ones(3), "float64[3]"), (None, "None"), ([1.5], "float64[1]"),
                             (numpy.ones((2, 2), int), "int64[2,2]"), ("ab", "'ab'"),
                             (True, "True"), ({}, "dict")):
            self.assertIn(f"returned {shown}; it must return int32 labels",
                          text_of(_results.labels, value))
        self.assertIn("the range of int32", text_of(_results.labels, [2**40]))
        self.assertIn("the range of int32", text_of(_results.labels, 2**70))
        self.assertIn("float64[3]; it must return float64[4] (the dimension)",
                      text_of(_results.features, numpy.ones(3), 4))
        self.assertIn("the index 4; indices lie in [0, 4)",
                      text_of(_results.features, ([4], [1]), 4))
        self.assertIn("the pair (int64[2], int64[1])", text_of(_results.features, ([1, 2], [1]), 4))
        self.assertIn("returned None; it must return a number", text_of(_results.real, None))

    def test_arrays_of_lent_memory_are_views_that_cannot_be_written(self):
        from sculpt._task import _lent
        memory = (ctypes.c_double * 3)(1, 2, 3)
        view = _lent.read_reals[ctypes.addressof(memory), 3]
        memory[1] = 7
        self.assertEqual(view.tolist(), [1, 7, 3])
        self.assertIn("read-only", text_of(view.__setitem__, 0, 1.0))
        self.assertEqual(_lent.read_reals[ctypes.addressof(memory), 0].size, 0)

    def test_lines_of_a_source_have_numbers_and_no_ends(self):
        from sculpt._task._source import of_memory
        source = of_memory(b"\xef\xbb\xbfone\r\ntwo\n\nfour", "data.txt")
        lines = [(source.line, line) for line in source]
        self.assertEqual(lines, [(1, "one"), (2, "two"), (3, ""), (4, "four")])
        for _ in source:
            self.assertEqual(str(source.error("is wrong", column=3)), "data.txt:1:3: is wrong")
            break
        self.assertIn("data.txt:2: the byte 0xff is no UTF-8",
                      text_of(of_memory(b"a\n\xff", "data.txt").text))


if __name__ == "__main__":
    setting.main()

"""The batch layer in Python, sculpt.batch, against outputs that are listed one by one.

batch_test.py SCULPT
"""

import copy
import os
import pickle
import threading
import unittest

import listed_outputs
from setting import main

KINDS = ("hinge", "perceptron", "log-loss", "softmax-margin")
LENGTHS, LABELS = [3, 1, 4, 0, 2], 3


class Problem:
    """Random scores of some sequences, with truths in which two labels are not known."""

    def __init__(self, own_tables=False):
        import numpy
        from sculpt.batch import Chains
        draw = numpy.random.default_rng(3)
        self.graphs = Chains(LENGTHS, LABELS, "own" if own_tables else "shared")
        self.unary = draw.normal(size=self.graphs.unary_shape)
        shape = self.graphs.tables_shape if own_tables else self.graphs.shared_shape
        self.transitions = draw.normal(size=shape)
        self.scores = {"tables" if own_tables else "shared": self.transitions}
        self.truths = draw.integers(0, LABELS, sum(LENGTHS)).astype(numpy.int32)
        self.truths[[1, 5]] = -1
        self.weights = draw.uniform(0, 2, sum(LENGTHS))
        self.costs = draw.uniform(0, 2, (LABELS, LABELS))
        numpy.fill_diagonal(self.costs, 0)

    def listed(self, **more):
        return listed_outputs.chains(LENGTHS, self.unary, self.transitions, self.truths, **more)


class BatchTest(unittest.TestCase):
    def setUp(self):
        import numpy
        import sculpt
        from sculpt import batch
        self.numpy, self.sculpt, self.batch = numpy, sculpt, batch
        self.viterbi = batch.Batch("viterbi", threads=1)

    def close(self, found, expected):
        self.numpy.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10)

    def test_losses_of_sequences_are_those_of_all_outputs(self):
        numpy = self.numpy
        for own_tables in (False, True):
            problem = Problem(own_tables)
            for kind in KINDS:
                for more in ({}, {"weights": problem.weights, "costs": problem.costs}):
                    found = self.viterbi.loss(
                        problem.graphs, problem.unary, problem.truths, kind, **problem.scores,
                        variable_weights=more.get("weights"), costs=more.get("costs"))
                    listed = [one.loss(kind) for one in problem.listed(**more)]
                    self.close(found.values, [value for value, _, _ in listed])
                    rows = [row for _, unary, _ in listed for row in unary]
                    self.close(found.unary, rows)
                    tables = numpy.array([table for _, _, of_one in listed for table in of_one])
                    if own_tables:
                        self.close(found.tables, tables)
                    else:
                        self.close(found.shared, tables.sum(axis=0))
                    self.assertTrue(found.exact.all())
                    numpy.testing.assert_array_equal(found.upper_bounds, found.values)
                    self.assertEqual(found.outputs is None, kind in KINDS[2:])

    def test_weights_of_examples_scale_gradients_and_not_values(self):
        numpy, problem = self.numpy, Problem()
        weights = numpy.array([2.0, -1, 0, 5, 0.5])
        for kind in KINDS:
            plain, scaled = [self.viterbi.loss(problem.graphs, problem.unary, problem.truths, kind,
                                               **problem.scores, example_weights=given)
                             for given in (None, weights)]
            numpy.testing.assert_array_equal(scaled.values, plain.values)
            self.close(scaled.unary, plain.unary * numpy.repeat(weights, LENGTHS)[:, None])
            tables = [table * weight for one, weight in zip(problem.listed(), weights)
                      for table in one.loss(kind)[2]]
            self.close(scaled.shared, sum(tables))

    def test_outputs_and_marginals_are_those_of_all_outputs(self):
        problem = Problem()
        listed = problem.listed()
        found = self.viterbi.decode(problem.graphs, problem.unary, **problem.scores)
        self.close(found.values, [one.decoded()[0] for one in listed])
        parts = problem.graphs.split(found.outputs)
        self.assertEqual([list(part) for part in parts], [one.decoded()[1] for one in listed])
        self.assertIsNone(found.unary)
        found = self.viterbi.marginals(problem.graphs, problem.unary, **problem.scores)
        self.close(found.values, [one.marginals()[0] for one in listed])
        self.close(found.unary, [row for one in listed for row in one.marginals()[1]])
        self.close(found.shared, sum(table for one in listed for table in one.marginals()[2]))
        agreeing = self.viterbi.decode(problem.graphs, problem.unary, truths=problem.truths,
                                       **problem.scores).outputs
        known = problem.truths >= 0
        self.numpy.testing.assert_array_equal(agreeing[known], problem.truths[known])

    def test_any_graphs_have_own_and_shared_tables(self):
        numpy = self.numpy
        states, variables = [2, 3, 2, 2, 3], [3, 2]
        graphs = self.batch.Graphs(variables, states, factors=[[(0, 1, 2), (2,), (0, 1)], [(0, 1)]],
                                   shared=[[-1, -1, 0], [0]], shared_shapes=[(2, 3)])
        draw = numpy.random.default_rng(5)
        unary, tables = draw.normal(size=12), draw.normal(size=14)
        shared = draw.normal(size=(2, 3))
        rows = numpy.split(unary, numpy.cumsum(states)[:-1])
        truths = numpy.array([1, 2, 0, 1, 0])
        listed = [listed_outputs.Example(rows[:3], [((0, 1, 2), tables[:12].reshape(2, 3, 2)),
                                                    ((2,), tables[12:]), ((0, 1), shared)],
                                         truths[:3]),
                  listed_outputs.Example(rows[3:], [((0, 1), shared)], truths[3:])]
        solver = self.batch.Batch("enumerate")
        for kind in KINDS:
            found = solver.loss(graphs, unary, truths, kind, tables=tables, shared=shared)
            expected = [one.loss(kind) for one in listed]
            self.close(found.values, [value for value, _, _ in expected])
            self.close(found.unary, numpy.concatenate(
                [row for _, of_one, _ in expected for row in of_one]))
            self.close(found.tables, numpy.concatenate(
                [expected[0][2][0].ravel(), expected[0][2][1]]))
            self.close(found.shared, expected[0][2][2] + expected[1][2][0])

    def test_edges_are_a_graph_for_graph_cut(self):
        numpy = self.numpy
        edges = [(0, 1), (1, 2), (2, 3), (3, 0)]
        graphs = self.batch.Graphs([4], 2, edges=[edges], shared_shapes=[(2, 2)])
        unary = numpy.random.default_rng(6).normal(size=(4, 2))
        shared, truths = numpy.array([[0.6, -0.2], [0.1, 0.3]]), numpy.array([0, 1, 1, 0])
        listed = listed_outputs.Example(list(unary), [(edge, shared) for edge in edges], truths)
        solver = self.batch.Batch("graph_cut")
        found = solver.loss(graphs, unary, truths, shared=shared)
        value, rows, tables = listed.loss("hinge")
        self.close(found.values, [value])
        self.close(found.unary, rows)
        self.close(found.shared, sum(tables))
        with self.assertRaisesRegex(self.sculpt.SculptError, "graph_cut.*bound the pair scores"):
            solver.loss(graphs, unary, truths, shared=-shared)

    def test_threads_do_not_change_a_bit(self):
        numpy = self.numpy
        draw = numpy.random.default_rng(7)
        graphs = self.batch.Chains(draw.integers(0, 20, 200), 5)
        unary = draw.normal(size=graphs.unary_shape)
        shared = draw.normal(size=graphs.shared_shape)
        truths = draw.integers(0, 5, graphs.variable_count)
        for kind in KINDS:
            found = [self.batch.Batch("viterbi", threads=threads).loss(
                graphs, unary, truths, kind, shared=shared, outputs=True) for threads in (1, 2, 3)]
            for other in found[1:]:
                for a, b in zip(found[0], other):
                    self.assertEqual(a.tobytes(), b.tobytes())

    def test_a_batch_does_not_depend_on_calls_before(self):
        numpy = self.numpy
        draw = numpy.random.default_rng(8)
        tables = [draw.normal(size=(3, 3)) for _ in range(2)] + [300 * draw.normal(size=(3, 3))]
        for _ in range(60):
            kind = ("own", "shared", "shared")[draw.integers(3)]
            graphs = self.batch.Chains(draw.integers(0, 6, 3), 3, kind)
            scores = ({"tables": draw.normal(size=graphs.tables_shape)} if kind == "own"
                      else {"shared": tables[draw.integers(3)]})
            unary = draw.normal(size=graphs.unary_shape)
            given = (graphs, unary, draw.integers(0, 3, graphs.variable_count), "log-loss")
            found = self.viterbi.loss(*given, **scores)
            alone = self.batch.Batch("viterbi", threads=1).loss(*given, **scores)
            for a, b in zip(found, alone):
                self.assertEqual(a is None or a.tobytes(), b is None or b.tobytes())

    def test_calls_of_several_threads_take_turns(self):
        problem, found = Problem(), []

        def work():
            found.append(self.viterbi.loss(problem.graphs, problem.unary, problem.truths,
                                           **problem.scores).unary.tobytes())

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(found), 8)
        self.assertEqual(len(set(found)), 1)

    def test_a_component_that_is_not_thread_safe_gets_one_thread(self):
        here, seen = threading.current_thread(), []

        def of_one_thread():
            seen.append(threading.current_thread() is here)
            if seen[-1]:
                raise self.sculpt.SculptError("it is not thread-safe; call it on the thread that "
                                              "opened the batch", 64)
            return len(seen)

        for expected in ([False], [False, True, False], [False, True, False, False]):
            found = self.viterbi._handle.run(of_one_thread, name="short", size=1, kept=None)
            self.assertEqual((seen, found), (expected, len(expected)))

    def test_a_request_to_stop_that_comes_too_late_stops_no_other_call(self):
        from sculpt._batch import _batch_library
        problem = Problem()
        library = _batch_library.library()
        expected = self.viterbi.decode(problem.graphs, problem.unary, **problem.scores).values
        for _ in range(3):  # on both threads
            library.sculpt_batch_stop(self.viterbi._handle.pointer)
            found = self.viterbi.decode(problem.graphs, problem.unary, **problem.scores).values
            self.numpy.testing.assert_array_equal(found, expected)

    def test_copies_and_pickles_open_a_batch_of_their_own(self):
        problem = Problem()
        given = (problem.graphs, problem.unary, problem.truths)
        expected = self.viterbi.loss(*given, **problem.scores).values
        for other in (copy.deepcopy(self.viterbi), pickle.loads(pickle.dumps(self.viterbi))):
            self.numpy.testing.assert_array_equal(other.loss(*given, **problem.scores).values,
                                                  expected)

    def test_arrays_of_the_right_type_are_not_copied(self):
        from sculpt.batch import _cells
        numpy = self.numpy
        cells = numpy.ones((4, 3))
        self.assertIs(_cells(cells, "unary", (4, 3)), cells)
        self.assertEqual(_cells(cells.T, "unary", (3, 4)).tolist(), cells.T.tolist())

    def test_a_child_process_is_refused_and_opens_its_own(self):
        problem = Problem()
        given = (problem.graphs, problem.unary, problem.truths)
        self.viterbi.loss(*given, **problem.scores)
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                try:
                    self.viterbi.loss(*given, **problem.scores)
                except self.sculpt.SculptError as error:
                    os.write(write, str(error).encode())
                own = self.batch.Batch("viterbi", threads=1)
                own.loss(*given, **problem.scores)
                os.write(write, b"; done")
            finally:
                os._exit(0)
        os.close(write)
        with os.fdopen(read) as said:
            text = said.read()
        os.waitpid(child, 0)
        self.assertIn("was opened by the parent of this process; open one after fork()", text)
        self.assertTrue(text.endswith("; done"), text)


class RefusalTest(unittest.TestCase):
    def setUp(self):
        import sculpt
        from sculpt import batch
        self.sculpt, self.batch = sculpt, batch
        self.problem = Problem()
        self.viterbi = batch.Batch("viterbi", threads=1)

    def refusal(self, error, function, *arguments, **named):
        with self.assertRaises(error) as refused:
            function(*arguments, **named)
        return str(refused.exception)

    def loss_refusal(self, error=ValueError, **changes):
        problem = self.problem
        given = {"unary": problem.unary, "truths": problem.truths, "shared": problem.transitions}
        return self.refusal(error, self.viterbi.loss, problem.graphs, **{**given, **changes})

    def test_wrong_arrays_are_named(self):
        import numpy
        self.assertIn("unary has the shape (3, 10); it must be (10, 3)",
                      self.loss_refusal(unary=self.problem.unary.T))
        self.assertIn("unary has the type <U1; it must hold numbers",
                      self.loss_refusal(TypeError, unary=numpy.array([["a"]])))
        self.assertIn("unary has the type complex128", self.loss_refusal(
            TypeError, unary=self.problem.unary.astype(complex)))
        self.assertIn("shared is missing; the graphs need float64[3, 3]",
                      self.loss_refusal(shared=None))
        self.assertIn("tables has the shape (3, 3); it must be (0,)",
                      self.loss_refusal(tables=self.problem.transitions))
        self.assertIn("truths has the type float64; it must hold integers",
                      self.loss_refusal(TypeError, truths=numpy.zeros(10)))
        self.assertIn("truths has the shape (9,); it must be (10,)",
                      self.loss_refusal(truths=self.problem.truths[:9]))
        self.assertIn("costs has the shape (3, 2)", self.loss_refusal(costs=numpy.zeros((3, 2))))
        self.assertIn("variable_weights has the shape (3,); it must be (10,)",
                      self.loss_refusal(variable_weights=numpy.ones(3)))
        self.assertIn("example_weights has the shape (1,); it must be (5,)",
                      self.loss_refusal(example_weights=[1.0]))
        self.assertIn("kind is 'crf'; it must be one of", self.loss_refusal(kind="crf"))
        self.assertIn("seed is -1", self.loss_refusal(seed=-1))

    def test_wrong_numbers_are_named_by_the_host(self):
        import numpy
        error = self.sculpt.SculptError
        unary = self.problem.unary.copy()
        unary[4, 2] = numpy.nan
        self.assertIn("example 2: the score of label 2 of variable 0 is nan",
                      self.loss_refusal(error, unary=unary))
        shared = self.problem.transitions.copy()
        shared[1, 0] = -numpy.inf
        self.assertIn("shared[3] is -inf; scores must be between",
                      self.loss_refusal(error, shared=shared))
        truths = self.problem.truths.copy()
        truths[3] = 3
        self.assertIn("example 1: its truth has label 3", self.loss_refusal(error, truths=truths))
        weights = numpy.ones(10)
        weights[7] = -1
        self.assertIn("variable_weights[7] is -1",
                      self.loss_refusal(error, variable_weights=weights))
        self.assertIn("the cost of the true label 0 is 1",
                      self.loss_refusal(error, costs=numpy.ones((3, 3))))

    def test_warnings_of_the_host_name_the_line_that_opens_a_batch(self):
        with self.assertWarnsRegex(self.sculpt.HostWarning, "/nowhere is not a folder") as warned:
            self.batch.Batch("viterbi", plugin_path=["/nowhere"])
        self.assertEqual(warned.filename, __file__)

    def test_wrong_graphs_and_map_solvers_are_named(self):
        batch, error = self.batch, self.sculpt.SculptError
        refusal = self.refusal
        self.assertIn("none below 0", refusal(ValueError, batch.Chains, [2, -1], 3))
        self.assertIn("lengths has the type float64",
                      refusal(TypeError, batch.Chains, [2.5], 3))
        self.assertIn("tables is 'both'", refusal(ValueError, batch.Chains, [2], 3, "both"))
        self.assertIn("labels is 0", refusal(ValueError, batch.Chains, [2], 0))
        self.assertIn("labels is 2.5", refusal(TypeError, batch.Chains, [2], 2.5))
        self.assertIn("states is 0", refusal(ValueError, batch.Graphs, [2], 0))
        self.assertIn("edges has 1 items for 2 examples",
                      refusal(ValueError, batch.Graphs, [2, 2], 2, edges=[[(0, 1)]]))
        self.assertIn("edges[0] has the shape (1, 3)",
                      refusal(ValueError, batch.Graphs, [3], 2, edges=[[(0, 1, 2)]]))
        self.assertIn("names variable 2; the example has 2",
                      refusal(error, batch.Graphs, [2], 2, edges=[[(0, 2)]]))
        self.assertIn("states has the shape (1,); it must be (2,)",
                      refusal(ValueError, batch.Graphs, [2], [2]))
        self.assertIn("uses shared table 1; there are 1", refusal(
            error, batch.Graphs, [2], 2, edges=[[(0, 1)]], shared=[[1]], shared_shapes=[(2, 2)]))
        self.assertIn("viterby", refusal(error, batch.Batch, "viterby"))
        self.assertIn("wrong", refusal(error, batch.Batch, "viterbi", {"wrong": 1}))
        self.assertIn("threads is -1", refusal(ValueError, batch.Batch, threads=-1))
        self.assertIn("plugin_path is 3; it must be a list of folders",
                      refusal(TypeError, batch.Batch, plugin_path=3))
        self.assertIn("map_solver is None", refusal(TypeError, batch.Batch, None))
        self.assertIn("parameters has an object", refusal(TypeError, batch.Batch, "viterbi",
                                                          {"C": object()}))
        self.assertIn("log Z and marginals",
                      refusal(error, batch.Batch("icm").marginals, self.problem.graphs,
                              self.problem.unary, shared=self.problem.transitions))


if __name__ == "__main__":
    main()

"""Arrays of a wrong type, shape, order or value: which are copied, and which are refused, by name.

array_refusal_test.py
"""

from setting import FolderTest, main


def rows_and_labels():
    import numpy
    draw = numpy.random.default_rng(3)
    return draw.normal(size=(12, 3)), numpy.arange(12) % 3


class ArraysTest(FolderTest):
    def setUp(self):
        super().setUp()
        import numpy
        import sculpt
        self.numpy, self.sculpt = numpy, sculpt
        self.rows, self.labels = rows_and_labels()

    def train(self, *arguments, features="multiclass", oracle="enumerate", loss="zero_one",
              **named):
        data = self.sculpt.Arrays(*arguments, **named)
        return self.sculpt.train({"dataset": {"use": "arrays", "train": data},
                                  "features": features, "loss": loss, "oracle": oracle,
                                  "solver": {"use": "n_slack", "C": 10}})

    def refused(self, error, expected: str, *arguments, exit=None, **named):
        """The training is refused with exactly this text in the message."""
        with self.assertRaises(error) as raised:
            self.train(*arguments, **named)
        self.assertIn(expected, str(raised.exception))
        if exit is not None:
            self.assertEqual(raised.exception.exit, exit)

    def data_error(self, expected: str, *arguments, **named):
        self.refused(self.sculpt.SculptError, expected, *arguments, exit=65, **named)


class CopiedTest(ArraysTest):
    def assert_same_model(self, rows, labels, is_borrowed=False):
        data = self.sculpt.Arrays(rows, labels)
        self.assertEqual(data.record.value == rows.ctypes.data, is_borrowed)
        self.assertEqual(data.record.value % 8, 0)
        expected = self.train(self.rows, self.labels)
        self.numpy.testing.assert_array_equal(self.train(rows, labels).weights, expected.weights)

    def test_rows_in_any_order_and_byte_order_give_the_same_model(self):
        numpy, rows = self.numpy, self.rows
        wide = numpy.zeros((24, 6))
        wide[::2, ::2] = rows
        memory = numpy.zeros(rows.nbytes + 1, numpy.uint8)
        unaligned = memory[1:].view(numpy.float64).reshape(rows.shape)
        unaligned[:] = rows
        for other in (numpy.asfortranarray(rows), wide[::2, ::2], rows[::-1].copy()[::-1],
                      rows[:, ::-1].copy()[:, ::-1], rows.astype(">f8"), unaligned,
                      rows.astype(numpy.longdouble)):
            self.assert_same_model(other, self.labels)

    def test_rows_that_are_only_read_are_borrowed(self):
        self.rows.flags.writeable = False
        self.assert_same_model(self.rows, self.labels, is_borrowed=True)

    def test_labels_of_every_integer_type_give_the_same_model(self):
        numpy = self.numpy
        for dtype in ("i1", "u1", "i2", ">i4", "i4", "u4", "i8", "u8"):
            self.assert_same_model(self.rows, self.labels.astype(dtype), is_borrowed=True)
        labels = numpy.zeros((12, 2), int)
        labels[:, 0] = self.labels
        self.assert_same_model(self.rows, labels[:, 0], is_borrowed=True)

    def test_rows_of_fewer_bits_are_converted(self):
        for dtype in ("f4", "f2", "i4", "?", "u8"):
            rows = (self.rows > 0).astype(dtype)
            expected = self.train((self.rows > 0).astype(float), self.labels)
            self.numpy.testing.assert_array_equal(self.train(rows, self.labels).weights,
                                                  expected.weights)

    def test_arrays_are_kept_alive_while_they_are_used(self):
        import gc
        expected = self.train(self.rows, self.labels).weights
        data = self.sculpt.Arrays(self.rows.copy(), self.labels.astype("i4"))
        config = {"dataset": {"use": "arrays", "train": data}, "features": "multiclass",
                  "loss": "zero_one", "oracle": "enumerate", "solver": {"use": "n_slack", "C": 10}}
        del data
        held = [config]

        def drop(_):
            held[0]["dataset"].clear()
            gc.collect()
            self.numpy.full((12, 3), 7.0)  # would take the memory

        model = self.sculpt.train(config, on_pass=drop)
        self.numpy.testing.assert_array_equal(model.weights, expected)
        lent = self.rows.copy()
        data = self.sculpt.Arrays(lent)
        with self.assertRaisesRegex(ValueError, "cannot resize"):
            lent.resize((40, 3))
        self.assertEqual(len(data), 12)


class TypeTest(ArraysTest):
    def test_rows_that_are_no_numbers_are_refused(self):
        numpy = self.numpy
        for dtype, shown in ((complex, "complex128"), (object, "object"), ("U3", "<U3"),
                             ("S3", "|S3"), ("M8[s]", "datetime64[s]")):
            self.refused(TypeError, f"rows has the type {shown}; it must hold numbers",
                         numpy.zeros((2, 3), dtype), [0, 1])
        self.refused(TypeError, "rows has the type object; it must hold numbers", None, [0])
        self.refused(ValueError, "rows is no array: ", [[1, 2], [3]], [0, 1])

    def test_labels_that_are_no_integers_are_refused(self):
        for labels, shown in ((self.labels + 0.5, "float64"),
                              (self.labels.astype(object), "object"),
                              (list("abcabcabcabc"), "<U1"), (self.labels * 1j, "complex128")):
            self.refused(TypeError, f"labels has the type {shown}; it must hold integers",
                         self.rows, labels)

    def test_sets_in_place_of_a_flag_are_refused_with_what_to_write(self):
        import numpy
        for sets in (numpy.ones((3, 2), int), [[1, 0]] * 3, 1, "yes"):
            with self.assertRaisesRegex(TypeError, "label_sets is .*Arrays.rows, sets, "
                                        "label_sets=True"):
                self.sculpt.Arrays(numpy.ones((3, 2)), label_sets=sets)

    def test_masked_values_are_refused(self):
        masked = self.numpy.ma.masked_array(self.rows, mask=self.rows > 1)
        self.refused(ValueError, "rows has masked values; fill them", masked, self.labels)

    def test_wrong_shapes_are_refused(self):
        numpy = self.numpy
        for rows in (numpy.ones(3), numpy.ones((2, 2, 2)), numpy.array(3.0), []):
            self.refused(ValueError, f"rows has the shape {numpy.shape(rows)}; it must be [sites, "
                                     "features]", rows, [0])
        for labels in (self.labels[:5], self.labels.reshape(12, 1), 3):
            self.refused(ValueError,
                         f"labels has the shape {numpy.shape(labels)}; it must be (12,)",
                         self.rows, labels)
        self.refused(ValueError, "weights has the shape (5,); it must be (12,)", self.rows,
                     self.labels, weights=[1] * 5)


class ValueTest(ArraysTest):
    def test_values_that_are_not_finite_are_named_with_their_example(self):
        for value, shown in ((float("nan"), "NaN"), (float("inf"), "infinity"),
                             (-float("inf"), "-infinity")):
            rows = self.rows.copy()
            rows[4, 1] = value
            self.data_error(f"example 4, column 1: value[13] is {shown}; values must be finite",
                            rows, self.labels)
        self.data_error("example 0: its weight is not a finite number", self.rows, self.labels,
                        weights=[float("nan")] * 12)
        self.data_error("example 0: its weight is -1; weights of examples are numbers from 0",
                        self.rows, self.labels, weights=[-1] * 12)

    def test_labels_out_of_range_are_named(self):
        self.data_error("example 0: label[0] is -2; it must be at least -1 and below",
                        self.rows, self.labels - 2)
        self.data_error("example 2: label[2] is 2; it must be at least -1 and below 2", self.rows,
                        self.labels, classes=["a", "b"])
        for labels in (self.labels + 2**31, self.labels + 2**31 - 3, self.labels - 2**40):
            self.refused(ValueError, "labels holds numbers beyond 32 bits", self.rows, labels)
        self.data_error("example 0: label[0] is 2; it must be at least -1 and below 2", self.rows,
                        self.numpy.full((12, 2), 2), label_sets=True)

    def test_grades_of_a_ranking_have_a_limit(self):
        """Else each number up to the largest one costs memory."""
        grades = self.numpy.arange(12) % 2 * (2**30 + 1)
        self.data_error("the dataset has 1073741826 grades; the most is 100000: number the "
                        "grades that occur from 0 on", self.rows, grades,
                        lengths=[6, 6], features="ranking", loss="pair_error", oracle="ranking")

    def test_lengths_that_do_not_fit_are_refused(self):
        for lengths, total in (([6, 5], 11), ([2**63 - 1, 2**63 - 1, 14], 2**64)):
            self.refused(ValueError, f"lengths sum to {total}, but there are 12 rows", self.rows,
                         self.labels, lengths=lengths)
        for lengths in ([-1, 13], 12, [[6, 6]]):
            self.refused(ValueError, "lengths must be one number for each example, none below 0",
                         self.rows, self.labels, lengths=lengths)
        self.refused(TypeError, "lengths has the type float64; it must hold integers", self.rows,
                     self.labels, lengths=[6.0, 6.0])

    def test_numbers_of_states_are_checked(self):
        for count in (-1, 2**40):
            self.refused(ValueError, f"state_count is {count}; it must be at least 0", self.rows,
                         self.labels, state_count=count)
        self.refused(TypeError, "state_count is 'two'; it must be an integer", self.rows,
                     self.labels, state_count="two")

    def test_names_that_c_cannot_hold_are_refused(self):
        self.refused(ValueError, "classes[0] has a zero byte at 1", self.rows, self.labels,
                     classes=["a\0b", "c", "d"])
        self.refused(ValueError, "classes[1] has a character at 0 that UTF-8 cannot hold",
                     self.rows, self.labels, classes=["a", "\ud800", "d"])
        self.refused(TypeError, "classes is 'abc'; it must be a list of names", self.rows,
                     self.labels, classes="abc")
        self.data_error('state_name[1] is "a", as is state_name[0]; names must differ', self.rows,
                        self.labels, classes=["a", "a", "d"])

    def test_data_without_examples_are_refused(self):
        self.data_error("there is none, so there is nothing to learn",
                        self.numpy.empty((0, 3)), [])
        self.data_error("no example has a label, so there is nothing to learn", self.rows)
        model = self.train(self.rows, self.labels)
        empty = self.sculpt.Arrays(self.numpy.empty((0, 3)), [])
        self.assertEqual(model.predict(empty), [])

    def test_rows_of_another_width_than_in_training(self):
        model = self.train(self.rows, self.labels)
        wide = self.sculpt.Arrays(self.numpy.ones((2, 5)))
        with self.assertRaises(self.sculpt.SculptError) as raised:
            model.predict(wide)
        self.assertEqual(raised.exception.exit, 65)
        self.assertIn("example 0: has the feature 4, but the training data have 3 features",
                      str(raised.exception))
        narrow, padded = self.rows[:, :2], self.rows * [1, 1, 0]
        self.assertEqual(self.numpy.concatenate(model.predict(self.sculpt.Arrays(narrow))).tolist(),
                         self.numpy.concatenate(model.predict(self.sculpt.Arrays(padded))).tolist())


class SparseTest(ArraysTest):
    def setUp(self):
        super().setUp()
        try:
            from scipy import sparse
        except ImportError as error:
            self.skipTest(str(error))
        self.sparse = sparse.csr_matrix(self.rows)

    def changed(self, array: str, position: int, value):
        matrix = self.sparse.copy()
        getattr(matrix, array)[position] = value
        return matrix

    def test_indices_out_of_range_are_named(self):
        self.data_error("example 0: index[2] is 99; it must be at least 0 and below 3",
                        self.changed("indices", 2, 99), self.labels)
        self.data_error("example 0: index[0] is -1; it must be at least 0 and below 3",
                        self.changed("indices", 0, -1), self.labels)
        self.data_error("column 1: value[1] is NaN; values must be finite",
                        self.changed("data", 1, float("nan")), self.labels)

    def test_offsets_that_leave_the_arrays_are_refused(self):
        self.refused(ValueError, "rows.indptr[0] is 2; it must be 0", self.changed("indptr", 0, 2),
                     self.labels)
        self.refused(ValueError, "rows.indptr[2] is -5, after 3; it must not fall",
                     self.changed("indptr", 2, -5), self.labels)
        self.refused(ValueError, f"rows.indices has {self.sparse.nnz} entries, but rows.indptr "
                                 "ends with 1000000", self.changed("indptr", -1, 10**6),
                     self.labels)
        matrix = self.sparse.copy()
        matrix.data = matrix.data[:3]
        self.refused(ValueError, "rows.data has 3 entries, but rows.indptr ends with", matrix,
                     self.labels)
        self.refused(TypeError, "rows.data has the type complex128; it must hold numbers",
                     self.sparse.astype(complex), self.labels)

    def test_every_form_of_sparse_matrix_gives_the_same_model(self):
        expected = self.train(self.sparse, self.labels).weights
        for form in ("csc", "coo", "lil", "dok", "bsr"):
            model = self.train(self.sparse.asformat(form), self.labels)
            self.numpy.testing.assert_array_equal(model.weights, expected)


class GraphTest(ArraysTest):
    EDGES = [[[0, 1], [1, 2]], [[0, 1]]]

    def of_graphs(self, error, expected: str, edges, **more):
        self.refused(error, expected, self.rows, self.labels, lengths=[6, 6], edges=edges,
                     features="graph", loss="hamming", **more)

    def test_edges_that_are_no_pairs_are_refused(self):
        for edges, shown in (([0, 1, 2], "(3,)"), (self.numpy.zeros((2, 3), int), "(2, 3)")):
            self.of_graphs(ValueError, f"edges[0] has the shape {shown}; it must be [count, 2]",
                           [edges, [[0, 1]]])
        self.of_graphs(TypeError, "edges[1] has the type float64; it must hold integers",
                       [[[0, 1]], [[0.5, 1]]])
        self.of_graphs(TypeError, "edges must be a list with one array for each example", 3)
        self.of_graphs(ValueError, "edges has 1 items for 2 examples", self.EDGES[:1])

    def test_edges_to_other_examples_are_named(self):
        self.of_graphs(self.sculpt.SculptError, "example 0: edge[1] is 6; it must be at least 0 "
                       "and below 6", [[[0, 6]], [[0, 1]]], exit=65)
        self.of_graphs(ValueError, "edges holds numbers beyond 32 bits",
                       [self.numpy.array([[0, 2**40]]), [[0, 1]]])

    def test_kinds_of_edges_belong_to_their_example(self):
        self.of_graphs(ValueError, "edge_kinds[0] has the shape (1,); it must be (2,)", self.EDGES,
                       edge_kinds=[[0], [1, 1]])
        self.of_graphs(self.sculpt.SculptError, "example 0: edge_kind[1] is -1; it must be at "
                       "least 0", self.EDGES, edge_kinds=[[0, -1], [1]], exit=65)
        self.refused(ValueError, "edge_kinds needs edges", self.rows, self.labels, edge_kinds=[[0]])

    def test_sequences_and_labels_of_unequal_length_are_named(self):
        with self.assertRaisesRegex(ValueError, "sequence 1 has 2 rows and 1 labels"):
            self.sculpt.Arrays.of_sequences([self.rows[:1], self.rows[:2]], [[0], [1]])
        with self.assertRaisesRegex(ValueError, "there are 2 sequences and 1 lists of labels"):
            self.sculpt.Arrays.of_sequences([self.rows[:1], self.rows[:2]], [[0]])


if __name__ == "__main__":
    main()

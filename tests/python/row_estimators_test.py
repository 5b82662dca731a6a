"""Estimators of rows against the program, against brute force and against each other.

row_estimators_test.py SCULPT
"""

import itertools

from setting import FolderTest, main, rows_text, run


class RowTest(FolderTest):
    def setUp(self):
        super().setUp()
        import estimator_data
        import sculpt
        self.data, self.sculpt = estimator_data, sculpt

    def trained_by_program(self, text, **experiment):
        """The model of `sculpt train` on a file with this text."""
        self.write("data.txt", text)
        experiment["dataset"] = {"train": "data.txt", **experiment["dataset"]}
        self.write("one.json", experiment)
        done = run("train", "one.json", "--output", "run", "--force", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.sculpt.load(self.folder / "run")

    @staticmethod
    def parsed(text):
        import numpy
        lines = [line.split() for line in text.splitlines()]
        rows = [[float(field.split(":")[1]) for field in line[1:]] for line in lines]
        return numpy.array(rows), numpy.array([int(line[0]) for line in lines])


class MulticlassTest(RowTest):
    def test_the_weights_are_those_of_the_program_bit_for_bit(self):
        import numpy
        text = rows_text(60)
        rows, labels = self.parsed(text)
        for solver in ({"use": "n_slack"}, {"use": "crf"}):
            objective = "crf" if solver["use"] == "crf" else "svm"
            model = self.trained_by_program(
                text, dataset={"use": "svmlight"}, loss="zero_one", oracle="enumerate",
                features={"use": "multiclass", "bias": True}, solver={**solver, "C": 0.5 * 60})
            ours = self.sculpt.Multiclass(0.5, objective=objective).fit(rows, labels)
            numpy.testing.assert_array_equal(ours.model_.weights, model.weights)
            self.assertEqual(ours.primal_, model.header["certificate"]["primal"])
            printed = model.predict(self.folder / "data.txt", text=True)
            self.assertEqual([str(label) for label in ours.predict(rows)], printed)

    def test_a_kernel_is_that_of_the_program(self):
        import numpy
        text = rows_text(60)
        rows, labels = self.parsed(text)
        gamma = 1 / (rows.shape[1] * rows.var())
        model = self.trained_by_program(
            text, dataset={"use": "svmlight"}, loss="zero_one", oracle="enumerate",
            features={"use": "multiclass", "bias": True}, kernel={"use": "rbf", "gamma": gamma},
            solver={"use": "n_slack", "C": 60})
        ours = self.sculpt.Multiclass(kernel="rbf").fit(rows, labels)
        numpy.testing.assert_array_equal(ours.model_.weights, model.weights)
        self.assertFalse(hasattr(ours, "coef_"))
        self.assertGreater(ours.score(rows, labels), 0.9)
        for name, more in (("poly", {"degree": 2, "coef0": 1}),
                           ({"use": "polynomial", "degree": 2}, {})):
            with self.subTest(kernel=name):
                model = self.sculpt.Multiclass(kernel=name, **more).fit(rows, labels)
                self.assertGreater(model.score(rows, labels), 0.9)
        with self.assertWarnsRegex(UserWarning, "gap is not certified: its oracle or its kernel"):
            self.sculpt.Multiclass(kernel="sigmoid", gamma=0.01).fit(rows, labels)

    def test_coefficients_reproduce_the_decision_function(self):
        import numpy
        for classes in (2, 4):
            rows, labels = self.data.points(classes=classes)
            model = self.sculpt.Multiclass().fit(rows, labels)
            scores = rows @ model.coef_.T + model.intercept_
            numpy.testing.assert_allclose(model.decision_function(rows),
                                          scores[:, 0] if classes == 2 else scores, atol=1e-12)
            self.assertEqual(model.coef_.shape, (1 if classes == 2 else 4, 4))
            guesses = (scores[:, 0] > 0).astype(int) if classes == 2 else scores.argmax(axis=1)
            numpy.testing.assert_array_equal(model.predict(rows), model.classes_[guesses])

    def test_weights_of_classes_and_rows_are_repeated_rows(self):
        import numpy
        rows, labels = self.data.points()
        times = numpy.where(labels == "c1", 3, 1) * (1 + numpy.arange(60) % 2)
        repeated = numpy.repeat(rows, times, axis=0), numpy.repeat(labels, times)
        for objective in ("svm", "crf"):
            model = self.sculpt.Multiclass(0.1, objective=objective, relative_gap=1e-10)
            expected = model.fit(*repeated).coef_
            model.set_params(class_weight={"c1": 3})
            model.fit(rows, labels, sample_weight=1 + numpy.arange(60) % 2)
            numpy.testing.assert_allclose(model.coef_, expected, atol=1e-4)

    def test_rows_of_weight_0_do_not_count(self):
        import numpy
        rows, labels = self.data.points()
        weights = (numpy.arange(60) < 40).astype(float)
        model = self.sculpt.Multiclass(relative_gap=1e-10)
        expected = model.fit(rows[:40], labels[:40]).coef_
        numpy.testing.assert_allclose(model.fit(rows, labels, weights).coef_, expected, atol=1e-4)

    def test_costs_of_confusions(self):
        import numpy
        rows, labels = self.data.points(classes=3)
        costs = numpy.array([[0, 1, 9], [1, 0, 1], [1, 1, 0]])
        model = self.sculpt.Multiclass(costs=costs, relative_gap=1e-8).fit(rows, labels)
        numbers = numpy.searchsorted(model.classes_, labels)
        scores = model.decision_function(rows)
        margins = costs[numbers] + scores - scores[numpy.arange(60), numbers][:, None]
        weights = numpy.append(model.coef_, model.intercept_)
        self.assertAlmostEqual(model.primal_, weights @ weights / 2 + margins.max(axis=1).sum(),
                               places=6)
        self.assertRaisesRegex(ValueError, "shape", model.set_params(costs=costs[:2]).fit, rows,
                               labels)
        self.assertRaisesRegex(ValueError, "diagonal", model.set_params(costs=costs + 1).fit, rows,
                               labels)

    def test_sparse_rows_of_any_format(self):
        import numpy
        try:
            from scipy import sparse
        except ImportError as error:
            self.skipTest(str(error))
        rows, labels = self.data.points()
        rows[rows < 0] = 0
        dense = self.sculpt.Multiclass().fit(rows, labels)
        for make in (sparse.csr_matrix, sparse.coo_matrix, sparse.lil_matrix):
            model = self.sculpt.Multiclass().fit(make(rows), labels)
            numpy.testing.assert_allclose(model.coef_, dense.coef_, atol=1e-9)
            numpy.testing.assert_array_equal(model.predict(make(rows)), dense.predict(rows))
        of_kernel = [self.sculpt.Multiclass(kernel="rbf").fit(X, labels).decision_function(X)
                     for X in (rows, sparse.csr_matrix(rows))]
        numpy.testing.assert_allclose(*of_kernel, atol=1e-9)

    def test_labels_that_are_no_words(self):
        rows, labels = self.data.points()
        for names in (["New York", "a\nb", ""], [True, False, True], [1.0, 2.0, -3.0]):
            given = [names[int(label[1])] for label in labels]
            model = self.sculpt.Multiclass(max_passes=50).fit(rows, given)
            self.assertGreater(model.score(rows, given), 0.5)
            self.assertEqual(set(model.predict(rows).tolist()), set(given))

    def test_numbers_of_numpy_are_numbers(self):
        import numpy
        rows, labels = self.data.points()
        expected = self.sculpt.Multiclass(C=3, max_passes=50).fit(rows, labels).coef_
        model = self.sculpt.Multiclass(C=numpy.int64(3), max_passes=numpy.int32(50))
        numpy.testing.assert_array_equal(model.fit(rows, labels).coef_, expected)

    def test_what_does_not_go_together_is_refused(self):
        rows, labels = self.data.points()
        for params, text in (({"objective": "hinge"}, "objective is 'hinge'"),
                             ({"objective": "crf", "kernel": "rbf"}, "needs single weights"),
                             ({"objective": "crf", "costs": [[0]]}, "costs need objective='svm'"),
                             ({"solver": "crf"}, "does not go with the solver 'crf'"),
                             ({"class_weight": {"c7": 2}}, "'c7', which y does not have")):
            with self.assertRaisesRegex(ValueError, text):
                self.sculpt.Multiclass(**params).fit(rows, labels)
        explicit = {"use": "explicit", "of": {"use": "polynomial", "degree": 2}}
        model = self.sculpt.Multiclass(objective="crf", kernel=explicit).fit(rows, labels)
        self.assertEqual(model.predict_proba(rows).shape, (60, 3))


class TaxonomyTest(RowTest):
    parents = {"c0": "left", "c1": "left", "left": "root", "c2": "root"}

    def test_coefficients_of_classes_are_sums_over_the_nodes_above(self):
        import numpy
        rows, labels = self.data.points()
        for normalize in (False, True):
            model = self.sculpt.Taxonomy(self.parents, normalize=normalize).fit(rows, labels)
            self.assertEqual(sorted(model.nodes_), ["c0", "c1", "c2", "left"])
            numpy.testing.assert_allclose(model.decision_function(rows),
                                          rows @ model.coef_.T + model.intercept_, atol=1e-12)
        place = model.nodes_.index("c2")
        numpy.testing.assert_allclose(model.coef_[2], model.node_coef_[place])

    def test_the_weights_are_those_of_the_program(self):
        import numpy
        text = rows_text(60, classes=3)
        rows, labels = self.parsed(text)
        model = self.trained_by_program(
            text, dataset={"use": "svmlight"}, loss="tree_loss", oracle="enumerate",
            features={"use": "taxonomy", "nodes": ["1 left", "2 left", "left 0", "3 0"],
                      "bias": True}, solver={"use": "n_slack", "C": 60})
        ours = self.sculpt.Taxonomy([(1, "left"), (2, "left"), ("left", 0), (3, 0)])
        numpy.testing.assert_array_equal(ours.fit(rows, labels).model_.weights, model.weights)

    def test_a_class_without_node_is_refused(self):
        rows, labels = self.data.points()
        with self.assertRaisesRegex(ValueError, "the class 'c2' of y is no node"):
            self.sculpt.Taxonomy({"c0": "root", "c1": "root"}).fit(rows, labels)


class MultilabelTest(RowTest):
    def scores_by_hand(self, model, rows):
        """The score of each of the 2^k sets of labels, and the sets."""
        import numpy
        sets = numpy.array(list(itertools.product([0, 1], repeat=len(model.classes_))))
        scores = (rows @ model.coef_.T + model.intercept_) @ sets.T
        for edge, weight in zip(model.edges_, model.pair_coef_):
            on = sets[:, edge]
            pair = weight[on[:, 0], on[:, 1]] if weight.ndim else weight * on.all(axis=1)
            scores = scores + pair
        return scores, sets

    def test_predictions_and_probabilities_by_brute_force(self):
        import numpy
        rows, sets = self.data.label_sets()
        for edges in ("full", "tree", "none", [(0, 2)]):
            for pairs in ("both_on", "tables"):
                with self.subTest(edges=edges, pairs=pairs):
                    model = self.sculpt.Multilabel(edges=edges, pairs=pairs, objective="crf")
                    model.fit(rows, sets)
                    scores, all_sets = self.scores_by_hand(model, rows)
                    numpy.testing.assert_array_equal(model.predict(rows),
                                                     all_sets[scores.argmax(axis=1)])
                    masses = numpy.exp(scores - scores.max(axis=1, keepdims=True))
                    masses /= masses.sum(axis=1, keepdims=True)
                    numpy.testing.assert_allclose(model.predict_proba(rows), masses @ all_sets,
                                                  atol=1e-10)

    def test_the_primal_is_that_of_the_formula(self):
        import numpy
        rows, sets = self.data.label_sets()
        model = self.sculpt.Multilabel(0.3, relative_gap=1e-8).fit(rows, sets)
        scores, all_sets = self.scores_by_hand(model, rows)
        losses = (all_sets[None] != sets[:, None]).mean(axis=2)
        truth = [scores[k, (all_sets == one).all(axis=1)][0] for k, one in enumerate(sets)]
        slacks = (losses + scores - numpy.array(truth)[:, None]).max(axis=1)
        weights = model.model_.weights
        self.assertAlmostEqual(model.primal_, weights @ weights / 2 + 0.3 * slacks.sum(), places=6)

    def test_the_weights_are_those_of_the_program(self):
        import numpy
        rows, sets = self.data.label_sets()
        text = "".join((",".join(str(v + 1) for v in numpy.flatnonzero(one)) or "-") + " "
                       + " ".join(f"{j}:{float(value)!r}" for j, value in enumerate(row, 1)) + "\n"
                       for row, one in zip(rows, sets))
        model = self.trained_by_program(
            text, dataset={"use": "mlsvml"}, loss={"use": "hamming", "normalize": True},
            oracle="enumerate", features={"use": "multilabel", "edges": "full"},
            solver={"use": "n_slack", "C": 60})
        ours = self.sculpt.Multilabel().fit(rows, sets)
        numpy.testing.assert_array_equal(ours.model_.weights, model.weights)

    def test_losses_and_single_labels(self):
        rows, sets = self.data.label_sets()
        for loss in ("f1", "zero_one"):
            self.assertGreater(self.sculpt.Multilabel(loss=loss).fit(rows, sets).score(rows, sets),
                               0.5)
        labels = sets[:, 0] + sets[:, 1]
        single = self.sculpt.Multilabel(objective="crf").fit(rows, labels)
        multiclass = self.sculpt.Multiclass(objective="crf").fit(rows, labels)
        self.assertEqual(single.coef_.tolist(), multiclass.coef_.tolist())
        self.assertEqual(single.predict_proba(rows).tolist(),
                         multiclass.predict_proba(rows).tolist())

    def test_bad_sets_are_refused(self):
        rows, sets = self.data.label_sets()
        for y, text in ((sets + 1, "other values than 0 and 1"), (sets[:-1], "matrix of 0 and 1")):
            self.assertRaisesRegex(ValueError, text, self.sculpt.Multilabel().fit, rows, y)
        for edges, text in (("some", "edges is 'some'"), ([(0, 3)], "the labels 0 to 2"),
                            ([1, 2], "pairs of numbers of labels")):
            self.assertRaisesRegex(ValueError, text, self.sculpt.Multilabel(edges=edges).fit, rows,
                                   sets)


if __name__ == "__main__":
    main()

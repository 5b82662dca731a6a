"""SequenceTagger and GraphLabeller against the program and against brute force.

sequence_estimators_test.py SCULPT
"""

import itertools

from setting import FolderTest, main, run


def outputs_of(labels, length):
    """All label sequences, int[labels ** length, length]."""
    import numpy
    return numpy.array(list(itertools.product(range(labels), repeat=length)), int)


def chain_scores(model, rows):
    """The score of each label sequence by coef_, intercept_ and transitions_."""
    import numpy
    outputs = outputs_of(len(model.classes_), len(rows))
    nodes = rows @ model.coef_.T + model.intercept_
    scores = nodes[numpy.arange(len(rows)), outputs].sum(axis=1)
    scores = scores + model.transitions_[outputs[:, :-1], outputs[:, 1:]].sum(axis=1)
    if model.start_end:
        scores = scores + model.start_[outputs[:, 0]] + model.end_[outputs[:, -1]]
    return scores, outputs


def marginals(scores, outputs, labels):
    """The probability of each label at each position."""
    import numpy
    masses = numpy.exp(scores - scores.max())
    masses /= masses.sum()
    return numpy.array([[masses[outputs[:, t] == k].sum() for k in range(labels)]
                        for t in range(outputs.shape[1])])


class TaggerTest(FolderTest):
    def setUp(self):
        super().setUp()
        import estimator_data
        import sculpt
        self.data, self.sculpt = estimator_data, sculpt
        self.rows, self.labels = estimator_data.sequences()

    def test_the_weights_are_those_of_the_program_bit_for_bit(self):
        import numpy
        items, labels = self.data.attribute_sequences()
        longest = max(range(len(labels)), key=lambda k: len(labels[k]))
        items.insert(0, items[longest])
        labels.insert(0, list("ABCABC")[:len(labels[longest])])  # numbered by first appearance
        self.write("data.txt", "\n".join("".join(line(label, item) for label, item in zip(*one))
                                         for one in zip(labels, items)))
        for objective, use in (("svm", "n_slack"), ("crf", "crf")):
            self.write("one.json", {
                "dataset": {"use": "crfsuite", "train": "data.txt"}, "features": "chain",
                "loss": "hamming", "oracle": "viterbi",
                "solver": {"use": use, "C": 0.5 * len(labels)}})
            done = run("train", "one.json", "--output", "run", "--force", folder=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            expected = self.sculpt.load(self.folder / "run")
            model = self.sculpt.SequenceTagger(0.5, objective=objective).fit(items, labels)
            numpy.testing.assert_array_equal(model.model_.weights, expected.weights)
            self.assertEqual(model.weight_names, expected.weight_names())
            printed = expected.predict(self.folder / "data.txt", text=True)
            self.assertEqual([list(one) for one in model.predict(items)],
                             [[row.split()[-1] for row in text.splitlines()]
                              for text in printed])

    def test_predictions_and_probabilities_by_brute_force(self):
        import numpy
        for params in ({"objective": "crf"}, {"objective": "crf", "start_end": True}, {},
                       {"fit_intercept": False, "objective": "crf"}):
            model = self.sculpt.SequenceTagger(**params).fit(self.rows, self.labels)
            guesses = model.predict(self.rows)
            found = model.predict_marginals(self.rows) if "objective" in params else None
            for k, rows in enumerate(self.rows):
                scores, outputs = chain_scores(model, rows)
                best = model.classes_[outputs[scores.argmax()]]
                numpy.testing.assert_array_equal(guesses[k], best)
                if found is not None:
                    numpy.testing.assert_allclose(found[k], marginals(scores, outputs, 3),
                                                  atol=1e-10)

    def test_the_primal_is_that_of_the_formula(self):
        import numpy
        for params in ({}, {"class_weight": {"B": 4, "C": 0.5}}, {"objective": "crf"}):
            model = self.sculpt.SequenceTagger(0.3, relative_gap=1e-8, **params)
            weights = 1 + numpy.arange(len(self.rows)) % 2
            model.fit(self.rows, self.labels, sample_weight=weights)
            cost = numpy.array([params.get("class_weight", {}).get(c, 1) for c in "ABC"])
            total = model.model_.weights @ model.model_.weights / 2
            for rows, labels, weight in zip(self.rows, self.labels, weights):
                scores, outputs = chain_scores(model, rows)
                truth = numpy.searchsorted(model.classes_, labels)
                of_truth = scores[(outputs == truth).all(axis=1)][0]
                if "objective" in params:
                    slack = numpy.log(numpy.exp(scores - of_truth).sum())
                else:
                    losses = ((outputs != truth) * cost[truth]).sum(axis=1)
                    slack = (losses + scores).max() - of_truth
                total += 0.3 * weight * slack
            self.assertAlmostEqual(model.primal_, total, places=6)

    def test_all_forms_of_sequences_give_one_model(self):
        import numpy
        dense = self.sculpt.SequenceTagger().fit(self.rows, self.labels)
        names = ["p", "q", "r"]
        items = [[dict(zip(names, row)) for row in one] for one in self.rows]
        of_items = self.sculpt.SequenceTagger().fit(items, [list(one) for one in self.labels])
        numpy.testing.assert_allclose(of_items.coef_, dense.coef_, atol=1e-9)
        self.assertEqual(of_items.attributes_, names)
        self.assertIn("q, label B", of_items.weight_names)
        nested = self.sculpt.SequenceTagger().fit([one.tolist() for one in self.rows], self.labels)
        numpy.testing.assert_array_equal(nested.coef_, dense.coef_)
        try:
            from scipy import sparse
        except ImportError as error:
            self.skipTest(str(error))
        matrices = [sparse.csr_matrix(one) for one in self.rows]
        of_sparse = self.sculpt.SequenceTagger().fit(matrices, self.labels)
        numpy.testing.assert_allclose(of_sparse.coef_, dense.coef_, atol=1e-9)
        self.assertEqual(of_sparse.score(matrices, self.labels),
                         dense.score(self.rows, self.labels))

    def test_attributes_of_all_types(self):
        from sculpt.estimators._attributes import AttributeDictionary, pairs_of
        item = {"w": "Rome", "up": True, "low": False, "n": 2, "in": {"x": "y", "z": 3},
                "list": ["a", "b"], "set": set("hgfedcba")}
        self.assertEqual(pairs_of(item, ""), [
            ("w:Rome", 1), ("up", 1), ("low", 0), ("n", 2), ("in:x:y", 1), ("in:z", 3),
            ("list:a", 1), ("list:b", 1), *((f"set:{name}", 1) for name in "abcdefgh")])
        dictionary = AttributeDictionary([[["a", "b"], ["b"]], [["b", "a", "b"]]])
        rows = dictionary.rows([[["b", "new", "a", "b"], []], [["b"]]])
        self.assertEqual((rows.indptr.tolist(), rows.indices.tolist(), rows.data.tolist()),
                         ([0, 2, 2, 3], [0, 1, 1], [1, 2, 1]))
        self.assertEqual(AttributeDictionary([[["a", "b"], ["b"]]], 2).names, ["b"])

    def test_unknown_attributes_and_empty_sequences_are_accepted(self):
        items, labels = self.data.attribute_sequences()
        model = self.sculpt.SequenceTagger(objective="crf").fit(items, labels)
        new = model.predict([[{"never": "seen"}, {}], []])
        self.assertEqual([len(one) for one in new], [2, 0])
        self.assertEqual(model.predict_marginals([[{"never": "seen"}], []])[0].shape, (1, 3))
        self.assertEqual([len(one) for one in model.predict([[]])], [0])

    def test_labels_of_the_loss_weigh_more(self):
        missed = []
        for cost in (1, 50):
            model = self.sculpt.SequenceTagger(0.01, class_weight={"C": cost})
            guesses = model.fit(self.rows, self.labels).predict(self.rows)
            missed.append(sum((truth == "C").sum() - ((truth == "C") & (guess == "C")).sum()
                              for truth, guess in zip(self.labels, guesses)))
        self.assertLess(missed[1], missed[0])

    def test_bad_sequences_are_named(self):
        rows, labels = self.rows, self.labels
        for X, y, kind, text in (
                ([*rows[:3], rows[3][:, :2]], labels[:4], ValueError, "sequence 3 of X has 2 feat"),
                ([rows[0], rows[1][0]], labels[:2], ValueError, "sequence 1 of X has the shape"),
                (rows[:2], [labels[0], labels[1][:-1]], ValueError, "sequence 1 has . rows, but"),
                ([[{"a": 1}, {"a": None}]], [["A", "B"]], TypeError, "item 1 of sequence 0 of X"),
                ([[{"a": 1}, 7]], [["A", "B"]], TypeError, "item 1 of sequence 0 of X is a int"),
                ([[["a"], [3]]], [["A", "B"]], TypeError, "attribute 3; attributes are texts")):
            with self.assertRaisesRegex(kind, text):
                self.sculpt.SequenceTagger().fit(X, y)
        model = self.sculpt.SequenceTagger().fit(rows, labels)
        self.assertRaisesRegex(ValueError, "fitted with matrices", model.predict, [[{"a": 1}]])
        for params, text in (({"objective": "crf", "class_weight": "balanced"}, "needs objective="),
                             ({"loss": "zero_one", "class_weight": "balanced"}, "needs loss=")):
            with self.assertRaisesRegex(ValueError, text):
                self.sculpt.SequenceTagger(**params).fit(rows, labels)


class LabellerTest(FolderTest):
    def setUp(self):
        super().setUp()
        import estimator_data
        import sculpt
        self.data, self.sculpt = estimator_data, sculpt
        self.graphs, self.labels = estimator_data.rings()

    def scores(self, model, graph):
        """The score of each labelling, with pairs="table"."""
        import numpy
        rows, edges, *kinds = graph
        outputs = outputs_of(len(model.classes_), len(rows))
        nodes = rows @ model.coef_.T + model.intercept_
        scores = nodes[numpy.arange(len(rows)), outputs].sum(axis=1)
        tables = model.pair_coef_.reshape(-1, len(model.classes_), len(model.classes_))
        for e, (first, second) in enumerate(edges):
            kind = model.edge_kinds_.tolist().index(kinds[0][e]) if kinds and len(tables) > 1 else 0
            scores = scores + tables[kind][outputs[:, first], outputs[:, second]]
        return scores, outputs

    def test_predictions_and_probabilities_by_brute_force(self):
        import numpy
        plain = [graph[:2] for graph in self.graphs]
        for graphs, params in ((plain, {}), (self.graphs, {}), (self.graphs, {"by_kind": False}),
                               (self.graphs, {"objective": "crf"})):
            model = self.sculpt.GraphLabeller(**params).fit(graphs, self.labels)
            self.assertTrue(model.certified_)
            guesses = model.predict(graphs)
            for k, graph in enumerate(graphs):
                scores, outputs = self.scores(model, graph)
                best = scores[(outputs == numpy.searchsorted(model.classes_, guesses[k]))
                              .all(axis=1)][0]
                self.assertAlmostEqual(best, scores.max())
                if "objective" in params:
                    found = model.predict_marginals([graph])[0]
                    numpy.testing.assert_allclose(found, marginals(scores, outputs, 3), atol=1e-10)

    def test_paths_are_sequences(self):
        import numpy
        rows = [graph[0] for graph in self.graphs]
        paths = [(one, [(t, t + 1) for t in range(len(one) - 1)]) for one in rows]
        for objective in ("svm", "crf"):
            tagger = self.sculpt.SequenceTagger(objective=objective).fit(rows, self.labels)
            model = self.sculpt.GraphLabeller(objective=objective).fit(paths, self.labels)
            numpy.testing.assert_allclose(model.model_.weights, tagger.model_.weights, atol=1e-6)
            self.assertEqual(model.pair_coef_.shape, (1, 9))

    def test_oracles_follow_the_graphs(self):
        two = [(one == "A").astype(int) for one in self.labels]
        plain = [graph[:2] for graph in self.graphs]
        model = self.sculpt.GraphLabeller(pairs="potts", attractive=True).fit(plain, two)
        self.assertEqual(model.model_.header["config"]["oracle"]["use"], "graph_cut")
        self.assertGreaterEqual(model.pair_coef_.min(), 0)
        model = self.sculpt.GraphLabeller(pairs="none").fit(plain, two)
        self.assertEqual(model.pair_coef_.size, 0)
        for more in ({"pairs": "symmetric"}, {"edge_features": "both"},
                     {"oracle": "branch_and_bound"}):
            model = self.sculpt.GraphLabeller(**more).fit(self.graphs, self.labels)
            self.assertTrue(model.certified_)

    def test_bad_graphs_are_named(self):
        rows, edges, kinds = self.graphs[1]
        labels = self.labels[1:2]
        for graph, text in (((rows,), "graph 0 of X must be"),
                            ((rows, [(0, 99)]), "an edge to node 99"),
                            ((rows, [(-1, 0)]), "an edge to node -1"),
                            ((rows, [(0, 0)]), "from node 0 to itself"),
                            ((rows, [(0.5, 1)]), "pairs of numbers of nodes"),
                            ((rows, edges, [*kinds, "even"]), "one kind for each edge")):
            with self.assertRaisesRegex(ValueError, text):
                self.sculpt.GraphLabeller().fit([graph], labels)
        model = self.sculpt.GraphLabeller().fit(self.graphs, self.labels)
        self.assertRaisesRegex(ValueError, "kind 'new'", model.predict,
                               [(rows, edges, ["new"] * len(edges))])
        self.assertRaisesRegex(ValueError, "has no kinds", model.predict, [(rows, edges)])


def line(label, item):
    """An item as a line of a file of CRFsuite."""
    from sculpt.estimators._attributes import pairs_of
    fields = [label]
    for name, value in pairs_of(item, ""):
        name = name.replace("\\", "\\\\").replace(":", "\\:")
        fields.append(name if value == 1 else f"{name}:{float(value)!r}")
    return "\t".join(fields) + "\n"


if __name__ == "__main__":
    main()

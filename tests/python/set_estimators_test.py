"""SetClassifier and Ranker against the program and against their formulas.

set_estimators_test.py SCULPT
"""

from setting import ROOT, FolderTest, main, run


class SetTest(FolderTest):
    def setUp(self):
        super().setUp()
        import estimator_data
        import sculpt
        self.data, self.sculpt = estimator_data, sculpt

    def trained_by_program(self, experiment, *words):
        self.write("one.json", experiment)
        done = run("train", "one.json", "--output", "run", "--force", *words, folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.sculpt.load(self.folder / "run")


class SetClassifierTest(SetTest):
    losses = ("f1", "f_beta", "error_rate", "balanced_error", "break_even", "precision_at",
              "recall_at", "roc_area", "average_precision")

    def setUp(self):
        super().setUp()
        self.rows, labels = self.data.points(classes=4)
        self.truth = labels == "c1"
        self.write("set.txt", "".join(
            f"{'+1' if is_positive else '-1'} "
            + " ".join(f"{j}:{float(value)!r}" for j, value in enumerate(row, 1)) + "\n"
            for row, is_positive in zip(self.rows, self.truth)))

    def of_program(self, loss, is_order):
        return self.trained_by_program(
            {"dataset": {"use": "svmlight_set", "train": "set.txt"},
             "features": {"use": "contingency", **({"output": "order"} if is_order
                                                   else {"bias": True})},
             "loss": loss, "oracle": "contingency",
             "solver": {"use": "one_slack", "C": 15, "relative_gap": 1e-7}})

    def test_weights_are_those_of_the_program(self):
        import numpy
        for loss in self.losses:
            with self.subTest(loss=loss):
                section = {"f1": "f_beta", "f_beta": {"use": "f_beta", "beta": 2},
                           "precision_at": {"use": "precision_at", "k": 5},
                           "recall_at": {"use": "recall_at", "k": 5}}.get(loss, loss)
                is_order = loss in ("roc_area", "average_precision")
                expected = self.of_program(section, is_order)
                model = self.sculpt.SetClassifier(loss, beta=2, k=5, relative_gap=1e-7)
                model.fit(self.rows, self.truth)
                self.assertAlmostEqual(model.primal_, expected.header["certificate"]["primal"],
                                       places=4)
                numpy.testing.assert_allclose(model.model_.weights, expected.weights, atol=2e-3)
                metric = {"f1": "f1", "error_rate": "error", "balanced_error": "balanced_error",
                          "break_even": "break_even"}.get(loss, loss)
                found = expected.evaluate(self.folder / "set.txt").get(metric)
                if found is not None:
                    score = 1 - found if "error" in metric else found
                    self.assertAlmostEqual(model.score(self.rows, self.truth), score, places=2)

    def test_positive_is_above_0_and_thresholds_of_orders_keep_the_count(self):
        import numpy
        for loss in self.losses:
            model = self.sculpt.SetClassifier(loss).fit(self.rows, self.truth)
            scores = model.decision_function(self.rows)
            numpy.testing.assert_allclose(scores, self.rows @ model.coef_[0] + model.intercept_,
                                          atol=1e-12)
            numpy.testing.assert_array_equal(model.predict(self.rows), scores > 0)
            if loss in ("roc_area", "average_precision"):
                self.assertEqual(model.predict(self.rows).sum(), self.truth.sum())

    def test_first_rows_that_tie_count_in_part(self):
        model = self.sculpt.SetClassifier("precision_at", k=2).fit(self.rows, self.truth)
        rows = self.rows[[0, 0, 0, 0]]  # any two of these
        self.assertEqual(model.score(rows, [True, False, False, False]), 0.25)
        model.set_params(loss="recall_at")
        self.assertEqual(model.score(rows, [True, False, False, False]), 0.5)
        model.set_params(loss="break_even")
        self.assertEqual(model.score(rows, [True, True, True, False]), 0.75)

    def test_sets_are_groups_in_any_order(self):
        import numpy
        groups = numpy.arange(60) % 3
        order = numpy.argsort(groups, kind="stable")
        model = self.sculpt.SetClassifier()
        one = model.fit(self.rows, self.truth, groups=groups).coef_
        score = model.score(self.rows, self.truth, groups=groups)
        two = model.fit(self.rows[order], self.truth[order], groups=groups[order]).coef_
        numpy.testing.assert_array_equal(one, two)
        self.assertEqual(model.score(self.rows[order], self.truth[order], groups=groups[order]),
                         score)

    def test_what_does_not_fit_is_refused(self):
        labels = self.rows[:, 0].round()
        for params, data, text in (({}, (self.rows, labels), "Only binary classification"),
                                   ({"loss": "f2"}, (self.rows, self.truth), "loss is 'f2'"),
                                   ({}, (self.rows, self.truth, [1, 2]), "groups has the shape")):
            with self.assertRaisesRegex(ValueError, text):
                self.sculpt.SetClassifier(**params).fit(*data)


class RankerTest(SetTest):
    def test_the_weights_are_those_of_the_program(self):
        import numpy
        rows, grades, groups = read_queries(ROOT / "configs/data/ranking/train.txt")
        of_grades = [len(set(grades[groups == k])) for k in numpy.unique(groups)]
        kept = sum(count > 1 for count in of_grades)
        for loss, section, relevant in (
                ("pair_error", "pair_error", 0), ("ndcg", "ndcg", 0),
                ("mean_average_precision", "mean_average_precision", 1),
                ("reciprocal_rank", "reciprocal_rank", 1)):
            with self.subTest(loss=loss):
                expected = self.trained_by_program(
                    {"dataset": {"use": "svmrank",
                                 "train": str(ROOT / "configs/data/ranking/train.txt")},
                     "features": {"use": "ranking", "relevant_from": relevant}, "loss": section,
                     "oracle": "ranking",
                     "solver": {"use": "one_slack", "C": 0.5 * kept, "relative_gap": 1e-6}})
                model = self.sculpt.Ranker(loss, 0.5, relative_gap=1e-6)
                model.fit(rows, grades, groups=groups)
                self.assertAlmostEqual(model.primal_, expected.header["certificate"]["primal"],
                                       places=3)
                numpy.testing.assert_allclose(model.coef_, expected.weights, atol=1e-2)

    def test_the_primal_of_pairs_is_that_of_the_formula(self):
        import numpy
        rows, grades, groups = self.data.queries()
        model = self.sculpt.Ranker(C=0.7, relative_gap=1e-8).fit(rows, grades, groups=groups)
        scores = model.predict(rows)
        numpy.testing.assert_allclose(scores, rows @ model.coef_, atol=1e-12)
        losses, shares = [], []
        for k in numpy.unique(groups):
            of_query = numpy.flatnonzero(groups == k)
            losses.append([max(0, 1 - scores[i] + scores[j]) for i in of_query for j in of_query
                           if grades[i] > grades[j]] or [0])
            right = [scores[i] > scores[j] for i in of_query for j in of_query
                     if grades[i] > grades[j]]
            shares += [numpy.mean(right)] if right else []
        self.assertAlmostEqual(model.score(rows, grades, groups=groups), numpy.mean(shares))
        slacks = sum(numpy.mean(one) for one in losses)
        self.assertAlmostEqual(model.primal_, model.coef_ @ model.coef_ / 2 + 0.7 * slacks,
                               places=6)

    def test_queries_told_in_three_ways_give_one_model(self):
        import numpy
        rows, grades, groups = self.data.queries()
        of_groups = self.sculpt.Ranker().fit(rows, grades, groups=groups)
        of_qid = self.sculpt.Ranker().fit(rows, grades, qid=[f"q{k}" for k in groups])
        wide = numpy.column_stack([rows[:, :2], groups, rows[:, 2:]])
        of_column = self.sculpt.Ranker(qid_column=2).fit(wide, grades)
        lists = self.data.by_query(rows, grades, groups)
        of_lists = self.sculpt.Ranker().fit(*lists)
        for other in (of_qid, of_column, of_lists):
            numpy.testing.assert_array_equal(other.coef_, of_groups.coef_)
        scores = of_groups.predict(rows)
        numpy.testing.assert_array_equal(of_column.predict(wide), scores)
        for k, of_one in zip(dict.fromkeys(groups.tolist()), of_lists.predict(lists[0])):
            numpy.testing.assert_array_equal(of_one, scores[groups == k])
        expected = of_groups.score(rows, grades, groups=groups)
        self.assertEqual(of_column.score(wide, grades), expected)
        self.assertEqual(of_lists.score(*lists), expected)

    def test_grades_of_any_numbers_for_pairs(self):
        import numpy
        rows, grades, groups = self.data.queries()
        whole = self.sculpt.Ranker().fit(rows, grades, groups=groups)
        real = self.sculpt.Ranker().fit(rows, grades * 0.5 - 3, groups=groups)
        numpy.testing.assert_array_equal(real.coef_, whole.coef_)
        self.assertEqual(whole.score(rows, 10 * grades, groups=groups),
                         whole.score(rows, grades, groups=groups))
        with self.assertRaisesRegex(ValueError, "grades from -3 to -2"):
            self.sculpt.Ranker("ndcg").fit(rows, grades * 0.5 - 3, groups=groups)

    def test_queries_are_needed_and_told_once(self):
        rows, grades, groups = self.data.queries()
        lists = self.data.by_query(rows, grades, groups)
        for params, data, more, text in (
                ({}, (rows, grades), {}, "needs queries"),
                ({"qid_column": 0}, (rows, grades), {"groups": groups}, "told twice"),
                ({}, lists, {"groups": groups}, "told twice"),
                ({}, (rows, grades), {"groups": groups, "qid": groups}, "the same thing"),
                ({"qid_column": 4}, (rows, grades), {}, "qid_column is 4"),
                ({"loss": "dcg"}, (rows, grades), {"groups": groups}, "loss is 'dcg'"),
                ({}, (rows, grades[:-1]), {"groups": groups}, "y has the shape"),
                ({}, (rows, grades), {"groups": groups[:-1]}, "groups has the shape")):
            with self.assertRaisesRegex(ValueError, text):
                self.sculpt.Ranker(**params).fit(*data, **more)
        model = self.sculpt.Ranker().fit(rows, grades, groups=groups)
        self.assertRaisesRegex(ValueError, "needs queries", model.score, rows, grades)


def read_queries(path):
    """Rows, grades and queries of a file of the dataset svmrank."""
    import numpy
    lines = [line.split("#")[0].split() for line in path.read_text().splitlines()]
    lines = [line for line in lines if line]
    width = max(int(field.split(":")[0]) for line in lines for field in line[2:])
    rows = numpy.zeros((len(lines), width))
    for row, line in zip(rows, lines):
        for field in line[2:]:
            index, value = field.split(":")
            row[int(index) - 1] = float(value)
    return (rows, numpy.array([int(line[0]) for line in lines]),
            numpy.array([int(line[1].split(":")[1]) for line in lines]))


if __name__ == "__main__":
    main()

"""Ranker: documents of a query are put into order."""

import numpy as np

from ..arrays import Arrays
from ._grouping import Grouping, grouping_of
from ._labels import example_weights
from ._row_classifier import RowEstimator
from ._rows import check_features, feature_names_of, matrix_of, remember_features
from ._stacked import check_lengths, is_list_of_matrices, stacked

_METRICS = {"pair_error": "pair_error", "ndcg": "ndcg@10", "mean_average_precision": "map",
            "reciprocal_rank": "mrr"}
_LARGEST_GRADE = 1000


class Ranker(RowEstimator):
    """The ranking SVM and its relatives for NDCG, average precision and reciprocal rank.

    C             price of an error of one query: solver.C is C * queries. With "pair_error",
                  SVM-rank's -c is C * queries, with its -l 2
    loss          "pair_error": the share of the pairs in the wrong order; "ndcg" of the first k;
                  "mean_average_precision"; "reciprocal_rank"
    relevant_from  the least grade of relevant documents, for the last two losses
    qid_column    number of the column of X that has the query; it is no feature
    The other parameters are those of Multiclass. There is no objective="crf".

    Queries are told in one of three ways: `groups` (or `qid`) of fit() and score(), which is the
    query of each row; the parameter `qid_column`; or X as a list with a matrix for each query and
    y as a list of grades. The last two work with GridSearchCV and cross_val_score.

    y are grades: whole numbers from 0 to 1000, larger ones come first. With "pair_error" any
    numbers. After fit(): coef_ [features].
    """
    objective = "svm"

    def __init__(self, loss="pair_error", C=1.0, *, k=10, relevant_from=1, qid_column=None,
                 kernel="linear", gamma="scale", degree=3, coef0=0.0, solver=None,
                 relative_gap=1e-3, max_passes=None, max_seconds=None, n_jobs=None,
                 verbose=False):
        self._keep(locals())

    def _more_tags(self):
        return {"requires_y": True}

    def fit(self, X, y, groups=None, qid=None, sample_weight=None) -> "Ranker":
        """X: [rows, features] or a list of such. y: [rows], or a list of such. groups or qid:
        [rows]. sample_weight: [queries]. Returns self. Raises ValueError and SculptError."""
        self._begin_fit(y)
        matrix, grouping, names = self._queries(X, groups, qid)
        grades = self._grades(y, X, grouping)
        _require_order(grades, grouping.lengths)
        weights = example_weights(sample_weight, len(grouping.lengths))
        remember_features(self, matrix.shape[1], names)
        data = Arrays(matrix, grades, lengths=grouping.lengths, weights=weights,
                      features=self._feature_names(), state_count=_state_count(grades))
        features, loss = self._components()
        self._train(data, features, loss, "ranking", default="one_slack",
                    price=len(grouping.lengths), matrix=matrix)
        return self

    def _components(self) -> tuple:
        if self.loss not in _METRICS:
            raise ValueError(f"loss is {self.loss!r}; it must be one of {list(_METRICS)}")
        if self.loss == "pair_error":
            return "ranking", "pair_error"
        if self.loss == "ndcg":
            return "ranking", {"use": "ndcg", "k": self.k}
        return ({"use": "ranking", "relevant_from": self.relevant_from},
                {"use": self.loss, "relevant_from": self.relevant_from})

    def _queries(self, X, groups, qid, are_needed=True):
        """The rows query by query, their grouping, and the names of the features."""
        if groups is not None and qid is not None:
            raise ValueError("groups and qid are the same thing; give one of them")
        groups = qid if groups is None else groups
        ways = (groups is not None) + (self.qid_column is not None) + is_list_of_matrices(X)
        if ways > 1:
            raise ValueError("queries are told twice; give groups, or qid_column, or X as a list "
                             "with a matrix for each query")
        if ways == 0 and are_needed:
            raise ValueError("Ranker needs queries: give groups (or qid), the query of each row; "
                             "or the parameter qid_column; or X as a list with a matrix for each "
                             "query")
        if is_list_of_matrices(X):
            queries = stacked(X, "query")
            return queries.matrix, Grouping(None, queries.lengths), None
        matrix, names = matrix_of(X), feature_names_of(X)
        if self.qid_column is not None:
            matrix, names, groups = self._without_queries(matrix, names)
        grouping = grouping_of(groups, matrix.shape[0])
        return grouping.sorted(matrix), grouping, names

    def _without_queries(self, matrix, names):
        """The rows without the column of the query, and that column."""
        count = matrix.shape[1]
        if not -count <= self.qid_column < count or count < 2:
            raise ValueError(f"qid_column is {self.qid_column}, but X has {count} columns, of "
                             "which one at least must be a feature")
        kept = np.delete(np.arange(count), self.qid_column)
        column = matrix[:, [self.qid_column]]
        column = column.toarray() if hasattr(column, "toarray") else column
        rest = matrix[:, kept]
        rest = rest if hasattr(rest, "tocsr") else np.ascontiguousarray(rest)
        return rest, None if names is None else names[kept], column.ravel()

    def _grades(self, y, X, grouping: Grouping) -> np.ndarray:
        """int[rows] from 0, query by query. With "pair_error" the ranks of other numbers."""
        if is_list_of_matrices(X):
            check_lengths(y, grouping.lengths, "query")
            grades = np.concatenate([_numbers(one) for one in y])
        else:
            grades = _numbers(y)
        _check_grades(grades, int(grouping.lengths.sum()))
        grades = grouping.sorted(grades)
        if ((grades >= 0) & (grades <= _LARGEST_GRADE) & (grades == np.floor(grades))).all():
            return grades.astype(np.int32)
        if self.loss != "pair_error":
            raise ValueError(f"y has grades from {grades.min():g} to {grades.max():g}; with "
                             f"loss={self.loss!r} grades are whole numbers from 0 to "
                             f"{_LARGEST_GRADE}")
        return np.unique(grades, return_inverse=True)[1].astype(np.int32)

    def predict(self, X) -> np.ndarray:
        """The score of each row, float64[rows]: a row with a larger score comes first. A list of
        such if X is a list."""
        self._check_fitted()
        if is_list_of_matrices(X):
            queries = stacked(X, "query")
            check_features(self, queries.matrix.shape[1], None)
            return queries.split(self._scores(queries.matrix))
        matrix, grouping, names = self._queries(X, None, None, are_needed=False)
        check_features(self, matrix.shape[1], names)
        scores = self._scores(matrix)
        if grouping.order is None:
            return scores
        given = np.empty_like(scores)
        given[grouping.order] = scores
        return given

    decision_function = predict

    def _scores(self, matrix) -> np.ndarray:
        data = Arrays(matrix, lengths=[matrix.shape[0]])
        return self.model_.scores_joined(data, threads=self._threads()).values

    def score(self, X, y, groups=None, qid=None) -> float:
        """The measure of the loss, larger is better: 1 - pair_error, NDCG@10, MAP or MRR, the
        mean over the queries with documents of different grades."""
        self._check_fitted()
        matrix, grouping, names = self._queries(X, groups, qid)
        check_features(self, matrix.shape[1], names)
        grades = self._grades(y, X, grouping)
        data = Arrays(matrix, grades, lengths=grouping.lengths, state_count=_state_count(grades))
        found = self.model_.evaluate(data, threads=self._threads())[_METRICS[self.loss]]
        return 1 - found if self.loss == "pair_error" else found

    @property
    def coef_(self) -> np.ndarray:
        """The weights, float64[features]."""
        return self._weight_block(0, self.n_features_in_)


def _numbers(y) -> np.ndarray:
    """float64 of grades. Raises ValueError for what is no number."""
    try:
        return np.asarray(y, np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"y has grades that are no numbers ({error}); larger grades come "
                         "first") from error


def _check_grades(grades: np.ndarray, row_count: int) -> None:
    if grades.shape != (row_count,):
        raise ValueError(f"y has the shape {grades.shape}; it must be ({row_count},), a grade for "
                         "each row of X")
    if not np.isfinite(grades).all():
        raise ValueError("Input y contains NaN or infinity (inf); give a grade for each row")


def _require_order(grades: np.ndarray, lengths: np.ndarray) -> None:
    """Raises ValueError if no query has two grades. grades: [rows], query by query."""
    query = np.repeat(np.arange(len(lengths)), lengths)
    differs = (np.diff(grades) != 0) & (np.diff(query) == 0)
    if not differs.any():
        raise ValueError("all grades of each query are equal, so there is no order to learn; "
                         "check y and groups")


def _state_count(grades: np.ndarray) -> int:
    """Other data may have grades that training has not."""
    return max(_LARGEST_GRADE, int(grades.max())) + 1

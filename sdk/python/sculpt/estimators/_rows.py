"""Rows of numbers that users give: checked, and as the host borrows them.

The messages have the words of scikit-learn where its checks look for them.
"""

import warnings

import numpy as np

from .._host._session import user_level
from ..arrays import is_sparse


def matrix_of(X, name: str = "X", least_rows: int = 1):
    """X as float64[rows, features] in C order, or as a CSR matrix of finite numbers.

    Raises ValueError or TypeError, which name the argument and the place.
    """
    if is_sparse(X):
        matrix = X.tocsr()
        _check_kind(matrix.dtype, name)
        _check_shape(matrix.shape, name, least_rows)
        matrix = matrix.astype(np.float64, copy=False)
        _check_finite(matrix.data, name, None)
        return matrix
    if np.ma.is_masked(X):
        raise ValueError(f"{name} has masked values; fill them, as by numpy.ma.filled()")
    given = np.asarray(X)
    _check_kind(given.dtype, name)
    _check_shape(given.shape, name, least_rows)
    matrix = np.ascontiguousarray(given, np.float64)
    _check_finite(matrix, name, matrix.shape)
    return matrix


def feature_names_of(X) -> "np.ndarray | None":
    """The columns of a data frame, object[features], if all are texts. Else None."""
    columns = getattr(X, "columns", None)
    if columns is None or len(columns) == 0 or not all(isinstance(one, str) for one in columns):
        return None
    return np.asarray(columns, dtype=object)


def remember_features(estimator, count: int, names: "np.ndarray | None") -> None:
    """Sets n_features_in_, and feature_names_in_ if there are names."""
    estimator.n_features_in_ = count
    if names is not None:
        estimator.feature_names_in_ = names
    elif hasattr(estimator, "feature_names_in_"):
        del estimator.feature_names_in_


def check_features(estimator, count: int, names: "np.ndarray | None") -> None:
    """Raises ValueError if other data have other features than those of fit()."""
    name = type(estimator).__name__
    fitted = getattr(estimator, "feature_names_in_", None)
    if fitted is None and names is not None:
        warnings.warn(f"X has feature names, but {name} was fitted without feature names",
                      stacklevel=user_level())
    elif fitted is not None and names is None:
        warnings.warn(f"X does not have valid feature names, but {name} was fitted with feature "
                      "names", stacklevel=user_level())
    elif fitted is not None and list(fitted) != list(names):
        raise ValueError("The feature names should match those that were passed during fit.\n"
                         + _name_differences(fitted, names))
    if count != estimator.n_features_in_:
        raise ValueError(f"X has {count} features, but {name} is expecting "
                         f"{estimator.n_features_in_} features as input.")


def _name_differences(fitted, names) -> str:
    text = ""
    for title, some, others in (("Feature names unseen at fit time:", names, fitted),
                                ("Feature names seen at fit time, yet now missing:", fitted,
                                 names)):
        missing = sorted(set(some) - set(others))
        if missing:
            text += title + "\n" + "".join(f"- {one}\n" for one in missing[:5])
            text += "- ...\n" if len(missing) > 5 else ""
    return text or "Feature names must be in the same order as they were in fit.\n"


def _check_kind(dtype, name: str) -> None:
    if dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {name} has the type {dtype}")
    if dtype.kind not in "biufO":
        raise ValueError(f"{name} has the type {dtype}; it must hold numbers")


def _check_shape(shape: tuple, name: str, least_rows: int) -> None:
    if len(shape) != 2:
        raise ValueError(
            f"{name} has the shape {shape}; it must be [rows, features]. Reshape your data: "
            f"{name}.reshape(-1, 1) if it has one feature, {name}.reshape(1, -1) if it is one row")
    if shape[0] < least_rows:
        raise ValueError(f"{name} has {shape[0]} rows (shape={shape}); there must be at least "
                         f"{least_rows}")
    if shape[1] == 0:
        raise ValueError(f"{name} has 0 feature(s) (shape={shape}) while a minimum of 1 is "
                         "required.")


def _check_finite(values: np.ndarray, name: str, shape: "tuple | None") -> None:
    if np.isfinite(values.sum()):  # no array of the size of the data for what is true as a rule
        return
    wrong = np.flatnonzero(~np.isfinite(values.ravel()))
    if wrong.size == 0:
        return
    place = ""
    if shape is not None:
        place = " in row {}, column {}".format(*np.unravel_index(wrong[0], shape))
    what = "NaN" if np.isnan(values.ravel()[wrong[0]]) else "infinity (inf)"
    raise ValueError(f"Input {name} contains {what}{place}; give finite numbers")

"""Labels, weights and names that users give: checked and numbered."""

import warnings
from numbers import Real

import numpy as np

from .._host._arguments import shown
from .._host._session import user_level
from ._foundation import DataConversionWarning


def label_column(y, count: int, name: str = "y") -> np.ndarray:
    """One label for each of `count` examples, [count]. A column [count, 1] gives a warning."""
    require_labels(y, name)
    labels = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        warnings.warn("A column-vector y was passed when a 1d array was expected. Please change "
                      "the shape of y to (n_samples, ), for example using ravel().",
                      DataConversionWarning, stacklevel=user_level())
        labels = labels.ravel()
    if labels.ndim != 1:
        raise ValueError(f"{name} has the shape {labels.shape}; y should be a 1d array of "
                         f"{count} labels")
    if len(labels) != count:
        raise ValueError(f"X has {count} examples, but {name} has {len(labels)} labels")
    check_labels(labels, name)
    return labels


def require_labels(labels, name: str) -> None:
    """Raises ValueError for objects that are no labels: None, NaN, sets, or texts beside others.
    numpy would make texts of some of them. `labels`: [n]; arrays of numbers are not looked at."""
    if not isinstance(labels, (list, tuple)):
        labels = np.asarray(labels)
        if labels.dtype.kind != "O":
            return
    labels = list(labels)
    kinds = set(map(type, labels))
    if len(kinds) <= 1 and issubclass(next(iter(kinds), str), (str, int, np.ndarray)):
        return
    for k, label in enumerate(labels):
        if label is None or type(label).__name__ in ("NAType", "NaTType"):
            raise ValueError(f"{name} has {label} at {k}; give a label for each row")
        if isinstance(label, (set, frozenset, dict)):
            raise ValueError(f"{name} has {label!r} at {k}; give one label for each row. "
                             "Multilabel takes several, as a matrix of 0 and 1")
        if isinstance(label, (float, np.floating)) and np.isnan(label):
            raise ValueError(f"{name} contains NaN at {k}; give a label for each row")
    is_text = [isinstance(label, (str, bytes)) for label in labels]
    if any(is_text) and not all(is_text):
        other = labels[is_text.index(not is_text[0])]
        raise ValueError(f"{name} mixes texts and other labels, such as {labels[0]!r} and "
                         f"{other!r}; give labels of one type")


def check_labels(labels: np.ndarray, name: str = "y") -> None:
    """Raises ValueError for labels that are no classes: fractions, NaN, infinity."""
    if labels.dtype.kind == "c":
        raise ValueError(f"Unknown label type: {name} holds complex numbers")
    if labels.dtype.kind != "f":
        return
    if not np.isfinite(labels).all():
        what = "NaN" if np.isnan(labels).any() else "infinity (inf)"
        raise ValueError(f"Input {name} contains {what}; give a label for each example")
    fractions = labels[labels != np.floor(labels)]
    if fractions.size:
        raise ValueError(f"Unknown label type: {name} holds {fractions[0]}, which is no class; "
                         "give whole numbers or texts")


def numbered(labels: np.ndarray, name: str = "y") -> "tuple[np.ndarray, np.ndarray]":
    """The sorted classes, and the number of the class of each label, int32."""
    try:
        classes, numbers = np.unique(labels, return_inverse=True)
    except TypeError as error:
        raise ValueError(f"{name} mixes labels that cannot be compared ({error}); give labels of "
                         "one type") from error
    return classes, numbers.astype(np.int32)


def check_two_classes(classes: np.ndarray, numbers: np.ndarray, weights) -> None:
    """Raises ValueError if examples of fewer than two classes count."""
    counted = numbers if weights is None else numbers[np.asarray(weights) > 0]
    count = len(np.unique(counted))
    if count < 2:
        kind = "" if weights is None else " with a sample_weight above 0"
        raise ValueError(f"y has examples of {count} class{kind}; training needs at least 2 "
                         f"classes. The classes of y: {list(classes[:5])}")


def require_flag(value, name: str) -> None:
    """Raises TypeError for what is not True or False (or 1 or 0)."""
    if not isinstance(value, (bool, np.bool_, int, np.integer)) or value not in (0, 1):
        raise TypeError(f"{name} is {shown(value)}; it must be True or False")


def example_weights(given, count: int) -> "np.ndarray | None":
    """sample_weight as float64[count], or None."""
    if given is None:
        return None
    weights = np.asarray(given, np.float64)
    if weights.ndim == 0:
        return np.full(count, float(weights))
    if weights.shape != (count,):
        raise ValueError(f"sample_weight has the shape {weights.shape}; it must be ({count},), "
                         "one number for each example")
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise ValueError("sample_weight must hold finite numbers, none below 0 or NaN")
    if not weights.any():
        raise ValueError("sample_weight is 0 for all examples; one at least must count")
    return weights


def class_factors(class_weight, classes: np.ndarray, numbers: np.ndarray) -> "np.ndarray | None":
    """The weight of each class, float64[classes], or None. "balanced": count of all examples /
    (number of classes * examples of the class), as in scikit-learn."""
    if class_weight is None:
        return None
    if isinstance(class_weight, str):
        if class_weight != "balanced":
            raise ValueError(f"class_weight is {class_weight!r}; it must be 'balanced', a dict or "
                             "None")
        counts = np.bincount(numbers, minlength=len(classes))
        return len(numbers) / (len(classes) * np.maximum(counts, 1))
    unknown = [label for label in class_weight if label not in set(classes.tolist())]
    if unknown:
        raise ValueError(f"class_weight has the class {unknown[0]!r}, which y does not have")
    for label, weight in class_weight.items():
        if not isinstance(weight, Real) or not 0 <= weight < np.inf:
            raise ValueError(f"class_weight of {label!r} is {shown(weight)}; it must be a finite "
                             "number, 0 or more")
    return np.array([float(class_weight.get(label, 1)) for label in classes.tolist()])


def names_of(values, are_words: bool = False) -> "list[str]":
    """A name for each value, for outputs and weights: its text, line ends and the like escaped.
    If two are equal, or if one is no word where `are_words`, the numbers of the values."""
    texts = [str(value) for value in values]
    names = [text if text.isprintable() and text else ascii(text) for text in texts]
    if len(set(names)) < len(names) or (are_words and any(len(name.split()) != 1
                                                          for name in names)):
        return [str(k) for k in range(len(names))]
    return names


def share_equal(truth, guess, sample_weight=None) -> float:
    """The weighted share of equal items of two arrays [n]."""
    return float(np.average(np.asarray(truth) == np.asarray(guess), weights=sample_weight))

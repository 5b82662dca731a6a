"""The kernel of an estimator: its section in the experiment."""

from .._host._arguments import shown

_NAMES = {"rbf": ("gamma",), "poly": ("gamma", "degree", "coef0"), "sigmoid": ("gamma", "coef0")}


def is_linear(estimator) -> bool:
    """Whether there is a weight for each feature, and not one for each support row."""
    return estimator.kernel is None or (isinstance(estimator.kernel, str)
                                        and estimator.kernel == "linear")


def is_precomputed(estimator) -> bool:
    """Whether X holds the values of the kernel with each row of training."""
    return isinstance(estimator.kernel, str) and estimator.kernel == "precomputed"


def require_square(estimator, matrix) -> None:
    """Raises ValueError unless the estimator takes kernel="precomputed", and `matrix`, the X of
    fit(), is square."""
    if not estimator._takes_matrix:
        raise ValueError(f"{type(estimator).__name__} does not take kernel='precomputed', as "
                         "Multiclass, Taxonomy and Multilabel do; set kernel to a class with the "
                         "method `kernel`, or to the section of an experiment as a dict")
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"X has the shape {matrix.shape}; with kernel='precomputed' it must be a "
                         "square matrix, the kernel of each row of training with each other")


def sections(estimator, matrix) -> dict:
    """{"kernel": ...}, or nothing if the estimator is linear. `matrix`: the rows of training."""
    if is_linear(estimator):
        return {}
    explicit = isinstance(estimator.kernel, dict) and estimator.kernel.get("use") == "explicit"
    if is_precomputed(estimator):
        require_square(estimator, matrix)
    if estimator.objective == "crf" and not explicit:
        raise ValueError("objective='crf' needs single weights: set kernel='linear', or "
                         "kernel={'use': 'explicit', 'of': ...} with a polynomial kernel")
    if isinstance(estimator.kernel, dict):
        return {"kernel": estimator.kernel}
    if is_precomputed(estimator):
        return {"kernel": {"use": "matrix", "positive": True}}
    if any(callable(getattr(estimator.kernel, name, None)) for name in ("kernel", "kernel_rows")):
        return {"kernel": {"use": estimator.kernel}}
    if not isinstance(estimator.kernel, str) or estimator.kernel not in _NAMES:
        raise ValueError(f"kernel is {shown(estimator.kernel)}; it must be 'linear', one of "
                         f"{sorted(_NAMES)}, 'precomputed', a class with the method `kernel` or "
                         "`kernel_rows`, or the section of an experiment as a dict")
    values = {"gamma": _gamma(estimator.gamma, matrix), "degree": estimator.degree,
              "coef0": estimator.coef0}
    name = "polynomial" if estimator.kernel == "poly" else estimator.kernel
    return {"kernel": {"use": name, **{key: values[key] for key in _NAMES[estimator.kernel]}}}


def _gamma(given, matrix) -> float:
    """gamma as SVC takes it: "scale" is 1 / (features * variance of all values)."""
    features = matrix.shape[1]
    if given == "auto":
        return 1 / features
    if given != "scale":
        return given
    if hasattr(matrix, "indptr"):
        cells = matrix.shape[0] * features
        variance = (matrix.data ** 2).sum() / cells - (matrix.data.sum() / cells) ** 2
    else:
        variance = matrix.var()
    return 1 / (features * variance) if variance > 0 else 1.0

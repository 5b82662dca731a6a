"""The kernel of an estimator: its section in the experiment."""

_NAMES = {"rbf": ("gamma",), "poly": ("gamma", "degree", "coef0"), "sigmoid": ("gamma", "coef0")}


def is_linear(estimator) -> bool:
    """Whether there is a weight for each feature, and not one for each support row."""
    return estimator.kernel in (None, "linear")


def sections(estimator, matrix) -> dict:
    """{"kernel": ...}, or nothing if the estimator is linear. `matrix`: the rows of training."""
    if is_linear(estimator):
        return {}
    explicit = isinstance(estimator.kernel, dict) and estimator.kernel.get("use") == "explicit"
    if estimator.objective == "crf" and not explicit:
        raise ValueError("objective='crf' needs single weights: set kernel='linear', or "
                         "kernel={'use': 'explicit', 'of': ...} with a polynomial kernel")
    if isinstance(estimator.kernel, dict):
        return {"kernel": estimator.kernel}
    if estimator.kernel not in _NAMES:
        raise ValueError(f"kernel is {estimator.kernel!r}; it must be 'linear', one of "
                         f"{sorted(_NAMES)}, or the section of an experiment as a dict")
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

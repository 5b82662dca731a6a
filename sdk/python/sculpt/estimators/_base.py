"""What all estimators share: training with a certificate, and what a fitted estimator tells."""

import warnings

import numpy as np

from .. import host
from .._host._session import user_level
from . import _kernel, _solver
from ._foundation import BaseEstimator, ConvergenceWarning, NotFittedError
from ._labels import require_flag


class available_if:
    """A method that an object has only if `condition(object)` is true: else AttributeError with
    the text `reason`, or reason(object). hasattr() tells, as scikit-learn needs it."""

    def __init__(self, condition, reason):
        self._condition, self._reason = condition, reason

    def __call__(self, method):
        self._method = method
        self.__doc__ = method.__doc__
        return self

    def __get__(self, instance, owner=None):
        if instance is None:
            return self._method
        if not self._condition(instance):
            reason = self._reason if isinstance(self._reason, str) else self._reason(instance)
            raise AttributeError(f"{type(instance).__name__} has no {self._method.__name__} "
                                 f"here: {reason}")
        return self._method.__get__(instance, owner)


def only_crf(method):
    """Marks a method that only estimators with objective="crf" have."""
    return available_if(lambda self: self.objective == "crf", _no_probabilities)(method)


def _no_probabilities(estimator) -> str:
    if "objective" in estimator.get_params():
        return "only objective='crf' has probabilities"
    return "its loss has no probabilities; take decision_function()"


class Estimator(BaseEstimator):
    """The base of all estimators.

    After fit(): model_ (the sculpt.Model), primal_, dual_, gap_, relative_gap_ (NaN if not
    known), certified_ (whether the gap is proved), n_iter_ (passes), weight_names.
    """
    _takes_matrix = False  # whether the rows of X stay in their order: kernel="precomputed"

    def _keep(self, given: dict) -> None:
        """Sets the parameters that __init__ was given, as they are. `given`: its locals()."""
        for name in self._get_param_names():
            setattr(self, name, given[name])

    def _begin_fit(self, y) -> None:
        """Forgets the last fit, so that one that fails leaves no mixture. ValueError without y,
        TypeError for flags that are none."""
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is "
                             "None")
        require_flag(getattr(self, "fit_intercept", True), "fit_intercept")
        self.__dict__.pop("model_", None)

    def _train(self, data, features, loss, oracle, *, default="n_slack", price, matrix) -> None:
        """Trains on Arrays and keeps the model. features, loss, oracle: sections of the
        experiment. default, price: as of _solver.section(). matrix: the rows, for the scale of a
        kernel. Warns if the target was not reached."""
        solver = _solver.section(self, default, price)
        config = {"name": type(self).__name__, "dataset": {"use": "arrays", "train": data},
                  "features": features, "loss": loss, "oracle": oracle, "solver": solver,
                  **_kernel.sections(self, matrix)}
        model = host.train(config, threads=_solver.thread_count(self.n_jobs),
                           verbose=bool(self.verbose))
        certificate = model.header["certificate"]
        number = {key: np.nan if certificate[key] is None else certificate[key]
                  for key in ("primal", "dual", "gap", "relative_gap")}
        self.model_ = model
        self.primal_, self.dual_ = number["primal"], number["dual"]
        self.gap_, self.relative_gap_ = number["gap"], number["relative_gap"]
        self.certified_ = certificate["certified"]
        self.n_iter_ = certificate["passes"]
        if not model.reached and _solver.has_target(solver):
            self._warn(certificate["stopped_by"], solver["relative_gap"])

    def _warn(self, stopped_by: str, target: float) -> None:
        name = type(self).__name__
        if stopped_by == "relative_gap" and not self.certified_:
            warnings.warn(f"{name} reached a relative gap of {self.relative_gap_:.3g}, but the gap "
                          "is not certified: its oracle or its kernel is not exact or does not "
                          "claim to be. The optimum may be further away than gap_ says",
                          ConvergenceWarning, stacklevel=user_level())
            return
        if self.certified_:
            what = (f"proved a relative gap of {self.relative_gap_:.3g}; raise max_passes or "
                    "max_seconds, or scale the features")
        else:
            what = "proved no gap, because its oracle or its kernel does not prove one"
        warnings.warn(f"{name} missed its target, a proved gap of {target:g}: it "
                      f"was stopped by {stopped_by} and {what}", ConvergenceWarning,
                      stacklevel=user_level())

    def _check_fitted(self) -> None:
        if not hasattr(self, "model_"):
            raise NotFittedError(f"This {type(self).__name__} instance is not fitted yet: call "
                                 "fit() first")

    def _threads(self) -> int:
        return _solver.thread_count(self.n_jobs)

    def _column_count(self) -> int:
        """The features and, with fit_intercept, the constant one."""
        return self.n_features_in_ + bool(self.fit_intercept)

    def _weight_block(self, begin: int, *shape: int) -> np.ndarray:
        """Weights from number `begin` on, in this shape. AttributeError with a kernel."""
        self._check_fitted()
        if not _kernel.is_linear(self):
            raise AttributeError(f"{type(self).__name__} has single weights only with "
                                 "kernel='linear'")
        return self.model_.weights[begin:begin + int(np.prod(shape))].reshape(shape)

    @property
    def weight_names(self) -> "list[str]":
        """The name of each number in model_.weights."""
        self._check_fitted()
        return self.model_.weight_names()

"""What scikit-learn gives to estimators, or stand-ins of the same names without it."""

import inspect

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.exceptions import ConvergenceWarning, DataConversionWarning, NotFittedError
except ImportError:
    class ConvergenceWarning(UserWarning):
        """A fit ended before it reached its target."""

    class DataConversionWarning(UserWarning):
        """Data had another shape than expected, and were converted."""

    class NotFittedError(ValueError, AttributeError):
        """fit() was not called yet."""

    class ClassifierMixin:
        _estimator_type = "classifier"

    class BaseEstimator:
        """Parameters by the signature of __init__."""

        @classmethod
        def _get_param_names(cls) -> list:
            return sorted(name for name in inspect.signature(cls.__init__).parameters
                          if name != "self")

        def get_params(self, deep: bool = True) -> dict:
            """The parameters by their names."""
            return {name: getattr(self, name) for name in self._get_param_names()}

        def set_params(self, **params):
            """Sets parameters; returns the estimator. Raises ValueError for unknown names."""
            known = self._get_param_names()
            for name, value in params.items():
                if name not in known:
                    raise ValueError(f"{type(self).__name__} has no parameter {name!r}; it has "
                                     f"{known}")
                setattr(self, name, value)
            return self

        def __repr__(self) -> str:
            defaults = inspect.signature(type(self).__init__).parameters
            changed = [f"{name}={value!r}" for name, value in self.get_params().items()
                       if repr(value) != repr(defaults[name].default)]
            return f"{type(self).__name__}({', '.join(changed)})"

"""The methods that Ricci, De Bie & Cristianini (JMLR 9, 2008) compare, and how they are measured.
Used by the scripts in this folder that make tables after theirs."""

import dataclasses

import runs
import sweeps


@dataclasses.dataclass(frozen=True)
class Method:
    """A solver. If `price` names a parameter of it, that is chosen among `prices` on held-out data.
    With `per_example` they are multiplied by the number of examples."""

    solver: dict
    price: str = ""
    prices: tuple = ()
    per_example: bool = False

    def candidates(self, n):
        """Returns the settings that are tried on n examples."""
        unit = n if self.per_example else 1
        return [{f"solver.{self.price}": price * unit} for price in self.prices] or [{}]


METHODS = {
    "Z-score": Method({"use": "z_score"}),
    # much noise and a higher price make w = 0 the best
    "constrained Z": Method({"use": "constrained_z_score", "residual": 1e-4, "max_passes": 1000},
                            "price", (0.1, 0.3, 1)),
    "SODA": Method({"use": "soda"}),
    "SVM": Method({"use": "n_slack"}, "C", (0.01, 0.1, 1), True),
    "perceptron": Method({"use": "perceptron"}),
    "CRF": Method({"use": "crf"}, "C", (0.01, 0.1, 1), True),
    "counting": Method({"use": "generative"}),
}


def sampled(use, samples):
    """Returns `soda` or `z_score` with the moments of so many random outputs."""
    return Method({"use": use, "moments": "sampled", "samples": samples})


def can_sample(sculpt):
    """Returns whether this binary has sampled moments."""
    return "samples" in runs.Finished([str(sculpt), "describe", "soda"]).require(0).out


def best_run(sculpt, experiment, n, method, metric, choose=min):
    """Returns the run of a method on n examples. `experiment` lacks only the solver. A price is the
    one with the best `metric` on the split validation."""
    experiment = experiment | {"solver": method.solver}
    candidates = method.candidates(n)
    if len(candidates) == 1:
        return runs.Run(sculpt, experiment, candidates[0])
    return sweeps.best_run(sculpt, experiment, candidates, metric, choose)[0]

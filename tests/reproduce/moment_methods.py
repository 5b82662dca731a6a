"""The methods that Ricci, De Bie & Cristianini (JMLR 9, 2008) compare, and how they are measured.
Used by the scripts in this folder that make tables after theirs."""

import dataclasses

import runs


@dataclasses.dataclass(frozen=True)
class Method:
    """A solver. `price` is a parameter of it that is chosen among `prices` on held-out data. With
    `per_example` they are multiplied by the number of examples."""

    solver: dict
    price: str = ""
    prices: tuple = (None,)
    per_example: bool = False

    def solvers(self, n):
        if not self.price:
            return [self.solver]
        unit = n if self.per_example else 1
        return [self.solver | {self.price: price * unit} for price in self.prices]


METHODS = {
    "Z-score": Method({"use": "z_score"}),
    "constrained Z": Method({"use": "constrained_z_score", "residual": 1e-4},
                            "price", (0.1, 0.3, 1, 3, 10)),
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
    return "sampled" in runs.Finished([str(sculpt), "describe", "soda"]).require(0).out


def measure(sculpt, experiment, n, methods, metric):
    """Returns for each of the methods the metric on the split test, and the CPU seconds of that
    run. `experiment` lacks only the solver. A price is the best one on the split validation, the
    first of equal ones."""
    found = {}
    for name, method in methods.items():
        done = [runs.Run(sculpt, experiment | {"solver": solver}, {})
                for solver in method.solvers(n)]
        best = done[0]
        if len(done) > 1:
            best = min(done, key=lambda run: run.finished["validation"][metric])
        found[name] = best.finished["test"][metric], best.cpu
    return found

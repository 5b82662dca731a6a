"""Exact training of multi-label problems, and the own linear program beside CLP's."""

import comparison
import runs
import time_split
from comparison import Comparison
from contest import Contender, Sample, contest
from rows import Row, Target, ratio

YEAST = [comparison.data("multilabel/yeast.train.mlsvml"),
         comparison.data("multilabel/yeast.test.mlsvml")]


def trained(bench):
    """yeast.json as it stands: 14 labels, all pairs, every assignment tried."""
    def run():
        done = runs.Run(bench.sculpt, bench.configs / "yeast.json", {"solver.relative_gap": 1e-3})
        end = done.finished
        return Sample(done.wall, done.cpu,
                      f"P {end['primal']:.6g}, {end['passes']} passes",
                      {"relative_gap": end["relative_gap"], "certified": end["certified"],
                       "label_error": end["test"]["label_error"]}, time_split.of_run(end))
    ours = contest([Contender("sculpt", run)], bench.repeats)["sculpt"]
    yield Row("yeast, exact, C = 100, gap 1e-3", ours,
              targets=[Target("wall s", ours.wall, at_most=60),
                       Target("certified gap", ours.figures["relative_gap"], at_most=1e-3),
                       Target("label error", ours.figures["label_error"], at_most=0.2076)])


def linear_programs(bench):
    """`evaluate` on the training examples with the weights of yeast.json, a linear program each,
    whole processes. What is held: the bounds that both prove on P there, one audit each."""
    config, model = bench.configs / "yeast.json", bench.folder / "yeast"
    runs.Finished([str(bench.sculpt), "train", str(config), "--output", str(model)]).require(0)
    methods = {name: f'{{"use":"lp","answers":"rounded","method":"{method}"}}'
               for name, method in (("sculpt", "dual"), ("CLP", "clp"))}

    def contender(name, oracle):
        command = [str(bench.sculpt), "evaluate", str(model),
                   str(bench.data / "multilabel/yeast.train.mlsvml"), "--set", f"oracle={oracle}"]

        def run():
            done = runs.Finished(command).require(0)
            return Sample(done.wall, done.cpu)
        return Contender(name, run)
    own, clp = contest([contender(*method) for method in methods.items()], bench.repeats).values()
    audits = [runs.Run(bench.sculpt, config, {"audit_with": oracle}).finished["audit"]
              for oracle in methods.values()]
    bounds = [audit["primal_high"] for audit in audits]
    yield Row("lp, yeast's trained potentials, 1500 programs", own, [clp],
              [ratio(own, clp, 0.2),
               Target("bounds apart", abs(bounds[0] / bounds[1] - 1), at_most=1e-6, peer=clp)],
              f"P at most {bounds[0]:.9g} and {bounds[1]:.9g}")


def comparisons():
    return [Comparison("yeast gap 1e-3", trained, YEAST),
            Comparison("yeast lp", linear_programs, YEAST)]

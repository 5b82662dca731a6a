"""Exact training of a multi-label problem, and the methods of lp against CLP."""

import comparison
import runs
import time_split
from comparison import Comparison
from rounds import Program, Sample, run_in_turns
from rows import Row, Target, ratio

YEAST = [comparison.data("multilabel/yeast.train.mlsvml"),
         comparison.data("multilabel/yeast.test.mlsvml")]


def trained(bench):
    """yeast.json unchanged: 14 labels, all pairs, the oracle tries every assignment."""
    def run():
        done = runs.Run(bench.sculpt, bench.configs / "yeast.json", {"solver.relative_gap": 1e-3})
        end = done.finished
        return Sample(done.wall, done.cpu,
                      f"P {end['primal']:.6g}, {end['passes']} passes",
                      {"relative_gap": end["relative_gap"], "certified": end["certified"],
                       "label_error": end["test"]["label_error"]}, time_split.of_run(end))
    ours = run_in_turns([Program("sculpt", run)], bench.repeats)["sculpt"]
    yield Row("yeast, exact, C = 100, gap 1e-3", ours,
              targets=[Target("wall s", ours.wall, at_most=60),
                       Target("certified gap", ours.figures["relative_gap"], at_most=1e-3),
                       Target("label error", ours.figures["label_error"], at_most=0.2076)])


def linear_programs(bench):
    """`evaluate` on the training examples with the weights of yeast.json: one linear program each.
    Times are of whole processes. An audit with each method must prove the same bound on P."""
    config, model = bench.configs / "yeast.json", bench.folder / "yeast"
    runs.Finished([str(bench.sculpt), "train", str(config), "--output", str(model)]).require(0)
    methods = {name: f'{{"use":"lp","answers":"rounded","method":"{method}"}}'
               for name, method in (("sculpt", "dual"), ("CLP", "clp"))}

    def program(name, oracle):
        command = [str(bench.sculpt), "evaluate", str(model),
                   str(bench.data / "multilabel/yeast.train.mlsvml"), "--set", f"oracle={oracle}"]

        def run():
            done = runs.Finished(command).require(0)
            return Sample(done.wall, done.cpu)
        return Program(name, run)
    programs = [program(*method) for method in methods.items()]
    own, clp = run_in_turns(programs, bench.repeats).values()
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

"""The model and the events of a run have the same bytes for any number of processes.

same_bytes_test.py SCULPT [--all]       --all: each experiment, with more numbers of ranks
"""

import json
import sys

from rank_setting import CONFIGS, RankTest, main, rows_experiment, words_experiment

ALL = "--all" in sys.argv


def small(name: str, solver, **more) -> tuple[dict, dict]:
    """An experiment of configs, with data beside it, and another solver."""
    text = "".join(line for line in (CONFIGS / f"{name}.json").read_text().splitlines(True)
                   if not line.lstrip().startswith("//"))
    experiment = json.loads(text)
    for split in ("train", "test"):
        experiment["dataset"][split] = str(CONFIGS / experiment["dataset"][split])
    return experiment | {"solver": solver} | more, {}


def weighted_rows() -> tuple[dict, dict]:
    experiment, files = rows_experiment({"use": "n_slack", "C": 60})
    experiment["dataset"]["weights"] = "weights.txt"
    return experiment, files | {"weights.txt": "".join(f"{k % 4}\n" for k in range(60))}


def n_slack(**more):
    return {"use": "n_slack", "C": 50, "max_passes": 40, **more}


def one_slack(**more):
    return {"use": "one_slack", "C": 50, "max_passes": 40, **more}


MANY_CORES = {"use": "crf", "C": 40, "max_passes": 30}

# Name, experiment, whether the fast suite runs it.
EXPERIMENTS = [
    ("n_slack", words_experiment(n_slack()), True),
    ("n_slack, few at a time", words_experiment(n_slack(batch=5)), True),
    ("n_slack, whole passes", words_experiment(n_slack(batch=0)), False),
    ("n_slack, slack rescaling", words_experiment(n_slack(rescaling="slack")), False),
    ("n_slack, squared slacks", words_experiment(n_slack(slack_norm=2)), False),
    ("n_slack, hard margin", rows_experiment(n_slack(C="inf"), rows=12), False),
    ("n_slack, merged planes", words_experiment(n_slack(max_planes_megabytes=0.02)), False),
    ("one_slack", words_experiment(one_slack()), True),
    ("one_slack without a cache", words_experiment(one_slack(cache=0)), False),
    ("one_slack, slack rescaling", words_experiment(one_slack(rescaling="slack")), False),
    ("one_slack, squared slacks", words_experiment(one_slack(slack_norm=2)), False),
    ("one_slack, cut_sample", rows_experiment(one_slack(cut_sample=20, max_passes=20)), True),
    ("one_slack, cut_sample by importance",
     rows_experiment(one_slack(cut_sample=20, cut_sampling="importance", max_passes=20)), False),
    ("frank_wolfe", words_experiment({"use": "frank_wolfe", "C": 50, "max_passes": 30}), True),
    ("frank_wolfe, shuffled, averaged",
     words_experiment({"use": "frank_wolfe", "C": 50, "max_passes": 30, "sampling": "shuffled",
                       "averaging": True, "batch": 8}), False),
    ("subgradient, batch", words_experiment({"use": "subgradient", "C": 50, "batch": 8,
                                             "max_passes": 20}), True),
    ("perceptron, batch", words_experiment({"use": "perceptron", "batch": 8,
                                            "max_passes": 10}), True),
    ("perceptron, whole passes", words_experiment({"use": "perceptron", "batch": 0,
                                                   "max_passes": 10}), False),
    ("crf, L-BFGS", words_experiment(MANY_CORES), True),
    ("crf, L-BFGS without stochastic passes, l1",
     words_experiment({**MANY_CORES, "sgd_passes": 0, "l1": 0.1}), False),
    ("crf, stochastic steps in batches",
     words_experiment({"use": "crf", "C": 40, "method": "sgd", "sgd_passes": 4,
                       "sgd_batch": 8}), True),
    ("crf with the loss", words_experiment({**MANY_CORES, "loss_weight": 1}), False),
    ("soda", words_experiment({"use": "soda", "lambda": 0.01}), True),
    ("soda, samples", words_experiment({"use": "soda", "lambda": 0.01, "moments": "sampled",
                                        "samples": 20}), True),
    ("z_score", words_experiment({"use": "z_score", "lambda": 0.01}), False),
    ("z_score, samples", words_experiment({"use": "z_score", "lambda": 0.01,
                                           "moments": "sampled", "samples": 20}), False),
    ("constrained_z_score", words_experiment({"use": "constrained_z_score", "price": 10,
                                              "lambda": 0.01}, words=20), True),
    ("validations", words_experiment(n_slack(validate_every=3, validate_patience=2),
                                     hold_out={"fraction": 0.25}), True),
    ("validations of one_slack", words_experiment(one_slack(validate_every=3),
                                                  hold_out={"fraction": 0.25}), False),
    ("a kernel, n_slack", rows_experiment(n_slack(), kernel={"use": "rbf", "gamma": 0.5}), True),
    ("a kernel, one_slack", rows_experiment(one_slack(), kernel={"use": "rbf", "gamma": 0.5}),
     False),
    ("example weights", weighted_rows(), True),
    ("a relaxed oracle",
     small("denoising", n_slack(max_passes=10), oracle={"use": "lp", "answers": "relaxed"}),
     False),
    ("a list of oracles, rounded answers", small("clustering", n_slack(max_passes=15)), True),
    ("a list of oracles of documents", small("diversity", n_slack(max_passes=10)), False),
    ("a list of oracles, one_slack", small("clustering", one_slack(max_passes=15)), False),
    ("ranking", small("ranking", {"use": "one_slack", "C": 10}), False),
    ("ranking, frank_wolfe", small("ranking", {"use": "frank_wolfe", "C": 10,
                                               "max_passes": 20}), False),
]


class SameBytesTest(RankTest):
    def compare(self, experiment, files, processes, *words):
        """Trains by one process and by (ranks, threads) each; the bytes must be the same."""
        for name, text in files.items():
            self.write(name, text)
        self.write("experiment.json", {"name": "same", **experiment})
        options = ["--force", *words]
        alone = self.sculpt("train", "experiment.json", "--output", "alone", "--threads", 1,
                            *options)
        self.assertIn(alone.returncode, (0, 3), alone.stderr)
        for ranks, threads in processes:
            with self.subTest(ranks=ranks, threads=threads):
                done = self.ranks(ranks, "train", "experiment.json", "--output", "run",
                                  "--threads", threads, *options)
                self.assertEqual(done.returncode, alone.returncode, done.stderr)
                self.assertEqual(self.model("run"), self.model("alone"))
                self.assertEqual(self.passes("run"), self.passes("alone"))
                self.assertEqual(done.stdout.count("  model "), 1)  # one rank prints
        return alone

    def test_the_bytes_are_the_same(self):
        for index, (name, (experiment, files), is_fast) in enumerate(EXPERIMENTS):
            if not ALL and not is_fast:
                continue
            processes = [(1, 1), (2, 1), (3, 1), (5, 1), (2, 2)] if ALL else [(2 + index % 2, 1)]
            with self.subTest(experiment=name):
                self.compare(experiment, files, processes)

    def test_one_rank_and_ranks_with_threads_are_the_same(self):
        self.compare(*words_experiment(one_slack()), [(1, 1), (2, 2), (5, 1)])

    def test_there_may_be_more_ranks_than_examples(self):
        self.compare(*words_experiment(n_slack(), words=3), [(5, 1)])
        self.compare(*words_experiment(one_slack(), words=2), [(5, 1)])

    def test_guard_repeats_the_same_questions(self):
        alone = self.compare(*words_experiment(n_slack(), words=12), [(3, 1)], "--guard")
        self.assertEqual(alone.returncode, 0)

    def test_the_summary_tells_of_ranks_hosts_and_waiting(self):
        experiment, files = words_experiment(n_slack())
        for name, text in files.items():
            self.write(name, text)
        self.write("experiment.json", experiment)
        done = self.ranks(3, "train", "experiment.json", "--output", "run", "--threads", 1)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"ranks +3 on 1 host, [0-9.]+ [kM]?B moved; [0-9]+ % of "
                                      r"their time waiting for each other, [0-9]+ % for messages")
        events = (self.folder / "run/events.jsonl").read_text().splitlines()
        ranks = json.loads(events[-1])["ranks"]
        self.assertEqual(ranks["count"], 3)
        self.assertEqual(len(ranks["hosts"]), 1)
        self.assertGreater(ranks["sent_bytes"], 1000)
        for share in ("waiting_share", "transfer_share"):
            self.assertTrue(0 <= ranks[share] <= 1, ranks)


if __name__ == "__main__":
    main()

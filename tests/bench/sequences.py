"""Sequences: compares with svm_hmm and CRFsuite if installed, else with their published times in
units."""

import concurrent.futures
import time

import chunking_data
import comparison
import peers
import runs
import time_split
from comparison import Comparison
from rounds import Program, Sample, compare_with_peer, run_in_turns
from rows import Row, Target, ratios

LETTERS = comparison.data("ocr/letters.txt")
LARGE = set(range(1, 10))


def whole(done):
    """Returns the Sample of a Run with the times of the whole process."""
    end = done.finished
    figures = {"primal": end["primal"], "relative_gap": end["relative_gap"],
               "passes": end["passes"], "peak_memory_bytes": end["peak_memory_bytes"],
               **end.get("test", {})}
    gap = "" if end["relative_gap"] is None else f", relative gap {end['relative_gap']:.2g}"
    return Sample(done.wall, done.cpu, f"P {end['primal']:.6g}{gap}, {end['passes']} passes",
                  figures, time_split.of_run(end))


def own(bench, config, settings, sample_of=whole, options=()):
    return Program("sculpt", lambda: sample_of(
        runs.Run(bench.sculpt, bench.configs / config, settings, options)))


def svm_hmm(bench, write, *options, max_rounds=None):
    """`write(path)` writes its data. Returns None if svm_hmm is not installed."""
    program = peers.optional("SCULPT_SVM_HMM")
    if program is None:
        return None
    data = bench.folder / "words.hmm"
    write(data)
    return peers.program("svm_hmm " + " ".join(options), program,
                           [*options, data, bench.folder / "hmm.model"], max_rounds)


def words(bench, folds):
    return lambda path: peers.write_svm_hmm_words(bench.letters, folds, path)


def crfsuite(bench, *options):
    program = peers.optional("SCULPT_CRFSUITE")
    if program is None:
        return None
    data = bench.folder / "words.crf"
    peers.write_crfsuite_words(bench.letters, LARGE, data)
    return peers.program("CRFsuite", program, ["learn", *options, data])


def ocr_small(bench):
    ours, others = compare_with_peer(
        bench, own(bench, "ocr_small.json", {"solver.relative_gap": 1e-3}),
        svm_hmm(bench, words(bench, {0}), "-c", "100", "-e", "0.1"),
        ("svm_hmm -c 100 -e 0.1", 2.9))
    yield Row("ocr_small, C = 100, gap 1e-3", ours, others,
              ratios(ours, others, 0.5) + ratios(ours, others, 0.8, "cpu"))


def large_c(bench):
    """C is so large that slacks are nearly 0: nearly the same optimum, but a harder QP."""
    settings = []
    for c in ("1e6", "1e8"):
        settings.append(own(bench, "ocr_small.json", {"solver.C": c, "solver.relative_gap": 1e-3}))
        settings[-1].name = f"C = {c}"
    for name, ours in run_in_turns(settings, bench.repeats).items():
        yield Row(f"ocr_small, {name}, gap 1e-3", ours,
                  targets=[Target("wall s", ours.wall, at_most=30)])


def ocr_large(gap, bound):
    def rows(bench):
        ours, others = compare_with_peer(
            bench, own(bench, "ocr_large.json", {"solver.relative_gap": gap}),
            svm_hmm(bench, words(bench, LARGE), "-c", "1000", "-e", "0.1"),
            ("svm_hmm -c 1000 -e 0.1", 32))
        yield Row(f"ocr_large, C = 1000, gap {gap:g}", ours, others, ratios(ours, others, bound))
    return rows


def dual(bench):
    """No stop rule uses the dual, so the time is that up to the pass that reaches it."""
    def up_to(done):
        event = next((event for event in done.passes if event["dual"] >= 261.6), None)
        if event is None:
            raise SystemExit(f"the dual stayed at {done.last_pass['dual']}")
        end = done.finished
        wall = end["reading_seconds"] + event["seconds"]
        return Sample(wall, done.cpu * wall / end["seconds"],
                      f"pass {event['pass']}; the split is that of the run to gap 1e-3",
                      {"dual": event["dual"]}, time_split.of_run(end))
    ours, others = compare_with_peer(
        bench, own(bench, "ocr_small.json", {"solver.relative_gap": 1e-3}, up_to),
        svm_hmm(bench, words(bench, {0}), "-c", "100", "-e", "0.1", "-w", "0", max_rounds=1),
        ("svm_hmm -w 0", 220))
    yield Row("n_slack, ocr_small, dual 261.6", ours, others, ratios(ours, others, 0.02))


def conll2000(bench):
    source = bench.data / "conll2000/train.txt"
    # The target is a gap of 0.1. A run to exactly 0.1 misses the target of token error by 3e-5.
    ours, others = compare_with_peer(
        bench, own(bench, "conll2000.json", {"solver.relative_gap": 0.08}),
        svm_hmm(bench, lambda path: chunking_data.write_svm_hmm(source, path),
                "-c", "5000", "-e", "0.5", max_rounds=1),
        ("svm_hmm -c 5000 -e 0.5", 128))
    figures = ours.figures
    yield Row("conll2000, C = 5000, P 3217 and gap 0.1", ours, others,
              [*ratios(ours, others, 0.5),
               Target("primal", figures["primal"], at_most=3217),
               Target("certified gap", figures["relative_gap"], at_most=0.1),
               Target("peak MB", figures["peak_memory_bytes"] / 1e6, at_most=300),
               Target("token error", figures["token_error"], at_most=0.041)],
              f"chunk F1 {figures['chunk_f1']:.4f}")


def perceptron(bench):
    ours, others = compare_with_peer(bench, own(bench, "ocr_large_perceptron.json", {}),
                                     crfsuite(bench, "-a", "ap", "-p", "max_iterations=100"),
                                     ("CRFsuite -a ap, 100 epochs", 25))
    yield Row("perceptron, ocr_large to 11.5 % letters", ours, others,
              [*ratios(ours, others, 0.25),
               Target("letter error", ours.figures["label_error"], at_most=0.115)])


LARGE_WORDS = 6251  # of the nine folds
CHUNKED_SENTENCES = 8936


def crf_large(bench):
    """CRFsuite minimizes the sum of log-losses and c2 ||w||^2: c2 = n / 2C."""
    solver = '{"use": "crf", "C": 1000, "relative_gap": 1e-3}'
    options = ["-a", "lbfgs", "-p", f"c2={LARGE_WORDS / 2000}",
               "-p", "feature.possible_states=1", "-p", "feature.possible_transitions=1"]
    ours, others = compare_with_peer(bench, own(bench, "ocr_large.json", {"solver": solver}),
                                     crfsuite(bench, *options),
                                     ("CRFsuite -a lbfgs", 46))
    yield Row("crf, ocr_large, C = 1000, gap 1e-3", ours, others, ratios(ours, others, 0.25, "cpu"))


def crf_chunks(bench):
    """The published F1 of this task is 93.74, in 29.7 s of CPU time by stochastic gradients."""
    steps = own(bench, "conll2000_crf.json", {})
    steps.name = "15 passes of stochastic steps"
    certified = {}
    for method, options in (("lbfgs", ', "sgd_passes": 10'), ("sdca", "")):
        solver = f'{{"use": "crf", "C": {CHUNKED_SENTENCES}, "method": "{method}"{options}}}'
        program = own(bench, "conll2000_crf.json", {"solver": solver})
        program.name, program.max_rounds = f"{method} to the gap 1e-3", 1
        certified[program.name] = program
    medians = run_in_turns([steps, *certified.values()], bench.repeats)
    for name, ours in medians.items():
        targets = [Target("chunk F1", ours.figures["chunk_f1"], at_least=0.937),
                   Target("cpu s", ours.cpu, at_most=25 if name == steps.name else 90)]
        if name in certified:
            targets.append(Target("certified gap", ours.figures["relative_gap"], at_most=1e-3))
            targets.append(Target("peak MB", ours.figures["peak_memory_bytes"] / 1e6, at_most=500))
        yield Row(f"crf, conll2000, c = 1, {name}", ours, targets=targets)
    yield from crf_chunks_peer(bench, {name: medians[name] for name in certified})


def crf_chunks_peer(bench, certified):
    """CRFsuite on the same problem, to the same objective. It has one thread."""
    program = peers.optional("SCULPT_CRFSUITE")
    if program is None:
        return
    data = bench.folder / "chunks.crf"
    chunking_data.write_crfsuite(bench.data / "conll2000/train.txt", data)
    options = ["-p", "c2=0.5", "-p", "feature.possible_states=1",
               "-p", "feature.possible_transitions=1", data]
    objective = max(ours.figures["primal"] for ours in certified.values())
    peer = peers.crfsuite_until(program, options, objective)
    [theirs] = run_in_turns([peer], 1).values()
    for name, ours in certified.items():
        yield Row(f"crf, conll2000, c = 1, {name}, against CRFsuite", ours, [theirs],
                  [Target("cpu ratio", ours.cpu / theirs.cpu, at_most=0.6, peer=theirs),
                   Target("wall ratio", ours.wall / theirs.wall, at_most=0.4, peer=theirs)])


def crf_threads(bench):
    """Two threads against two processes of one thread each, which share the memory bus, too."""
    settings = {"solver": '{"use": "crf", "C": 1000, "relative_gap": 0, "max_passes": 60, '
                          '"sgd_passes": 0}'}
    models = set()

    def sample_of(done):
        models.add(done.model)
        return whole(done)
    two = own(bench, "ocr_large.json", settings, sample_of, ["--threads", "2"])
    two.name = "2 threads"

    def pair():
        begin = time.perf_counter()
        with concurrent.futures.ThreadPoolExecutor() as pool:
            both = [pool.submit(runs.Run, bench.sculpt, bench.configs / "ocr_large.json", settings,
                                ["--threads", "1"]) for _ in range(2)]
            samples = [sample_of(one.result()) for one in both]
        return Sample(time.perf_counter() - begin, sum(sample.cpu for sample in samples))
    one = Program("2 processes of 1 thread", pair)
    ours, others = run_in_turns([two, one], bench.repeats).values()
    yield Row("crf, ocr_large, 60 passes, 2 threads", ours, [others],
              [Target("rate, of that of two processes", others.wall / (2 * ours.wall),
                      at_least=0.95, peer=others),
               Target("distinct models", len(models), at_most=1, peer=others)])


def threads(bench):
    models = set()

    def run(count):
        def sample_of(done):
            models.add(done.model)
            return whole(done)
        program = own(bench, "ocr_large.json",
                      {"solver.use": "one_slack", "solver.cache": 0, "solver.max_passes": 40},
                      sample_of, ["--threads", str(count)])
        program.name = f"{count} thread" + "s" * (count > 1)
        return program
    two, one = run_in_turns([run(2), run(1)], bench.repeats).values()
    yield Row("one_slack, cache 0, ocr_large, 40 passes, 2 threads", two, [one],
              [Target("speed-up", one.wall / two.wall, at_least=1.8, peer=one),
               Target("distinct models", len(models), at_most=1, peer=one)])


def comparisons():
    conll = [comparison.data("conll2000/train.txt"), comparison.data("conll2000/test.txt")]
    return [Comparison("ocr_small gap 1e-3", ocr_small, [LETTERS]),
            Comparison("ocr_small large C", large_c, [LETTERS]),
            Comparison("ocr_large gap 1e-2", ocr_large(1e-2, 0.25), [LETTERS]),
            Comparison("ocr_large gap 1e-3", ocr_large(1e-3, 1.0), [LETTERS]),
            Comparison("ocr_small dual 261.6", dual, [LETTERS]),
            Comparison("conll2000 gap 0.1", conll2000, conll),
            Comparison("perceptron", perceptron, [LETTERS]),
            Comparison("crf ocr_large", crf_large, [LETTERS]),
            Comparison("crf conll2000", crf_chunks, conll),
            Comparison("crf threads", crf_threads, [LETTERS]),
            Comparison("one_slack threads", threads, [LETTERS])]

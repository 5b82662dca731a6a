"""configs/data/large/generate.py: its bytes, its files, and what the shipped experiments learn.

large_test.py SCULPT"""

import hashlib
import os
import pathlib
import re
import resource
import signal
import statistics
import subprocess
import sys
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/python"))
import setting  # noqa: E402

GENERATOR = ROOT / "configs/data/large/generate.py"
KINDS = ["sequences", "rows", "graphs"]
# The first 16 digits of the SHA-256 of what these options make: the bytes are the same everywhere.
HASHES = {
    "sequences --count 300": "02d745102452c544",
    "rows --count 300": "e67789dbd64de5c3",
    "rows --count 50 --classes 5 --features 30000 --density 0.001": "d2ed6549dcfc1485",
    "graphs --count 50": "22423782fde330b4",
    "graphs --count 50 --shape tree --labels 12 --features 3": "50fb88bc5bc2bf46",
    "graphs --count 50 --shape grid --sites 100": "f25fbfd5e4de41e9",
}


def generate(*words, python=(sys.executable, "-B"), **more):
    """The finished process; its output is bytes, its messages too."""
    return subprocess.run([*python, str(GENERATOR), *map(str, words)], capture_output=True,
                          timeout=120, check=False, **more)


def made(words):
    """The bytes that these options make."""
    done = generate(*words.split())
    assert done.returncode == 0, done.stderr
    return done.stdout


def graphs_of(text):
    """(sites: a list of labels and features, edges: a list of pairs) of each graph."""
    for block in text.decode().split("\n\n")[:-1]:
        name, *lines = block.split("\n")
        sites = [line.split() for line in lines if not line.startswith("edge ")]
        edges = [tuple(map(int, line.split()[1:])) for line in lines if line.startswith("edge ")]
        yield name, sites, edges


class Bytes(unittest.TestCase):
    def test_the_same_options_give_the_bytes_of_every_other_machine(self):
        for words, expected in HASHES.items():
            with self.subTest(words):
                self.assertEqual(hashlib.sha256(made(words)).hexdigest()[:16], expected)

    def test_another_seed_and_another_model_give_other_bytes(self):
        for kind in KINDS:
            texts = {made(f"{kind} --count 20 --seed {seed} --model {model}")
                     for seed in (1, 2) for model in (1, 2)}
            self.assertEqual(len(texts), 4, kind)

    def test_fewer_examples_are_the_beginning_of_more_across_blocks(self):
        for kind, counts in [("sequences", (5, 8192, 8193, 20000)), ("rows", (7, 32768, 40000)),
                             ("graphs", (3, 3276, 3277, 7000)),
                             ("graphs --shape grid", (3, 3276, 4000))]:
            longest = made(f"{kind} --count {counts[-1]}")
            for count in counts[:-1]:
                self.assertTrue(longest.startswith(made(f"{kind} --count {count}")), (kind, count))

    def test_blocks_differ_from_each_other(self):
        lines = made("rows --count 65536").splitlines()
        self.assertGreater(len(set(lines)), 65500)

    def test_bytes_asks_for_as_many_whole_examples_as_fit(self):
        for kind, end in zip(KINDS, (b"\n\n", b"\n", b"\n\n")):
            for size, most in (("5kB", 5000), ("2MB", 2000000)):
                text = made(f"{kind} --bytes {size}")
                count = text.count(end)
                self.assertTrue(text.endswith(end))
                self.assertLessEqual(len(text), most)
                more = made(f"{kind} --count {count + 1}")
                self.assertTrue(more.startswith(text))
                self.assertGreater(len(more), most)


class Contents(unittest.TestCase):
    def test_sentences_are_like_those_of_conll2000(self):
        text = made("sequences --count 9000").decode()
        sentences = [block.split("\n") for block in text.split("\n\n")[:-1]]
        self.assertEqual(len(sentences), 9000)
        lengths = [len(rows) for rows in sentences]
        self.assertAlmostEqual(statistics.mean(lengths), 23.7, delta=0.6)  # conll2000: 23.69, 11.1
        self.assertAlmostEqual(statistics.pstdev(lengths), 11.1, delta=0.6)
        tokens = [row.split(" ") for rows in sentences for row in rows]
        self.assertEqual({len(token) for token in tokens}, {3})
        words, tags, labels = zip(*tokens)
        share = {label: labels.count(label) / len(labels) for label in set(labels)}
        for label, expected in [("I-NP", 0.30), ("B-NP", 0.26), ("O", 0.13), ("B-VP", 0.10)]:
            self.assertAlmostEqual(share[label], expected, delta=0.05, msg=label)
        self.assertEqual(len(set(tags)), 27)
        # Zipf: the ten most frequent words have a quarter, and half of all words occur once.
        counts = sorted((words.count(word) for word in set(words[:3000])), reverse=True)
        self.assertGreater(sum(counts[:10]), 0.2 * len(words))
        times = {}
        for word in words:
            times[word] = times.get(word, 0) + 1
        self.assertGreater(list(times.values()).count(1), 0.4 * len(times))

    def test_chunks_begin_with_b_and_sentences_end_with_a_point(self):
        for block in made("sequences --count 500").decode().split("\n\n")[:-1]:
            before = "O"
            rows = [row.split(" ") for row in block.split("\n")]
            for _, _, label in rows:
                if label.startswith("I-"):
                    self.assertEqual(before[2:], label[2:])
                before = label
            self.assertEqual(rows[-1], [".", ".", "O"])

    def test_rows_have_all_features_and_values_from_1_to_15(self):
        rows = [line.split() for line in made("rows --count 3000").decode().splitlines()]
        self.assertEqual({row[0] for row in rows}, {str(k) for k in range(1, 27)})
        for row in rows:
            entries = [tuple(map(int, entry.split(":"))) for entry in row[1:]]
            self.assertEqual([index for index, _ in entries], list(range(1, 17)))
            self.assertTrue(all(1 <= value <= 15 for _, value in entries))

    def test_sparse_rows_have_a_fixed_number_of_entries_everywhere(self):
        words = "rows --count 3000 --features 1000 --density 0.013 --classes 3"
        indices = [[int(entry.split(":")[0]) for entry in line.split()[1:]]
                   for line in made(words).decode().splitlines()]
        self.assertEqual({len(row) for row in indices}, {13})
        self.assertTrue(all(a < b for row in indices for a, b in zip(row, row[1:])))
        self.assertEqual({j for row in indices for j in row}, set(range(1, 1001)))

    def test_graphs_have_the_shape_that_is_asked_for(self):
        for shape in ("tree", "random", "grid"):
            cycles = sites_of_all = 0
            for number, (name, sites, edges) in enumerate(
                    graphs_of(made(f"graphs --count 300 --shape {shape} --sites 25")), start=1):
                self.assertEqual(name, f"graph g{number}")
                self.assertEqual(len(set(edges)), len(edges))
                self.assertTrue(all(1 <= a < b <= len(sites) for a, b in edges))
                self.assertEqual({b for _, b in edges}, set(range(2, len(sites) + 1)))  # connected
                cycles += len(edges) - (len(sites) - 1)
                sites_of_all += len(sites)
                if shape == "grid":
                    self.assert_grid(len(sites), set(edges))
            self.assertAlmostEqual(sites_of_all / 300, 25, delta=1.5)
            self.assertEqual(cycles == 0, shape == "tree", shape)

    def assert_grid(self, sites, edges):
        """The edges are those of a grid with some number of columns."""
        for columns in range(1, sites + 1):
            grid = {(a, a + 1) for a in range(1, sites) if a % columns}
            grid |= {(a, a + columns) for a in range(1, sites - columns + 1)}
            if sites % columns == 0 and grid == edges:
                return
        self.fail(f"no grid of {sites} sites: {edges}")

    def test_edges_attract_equal_labels(self):
        for labels in (2, 5):
            equal = edges_of_all = 0
            for _, sites, edges in graphs_of(made(f"graphs --count 500 --labels {labels}")):
                equal += sum(sites[a - 1][0] == sites[b - 1][0] for a, b in edges)
                edges_of_all += len(edges)
            self.assertGreater(equal / edges_of_all, 1 / labels + 0.25)


class Files(setting.FolderTest):
    def test_a_file_is_whole_and_is_not_replaced_without_force(self):
        path = self.folder / "a.txt"
        self.assertEqual(generate("rows", "--count", 5, "-o", path).returncode, 0)
        first = path.read_bytes()
        self.assertEqual(first, made("rows --count 5"))
        done = generate("rows", "--count", 9, "-o", path)
        self.assertEqual(done.returncode, 73)
        self.assertIn(b"a.txt exists; --force", done.stderr)
        self.assertEqual(path.read_bytes(), first)
        self.assertEqual(generate("rows", "--count", 9, "-o", path, "--force").returncode, 0)
        self.assertEqual(path.read_bytes(), made("rows --count 9"))
        self.assertEqual(os.listdir(self.folder), ["a.txt"])

    def test_what_cannot_be_created_is_said(self):
        for output, words in [(self.folder / "none/a.txt", b"No such file or directory"),
                              (self.folder, b"Is a directory")]:
            done = generate("rows", "--count", 5, "-o", output)
            self.assertEqual(done.returncode, 73)
            self.assertIn(b"generate.py: --output " + bytes(output) + b": " + words, done.stderr)

    def test_a_full_disk_leaves_nothing(self):
        done = generate("rows", "--count", 50000, "-o", "/dev/full")
        self.assertEqual(done.returncode, 74)
        self.assertIn(b"--output /dev/full: No space left on device", done.stderr)
        with open("/dev/full", "wb") as full:
            words = [sys.executable, "-B", str(GENERATOR), "rows", "--count", "50000"]
            done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, timeout=120,
                                  check=False)
        self.assertEqual(done.returncode, 74)
        self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (10**6, 10**6))
        done = generate("rows", "--count", 50000, "-o", self.folder / "a.txt", preexec_fn=limit)
        self.assertEqual(done.returncode, 74)
        self.assertIn(b"File too large", done.stderr)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_signal_leaves_no_partial_file(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL):
            path = self.folder / f"{number}.txt"
            words = [sys.executable, "-B", GENERATOR, "rows", "--count", str(10**12), "-o", path]
            with subprocess.Popen(words, stderr=subprocess.PIPE) as process:
                limit = time.monotonic() + 60
                while not any(part.stat().st_size for part in self.folder.glob(f"{number}.*.part")):
                    self.assertLess(time.monotonic(), limit)
                    time.sleep(0.01)
                process.send_signal(number)
                message = process.stderr.read()
            if number == signal.SIGKILL:
                self.assertFalse(path.exists())
            else:
                self.assertEqual(os.listdir(self.folder), [])
                self.assertEqual(process.returncode, 128 + number)
                self.assertEqual(message, b"generate.py: stopped; nothing is written\n")

    def test_a_reader_that_stops_ends_it_quietly(self):
        script = f"{sys.executable} -B {GENERATOR} rows --count 1000000000 | head -1"
        done = subprocess.run(["bash", "-c", script], capture_output=True, timeout=60, check=False)
        self.assertEqual(done.stderr, b"")
        self.assertEqual(done.stdout, made("rows --count 1"))

    def test_memory_does_not_grow_with_the_count(self):
        script = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True,"
                  "stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL);"
                  "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
        for kind, count in zip(KINDS, (80000, 330000, 30000)):
            peaks = []
            for times in (1, 3):
                words = [sys.executable, "-c", script, sys.executable, "-B", str(GENERATOR), kind,
                         "--count", str(times * count)]
                peaks.append(int(subprocess.check_output(words, timeout=120)))
            self.assertLess(peaks[1], 1.1 * peaks[0], kind)


class Arguments(unittest.TestCase):
    def test_bad_ones_are_refused_by_name(self):
        for words, expected in [
                ("", "KIND"),
                ("trees --count 5", "invalid choice: 'trees'"),
                ("rows", "one of the arguments --count --bytes is required"),
                ("rows --count 5 --bytes 5kB", "--bytes: not allowed with argument --count"),
                ("rows --count 0", "--count: '0' is no whole number from 1 to 1000000000000"),
                ("rows --count 1e6", "--count: '1e6' is no whole number"),
                ("rows --count -5", "--count: "),
                ("rows --bytes 5X", "--bytes: '5X' is no size such as 500, 20kB, 100MB or 1.5GB"),
                ("rows --bytes 0", "--bytes: '0' is no size"),
                ("rows --bytes 3", "--bytes 3 is too small for one example"),
                ("rows --count 5 --seed -1", "--seed: "),
                ("rows --count 5 --seed x", "--seed: 'x' is no whole number"),
                ("rows --count 5 --classes 1", "--classes: '1' is no whole number from 2"),
                ("rows --count 5 --density 0", "--density: '0' is no number above 0"),
                ("rows --count 5 --density nan", "--density: 'nan' is no number above 0"),
                ("rows --count 5 --classes 1000 --features 1000000", "--classes times --features"),
                ("graphs --count 5 --shape ring", "--shape: invalid choice: 'ring'"),
                ("graphs --count 5 --sites 0", "--sites: '0' is no whole number from 1"),
                ("graphs --count 5 --sites 100000 --features 1000", "--sites times --features"),
                ("sequences --count 5 --classes 3", "unrecognized arguments: --classes 3")]:
            with self.subTest(words):
                done = generate(*words.split())
                self.assertEqual(done.returncode, 64, done.stderr)
                self.assertIn(expected, done.stderr.decode())
                self.assertEqual(done.stdout, b"")

    def test_the_smallest_values_work(self):
        for words in ("rows --count 1 --classes 2 --features 1",
                      "rows --count 1 --features 10 --density 0.0001",
                      "graphs --count 3 --sites 1 --features 1",
                      "graphs --count 3 --sites 1 --shape grid",
                      f"rows --count 1 --seed {2**63 - 1}"):
            self.assertTrue(made(words).endswith(b"\n"))

    def test_without_numpy_it_says_what_installs_it(self):
        done = generate("rows", "--count", 5, python=(sys.executable, "-S", "-B"))
        self.assertEqual(done.returncode, 69)
        self.assertIn(b"has no numpy; `configs/setup test` installs Debian's python3-numpy",
                      done.stderr)

    def test_a_summary_counts_examples_parts_and_bytes(self):
        for kind, unit in zip(KINDS, ("tokens", "entries", "sites")):
            done = generate(kind, "--count", 10)
            line = re.fullmatch(rf"{kind}: 10 examples, (\d+) {unit}, (\d+) bytes, [\d.]+ s\n",
                                done.stderr.decode())
            parts = {"sequences": len([line for line in done.stdout.splitlines() if line]),
                     "rows": done.stdout.count(b":"),
                     "graphs": sum(len(sites) for _, sites, _ in graphs_of(done.stdout))}
            self.assertEqual(list(map(int, line.groups())), [parts[kind], len(done.stdout)])


class Training(setting.FolderTest):
    """Each shipped experiment, on few examples. The bounds are far from what is measured."""

    def trained(self, kind, train, test, *more):
        for split, count, seed in (("train", train, 1), ("test", test, 2)):
            path = self.folder / f"{kind}.{split}.txt"
            if not path.exists():
                done = generate(kind, "--count", count, "--seed", seed, "-o", path)
                self.assertEqual(done.returncode, 0, done.stderr)
        output = self.folder / f"run{len(os.listdir(self.folder))}"
        done = setting.run("train", ROOT / f"configs/large_{kind}.json", "--output", output, *more,
                           folder=self.folder, environment={"SCULPT_LARGE": str(self.folder)})
        self.assertIn(done.returncode, (0, 3), done.stderr)
        end = setting.finished(output)
        self.assertEqual([end["train"]["examples"], end["test"]["examples"]], [train, test])
        return end["test"]

    def test_sentences_teach_a_chain_more_than_tokens_do(self):
        chain = self.trained("sequences", 3000, 500)["label_error"]
        alone = self.trained("sequences", 3000, 500,
                             "--set", 'features={"use": "graph", "pairs": "none"}',
                             "--set", 'dataset.templates=["w[0]", "pos[0]"]')["label_error"]
        self.assertTrue(0.05 < chain < 0.13, chain)  # of labels alone: 0.74
        self.assertGreater(alone, 1.5 * chain)

    def test_rows_teach_more_than_chance(self):
        error = self.trained("rows", 4000, 1000)["error"]
        self.assertTrue(0.15 < error < 0.35, error)  # by chance 0.96

    def test_graphs_teach_that_edges_attract(self):
        pairs = self.trained("graphs", 500, 300)["label_error"]
        alone = self.trained("graphs", 500, 300, "--set", "features.pairs=none",
                             "--set", "features.nonnegative=[]")["label_error"]
        self.assertTrue(0.03 < pairs < 0.1, pairs)
        self.assertGreater(alone, 2 * pairs)


if __name__ == "__main__":
    setting.main()

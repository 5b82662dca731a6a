"""Ranks that map one cache of the data: who makes it, damage that one of them finds, same bytes.

cache_test.py SCULPT
"""

import json
import subprocess
import sys
import time

from rank_setting import ROOT, RankTest, main

GENERATOR = ROOT / "configs/data/large/generate.py"
EXPERIMENTS = {
    "rows": {"dataset": "svmlight", "features": "multiclass", "loss": "zero_one",
             "oracle": "enumerate", "solver": {"use": "one_slack", "C": 1, "max_passes": 1}},
    "sequences": {"dataset": "conll", "features": "chain", "loss": "hamming", "oracle": "viterbi",
                  "solver": {"use": "crf", "C": 1, "method": "lbfgs", "max_passes": 1}},
}
BYTES = {"rows": "2MB", "sequences": "2MB"}
RANKS = 4


class CacheTest(RankTest):
    def prepare(self, kind, **more):
        data = self.folder / f"{kind}.txt"
        subprocess.run([sys.executable, "-B", GENERATOR, kind, "--bytes", BYTES[kind], "-o", data],
                       check=True)
        parts = EXPERIMENTS[kind]
        self.write(f"{kind}.json", json.dumps({
            **parts, "dataset": {"use": parts["dataset"], "train": str(data)}, "cache": "auto",
            **more}))
        time.sleep(2.2)  # the data count as settled

    def train(self, kind, count, output, *words):
        done = (self.ranks if count > 1 else lambda _, *rest: self.sculpt(*rest))(
            count, "train", f"{kind}.json", "--output", output, "--threads", "1", *words)
        self.assertIn(done.returncode, (0, 3), done.stderr)
        return done.stderr

    def test_the_first_rank_makes_it_and_the_models_are_the_same(self):
        for kind in EXPERIMENTS:
            with self.subTest(kind=kind):
                self.prepare(kind)
                self.assertNotIn("cache: ", self.train(kind, 1, f"{kind}-none", "--set", "cache=none"))
                error = self.train(kind, RANKS, f"{kind}-made")
                self.assertEqual(error.count(".sculpt-cache: made, "), 1, error)
                self.assertNotIn("cache: ", self.train(kind, RANKS, f"{kind}-read"))
                self.assertNotIn("cache: ", self.train(kind, 1, f"{kind}-one"))
                for run in ("made", "read", "one"):
                    self.assertEqual(self.model(f"{kind}-none"), self.model(f"{kind}-{run}"))

    def test_a_damaged_part_is_found_by_one_rank_and_made_anew(self):
        self.prepare("rows")
        self.train("rows", 1, "first")
        (cache,) = self.folder.glob("*.sculpt-cache")
        whole = cache.read_bytes()
        for share in (0.1, 0.4, 0.6, 0.9):
            place = int(share * len(whole))
            cache.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1:])
            error = self.train("rows", RANKS, f"damaged{share}")
            self.assertIn("is made anew, because it is damaged", error)
            self.assertEqual(cache.read_bytes(), whole)
            self.assertEqual(self.model(f"damaged{share}"), self.model("first"))

    def test_without_a_cache_all_ranks_read_the_data(self):
        self.prepare("rows")
        self.train("rows", 1, "plain", "--set", "cache=none")
        error = self.train("rows", RANKS, "without", "--set", "cache=/proc/self")
        self.assertEqual(error.count("no cache is made: "), 1, error)
        self.assertEqual(self.model("without"), self.model("plain"))


if __name__ == "__main__":
    main()

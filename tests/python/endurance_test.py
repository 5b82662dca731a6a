"""Faults, interrupts, forks and exits of the interpreter while the host works: no hang, no crash.

    endurance_test.py SCULPT [FAULTS FORKS EXITS]

Without counts: few of each. The rows of issue 29 are 100000 500 500.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from setting import ARGUMENTS, FolderTest, main

FOLDER = pathlib.Path(__file__).parent
FAULTS, FORKS, EXITS = map(int, ARGUMENTS[1:] or (330, 20, 13))
# The exit code of each way to leave.
EXITS_BY_KIND = {"return": 0, "sys.exit": 7, "task": 8, "exception": 1, "callback": 5,
                 "os._exit": 9, "atexit": 0, "waited for": 0, "endless callback": 10,
                 "endless task": 11, "endless class": 11, "class": 12}
FATAL = ("Fatal", "FATAL", "terminate", "Segmentation", "Exception ignored")


class EnduranceTest(FolderTest):
    def setUp(self):
        super().setUp()
        # Runs without an output work in a folder there. In memory they do not wait for a disk.
        place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.fast = tempfile.mkdtemp(dir=place)
        self.addCleanup(shutil.rmtree, self.fast)

    def process(self, name: str, *words, timeout: float):
        """The finished process of endurance_NAME.py. Fails if it hangs."""
        environment = dict(os.environ, TMPDIR=self.fast, ENDURANCE_FOLDER=str(self.folder))
        return subprocess.run([sys.executable, "-B", FOLDER / f"endurance_{name}.py",
                               *map(str, words)], text=True, capture_output=True, timeout=timeout,
                              env=environment, check=False)

    def told(self, *words, timeout: float) -> dict:
        done = self.process(*words, timeout=timeout)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        for word in FATAL:
            self.assertNotIn(word, done.stderr)
        print(done.stdout, end="", flush=True)
        return json.loads(done.stdout)

    def test_a_process_survives_faults_and_interrupts_and_trains_as_before(self):
        told = self.told("faults", FAULTS, timeout=60 + FAULTS * 0.2)
        self.assertGreaterEqual(told["faults"], FAULTS)
        self.assertTrue(told["is_right"])
        self.assertEqual(told["threads"], 1)
        self.assertLessEqual(set(told["ignored"]), {"KeyboardInterrupt", "TimeoutError"})
        # A signal in a destructor is lost, by the rules of Python. Few come just then.
        self.assertLess(sum(told["ignored"].values()), FAULTS / 20)
        kinds = {key.split(":")[0] for key in told["found"] if not key.endswith("None")}
        self.assertEqual(len(kinds), 10, told["found"])
        self.assertGreater(told["found"]["interrupt: KeyboardInterrupt"], FAULTS / 20)
        grown = told["megabytes"] - told["megabytes_at_a_fifth"]
        self.assertLess(grown, 8)  # 84 bytes a fault at the full count

    def test_forks_while_the_host_trains_end_as_they_should(self):
        told = self.told("forks", FORKS, timeout=60 + FORKS * 3)
        codes = told["codes"]
        for kind in ("end_in_child", "train_in_child", "task_in_child", "predict_in_child"):
            self.assertEqual(list(codes.pop(kind)), ["0"], kind)
        self.assertEqual(list(codes.pop("on_pass 0")), ["70"])  # came back into the host
        self.assertEqual(list(codes.pop("on_pass 1")), ["6"])  # left by SystemExit
        self.assertEqual(codes, {})
        self.assertEqual(told["pools"], [True] * 4)
        self.assertGreater(told["fits"], FORKS / 10)

    def test_exits_of_the_interpreter_while_the_host_trains_have_their_code(self):
        kinds = list(EXITS_BY_KIND)
        for k in range(EXITS):
            kind = kinds[k % len(kinds)]
            done = self.process("exits", kind, timeout=60)
            self.assertEqual(done.returncode, EXITS_BY_KIND[kind], f"{kind}: {done.stderr}")
            for word in FATAL:
                self.assertNotIn(word, done.stderr, kind)
            expects_trace = kind == "exception"
            self.assertEqual("Traceback" in done.stderr, expects_trace, f"{kind}: {done.stderr}")
            if kind in ("atexit", "waited for"):
                self.assertEqual(done.stdout, "True\n")
        print(f'{{"exits": {EXITS}}}', flush=True)


if __name__ == "__main__":
    main()

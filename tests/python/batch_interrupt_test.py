"""Ctrl-C, exits and late errors of calls of sculpt.batch."""

import signal
import subprocess
import sys
import time

from setting import ROOT, FolderTest, main


class InterruptTest(FolderTest):
    def test_an_interpreter_ends_while_a_thread_makes_calls(self):
        script = self.write("script.py", f"""
import sys, threading, time
sys.path.insert(0, {str(ROOT / "sdk/python")!r})
import numpy as np
from sculpt.batch import Batch, Chains
batch, graphs = Batch("viterbi", threads=2), Chains([50] * 200, 20)
unary, shared = np.zeros(graphs.unary_shape), np.zeros((20, 20))
def work():
    while True:
        batch.decode(graphs, unary, shared=shared)
threading.Thread(target=work, daemon=True).start()
time.sleep(float(sys.argv[1]))
""")
        for k in range(5):
            done = subprocess.run([sys.executable, "-B", script, str(0.05 + 0.01 * k)], timeout=60,
                                  text=True, capture_output=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_ctrl_c_stops_a_call_and_not_the_next_one(self):
        script = self.write("script.py", f"""
import sys
sys.path.insert(0, {str(ROOT / "sdk/python")!r})
import numpy as np
from sculpt.batch import Batch, Chains
batch = Batch("viterbi", threads=1)
long, short = Chains([1000] * 40, 500), Chains([3], 2)
unary, shared = np.zeros(long.unary_shape), np.zeros(long.shared_shape)
print("begins", flush=True)
try:
    for _ in range(1000):
        batch.decode(long, unary, shared=shared)
except KeyboardInterrupt:
    print("interrupted", flush=True)
print(batch.decode(short, np.eye(3)[:, :2], shared=np.zeros((2, 2))).values.sum())
""")
        process = subprocess.Popen([sys.executable, "-B", script], cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), "begins\n")
        time.sleep(0.3)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.stdout.readline(), "interrupted\n")
        self.assertLess(time.monotonic() - begin, 5)  # 0.2 s where nothing else runs
        self.assertEqual(process.stdout.read(), "2.0\n")
        self.assertEqual(process.wait(timeout=60), 0)
        process.stdout.close()

    def test_an_error_is_raised_however_late_the_thread_of_the_call_stores_it(self):
        from sculpt.batch import Batch
        batch = Batch("viterbi", threads=1)

        class SlowTurn:
            def __enter__(self):
                pass

            def __exit__(self, *_):
                time.sleep(0.3)

        def failing():
            raise ValueError("wrong")

        batch._handle._turn = SlowTurn()
        with self.assertRaisesRegex(ValueError, "wrong"):
            batch._handle.run(failing, name="failing", size=1, kept=None)


if __name__ == "__main__":
    main()

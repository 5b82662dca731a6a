"""A run with more examples, as scaled_run.py makes it up."""

import unittest

from scaled_run import SUMS, scaled_event

EVENT = {
    "event": "finished", "seconds": 20.0, "oracle_seconds": 10.0, "qp_seconds": 4.0,
    "reduction_seconds": 3.0, "reading_seconds": 1.0, "rest_seconds": 1.5, "writing_seconds": 0.5,
    "division": {"ranks": 1, "threads": 1, "seconds": 20.0, "steps": [
        {"step": "separation", "steps": 50, "parts": 3200, "seconds": 4.0, "bytes": 100.0},
        {"step": "separation", "steps": 2, "parts": 1900, "seconds": 2.0, "bytes": 50.0},
        {"step": SUMS, "steps": 3, "parts": 192, "seconds": 4.0, "bytes": 30.0,
         "vector_bytes": 800, "adding_seconds": 2.0},
        {"step": "predictions", "steps": 2, "parts": 1900, "seconds": 1.0, "bytes": 8.0}]}}


def steps_of(scales_batch):
    return scaled_event(EVENT, 10, 1000, scales_batch)["division"]["steps"]


class ScaledRun(unittest.TestCase):
    def test_batches_are_more_steps_or_larger_ones(self):
        self.assertEqual((steps_of(False)[0]["steps"], steps_of(False)[0]["parts"]), (500, 32000))
        self.assertEqual((steps_of(True)[0]["steps"], steps_of(True)[0]["parts"]), (50, 32000))

    def test_a_pass_has_more_examples_and_a_window_more_steps(self):
        for scales_batch in (False, True):
            whole, windows = steps_of(scales_batch)[1], steps_of(scales_batch)[3]
            self.assertEqual((whole["steps"], whole["parts"]), (2, 19000))
            self.assertEqual((windows["steps"], windows["parts"]), (20, 19000))

    def test_a_sum_keeps_its_ranges_and_its_vector(self):
        sums = steps_of(False)[2]
        self.assertEqual((sums["steps"], sums["parts"], sums["vector_bytes"]), (3, 192, 800))
        self.assertEqual((sums["seconds"], sums["bytes"], sums["adding_seconds"]), (40, 300, 2))

    def test_what_is_done_to_w_alone_takes_as_long_as_before(self):
        event = scaled_event(EVENT, 10, 1000, False)
        self.assertEqual(event["rest_seconds"], 1.5)
        self.assertEqual(event["reduction_seconds"], 12)  # 2 of sums, and 10 times the other 1
        self.assertEqual(event["seconds"], 100 + 40 + 12 + 10 + 1.5 + 0.5)
        self.assertEqual(event["division"]["seconds"], event["seconds"] - 20 + 20)


if __name__ == "__main__":
    unittest.main()

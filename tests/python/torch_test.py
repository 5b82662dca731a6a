"""sculpt.torch: gradients, shapes, errors, and the networks of the examples.

torch_test.py SCULPT. Skipped without torch.
"""

import contextlib
import copy
import io
import re
import subprocess
import sys
import unittest

import listed_outputs
from setting import EXAMPLES, ROOT, FolderTest, main

LENGTHS, LABELS, LONGEST = [3, 1, 4, 0, 2], 3, 4
SMOOTH = ("log-loss", "softmax-margin")
KINDS = ("hinge", "perceptron", *SMOOTH)


class SequencesTest(unittest.TestCase):
    def setUp(self):
        import torch
        from sculpt import torch as layer
        self.torch, self.layer = torch, layer
        draw = torch.Generator().manual_seed(4)

        def normal(*shape):
            return torch.randn(*shape, dtype=torch.float64, generator=draw)

        self.mask = torch.arange(LONGEST) < torch.tensor(LENGTHS)[:, None]
        self.unary = normal(len(LENGTHS), LONGEST, LABELS)
        self.truths = torch.randint(0, LABELS, self.mask.shape, generator=draw)
        self.truths[2, 1] = -1
        self.transitions = normal(LABELS, LABELS)
        self.own = normal(len(LENGTHS), LONGEST - 1, LABELS, LABELS)
        self.weights = normal(*self.mask.shape).abs()
        self.costs = normal(LABELS, LABELS).abs().fill_diagonal_(0)

    def listed(self, transitions=None, **more):
        return listed_outputs.chains(
            LENGTHS, self.unary[self.mask].numpy(),
            (self.transitions if transitions is None else transitions).numpy(),
            self.truths[self.mask].numpy(), **more)

    def loss(self, unary, transitions, **more):
        more = {"mask": self.mask, **more}
        return self.layer.structured_loss(unary, self.truths, transitions=transitions, **more)

    def close(self, found, expected, tolerance=1e-10):
        self.torch.testing.assert_close(found, self.torch.as_tensor(expected, dtype=found.dtype),
                                        rtol=tolerance, atol=tolerance)

    def test_values_are_those_of_all_outputs_for_every_form_of_the_scores(self):
        torch, lengths = self.torch, self.torch.tensor(LENGTHS)
        packed, pairs = self.unary[self.mask], self.own[self.mask[:, 1:]]
        for kind in KINDS:
            shared = torch.tensor([one.loss(kind)[0] for one in self.listed()])
            own = torch.tensor([one.loss(kind)[0] for one in self.listed(pairs)])
            more = {"kind": kind, "reduction": "none"}
            self.close(self.loss(self.unary, self.transitions, **more), shared)
            self.close(self.loss(self.unary, self.transitions, mask=None, lengths=lengths, **more),
                       shared)
            self.close(self.loss(self.unary, self.own, **more), own)
            self.close(self.loss(self.unary, pairs, **more), own)
            self.close(self.layer.structured_loss(
                packed, self.truths[self.mask], lengths=LENGTHS, transitions=pairs, **more), own)
            self.close(self.loss(self.unary, self.transitions, kind=kind, reduction="sum"),
                       shared.sum())
            self.close(self.loss(self.unary, self.transitions, kind=kind), shared.mean())
            weighted = [one.loss(kind)[0] for one in self.listed(
                weights=self.weights[self.mask].numpy(), costs=self.costs.numpy())]
            self.close(self.loss(self.unary, self.transitions, costs=self.costs,
                                 variable_weights=self.weights, **more), weighted)

    def test_gradcheck_passes_for_smooth_kinds(self):
        torch = self.torch
        for kind in SMOOTH:
            for transitions in (self.transitions, self.own):
                for reduction in ("mean", "sum", "none"):
                    self.assertTrue(torch.autograd.gradcheck(
                        lambda unary, pairs: self.loss(unary, pairs, kind=kind,
                                                       reduction=reduction),
                        (self.unary.clone().requires_grad_(),
                         transitions.clone().requires_grad_())))

    def test_other_kinds_have_the_slope_off_the_kinks(self):
        for kind in ("hinge", "perceptron"):
            for given in (self.transitions, self.own):
                unary, pairs = [one.clone().requires_grad_() for one in (self.unary, given)]
                self.loss(unary, pairs, kind=kind, reduction="sum").backward()
                for tensor in (unary, pairs):
                    self.slopes_are_gradients(tensor, lambda: self.loss(
                        unary, pairs, kind=kind, reduction="sum"))
        self.assertGreater(unary.grad.abs().sum(), 0)
        self.assertEqual(unary.grad[~self.mask].abs().sum(), 0)

    def slopes_are_gradients(self, tensor, value):
        step = 1e-6
        flat = tensor.data.view(-1)
        for k in range(0, len(flat), 2):
            begin = flat[k].item()
            ends = []
            for at in (begin - step, begin + step):
                flat[k] = at
                ends.append(value().item())
            flat[k] = begin
            self.assertAlmostEqual((ends[1] - ends[0]) / (2 * step), tensor.grad.view(-1)[k].item(),
                                   places=6)

    def test_losses_of_examples_may_be_weighted_afterwards(self):
        torch = self.torch
        factors = torch.tensor([1.0, -2, 0.5, 4, 0], dtype=torch.float64)
        for given in (self.transitions, self.own):
            unary, pairs = [one.clone().requires_grad_() for one in (self.unary, given)]
            losses = self.loss(unary, pairs, kind="log-loss", reduction="none")
            parts = [torch.autograd.grad(losses[k], (unary, pairs), retain_graph=True)
                     for k in range(len(LENGTHS))]
            found = torch.autograd.grad((factors * losses).sum(), (unary, pairs))
            for j in range(2):
                self.close(found[j], sum(factor * part[j] for factor, part in zip(factors, parts)))

    def test_floats_have_the_numbers_of_doubles(self):
        torch = self.torch
        unary, pairs = [one.float().requires_grad_() for one in (self.unary, self.transitions)]
        wide = [one.detach().double().requires_grad_() for one in (unary, pairs)]
        found, expected = self.loss(unary, pairs), self.loss(*wide)
        self.assertEqual(found.dtype, torch.float32)
        self.close(found, expected.detach(), 1e-6)
        found.backward()
        expected.backward()
        for narrow, one in zip((unary, pairs), wide):
            self.assertEqual(narrow.grad.dtype, torch.float32)
            self.close(narrow.grad, one.grad, 1e-6)

    def test_best_labels_and_marginals_are_those_of_all_outputs(self):
        torch, listed = self.torch, self.listed()
        labels = self.layer.decode(self.unary, mask=self.mask, transitions=self.transitions)
        self.assertEqual(labels.dtype, torch.int64)
        for row, mask, one in zip(labels, self.mask, listed):
            self.assertEqual(row[mask].tolist(), one.decoded()[1])
        self.assertTrue((labels[~self.mask] == -1).all())
        found = self.layer.marginals(self.unary, mask=self.mask, transitions=self.transitions)
        self.close(found[self.mask], [list(row) for one in listed for row in one.marginals()[1]])
        self.assertEqual(found[~self.mask].abs().sum(), 0)
        packed = self.layer.decode(self.unary[self.mask], lengths=LENGTHS,
                                   transitions=self.transitions)
        self.assertEqual(packed.tolist(), labels[self.mask].tolist())

    def test_a_second_derivative_is_refused_in_a_sentence(self):
        torch = self.torch
        unary = self.unary.clone().requires_grad_()
        loss = self.loss(unary, self.transitions, kind="log-loss")
        (first,) = torch.autograd.grad(loss, unary, create_graph=True)
        with self.assertRaisesRegex(RuntimeError, "structured_loss has no second derivative"):
            first.square().sum().backward()
        # The first one alone may be part of a larger graph.
        loss = self.loss(unary, self.transitions, kind="log-loss")
        (first,) = torch.autograd.grad(loss + unary.square().sum(), unary, create_graph=True)
        (second,) = torch.autograd.grad(unary.square().sum(), unary, create_graph=True)
        second.sum().backward()

    def test_no_gradient_is_computed_where_none_is_wanted(self):
        unary = self.unary.clone().requires_grad_()
        with self.torch.no_grad():
            self.assertFalse(self.loss(unary, self.transitions).requires_grad)
        self.loss(unary, self.transitions).backward()
        self.assertIsNone(self.transitions.grad)

    def test_gradients_may_be_changed_and_computed_again(self):
        for tensor in (self.unary.clone(), self.unary.float()):
            tensor.requires_grad_()
            loss = self.loss(tensor, self.transitions.to(tensor.dtype), reduction="sum")
            loss.backward(retain_graph=True)
            first = tensor.grad.clone()
            for _ in range(2):
                tensor.grad.mul_(3)
                tensor.grad = None
                loss.backward(retain_graph=True)
                self.assertEqual((tensor.grad - first).abs().sum(), 0)

    def test_scores_that_change_before_the_gradient_are_noticed(self):
        unary = (self.unary.clone().requires_grad_() * 1).clone()
        loss = self.loss(unary, self.transitions)
        unary.add_(1)
        with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
            loss.backward()

    def test_a_layer_learns_and_is_copied_and_saved(self):
        torch = self.torch
        layer = self.layer.ChainLayer(LABELS, kind="log-loss", threads=1).double()
        unary = torch.zeros_like(self.unary).requires_grad_()
        steps = torch.optim.SGD([unary, *layer.parameters()], lr=2)
        losses = []
        for _ in range(100):
            steps.zero_grad()
            loss = layer(unary, self.truths, mask=self.mask)
            loss.backward()
            steps.step()
            losses.append(loss.item())
        self.assertLess(losses[-1], 0.2 * losses[0])
        known = self.mask & (self.truths >= 0)
        best = layer.decode(unary, mask=self.mask)
        self.assertEqual(best[known].tolist(), self.truths[known].tolist())
        probable = layer.marginals(unary, mask=self.mask).argmax(-1)
        self.assertEqual(probable[known].tolist(), self.truths[known].tolist())
        saved = io.BytesIO()
        torch.save(layer, saved)
        saved.seek(0)
        for other in (copy.deepcopy(layer), torch.load(saved)):
            self.assertEqual(other(unary, self.truths, mask=self.mask).item(),
                             layer(unary, self.truths, mask=self.mask).item())
        self.assertEqual(repr(layer), "ChainLayer(3, kind='log-loss', threads=1)")
        with self.assertRaisesRegex(TypeError, "ChainLayer has no option 'thread'; it has kind"):
            type(layer)(3, thread=1)

    def test_wrong_arguments_are_named(self):
        torch = self.torch
        unary, transitions = self.unary, self.transitions
        mask_with_gap = self.mask.clone()
        mask_with_gap[2, 1] = False
        for error, text, changes in (
                (TypeError, "unary has the type torch.float16; it must be torch.float32 or",
                 {"unary": unary.half()}),
                (TypeError, "unary is list; it must be a torch.Tensor", {"unary": [1.0]}),
                (ValueError, r"unary has the shape \(12,\)", {"unary": unary.view(-1)[:12]}),
                (ValueError, "transitions is missing", {"transitions": None}),
                (ValueError, r"transitions has the shape \(2, 3\); it must be \(3, 3\)",
                 {"transitions": transitions[:2]}),
                (TypeError, "transitions has the type torch.int64",
                 {"transitions": transitions.long()}),
                (ValueError, "mask has a gap in example 2", {"mask": mask_with_gap}),
                (ValueError, r"mask has the shape \(4, 4\)", {"mask": self.mask[1:]}),
                (ValueError, "lengths and mask are both given", {"lengths": LENGTHS}),
                (ValueError, "lengths must be 5 numbers from 0 to 4",
                 {"mask": None, "lengths": [5, 1, 1, 1, 1]}),
                (TypeError, "lengths has the type float64; it must hold integers",
                 {"mask": None, "lengths": [3.5, 1, 1, 1, 1]}),
                (ValueError, "lengths is missing", {"mask": None, "unary": unary[0]}),
                (ValueError, "lengths sum to 10, but unary has 4 rows",
                 {"mask": None, "unary": unary[0], "lengths": LENGTHS}),
                (ValueError, r"truths has the shape \(4, 4\); it must be \(5, 4\)",
                 {"truths": self.truths[1:]}),
                (TypeError, "truths has the type float64", {"truths": self.truths.double()}),
                (ValueError, "reduction is 'token'", {"reduction": "token"}),
                (ValueError, "kind is 'crf'", {"kind": "crf"}),
                (ValueError, "costs requires a gradient", {"costs": transitions.clone()
                                                           .requires_grad_()}),
                (ValueError, "tables and shared belong to graphs", {"shared": transitions}),
                (TypeError, "graphs is list; it must be batch.Graphs", {"graphs": []})):
            given = {"unary": unary, "truths": self.truths, "transitions": transitions,
                     "mask": self.mask, **changes}
            with self.assertRaisesRegex(error, text):
                self.layer.structured_loss(given.pop("unary"), given.pop("truths"), **given)
        with self.assertRaisesRegex(ValueError, r"\(3, 4\); it must be \(3, 3\) or \(7, 3, 3\) or "
                                    r"\(4, 4, 3, 3\)"):
            self.layer.structured_loss(torch.zeros(4, 5, 3), torch.zeros(4, 5, dtype=torch.long),
                                       lengths=[5, 3, 1, 2], transitions=torch.zeros(3, 4))
        from sculpt import SculptError
        with self.assertRaisesRegex(SculptError, "example 2: the score of label 1 of variable 3"):
            wrong = unary.clone()
            wrong[2, 3, 1] = torch.nan
            self.loss(wrong, transitions)


    def test_a_layer_refuses_other_numbers_of_labels(self):
        import torch
        layer, unary = self.layer.ChainLayer(4), torch.zeros(2, 5, 3)
        truths = torch.zeros(2, 5, dtype=torch.long)
        for call in (lambda: layer(unary, truths), lambda: layer.decode(unary),
                     lambda: layer.marginals(unary)):
            with self.assertRaisesRegex(ValueError, "unary has scores of 3 labels.*4 labels"):
                call()
        with self.assertRaisesRegex(TypeError, "labels is 2.5; it must be an integer"):
            self.layer.ChainLayer(2.5)

    def test_a_layer_reduces_as_it_is_told(self):
        import torch
        unary, truths = torch.ones(2, 5, 3), torch.zeros(2, 5, dtype=torch.long)
        layer = self.layer.ChainLayer(3, kind="log-loss", reduction="sum")
        each = layer(unary, truths, reduction="none")
        self.assertEqual(each.shape, (2,))
        torch.testing.assert_close(layer(unary, truths), each.sum())
        with self.assertRaisesRegex(ValueError, "reduction is 'all'"):
            layer(unary, truths, reduction="all")


class GraphsTest(unittest.TestCase):
    def test_gradcheck_passes_for_graphs_with_own_and_shared_tables(self):
        import torch
        from sculpt.batch import Graphs
        from sculpt.torch import decode, marginals, structured_loss
        cycle = [(0, 1), (1, 2), (2, 0)]
        graphs = Graphs([3, 3], 2, edges=[cycle, cycle], shared=[[0, -1, 0], [-1, 0, 0]],
                        shared_shapes=[(2, 2)])
        draw = torch.Generator().manual_seed(5)
        unary, tables, shared = [
            torch.randn(*shape, dtype=torch.float64, generator=draw).requires_grad_()
            for shape in ((2, 3, 2), (2, 2, 2), (2, 2))]
        truths = torch.tensor([[0, 1, 1], [1, -1, 0]])
        more = {"graphs": graphs, "map_solver": "enumerate"}
        self.assertTrue(torch.autograd.gradcheck(
            lambda unary, tables, shared: structured_loss(
                unary, truths, tables=tables, shared=shared, kind="log-loss", **more),
            (unary, tables, shared)))
        given = {"tables": tables, "shared": shared, **more}
        self.assertEqual(decode(unary, **given).shape, truths.shape)
        torch.testing.assert_close(marginals(unary, **given).sum(-1),
                                   torch.ones(2, 3, dtype=torch.float64))
        with self.assertRaisesRegex(ValueError, "lengths belongs to sequences"):
            decode(unary, lengths=[3, 3], **given)
        with self.assertRaisesRegex(ValueError, r"tables has the shape \(2, 2\); the graphs need"):
            decode(unary, **{**given, "tables": shared})


class ExamplesTest(FolderTest):
    def test_the_code_of_the_page_runs(self):
        page = (ROOT / "sdk/python/networks.md").read_text(encoding="utf-8")
        blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
        self.assertEqual(len(blocks), 4)
        found = {}
        with contextlib.redirect_stdout(io.StringIO()):
            for block in blocks:
                exec(block, found)  # noqa: S102
        self.assertEqual(found["best"].shape, (8, 24))
        self.assertTrue((found["found"].values > 0).all())

    def test_an_example_without_its_data_says_where_they_are(self):
        done = subprocess.run([sys.executable, "-B", EXAMPLES / "words_network.py", "gone.txt"],
                              text=True, capture_output=True, timeout=100, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "^usage: .*words_network words.txt\ngone.txt is no file.*"
                         "configs/data/words/words.txt")

    def test_structure_helps_the_networks_of_the_examples(self):
        for name in ("words_network.py", "grid_network.py"):
            done = subprocess.run([sys.executable, "-B", EXAMPLES / name], text=True,
                                  capture_output=True, timeout=250, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            errors = [float(line.split()[-1]) for line in done.stdout.splitlines()
                      if "error" in line]
            self.assertEqual(len(errors), 2, done.stdout)
            self.assertLess(errors[1], 0.9 * errors[0])


if __name__ == "__main__":
    main("torch")

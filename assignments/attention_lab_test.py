"""Tests of attention_lab.py: python3 attention_lab_test.py BUILD. Without numpy it prints a line and tests nothing."""

import importlib.util
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
if importlib.util.find_spec("numpy") is None:
    print("skipped: no numpy (sudo apt install python3-numpy)")
    sys.exit()
import numpy as np

PROJECT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
os.environ["ATTENTION_LAB_GRADER"] = str(BUILD / "grader/grader")
sys.path.insert(0, str(PROJECT / "assignments"))
import attention_lab as lab


def attention(Q, K, V):
    E = np.exp(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1]))
    A = E / E.sum(-1, keepdims=True)
    return A @ V, A


class AttentionLab(unittest.TestCase):
    def setUp(self):
        random = np.random.default_rng(1)
        self.Q, self.K, self.V = (random.normal(size=shape) for shape in ((2, 5, 4), (2, 7, 4), (2, 7, 3)))

    def test_it_has_the_functions_of_the_contract(self):
        listed = subprocess.run([lab._grader(), "list", "--details"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(lab.functions(), sorted(re.findall(r"^   ([a-z_0-9]+): .* from ", listed, re.MULTILINE)))
        self.assertGreaterEqual(len(lab.functions()), 24)
        self.assertLessEqual(set(lab.functions()), set(dir(lab)))
        with self.assertRaisesRegex(AttributeError, "no function 'softmx'; it has .*softmax"):
            lab.softmx

    def test_numbers_are_those_of_numpy(self):
        Y, A = attention(self.Q, self.K, self.V)
        for implementation in ("reference", "plain", "fast"):
            answer = lab.scaled_dot_product_attention(self.Q, V=self.V, K=self.K, impl=implementation)
            self.assertEqual(answer.Y.dtype, np.float32)
            np.testing.assert_allclose(answer.Y, Y, atol=1e-5)
            np.testing.assert_allclose(answer.A, A, atol=1e-5)
        sliced = np.random.default_rng(2).normal(size=(6, 8))[::2, ::2]
        E = np.exp(sliced)
        np.testing.assert_allclose(lab.softmax(sliced), E / E.sum(-1, keepdims=True), atol=1e-6)

    def test_masks_lengths_and_options(self):
        np.testing.assert_array_equal(lab.causal_mask(N_q=2, N_k=3), [[1, 1, 0], [1, 1, 1]])
        np.testing.assert_array_equal(lab.padding_mask([1, 2], N_q=1, N_k=2), [[[1, 0]], [[1, 1]]])
        half = lab.masked_softmax(np.zeros((1, 3)), np.array([[True, False, True]]))
        np.testing.assert_allclose(half, [[0.5, 0, 0.5]])
        rows = np.array([[1.0, 3.0]])
        np.testing.assert_allclose(lab.layer_norm(rows, np.ones(2), np.zeros(2), eps=3), [[-0.5, 0.5]])
        X, one, zero = np.ones((1, 1, 2)), np.eye(2), np.zeros(2)
        weights = (one, zero) * 4
        self.assertEqual(lab.multi_head_attention(X, X, *weights, H=2).shape, (1, 1, 2))
        nothing = lab.multi_head_attention(X, X, *weights, np.zeros((1, 1, 1)), H=2)
        np.testing.assert_array_equal(nothing, np.zeros((1, 1, 2)))

    def test_wrong_arguments_are_refused_in_words(self):
        for message, call in (
            ("X has shape \\[3\\], 2 axes", lambda: lab.softmax(np.zeros(3))),
            ("lengths must hold whole numbers", lambda: lab.padding_mask([1.5], N_q=1, N_k=2)),
            ("mask must hold whole numbers", lambda: lab.masked_softmax(np.zeros((1, 1)), [[256]])),
            ("H = 2 does not divide D = 3", lambda: lab.split_heads(np.zeros((1, 1, 3)), H=2)),
            ("expected reference, plain", lambda: lab.softmax(np.zeros((1, 1)), impl="mine")),
            ("no such folder|there is no", lambda: lab.softmax(np.zeros((1, 1)), impl="student", submission="/nowhere")),
        ):
            with self.assertRaisesRegex(lab.Refused, message):
                call()
        with self.assertRaises(TypeError):
            lab.softmax()
        with self.assertRaises(TypeError):
            lab.split_heads(np.zeros((1, 1, 2)))

    def test_the_page_for_students_runs_as_it_stands(self):
        page = (PROJECT / "assignments/working.md").read_text()
        blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
        self.assertEqual(len(blocks), 1)
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            for name, target in (("assignments", PROJECT / "assignments"), ("build", BUILD)):
                (place / name).symlink_to(target)
            (place / "student").mkdir()
            shutil.copy(PROJECT / "grader/assignments/self_attention/proof/solution.cpp",
                        place / "student/self_attention.cpp")
            environment = {name: value for name, value in os.environ.items() if name != "ATTENTION_LAB_GRADER"}
            run = subprocess.run([sys.executable, "-B", "-c", blocks[0]], cwd=place, env=environment, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            self.assertEqual(run.returncode, 0, run.stdout)
            self.assertLess(float(run.stdout.split()[0]), 1e-5)
            self.assertIn("scaled_dot_product_attention(Q, K, V, *, impl='reference', submission=None)", run.stdout)

    def test_what_a_student_prints_is_shown(self):
        with tempfile.TemporaryDirectory() as folder:
            source = (PROJECT / "grader/assignments/self_attention/proof/solution.cpp").read_text()
            at = source.index("{", source.index("void softmax(")) + 1
            pathlib.Path(folder, "self_attention.cpp").write_text(
                "#include <cstdio>\n" + source[:at] + ' std::puts("row by row"); ' + source[at:])
            errors, sys.stderr = sys.stderr, io.StringIO()
            try:
                lab.softmax(np.zeros((1, 2)), impl="student", submission=folder)
                self.assertIn("| row by row", sys.stderr.getvalue())
            finally:
                sys.stderr = errors


if __name__ == "__main__":
    unittest.main()

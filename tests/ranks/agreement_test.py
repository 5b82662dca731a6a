"""Ranks whose files, plugins or settings differ, or that cannot start: one message, and its code.

agreement_test.py SCULPT
"""

import os
import shutil
import socket

from rank_setting import BUILD, SCULPT, USUAL_PATIENCE, RankTest, main, words_experiment

HOST = socket.gethostname()
PLUGINS = BUILD / "lib/sculpt/plugins"


class AgreementTest(RankTest):
    def setUp(self):
        super().setUp()
        self.experiment, files = words_experiment({"use": "n_slack", "C": 50, "max_passes": 20})
        for name, text in files.items():
            self.write(name, text)

    def refused(self, count, exit_code, *messages, program=None, experiment="experiment.json",
                options=(), lines=1, **environment):
        """Trains; all ranks must end with the code, and the text be printed once."""
        if not (self.folder / "experiment.json").exists():
            self.write("experiment.json", self.experiment)
        done = self.ranks(count, "train", experiment, "--output", "run", "--quiet", *options,
                          program=program, timeout=60, **environment)
        self.assertEqual(done.returncode, exit_code, done.stderr)
        for message in messages:
            self.assertEqual(done.stderr.count(message), 1, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), lines, done.stderr)
        self.assertEqual(done.stdout, "")
        return done

    def on_rank(self, rank, setting):
        """A program that sets a variable of the environment on one rank, and runs sculpt."""
        return self.script("on_rank.sh", f'if [ "$OMPI_COMM_WORLD_RANK" = {rank} ]; then\n'
                                         f"export {setting}\nfi\nexec {SCULPT} \"$@\"\n")

    def test_a_file_that_differs_on_a_rank(self):
        self.experiment["dataset"]["train"] = "${env:WORDS}"
        self.write("other.txt", (self.folder / "words.txt").read_text() + "99 0 0 a 0 010101\n")
        self.refused(3, 65, f"sculpt: rank 2 of 3 on {HOST}: data/", " on rank 0; all ranks need "
                     "the same experiment, data and plugins",
                     program=self.on_rank(2, f"WORDS={self.folder}/other.txt"),
                     WORDS=str(self.folder / "words.txt"))
        self.assertFalse((self.folder / "run").exists())

    def test_a_file_that_differs_on_a_rank_in_a_run_with_validations(self):
        self.experiment["solver"]["validate_every"] = 3
        self.experiment["hold_out"] = {"fraction": 0.25}
        self.test_a_file_that_differs_on_a_rank()

    def test_inputs_of_predict_evaluate_and_verify_that_differ_on_a_rank(self):
        self.write("experiment.json", self.experiment)
        trained = self.sculpt("train", "experiment.json", "--output", "run", "--quiet")
        self.assertEqual(trained.returncode, 0, trained.stderr)
        self.write("longer.txt", (self.folder / "words.txt").read_text() + "99 0 0 a 0 010101\n")
        other = self.folder / "other"
        other.mkdir()
        for name in ("words.txt", "experiment.json"):
            shutil.copy(self.folder / name, other)
        self.sculpt("train", "other/experiment.json", "--output", "other/run", "--quiet", "--set",
                    "solver.C=2")
        there = self.script("there.sh", 'if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then cd other; fi\n'
                                        f'exec {SCULPT} "$@"\n')
        for words, difference in ((("predict", "run", "words.txt"), "data/model"),
                                  (("evaluate", "run", "words.txt"), "data/model"),
                                  (("verify", "run"), "")):
            self.refused_words(words, there, difference)
        shutil.rmtree(other / "run")
        shutil.copytree(self.folder / "run", other / "run")
        shutil.copy(self.folder / "longer.txt", other / "words.txt")
        for words in (("predict", "run", "words.txt"), ("evaluate", "run", "words.txt")):
            self.refused_words(words, there, "data/predict")

    def refused_words(self, words, program, difference):
        done = self.ranks(2, *words, program=program, timeout=60)
        self.assertIn(done.returncode, (65, 78), done.stderr)
        self.assertEqual(done.stderr.count(f"sculpt: rank 1 of 2 on {HOST}: {difference}"), 1,
                         done.stderr)
        self.assertEqual(done.stdout, "")

    def test_a_file_that_a_rank_does_not_have(self):
        self.experiment["dataset"]["train"] = "${env:WORDS}"
        self.refused(2, 66, f"sculpt: rank 1 of 2 on {HOST}: ", "nowhere.txt",
                     program=self.on_rank(1, f"WORDS={self.folder}/nowhere.txt"),
                     WORDS=str(self.folder / "words.txt"))
        self.refused(2, 66, f"sculpt: rank 0 of 2 on {HOST}: ", "nowhere.txt",
                     program=self.on_rank(0, f"WORDS={self.folder}/nowhere.txt"),
                     WORDS=str(self.folder / "words.txt"))

    def test_a_setting_that_differs_on_a_rank(self):
        self.experiment["dataset"]["unit"] = "${env:UNIT}"
        self.refused(2, 78, f"sculpt: rank 1 of 2 on {HOST}: ", '"letter"', '"word" on rank 0',
                     program=self.on_rank(1, "UNIT=letter"), UNIT="word")

    def test_a_plugin_that_a_rank_does_not_have(self):
        self.experiment["loss"] = "rank_fault"
        plugins = self.folder / "own"
        plugins.mkdir()
        for suffix in (".so", ".sculpt.json"):
            shutil.copy(f"{BUILD}/tests/ranks/plugins/test_rank_fault{suffix}", plugins)
        # As by one process: the experiment names something unknown.
        self.refused(3, 78, f"sculpt: rank 1 of 3 on {HOST}: ", 'no loss is called "rank_fault"',
                     program=self.on_rank(1, "SCULPT_PLUGIN_PATH=/nowhere"),
                     SCULPT_PLUGIN_PATH=str(plugins))

    def test_another_build_of_a_plugin_on_a_rank(self):
        other = self.folder / "other"
        other.mkdir()
        shutil.copy(PLUGINS / "hamming.sculpt.json", other)
        # A library may have more behind its end.
        (other / "hamming.so").write_bytes((PLUGINS / "hamming.so").read_bytes() + b"\0")
        self.refused(2, 69, f"sculpt: rank 1 of 2 on {HOST}: libraries/",
                     program=self.on_rank(1, f"SCULPT_PLUGIN_PATH={other}"))

    def test_a_common_mistake_names_no_rank(self):
        self.write("wrong.json", '{"dataset": {')
        alone = self.sculpt("train", "wrong.json", "--output", "run")
        # mpirun sends SIGTERM to ranks that end a little later. It must cause no message.
        done = self.refused(3, 78, experiment="wrong.json", lines=alone.stderr.count("\n"),
                            **USUAL_PATIENCE)
        self.assertEqual(done.stderr, alone.stderr)
        done = self.refused(2, 66, experiment="missing.json")
        self.assertNotIn("rank", done.stderr)

    def test_an_output_folder_that_exists(self):
        (self.folder / "run").mkdir()
        self.write("run/note.txt", "mine")
        alone = self.sculpt("train", self.write("experiment.json", self.experiment), "--output",
                            "run", "--quiet")
        self.assertEqual(alone.returncode, 73)
        # Only the first rank looks at the folder.
        self.refused(2, 73, f"sculpt: rank 0 of 2 on {HOST}: "
                     + alone.stderr.splitlines()[0].removeprefix("sculpt: "))

    def test_a_solver_that_asks_one_by_one(self):
        for solver in ("perceptron", {"use": "n_slack", "batch": 1}):
            self.write("experiment.json", self.experiment | {"solver": solver})
            done = self.refused(2, 78, "asks one example at a time, so several ranks do not make "
                                "it faster; start it without mpirun, or set \"batch\"")
            self.assertNotIn("rank 1", done.stderr)

    def installation(self) -> str:
        """A copy of the program and its libraries, without that of MPI."""
        copy = self.folder / "installed"
        (copy / "lib").mkdir(parents=True)
        shutil.copytree(BUILD / "bin", copy / "bin")
        for library in (BUILD / "lib").glob("libsculpt.so*"):
            shutil.copy(library, copy / "lib", follow_symlinks=False)
        (copy / "lib/sculpt").mkdir()
        os.symlink(BUILD / "lib/sculpt/plugins", copy / "lib/sculpt/plugins")
        return str(copy / "bin/sculpt")

    def test_the_library_for_mpi_is_missing(self):
        program = self.installation()
        self.write("experiment.json", self.experiment)
        done = self.ranks(2, "train", "experiment.json", "--output", "run", program=program)
        self.assertEqual(done.returncode, 69, done.stderr)
        self.assertIn("lib/sculpt/libsculpt-mpi.so: cannot be loaded", done.stderr)
        self.assertIn("; this process was started by mpirun, and needs it to share the work; "
                      "install the package sculpt-mpi", done.stderr)
        self.assertFalse((self.folder / "run").exists())

    def test_ranks_that_do_not_see_each_other(self):
        # As if started by the mpirun of another MPI.
        self.write("experiment.json", self.experiment)
        names = r"$(env | grep -o '^\(PMIX\|OMPI\)[A-Z0-9_a-z]*')"
        apart = self.script("apart.sh", f"for name in {names}; do unset $name; done\n"
                                        "export OMPI_COMM_WORLD_SIZE=2 OMPI_ALLOW_RUN_AS_ROOT=1 "
                                        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1\n"
                                        f'exec {SCULPT} "$@"\n')
        done = self.ranks(2, "train", "experiment.json", "--output", "run", program=apart)
        self.assertEqual(done.returncode, 69, done.stderr)
        self.assertIn("this is one of 2 processes, but Open MPI v", done.stderr)
        self.assertIn(" sees it alone; start them with the mpirun of that MPI", done.stderr)


if __name__ == "__main__":
    main()

// sculpt verify on runs with kernels, unchanged and changed.

#include <cmath>

#include "command/forged_run.hpp"

#include "command/kernel_runs.hpp"

using namespace sculpt::test;

namespace {

Outcome verify(const Scratch& scratch) {
  return scratch.sculpt({"verify", "run"});
}

void check_refuted(const Scratch& scratch, const std::string& text) {
  const Outcome outcome = verify(scratch);
  INFO(outcome.out);
  INFO(outcome.err);
  CHECK(outcome.exit == 1);
  CHECK(contains(outcome.out, text));
}

}  // namespace

TEST_CASE("verify confirms runs with rbf, and refutes a changed beta, alpha or plane") {
  for (const Json& small : {multiclass_experiment(), chain_experiment()}) {
    const Scratch scratch;
    const Json experiment = with(small, "/kernel", rbf(0.5));
    const Json end = trained(scratch, experiment);
    const Outcome verified = verify(scratch);
    INFO(verified.out);
    INFO(verified.err);
    CHECK(verified.exit == 0);
    CHECK(contains(verified.out, "small: verified: gap"));
    fs::copy(scratch / "run", scratch / "kept", fs::copy_options::recursive);
    const auto restore = [&] {
      fs::remove_all(scratch / "run");
      fs::copy(scratch / "kept", scratch / "run", fs::copy_options::recursive);
    };
    forge_model(scratch / "run", [](Json&, std::vector<double>& weights) { weights[0] += 0.1; });
    check_refuted(scratch, "primal: reported");
    restore();
    forge_heaviest_plane(scratch / "run", [](SavedPlane& plane) { plane.alpha *= 0.5; });
    check_refuted(scratch, "dual: reported");
    restore();
    forge_heaviest_plane(scratch / "run", [](SavedPlane& plane) { plane.b *= 2; });
    check_refuted(scratch, "planes: ");
  }
}

TEST_CASE("verify refuses a model with an atom that is no row of the training data") {
  const Scratch scratch;
  trained(scratch, with(multiclass_experiment(), "/kernel", rbf(0.5)));
  forge_support_atom(scratch / "run");
  const Outcome outcome = verify(scratch);
  INFO(outcome.err);
  CHECK(outcome.exit == exit_data);
  CHECK(contains(outcome.err, " of the model is no row of the training data"));
}

TEST_CASE("verify confirms runs with a kernel that a limit ended, whose scores are rounded") {
  const Scratch scratch;
  for (const int passes : {1, 3, 6}) {
    CAPTURE(passes);
    const Json experiment = with(multiclass_experiment(), "/kernel", rbf(0.5));
    trained(scratch, with(experiment, "/solver/max_passes", passes));
    const Outcome outcome = verify(scratch);
    INFO(outcome.out);
    INFO(outcome.err);
    CHECK(outcome.exit == 3);
    CHECK(contains(outcome.out, "small: verified: gap"));
  }
}

TEST_CASE("verify does not certify a run with a kernel that is not positive, and says why") {
  const Scratch scratch;
  const Json sigmoid = {{"use", "sigmoid"}, {"gamma", 0.1}};
  const Json end = trained(scratch, with(multiclass_experiment(), "/kernel", sigmoid), "run",
                           {"--set", "solver.max_passes=30"});
  CHECK(end["certified"] == false);
  const Outcome outcome = verify(scratch);
  INFO(outcome.out);
  INFO(outcome.err);
  CHECK(outcome.exit == 3);
  CHECK(contains(outcome.out, "the kernel does not claim to be positive semidefinite"));
}

namespace {

using Rows = std::vector<std::vector<double>>;

// The values of rbf 0.5 of each row with the others.
Rows values_of(const Rows& rows, const Rows& others) {
  Rows values;
  for (const std::vector<double>& a : rows) {
    values.emplace_back();
    for (const std::vector<double>& b : others) {
      double squared = 0;
      for (std::size_t j = 0; j < a.size(); ++j) squared += (a[j] - b[j]) * (a[j] - b[j]);
      values.back().push_back(std::exp(-0.5 * squared));
    }
  }
  return values;
}

std::string table_of(const Rows& values) {
  std::string text;
  for (const std::vector<double>& row : values) {
    for (const double value : row) text += number(value) + " ";
    text += "\n";
  }
  return text;
}

}  // namespace

TEST_CASE(
    "verify, loo and prune read the values of the kernel matrix again, from a file and rows") {
  const Scratch scratch;
  const Rows rows = class_rows(24);
  const Rows more = random_rows(6, 3, 21);
  Rows all = rows;
  all.insert(all.end(), more.begin(), more.end());
  scratch.write("values.txt", table_of(values_of(all, all)));
  scratch.write("test.txt", class_text(more));
  const Json without = with(multiclass_experiment(), "/dataset/train/text", class_text(rows));
  Json from_file = without;
  from_file["dataset"]["test"] = "test.txt";
  from_file["kernel"] = {{"use", "matrix"}, {"file", "values.txt"}, {"positive", true}};
  const Json from_rows =
      with(with(without, "/dataset/train/text", class_text(values_of(rows, rows))), "/kernel",
           {{"use", "matrix"}, {"positive", true}});
  const Json expected = trained(scratch, with(without, "/kernel", rbf(0.5)), "rbf");
  int run = 0;
  for (const Json& experiment : {from_file, from_rows}) {
    check_same_optimum(trained(scratch, experiment), expected);
    const std::string pruned = "pruned_" + std::to_string(++run);
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"verify", "run"}, std::vector<std::string>{"loo", "run"},
          std::vector<std::string>{"prune", "run", "--output", pruned}}) {
      const Outcome outcome = scratch.sculpt(command);
      CAPTURE(command.front());
      INFO(outcome.err);
      CHECK((outcome.exit == 0 || outcome.exit == 3));
    }
  }
}

TEST_CASE("a model of a matrix file predicts new data with another file") {
  const Scratch scratch;
  const Rows rows = class_rows(24);
  const Rows more = random_rows(10, 3, 22);
  scratch.write("values.txt", table_of(values_of(rows, rows)));
  scratch.write("new_values.txt", table_of(values_of(more, rows)));
  scratch.write("new.txt", class_text(more));
  const Json experiment = with(multiclass_experiment(), "/dataset/train/text", class_text(rows));
  trained(scratch, with(experiment, "/kernel", rbf(0.5)), "rbf");
  trained(scratch, with(experiment, "/kernel",
                        {{"use", "matrix"}, {"file", "values.txt"}, {"positive", true}}));
  const Outcome by_file = scratch.sculpt({"predict", "run", "new.txt", "--set",
                                          "kernel.file=" + (scratch / "new_values.txt").string()});
  INFO(by_file.err);
  CHECK(by_file.exit == 0);
  CHECK(by_file.out == scratch.sculpt({"predict", "rbf", "new.txt"}).out);
}

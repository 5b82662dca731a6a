// sculpt verify on runs with kernels, unchanged and changed.

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
  CHECK(contains(outcome.out, "the kernel is not positive semidefinite"));
}

// sculpt prune: fewer support atoms, a bound that holds, and a run that verify confirms.

#include <cmath>

#include "command/kernel_runs.hpp"

using namespace sculpt::test;

namespace {

Outcome prune(const Scratch& scratch, std::vector<std::string> more) {
  more.insert(more.begin(), {"prune", "run", "--output", "small_run"});
  return scratch.sculpt(more);
}

}  // namespace

TEST_CASE("a pruned model has few atoms of a kernel with few features, and nearly the same P") {
  const Scratch scratch;
  const Json experiment = with(multiclass_experiment(), "/kernel", "linear");
  const Json end = trained(scratch, experiment);
  const Outcome pruned = prune(scratch, {"--tolerance", "1e-6"});
  INFO(pruned.out);
  INFO(pruned.err);
  REQUIRE(pruned.exit == 0);
  const Json after = scratch.finished("small_run");
  // Three columns and no bias: each w_b is a sum of three rows.
  CHECK(after["pruned"]["support_atoms"] == 3);
  CHECK(after["pruned"]["support_atoms_before"] > 3);
  CHECK(after["primal"].get<double>() ==
        doctest::Approx(end["primal"].get<double>()).epsilon(1e-5));
  CHECK(after["dual"] == end["dual"]);
  CHECK(weights_of(scratch.read("small_run/model.sculpt")).size() == 3 * 3);
}

TEST_CASE("verify proves the gap of a pruned run, which predicts without the training data") {
  const Scratch scratch;
  scratch.write("train.txt", class_text(class_rows(90)));
  scratch.write("test.txt", class_text(class_rows(20)));
  Json experiment = with(multiclass_experiment(), "/kernel", rbf(0.2));
  experiment["dataset"]["train"] = "train.txt";
  const Json end = trained(scratch, experiment);
  const std::string model = scratch.read("run/model.sculpt");
  const Outcome pruned = prune(scratch, {"--tolerance", "0.05", "--threads", "1"});
  INFO(pruned.out);
  INFO(pruned.err);
  REQUIRE(pruned.exit == 0);
  CHECK(contains(pruned.out, "support atoms"));
  CHECK(contains(pruned.out, "||w - w'||"));
  CHECK(scratch.read("run/model.sculpt") == model);
  const std::string small_model = scratch.read("small_run/model.sculpt");
  CHECK(small_model.size() < model.size());
  const Json after = scratch.finished("small_run");
  CHECK(after["certified"] == true);
  CHECK(after["stopped_by"] == "pruned");
  // P is convex, and at most sqrt(2) C ||phi|| longer a slope per unit of slack.
  const double distance = after["pruned"]["distance"];
  CHECK(after["primal"] > end["primal"]);
  const double norm = std::sqrt(2 * end["primal"].get<double>());
  CHECK(after["primal"].get<double>() - end["primal"].get<double>() <=
        distance * (norm + distance + 20 * std::sqrt(2)));

  const Outcome verified = scratch.sculpt({"verify", "small_run"});
  INFO(verified.out);
  INFO(verified.err);
  CHECK(verified.exit == 3);
  CHECK(contains(verified.out, "verified: gap"));
  CHECK(contains(verified.out, "was not reached"));
  fs::remove_all(scratch / "small_run");
  CHECK(prune(scratch, {"--tolerance", "0.05", "--threads", "2"}).exit == 0);
  CHECK(scratch.read("small_run/model.sculpt") == small_model);
  fs::remove(scratch / "train.txt");
  CHECK(scratch.sculpt({"predict", "small_run", "test.txt"}).exit == 0);
}

TEST_CASE("prune refuses what it cannot bound, and overwrites nothing") {
  const Scratch scratch;
  trained(scratch, multiclass_experiment());
  const Outcome dense = prune(scratch, {});
  CHECK(dense.exit == exit_config);
  CHECK(contains(dense.err, "has no kernel, so there are no support atoms to remove"));
  trained(scratch, with(multiclass_experiment(), "/kernel", {{"use", "sigmoid"}, {"gamma", 0.1}}),
          "run", {"--set", "solver.max_passes=5"});
  CHECK(contains(prune(scratch, {}).err, "its kernel is not positive semidefinite"));
  CHECK_FALSE(fs::exists(scratch / "small_run"));
  trained(scratch, with(multiclass_experiment(), "/kernel", rbf(1)));
  CHECK(prune(scratch, {"--tolerance", "0"}).exit == 64);
  CHECK(scratch.sculpt({"prune", "run"}).exit == 64);
  const std::string model = scratch.read("run/model.sculpt");
  const Outcome same = scratch.sculpt({"prune", "run", "--output", "run"});
  CHECK(same.exit == 73);
  CHECK(contains(same.err, "holds another run"));
  CHECK(scratch.read("run/model.sculpt") == model);
}

TEST_CASE("prune refuses a hard margin, because no bound of P is left") {
  const Scratch scratch;
  const Json experiment = with(multiclass_experiment(), "/kernel", rbf(2));
  trained(scratch, with(with(experiment, "/solver/C", "inf"), "/solver/relative_gap", 1e-3));
  const Outcome refused = prune(scratch, {});
  CHECK(refused.exit == exit_config);
  CHECK(contains(refused.err, "C is infinite"));
  CHECK_FALSE(fs::exists(scratch / "small_run"));
}

TEST_CASE("prune copies no checkpoint that is older than the model") {
  const Scratch scratch;
  trained(scratch, with(multiclass_experiment(), "/kernel", rbf(0.5)));
  REQUIRE(prune(scratch, {}).exit == 0);
  CHECK(fs::exists(scratch / "small_run/checkpoints/last.sculpt"));
  CHECK(scratch.finished("small_run")["checkpoint_written"] == true);
  fs::remove_all(scratch / "small_run");
  // What train writes if there is no space for the last checkpoint.
  std::string events = scratch.read("run/events.jsonl");
  const std::string written = "\"checkpoint_written\":true";
  const std::size_t place = events.rfind(written);
  REQUIRE(place != std::string::npos);
  scratch.write("run/events.jsonl",
                events.replace(place, written.size(), "\"checkpoint_written\":false"));
  const Outcome pruned = prune(scratch, {});
  INFO(pruned.err);
  REQUIRE(pruned.exit == 0);
  CHECK(contains(pruned.err, "the checkpoint is older than the model"));
  CHECK_FALSE(fs::exists(scratch / "small_run/checkpoints/last.sculpt"));
  CHECK(scratch.finished("small_run")["checkpoint_written"] == false);
}

// The runs and options that sculpt loo refuses.

#include "command/loo_runs.hpp"

using namespace sculpt::test;

TEST_CASE("loo refuses what it cannot leave out, and says what to do") {
  const Scratch scratch;
  const auto refused = [&](const Json& experiment, int exit,
                           const std::vector<std::string>& texts) {
    trained(scratch, experiment);
    const Outcome outcome = scratch.sculpt({"loo", "run"});
    INFO(outcome.err);
    CHECK(outcome.exit == exit);
    CHECK(outcome.out.empty());
    for (const std::string& text : texts) {
      CAPTURE(text);
      CHECK(contains(outcome.err, text));
    }
  };
  const Json experiment = multiclass_of(24);
  const auto with_solver = [&](const std::string& solver) {
    Json other = experiment;
    other["solver"] = {{"use", solver}};
    return other;
  };
  refused(with_solver("one_slack"), exit_config,
          {"one_slack has one slack for all examples", "train with n_slack or frank_wolfe"});
  refused(with_solver("perceptron"), exit_config, {"perceptron keeps no planes"});
  refused(with_solver("subgradient"), exit_config, {"subgradient keeps no planes"});
  refused(with_solver("crf"), exit_config, {"crf keeps no planes"});
  refused(with(multiclass_of(6), "/solver/C", "inf"), exit_config, {"C is infinite"});
  refused(with(experiment, "/solver/max_passes", 1), exit_data,
          {"has not reached its target", "train --resume"});
  const std::string no_certificate = "has not reached its target with a certificate";
  refused(with(chain_experiment(), "/oracle", "icm"), exit_data, {no_certificate, "exact"});
  Json sigmoid = with(experiment, "/kernel", {{"use", "sigmoid"}, {"gamma", 0.1}});
  sigmoid["solver"]["max_passes"] = 30;
  refused(sigmoid, exit_data, {no_certificate, "positive semidefinite"});
  Json relaxed = with(multilabel_experiment(), "/oracle", "lp");
  relaxed["solver"]["relative_gap"] = 1e-3;
  refused(relaxed, exit_config, {"the oracle gives relaxed answers"});
  Json one_example = with(contingency_experiment(), "/solver/C", 5);
  refused(one_example, exit_config, {"the run has one", "a loss over a whole set"});
}

TEST_CASE("loo refuses other data, a folder that is no run, a missing checkpoint, wrong options") {
  const Scratch scratch;
  scratch.write("data.txt", class_text(class_rows(24)));
  Json experiment = multiclass_of(24);
  experiment["dataset"]["train"] = "data.txt";
  trained(scratch, experiment);
  const auto refused = [&](const std::vector<std::string>& words, int exit,
                           const std::string& text) {
    const Outcome outcome = scratch.sculpt(words);
    INFO(outcome.err);
    CHECK(outcome.exit == exit);
    CHECK(contains(outcome.err, text));
  };
  refused({"loo", "nowhere"}, 66, "nowhere: is not a run folder; loo needs the folder with");
  refused({"loo"}, 64, "RUN");
  refused({"loo", "run", "--examples", "0"}, 64, "--examples must be at least 1");
  refused({"loo", "run", "--list", "--json"}, 64, "--list and --json exclude each other");
  refused({"loo", "run", "--set", "solver.C=7"}, exit_config,
          "loo needs the run as it was trained");
  scratch.write("other.txt", class_text(class_rows(27)));
  refused({"loo", "run", "--set", "dataset.train=other.txt"}, exit_data,
          "the data of train have the hash");
  fs::remove_all(scratch / "run" / "checkpoints");
  refused({"loo", "run"}, 66, "has no checkpoint with the planes of its model");
}

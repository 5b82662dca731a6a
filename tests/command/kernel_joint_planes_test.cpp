// one_slack with kernels: the optimum of n_slack by exact joint planes, and sampled ones.

#include "command/kernel_runs.hpp"

using namespace sculpt::test;

namespace {

Json joint(const Json& experiment, Json settings = Json::object()) {
  Json solver = experiment["solver"];
  solver["use"] = "one_slack";
  solver.update(settings);
  return with(experiment, "/solver", solver);
}

void check_verified(const Scratch& scratch, int exit) {
  const Outcome verified = scratch.sculpt({"verify", "run"});
  INFO(verified.out);
  INFO(verified.err);
  CHECK(verified.exit == exit);
}

}  // namespace

TEST_CASE("one_slack reaches the optimum of n_slack with a kernel, and verify agrees") {
  const Scratch scratch;
  for (const Json& small : {multiclass_experiment(), chain_experiment()}) {
    const Json experiment = with(with(small, "/kernel", rbf(0.5)), "/solver/relative_gap", 1e-5);
    const Json expected = trained(scratch, experiment);
    for (const int cache : {0, 5}) {
      CAPTURE(cache);
      const Json end = trained(scratch, joint(experiment, {{"cache", cache}}));
      CHECK(end["certified"] == true);
      CHECK(end["stopped_by"] == "relative_gap");
      check_same_optimum(end, expected, 2e-5);
      check_verified(scratch, 0);
    }
  }
}

TEST_CASE("every formulation of one_slack runs with a kernel and is certified") {
  const Scratch scratch;
  const Json experiment = with(multiclass_experiment(), "/kernel", rbf(2));
  for (const Json& change :
       {Json{{"rescaling", "slack"}}, Json{{"slack_norm", 2}}, Json{{"C", "inf"}}}) {
    CAPTURE(change.dump());
    Json settings = {{"relative_gap", 1e-4}};
    settings.update(change);
    const Json end =
        trained(scratch, joint(experiment, settings), "run", {"--set", "solver.max_seconds=20"});
    CHECK(end["certified"] == true);
    CHECK(end["stopped_by"] == "relative_gap");
    check_verified(scratch, 0);
  }
}

TEST_CASE("threads, memory for rows and a resumed run change no byte of a one_slack model") {
  const Scratch scratch;
  for (const Json& settings :
       {Json{{"relative_gap", 1e-4}}, Json{{"cut_sample", 12}, {"relative_gap", 1e-3}},
        Json{{"cut_sample", 12}, {"cut_sampling", "importance"}, {"relative_gap", 1e-3}}}) {
    CAPTURE(settings.dump());
    const Json experiment = joint(with(multiclass_experiment(), "/kernel", rbf(0.5)), settings);
    const auto model_after = [&](const std::vector<std::string>& more) {
      trained(scratch, experiment, "run", more);
      return scratch.read("run/model.sculpt");
    };
    const std::string model = model_after({"--threads", "1", "--set", "solver.max_passes=1000"});
    CHECK(model_after({"--threads", "2", "--set", "solver.max_passes=1000"}) == model);
    const std::vector<double> weights = weights_of(model);
    model_after({"--set", "solver.kernel_megabytes=0"});
    CHECK(weights_of(scratch.read("run/model.sculpt")) == weights);
    fs::remove_all(scratch / "run");
    model_after({"--set", "solver.max_passes=3"});
    CHECK(model_after({"--resume", "--set", "solver.max_passes=1000"}) == model);
  }
}

// Joint planes of few examples have few distinct values, and are stored by value.
TEST_CASE("one_slack with a kernel and a linear part can be verified and resumed after each pass") {
  const Scratch scratch;
  const Json experiment = joint(
      with(chain_experiment(), "/kernel", {{"use", "polynomial"}, {"degree", 2}, {"gamma", 0.5}}),
      {{"relative_gap", 1e-6}});
  for (int passes = 1; passes <= 8; ++passes) {
    CAPTURE(passes);
    trained(scratch, experiment, "run", {"--set", "solver.max_passes=" + std::to_string(passes)});
    const Outcome verified = scratch.sculpt({"verify", "run"});
    INFO(verified.err);
    CHECK(verified.exit == 3);
    trained(scratch, experiment, "run", {"--resume", "--set", "solver.max_passes=1000"});
  }
}

TEST_CASE("sampled cuts come near to the optimum, prove nothing, and measure P over all examples") {
  const Scratch scratch;
  for (const Json& kernel : {Json("linear"), Json()}) {
    Json experiment = multiclass_experiment();
    experiment["dataset"]["train"]["text"] = class_text(class_rows(150));
    if (!kernel.is_null()) experiment["kernel"] = kernel;
    const double optimum = trained(scratch, experiment)["primal"];
    for (const char* sampling : {"uniform", "importance"}) {
      CAPTURE(sampling);
      const Json sampled = joint(experiment, {{"cut_sample", 50},
                                              {"cut_sampling", sampling},
                                              {"relative_gap", 1e-2},
                                              {"max_passes", 300}});
      const Json end = trained(scratch, sampled);
      CHECK(end["certified"] == false);
      CHECK(end["dual"].is_null());
      CHECK(end["primal_high"] == end["primal"]);
      CHECK(end["primal"] >= optimum * (1 - 1e-6));
      CHECK(end["primal"] <= optimum * 1.5);
      check_verified(scratch, 3);
    }
  }
}

// With all examples drawn, a plane is that of one_slack, in another order of its sums.
TEST_CASE("a sample of all examples takes the passes of one_slack") {
  const Scratch scratch;
  const Json experiment = with(multiclass_experiment(), "/kernel", rbf(0.5));
  const Json settings = {{"cache", 0}, {"relative_gap", 1e-3}};
  const Json exact = trained(scratch, joint(experiment, settings));
  Json all = settings;
  all["cut_sample"] = 1000;
  const Json sampled = trained(scratch, joint(experiment, all));
  CHECK(sampled["stopped_by"] == "sampled_gap");
  CHECK(sampled["primal"].get<double>() ==
        doctest::Approx(exact["primal"].get<double>()).epsilon(2e-3));
}

TEST_CASE("hard margins have no sampled cuts") {
  const Scratch scratch;
  scratch.write("small.json",
                joint(multiclass_experiment(), {{"C", "inf"}, {"cut_sample", 5}}).dump());
  const Outcome refused = scratch.sculpt({"train", "small.json", "--output", "run"});
  CHECK(refused.exit == exit_config);
  CHECK(contains(refused.err, "cut_sample does not support hard margins"));
}

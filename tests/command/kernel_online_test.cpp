// perceptron and subgradient with kernels take the steps that they take on the features of the
// kernel.

#include <sstream>

#include "command/kernel_runs.hpp"

using namespace sculpt::test;

namespace {

Json online(const Json& experiment, const std::string& solver, Json settings = Json::object()) {
  Json values = {{"use", solver}, {"C", 20}, {"max_passes", 8}, {"evaluate_every", 3}};
  values.update(settings);
  return with(experiment, "/solver", values);
}

// Of each pass: the mistakes or violated margins. P follows, of the passes that evaluate it.
std::vector<double> steps_of(const Scratch& scratch, const std::string& folder) {
  std::vector<double> counts, primals;
  std::istringstream lines(scratch.read(folder + "/events.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const Json event = Json::parse(line);
    if (event["event"] != "pass") continue;
    for (const char* key : {"mistakes", "violated"}) {
      if (event.contains(key)) counts.push_back(event[key]);
    }
    if (event["primal_low"].is_number()) primals.push_back(event["primal_low"]);
  }
  CHECK(counts.size() >= 2);
  CHECK_FALSE(primals.empty());
  counts.insert(counts.end(), primals.begin(), primals.end());
  return counts;
}

// Both experiments make the same mistakes, and have the same P at the same passes.
void check_same_steps(const Json& with_kernel, const Json& with_features) {
  const Scratch scratch;
  const Json end = trained(scratch, with_kernel, "kernel");
  const Json expected = trained(scratch, with_features, "features");
  const std::vector<double> steps = steps_of(scratch, "kernel");
  const std::vector<double> expected_steps = steps_of(scratch, "features");
  REQUIRE(steps.size() == expected_steps.size());
  for (std::size_t k = 0; k < steps.size(); ++k) {
    CAPTURE(k);
    CHECK(steps[k] == doctest::Approx(expected_steps[k]).epsilon(1e-6));
  }
  CHECK(end["stopped_by"] == expected["stopped_by"]);
  CHECK(end["primal"].get<double>() ==
        doctest::Approx(expected["primal"].get<double>()).epsilon(1e-6));
}

}  // namespace

TEST_CASE("perceptron with the linear kernel makes the mistakes of a run without a kernel") {
  for (const Json& small : {multiclass_experiment(), chain_experiment(), multilabel_experiment()}) {
    for (const Json& settings :
         {Json::object(), Json{{"loss_weight", 1}}, Json{{"batch", 5}, {"order", "sequential"}}}) {
      CAPTURE(settings.dump());
      const Json experiment = online(small, "perceptron", settings);
      check_same_steps(with(experiment, "/kernel", "linear"), experiment);
    }
  }
}

TEST_CASE("subgradient with the linear kernel makes the steps of a run without a kernel") {
  for (const Json& settings : {Json::object(), Json{{"slack_norm", 2}},
                               Json{{"rescaling", "slack"}, {"slack_norm", 2}, {"batch", 4}}}) {
    CAPTURE(settings.dump());
    const Json experiment = online(chain_experiment(), "subgradient", settings);
    check_same_steps(with(experiment, "/kernel", "linear"), experiment);
  }
}

TEST_CASE("online solvers with the polynomial kernel of degree 2 are those on its features") {
  const Json polynomial = {{"use", "polynomial"}, {"degree", 2}};
  for (const char* solver : {"perceptron", "subgradient"}) {
    CAPTURE(solver);
    const Json experiment = online(multiclass_experiment(), solver);
    check_same_steps(
        with(experiment, "/kernel", polynomial),
        with(experiment, "/dataset/train/text", class_text(quadratic_rows(class_rows()))));
  }
}

TEST_CASE("neither threads, memory for rows nor a resumed run change an online model") {
  const Scratch scratch;
  for (const char* solver : {"perceptron", "subgradient"}) {
    CAPTURE(solver);
    const Json experiment =
        with(online(chain_experiment(), solver, {{"batch", 4}}), "/kernel", rbf(0.5));
    const auto model_after = [&](const std::vector<std::string>& more) {
      trained(scratch, experiment, "run", more);
      return scratch.read("run/model.sculpt");
    };
    const std::string model = model_after({"--threads", "1"});
    CHECK(model_after({"--threads", "2"}) == model);
    const std::vector<double> weights = weights_of(model);
    model_after({"--set", "solver.kernel_megabytes=0"});
    CHECK(weights_of(scratch.read("run/model.sculpt")) == weights);
    fs::remove_all(scratch / "run");
    model_after({"--set", "solver.max_passes=4"});
    CHECK(model_after({"--resume", "--set", "solver.max_passes=8"}) == model);
  }
}

TEST_CASE("verify and predict accept a perceptron with a kernel, without training data too") {
  const Scratch scratch;
  scratch.write("train.txt", class_text(class_rows()));
  scratch.write("test.txt", class_text(class_rows(20)));
  Json experiment = with(online(multiclass_experiment(), "perceptron"), "/kernel", rbf(0.5));
  experiment["dataset"]["train"] = "train.txt";
  trained(scratch, experiment);
  const Outcome verified = scratch.sculpt({"verify", "run"});
  INFO(verified.out);
  INFO(verified.err);
  CHECK(verified.exit == 3);  // no gap, so nothing is certified
  CHECK(contains(verified.out, "primal"));
  fs::remove(scratch / "train.txt");
  const Outcome predicted = scratch.sculpt({"predict", "run", "test.txt"});
  INFO(predicted.err);
  CHECK(predicted.exit == 0);
}

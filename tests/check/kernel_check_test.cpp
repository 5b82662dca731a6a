// sculpt check finds the faults of kernels, each by the test that is made for it.
#include <doctest/doctest.h>

#include "check/check_found.hpp"
#include "command/kernel_runs.hpp"

using namespace sculpt::test;

namespace {

// The tests that fail or crash, in the order in which they run.
std::vector<std::string> failed_tests(const CheckOutcome& outcome) {
  std::vector<std::string> names;
  for (const Json& test : outcome.json["tests"]) {
    const std::string verdict = test["verdict"];
    if (verdict == "fail" || verdict == "crash") names.push_back(test["name"]);
  }
  return names;
}

}  // namespace

TEST_CASE("check: each faulty kernel is found by one test of kernels") {
  for (const Expected& expected : kernels) {
    check_found(expected);
    const CheckOutcome all = run_check({mutant_library(expected.plugin), "--only", "kernel"});
    CHECK(failed_tests(all) == std::vector<std::string>{expected.test});
  }
  for (const Expected& expected : spreading_kernels) check_found(expected);
}

TEST_CASE("check: a kernel without a fault passes every test of kernels") {
  const CheckOutcome outcome = run_check({mutant_library("kernel_correct"), "--strict"});
  INFO(outcome.json.dump(2));
  CHECK(outcome.exit == 0);
  CHECK(outcome.json.value("unanswered_extensions", Json::array()).empty());
  for (const char* test :
       {"kernel.values", "kernel.symmetric", "kernel.diagonal", "kernel.positive", "kernel.ends",
        "kernel.threads", "kernel.kept", "kernel.bytes", "kernel.damage"}) {
    CHECK(outcome.test(test)["verdict"] == "pass");
    CHECK(outcome.test(test)["cases"] > 0);
  }
}

TEST_CASE("check: a kernel with explicit rows and without a fault passes") {
  const CheckOutcome outcome = run_check({mutant_library("explicit_correct"), "--strict"});
  CHECK(outcome.exit == 0);
  CHECK(outcome.test("kernel.explicit")["verdict"] == "pass");
}

TEST_CASE("check: the members of a sum and of a normalized kernel are tested each") {
  const Scratch scratch;
  const std::string wrong = mutant_library("kernel_one_sided") + "#closeness";
  const Json experiment = {
      {"dataset",
       {{"use", "svmlight"}, {"train", {{"text", "1 1:2 2:1\n2 2:4\n1 1:-1\n3 2:3 3:1\n"}}}}},
      {"features", "multiclass"},
      {"loss", "zero_one"},
      {"oracle", "viterbi"},
      {"kernel",
       {{"use", "sum"},
        {"members", {"linear", {{"use", "normalized"}, {"of", {{"use", wrong}}}}}}}},
      {"solver", "n_slack"}};
  scratch.write("sum.json", experiment.dump());
  const Outcome outcome = scratch.sculpt({"check", "sum.json", "--only", "kernel", "--json"});
  CHECK(outcome.exit == 1);
  for (const Json& test : Json::parse(outcome.out)["tests"]) {
    CAPTURE(test.dump(2));
    CHECK((test["verdict"] == "fail") == (test["name"] == "kernel.symmetric"));
  }
}

// The atoms of a model's problem are those of the data to predict, not those of training.
TEST_CASE("check: states are tested with a kernel, too, if there is a test split") {
  const Scratch scratch;
  for (Json experiment :
       {multiclass_experiment(), chain_experiment(), multilabel_experiment(),
        contingency_experiment(), clustering_experiment(), ranking_experiment()}) {
    INFO(experiment.dump());
    experiment["kernel"] = rbf(0.5);
    experiment["dataset"]["test"] = experiment["dataset"]["train"];
    scratch.write("small.json", experiment.dump());
    const CheckOutcome outcome = run_check({(scratch / "small.json").string(), "--only", "state"});
    INFO(outcome.json.dump(2));
    CHECK(outcome.exit == 0);
    for (const char* test : {"state.save", "state.predictions", "state.damage", "state.width"}) {
      CHECK(outcome.test(test)["verdict"] == "pass");
      CHECK(outcome.test(test)["cases"] > 0);
    }
  }
}

TEST_CASE("check: with a kernel, blocks that the state does not hold are found") {
  const Scratch scratch;
  const std::string wrong = mutant_library("rows_state_too_many") + "#rows";
  const Json train = {{"text", "a 1:2 2:1\nb 2:4\n"}};
  const Json experiment = {{"dataset", {{"use", wrong}, {"train", train}}},
                           {"features", "multiclass"},
                           {"loss", "zero_one"},
                           {"oracle", "viterbi"},
                           {"kernel", "linear"},
                           {"solver", "n_slack"}};
  scratch.write("rows.json", experiment.dump());
  const CheckOutcome outcome =
      run_check({(scratch / "rows.json").string(), "--only", "state.save,state.width"});
  CHECK(outcome.exit == 1);
  const auto reasons = [&](const char* test) { return outcome.test(test)["reasons"].dump(); };
  CHECK(reasons("state.save")
            .find("multiclass: the dimension is 2 blocks and 0 weights without atoms, but 3 blocks "
                  "and 0 weights without atoms after restore") != std::string::npos);
  CHECK(reasons("state.width")
            .find("multiclass: after restore there are 3 blocks and 0 weights without atoms, but "
                  "training had 2 blocks and 0 weights without atoms") != std::string::npos);
}

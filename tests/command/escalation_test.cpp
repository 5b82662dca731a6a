// Several oracles: lists that escalate, and combine.

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "command/host_process.hpp"
#include "command/interrupted_run.hpp"

using namespace sculpt::test;

namespace {

const char* const escalation = R"(["icm", "viterbi"])";

Outcome train_with_oracle(const Scratch& scratch, const std::string& oracle,
                          const std::string& solver, const std::string& output,
                          std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"train", "noisy.json", "--output", output, "--set", "oracle=" + oracle,
                             "--set", "solver.use=" + solver});
  Outcome outcome = scratch.sculpt(more);
  INFO(outcome.err);
  REQUIRE((outcome.exit == 0 || outcome.exit == 3));
  return outcome;
}

std::vector<Json> passes_of(const Scratch& scratch, const std::string& run) {
  std::vector<Json> passes;
  std::istringstream lines(scratch.read(run + "/events.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    Json event = Json::parse(line);
    if (event["event"] == "pass") passes.push_back(std::move(event));
  }
  return passes;
}

}  // namespace

TEST_CASE(
    "an escalation that ends in an exact oracle is certified, and its gap is never negative") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  for (const char* solver : {"n_slack", "one_slack", "frank_wolfe"}) {
    CAPTURE(solver);
    train_with_oracle(scratch, "viterbi", solver, "alone",
                      {"--force", "--set", "solver.relative_gap=1e-5"});
    train_with_oracle(scratch, escalation, solver, "both",
                      {"--force", "--set", "solver.relative_gap=1e-5"});
    const Json alone = scratch.finished("alone");
    const Json both = scratch.finished("both");
    CHECK(both["certified"] == true);
    CHECK(both["relative_gap"].get<double>() <= 1e-5);
    CHECK(both["primal"].get<double>() >= alone["dual"].get<double>());
    CHECK(both["dual"].get<double>() <= alone["primal"].get<double>());
    const std::vector<Json> passes = passes_of(scratch, "both");
    std::int64_t not_escalated = 0;
    const auto examples = alone["train"]["examples"].get<std::int64_t>();
    for (const Json& pass : passes) {
      if (pass["certified"] == true) CHECK(pass["gap"].get<double>() >= 0);
      const auto escalated = pass["escalated"].get<std::int64_t>();
      CHECK(escalated <= examples);
      not_escalated += examples - escalated;
    }
    CHECK(not_escalated > examples / 2);  // icm alone was often enough
    CHECK(passes.back()["escalated"] == examples);
    CHECK(scratch.sculpt({"verify", "both"}).exit == 0);
  }
}

TEST_CASE("rows without a certificate are explained by the last one if that has it") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  const Outcome outcome = train_with_oracle(scratch, escalation, "n_slack", "run");
  INFO(outcome.err);
  CHECK(scratch.finished("run")["certified"] == true);
  CHECK(contains(outcome.err, "? the gap of this pass is not certified; that of the last pass is"));
  CHECK_FALSE(contains(outcome.err, "? the gap is not certified"));
}

TEST_CASE("an escalation gives the same model on one, two and four threads, and after a resume") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  for (const char* solver : {"n_slack", "one_slack", "frank_wolfe", "perceptron"}) {
    CAPTURE(solver);
    train_with_oracle(scratch, escalation, solver, "one", {"--force", "--threads", "1"});
    for (const char* threads : {"2", "4"}) {
      train_with_oracle(scratch, escalation, solver, "more", {"--force", "--threads", threads});
      CHECK(scratch.read("one/model.sculpt") == scratch.read("more/model.sculpt"));
    }
    train_with_oracle(scratch, escalation, solver, "cut",
                      {"--force", "--set", "solver.max_passes=2"});
    train_with_oracle(scratch, escalation, solver, "whole",
                      {"--force", "--set", "solver.max_passes=7"});
    const Outcome resumed =
        scratch.sculpt({"train", "noisy.json", "--output", "cut", "--resume", "--set",
                        std::string("oracle=") + escalation, "--set",
                        std::string("solver.use=") + solver, "--set", "solver.max_passes=7"});
    INFO(resumed.err);
    CHECK(scratch.read("cut/model.sculpt") == scratch.read("whole/model.sculpt"));
  }
}

TEST_CASE("an escalation that reaches max_oracle_calls still ends with a certified pass") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  for (const char* solver : {"n_slack", "one_slack", "frank_wolfe"}) {
    CAPTURE(solver);
    const std::string gap = "solver.relative_gap=1e-5";
    train_with_oracle(scratch, escalation, solver, "run", {"--force", "--set", gap});
    int uncertified = 0;
    for (const Json& pass : passes_of(scratch, "run")) {
      if (pass["certified"] == true || uncertified == 4) break;
      ++uncertified;
      const auto calls = pass["oracle_calls"].get<std::int64_t>();
      const std::string most = "solver.max_oracle_calls=" + std::to_string(calls);
      train_with_oracle(scratch, escalation, solver, "cut",
                        {"--force", "--set", gap, "--set", most});
      CHECK(scratch.finished("cut")["certified"] == true);
      const bool reached = scratch.finished("cut")["stopped_by"] == "relative_gap";
      const Outcome verified = scratch.sculpt({"verify", "cut"});
      CHECK(verified.exit == (reached ? 0 : 3));
      CHECK(contains(verified.out, "verified: gap "));
    }
    CHECK(uncertified > 1);
  }
}

TEST_CASE("an escalation without exact oracles keeps a w at which all oracles were asked") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  const std::string local = R"(["icm", {"use": "icm", "restarts": 3}])";
  for (const char* solver : {"n_slack", "one_slack", "frank_wolfe"}) {
    CAPTURE(solver);
    train_with_oracle(scratch, local, solver, "run", {"--force", "--set", "solver.max_passes=4"});
    const std::vector<Json> passes = passes_of(scratch, "run");
    CHECK(scratch.finished("run")["primal"] == passes.back()["primal_low"]);
    CHECK(scratch.sculpt({"verify", "run"}).exit == 3);
  }
}

TEST_CASE(
    "a warm start that stops after one pass is resumed to the same model as without the limit") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  const auto start = [&](const char* solver, const std::string& output, const char* passes,
                         const char* existing) {
    train_with_oracle(scratch, escalation, solver, output,
                      {existing, "--set", "solver.C=3", "--set", "solver.warm_start=earlier",
                       "--set", std::string("solver.max_passes=") + passes});
  };
  for (const char* solver : {"n_slack", "one_slack", "frank_wolfe"}) {
    CAPTURE(solver);
    train_with_oracle(scratch, escalation, solver, "earlier",
                      {"--force", "--set", "solver.max_passes=3"});
    start(solver, "cut", "1", "--force");
    start(solver, "cut", "5", "--resume");
    start(solver, "whole", "5", "--force");
    CHECK(scratch.read("cut/model.sculpt") == scratch.read("whole/model.sculpt"));
  }
}

TEST_CASE("combine takes the best answer of all: one exact member makes it exact") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  train_with_oracle(scratch, "viterbi", "n_slack", "alone");
  train_with_oracle(scratch, R"({"use": "combine", "members": ["icm", "viterbi"]})", "n_slack",
                    "combined");
  const Json alone = scratch.finished("alone");
  const Json combined = scratch.finished("combined");
  CHECK(combined["certified"] == true);
  CHECK(combined["primal"] == alone["primal"]);
  CHECK(combined["dual"] == alone["dual"]);
  CHECK(combined["oracle_calls"] == 2 * alone["oracle_calls"].get<std::int64_t>());
  const Json config = Json::parse(scratch.read("combined/config.json"));
  CHECK(config["oracle"]["use"] == "combine");
  CHECK(config["oracle"]["members"].size() == 2);

  train_with_oracle(scratch,
                    R"({"use": "combine", "members": ["icm", {"use": "icm", "restarts": 3}]})",
                    "n_slack", "local");
  CHECK(scratch.finished("local")["certified"] == false);
}

TEST_CASE("the order in combine changes nothing, and lists and combine have a frontier") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  const std::vector<std::string> slack = {"--force", "--set", "solver.rescaling=slack", "--set",
                                          "solver.relative_gap=1e-3"};
  train_with_oracle(scratch, "viterbi", "n_slack", "alone", slack);
  const Json alone = scratch.finished("alone");
  for (const char* oracle : {R"(["icm", "viterbi"])", R"(["viterbi", "viterbi"])",
                             R"({"use": "combine", "members": ["icm", "viterbi"]})",
                             R"({"use": "combine", "members": ["viterbi", "icm"]})"}) {
    CAPTURE(oracle);
    train_with_oracle(scratch, oracle, "n_slack", "several", slack);
    const Json several = scratch.finished("several");
    CHECK(several["certified"] == true);
    CHECK(several["primal"] == alone["primal"]);
    CHECK(several["dual"] == alone["dual"]);
    CHECK(scratch.sculpt({"verify", "several"}).exit == 0);
  }
  for (const char* oracle : {R"({"use": "combine", "members": ["lp", "icm"]})",
                             R"({"use": "combine", "members": ["icm", "lp"]})"}) {
    CAPTURE(oracle);
    train_with_oracle(scratch, oracle, "n_slack", "relaxed",
                      {"--force", "--set", "solver.relative_gap=1e-3"});
    CHECK(scratch.finished("relaxed")["objective"] == "relaxed");
    const Outcome verified = scratch.sculpt({"verify", "relaxed"});
    CHECK(verified.exit == 0);
    CHECK(contains(verified.out, "relaxed: an upper bound of the primal over outputs"));
  }
}

TEST_CASE("a model of several oracles predicts with all of them, or with the oracle of --set") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  train_with_oracle(scratch, escalation, "n_slack", "run");
  const auto predicted = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"predict", "run", "noisy.txt"});
    const Outcome outcome = scratch.sculpt(more);
    INFO(outcome.err);
    CHECK(outcome.exit == 0);
    return outcome.out;
  };
  const std::string exact = predicted({"--set", "oracle=viterbi"});
  CHECK(predicted({}) == exact);
  CHECK(predicted({"--set", R"(oracle={"use": "combine", "members": ["icm", "viterbi"]})"}) ==
        exact);
  CHECK(predicted({"--set", "oracle.0=viterbi"}) == exact);
}

TEST_CASE("members of combine are checked like every section") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  const auto refusal = [&](const std::string& oracle) {
    const Outcome outcome = scratch.sculpt({"train", "noisy.json", "--set", "oracle=" + oracle});
    CHECK(outcome.exit == 78);
    CHECK_FALSE(fs::exists(scratch / "runs"));
    return outcome.err;
  };
  CHECK(contains(refusal(R"({"use": "combine", "members": ["icm"]})"),
                 "\"members\" of combine must be a list of at least two oracles, not of 1"));
  CHECK(contains(refusal(R"({"use": "combine", "members": "icm"})"), "at least two oracles"));
  CHECK(contains(refusal(R"({"use": "combine", "member": ["icm", "icm"]})"), "member"));
  CHECK(contains(refusal(R"({"use": "combine", "members": ["icm", "viterbbi"]})"), "viterbi"));
  CHECK(contains(refusal(R"({"use": "combine", "members": ["icm", "combine"]})"),
                 "\"combine\" cannot be in a list of oracles"));
  CHECK(contains(refusal(R"(["icm", {"use": "combine"}])"),
                 "\"combine\" cannot be in a list of oracles"));
  CHECK(contains(refusal(R"({"use": "combine", "members": ["icm", {"use": "icm", "restart": 1}]})"),
                 "restarts"));
}

TEST_CASE("--set changes parameters of the members of combine") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  train_with_oracle(scratch, R"({"use": "combine", "members": ["icm", "viterbi"]})", "n_slack",
                    "run", {"--set", "oracle.members.0.restarts=2"});
  const Json config = Json::parse(scratch.read("run/config.json"));
  CHECK(config["oracle"]["members"][0]["restarts"] == 2);
}

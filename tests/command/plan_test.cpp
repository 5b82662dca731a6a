// sculpt describe --plan: what more ranks would gain, by what a run measured.

#include <doctest/doctest.h>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

void train_run(const Scratch& scratch, const std::vector<std::string>& options = {}) {
  write_small_experiment(scratch);
  train_small(scratch, options);
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the finished event has the steps that ranks would divide") {
  const Scratch scratch;
  train_run(scratch, {"--threads", "1"});
  const Json event = scratch.finished("run");
  const Json division = event["division"];
  CHECK(division["ranks"] == 1);
  CHECK(division["threads"] == 1);
  CHECK_FALSE(division.contains("obstacle"));
  double calls = 0;
  double seconds = 0;
  for (const Json& group : division["steps"]) {
    CHECK(group["steps"] > 0);
    CHECK(group["bytes"] > 0);
    seconds += group["seconds"].get<double>();
    if (group["step"] == "separation") calls += group["parts"].get<double>();
  }
  CHECK(calls == event["oracle_calls"]);
  CHECK(seconds > 0);
  CHECK(seconds < event["seconds"]);
}

TEST_CASE("one_slack without a cache sends sums as long as w") {
  const Scratch scratch;
  train_run(scratch, {"--set", "solver.use=one_slack", "--set", "solver.cache=0"});
  const auto dimension = scratch.started("run")["dimension"].get<std::int64_t>();
  const Json steps = scratch.finished("run")["division"]["steps"];
  bool has_sums = false;
  for (const Json& group : steps) {
    if (group["step"] != "sums over the examples") continue;
    has_sums = true;
    CHECK(group["vector_bytes"] == 8 * dimension);
    CHECK(group["adding_seconds"] > 0);
  }
  CHECK(has_sums);
}

TEST_CASE("describe --plan prints a row for each number of ranks, also as JSON") {
  const Scratch scratch;
  train_run(scratch);
  const Outcome table = scratch.sculpt({"describe", "run", "--plan", "1,3", "--threads", "2"});
  CHECK(table.exit == 0);
  CHECK(mentions(table.out, "latency 30 us, 1100 MB/s, as 10 Gbit Ethernet"));
  CHECK(mentions(table.out, "\n      1        2 "));
  CHECK(mentions(table.out, "\n      3        2 "));
  const Outcome json = scratch.sculpt({"describe", "run/model.sculpt", "--plan", "1,3", "--latency",
                                       "2", "--bandwidth", "12000", "--json"});
  CHECK(json.exit == 0);
  const Json plan = Json::parse(json.out);
  CHECK(plan["plans"].size() == 2);
  CHECK(plan["plans"][1]["ranks"] == 3);
  CHECK(plan["network"]["megabytes_per_second"].get<double>() == doctest::Approx(12000));
  CHECK(plan["plans"][0]["messages_seconds"] == 0);
}

TEST_CASE("describe --plan refuses what it cannot plan, with the reason") {
  const Scratch scratch;
  train_run(scratch);
  const auto refused = [&](const std::vector<std::string>& words, int exit,
                           const std::string& reason) {
    const Outcome outcome = scratch.sculpt(words);
    INFO(outcome.err);
    CHECK(outcome.exit == exit);
    CHECK(mentions(outcome.err, reason));
  };
  refused({"describe", "run", "--plan", "0"}, 64, "'0' is none");
  refused({"describe", "run", "--plan", "2,x"}, 64, "'x' is none");
  refused({"describe", "run", "--plan", "2", "--latency", "0"}, 64, "--latency must be");
  refused({"describe", "run", "--plan", "2", "--threads", "0"}, 64, "--threads must be");
  refused({"describe", "run", "--threads", "2"}, 64, "--threads needs --plan");
  refused({"describe", "chain", "--plan", "2"}, 66, "--plan needs a run");
  scratch.write("run/events.jsonl", "{\"event\": \"started\"}\n");
  refused({"describe", "run", "--plan", "2"}, 66, "no event \"finished\"");
  scratch.write("run/events.jsonl", "{\"event\": \"finished\", \"seconds\": 1}\n");
  refused({"describe", "run", "--plan", "2"}, 66, "train again");
  scratch.write("run/events.jsonl", "{\"event\": \"finished\", \"division\": 1}\n");
  refused({"describe", "run", "--plan", "2"}, 65, "is damaged");
}

TEST_CASE("a run that asks one example at a time has no plan for ranks") {
  const Scratch scratch;
  train_run(scratch, {"--set", R"(solver={"use":"perceptron","max_passes":3})"});
  const Outcome outcome = scratch.sculpt({"describe", "run", "--plan", "2"});
  CHECK(outcome.exit == 78);
  CHECK(mentions(outcome.err, "asks one example at a time"));
}

// What a run cost, in the event "finished".

#include "command/plan/run_costs.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "base/failure.hpp"
#include "core/parallel/ranks/thread_transport.hpp"

using namespace sculpt::core;

namespace {

using Json = nlohmann::ordered_json;

RunCosts measured_costs() {
  RunCosts costs;
  costs.threads = 2;
  costs.seconds = 10;
  costs.groups = {{"separation", 12, 1200, 4, 5e6},
                  {"sums over the examples", 3, 192, 1, 600, 8000, 0.5},
                  {"predictions", 2, 2000, 1, 16000}};
  return costs;
}

// 10 s: 0.5 + 5.5 + 1 + 0.5 + 0.25 + 1.25 + 0.5 + 0.5.
Json finished_event(const RunCosts& costs) {
  return {{"event", "finished"},
          {"seconds", costs.seconds},
          {"reading_seconds", 0.5},
          {"oracle_seconds", 5.5},
          {"sweep_seconds", 1},
          {"qp_seconds", 0.5},
          {"reduction_seconds", 0.75},
          {"evaluation_seconds", 1.25},
          {"writing_seconds", 0.25},
          {"rest_seconds", 0.25},
          {"division", run_costs_json(costs)}};
}

double serial_seconds(const RunCosts& costs, const std::string& name) {
  for (const SerialPart& part : costs.serial) {
    if (part.name == name) return part.seconds;
  }
  return -1;
}

}  // namespace

TEST_CASE("the event keeps what was measured") {
  RunCosts costs = measured_costs();
  costs.obstacle = "asks one example at a time";
  costs.is_serial = true;
  costs.updates = "steps";
  const auto read = run_costs_in(finished_event(costs), "events.jsonl");
  REQUIRE(read);
  CHECK(run_costs_json(*read) == run_costs_json(costs));
  CHECK(read->groups[1].vector_bytes == 8000);
  CHECK(read->groups[1].adding_seconds == 0.5);
}

TEST_CASE("what is not divided adds up to the rest of the time") {
  const auto costs = run_costs_in(finished_event(measured_costs()), "events.jsonl");
  REQUIRE(costs);
  CHECK(serial_seconds(*costs, "the QP") == doctest::Approx(1.5));
  CHECK(serial_seconds(*costs, "the planes") == doctest::Approx(0.25));
  CHECK(serial_seconds(*costs, "calls of the oracle that are not divided") == doctest::Approx(0.5));
  CHECK(serial_seconds(*costs, "predicting on the splits") == doctest::Approx(0.25));
  double sum = 0;
  for (const SerialPart& part : costs->serial) sum += part.seconds;
  CHECK(sum == doctest::Approx(10 - 4 - 1 - 0.5 - 1));
}

TEST_CASE("a run that was resumed is planned by its last part") {
  Json event = finished_event(measured_costs());
  event["seconds"] = 20;
  for (const char* const key :
       {"reading_seconds", "oracle_seconds", "sweep_seconds", "qp_seconds", "reduction_seconds",
        "evaluation_seconds", "writing_seconds", "rest_seconds"}) {
    event[key] = 2 * event[key].get<double>();
  }
  const auto costs = run_costs_in(event, "events.jsonl");
  REQUIRE(costs);
  CHECK(costs->seconds == 10);
  CHECK(serial_seconds(*costs, "the QP") == doctest::Approx(1.5));
}

TEST_CASE("threads share most calls if steps of several examples take most of the oracle's time") {
  Json event = finished_event(measured_costs());
  CHECK(shares_most_calls(event));
  event["oracle_seconds"] = 11;
  CHECK(!shares_most_calls(event));
  RunCosts one_by_one = measured_costs();
  one_by_one.groups.front().steps = one_by_one.groups.front().parts;
  CHECK(!shares_most_calls(finished_event(one_by_one)));
}

TEST_CASE("events of earlier builds have no costs, and damaged ones are refused") {
  Json event = finished_event(measured_costs());
  Json earlier = event;
  earlier.erase("division");
  CHECK(!run_costs_in(earlier, "events.jsonl"));
  const auto refused = [&](const char* pointer, const Json& value) {
    Json damaged = event;
    damaged[Json::json_pointer(pointer)] = value;
    CHECK_THROWS_AS(run_costs_in(damaged, "events.jsonl"), Failure);
  };
  refused("/division", "none");
  refused("/division/ranks", 0);
  refused("/division/ranks", "two");
  refused("/division/seconds", 0);
  refused("/division/steps/0/steps", 0);
  refused("/division/steps/0", Json::object());
}

TEST_CASE("threads: the costs of all ranks are added up") {
  const auto ends = run_thread_ranks(3, [](Ranks& ranks) {
    DividedWork work;
    MeasuredStep step(&work, "separation", 64);
    work.group(step.group()).seconds = ranks.rank() + 1;
    const RunCosts costs = run_costs(&ranks, work, 7);
    CHECK(costs.ranks == 3);
    CHECK(costs.groups.at(0).seconds == 6);
    CHECK(costs.groups.at(0).parts == 64);
    CHECK(costs.seconds == 7);
  });
  CHECK(all_returned(ends));
}

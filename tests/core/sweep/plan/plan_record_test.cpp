// The plan of an earlier sweep: what --resume takes from it, whatever is in the file.

#include "sweep/plan/plan_record.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/json_changes.hpp"
#include "core/refusal.hpp"

using namespace sculpt::core;

namespace {

using Json = nlohmann::ordered_json;

PlanRecord record_of(const Grid& grid) {
  const Json identity = {{"sculpt", "0"},
                         {"config", {{"name", "x"}, {"solver", {{"use", "n_slack"}, {"C", 1.0}}}}},
                         {"components", Json::array({{{"kind", "loss"}, {"id", "a.b"}}})},
                         {"data", {{"train", "xxh3:1"}}},
                         {"paths", Json::object()}};
  return {grid, HoldOutOptions(), false, std::vector<Json>(grid.size(), identity)};
}

}  // namespace

TEST_CASE("a plan with any value is refused, or leaves names that a sweep gives") {
  const Grid grid({"x=1,2", "y=3"});
  const Json plan = record_of(grid).json();
  test::for_each_change(
      plan,
      [&](const Json& changed, const std::string& what) {
        CAPTURE(what);
        for (const auto& use : {&PlanRecord::resume, &PlanRecord::join}) {
          PlanRecord record = record_of(grid);
          const Refusal refusal = refusal_of([&] { (record.*use)(changed, "plan.json"); });
          CAPTURE(refusal.text);
          if (refusal.exit != Exit::reached) {
            CHECK((refusal.exit == Exit::data || refusal.exit == Exit::config));
            CHECK(refusal.says("plan.json"));
            continue;
          }
          std::vector<std::string> names = record.names();
          std::sort(names.begin(), names.end());
          CHECK(names == std::vector<std::string>{"000", "001"});
        }
      },
      test::WrongValues::all);
}

TEST_CASE("a plan names no folder outside of the sweep, and no folder twice") {
  const Grid grid({"x=1,2"});
  for (const char* name : {"../../elsewhere", "/tmp/x", "..", "001", "0", "000/replaced"}) {
    CAPTURE(name);
    Json plan = record_of(grid).json();
    plan["points"][0]["name"] = name;
    PlanRecord record = record_of(grid);
    const Refusal refusal = refusal_of([&] { record.resume(plan, "plan.json"); });
    CHECK(refusal.exit == Exit::data);
    CHECK(refusal.says("plan.json: is damaged"));
  }
}

TEST_CASE("a record without hashes of data joins a plan, and takes its hashes") {
  const Grid grid({"x=1,2"});
  Json plan = record_of(grid).json();
  Json bare = plan["points"][0]["identity"];
  bare.erase("data");
  bare.erase("paths");
  plan["points"][1]["identity"]["data"]["train"] = "xxh3:2";
  std::swap(plan["points"][0], plan["points"][1]);
  PlanRecord record(grid, HoldOutOptions(), false, {bare, bare});
  record.join(plan, "plan.json");
  const auto refusal = [&](std::size_t point) {
    const Json header = {{"data", {{"train", "xxh3:1"}}}};
    return refusal_of([&] { record.require_same_data(point, header, "000"); });
  };
  CHECK(refusal(0).exit == Exit::reached);
  CHECK(refusal(1).exit == Exit::data);
  bare["config"]["solver"]["C"] = 2.0;
  PlanRecord other(grid, HoldOutOptions(), false, {bare, bare});
  CHECK(refusal_of([&] { other.join(plan, "plan.json"); }).exit == Exit::config);
}

TEST_CASE("a record with more values than the plan does not join it") {
  const Json plan = record_of(Grid({"x=1"})).json();
  const Refusal refusal = refusal_of([&] { record_of(Grid({"x=1,2"})).join(plan, "plan.json"); });
  CHECK(refusal.exit == Exit::config);
  CHECK(refusal.says("the sweep has 1 point, but this one has 2"));
}

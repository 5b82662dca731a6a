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
        PlanRecord record = record_of(grid);
        const Refusal refusal = refusal_of([&] { record.resume(changed, "plan.json"); });
        CAPTURE(refusal.text);
        if (refusal.exit != Exit::reached) {
          CHECK((refusal.exit == Exit::data || refusal.exit == Exit::config));
          CHECK(refusal.says("plan.json"));
          return;
        }
        std::vector<std::string> names = record.names();
        std::sort(names.begin(), names.end());
        CHECK(names == std::vector<std::string>{"000", "001"});
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

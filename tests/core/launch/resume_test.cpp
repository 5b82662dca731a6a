// Whether a run can be resumed: it must be the same run, and its end must allow it.

#include "launch/resume.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "core/refusal.hpp"

using namespace sculpt::core;

namespace {

using Json = nlohmann::ordered_json;

Json identity() {
  return {{"sculpt", "0.1.0"},
          {"config",
           {{"name", "x"},
            {"features", {{"use", "chain"}, {"bias", true}}},
            {"solver", {{"use", "n_slack"}, {"C", 1.0}, {"max_passes", 5}}}}},
          {"components", {{{"kind", "loss"}, {"id", "org.sculpt.hamming"}, {"version", "1.2.0"}}}},
          {"data", {{"train", "xxh3:1"}}},
          {"examples", 9},
          {"dimension", 20}};
}

Refusal changed(const std::function<void(Json&)>& change) {
  Json now = identity();
  change(now);
  return refusal_of([&] { require_same_run(identity(), now, "the checkpoint"); });
}

Json finished(const char* rule, bool certified) {
  return {{"event", "finished"}, {"stopped_by", rule}, {"certified", certified}};
}

}  // namespace

TEST_CASE("a run can be resumed with other limits, but is refused if anything else differs") {
  CHECK(changed([](Json&) {}).exit == Exit::reached);
  CHECK(changed([](Json& now) {
          now["config"]["solver"].erase("max_passes");
          now["config"]["solver"]["max_seconds"] = 5;
        }).exit == Exit::reached);
  const Refusal other_c = changed([](Json& now) { now["config"]["solver"]["C"] = 10.0; });
  CHECK(other_c.exit == Exit::config);
  CHECK(other_c.says("solver.C is 10, but the checkpoint was written with 1; give --force"));
  const Refusal added = changed([](Json& now) { now["config"]["solver"]["epsilon"] = 0.5; });
  CHECK(added.says("solver.epsilon is 0.5, but the checkpoint was written with unset"));
  const Refusal removed = changed([](Json& now) { now["config"]["features"].erase("bias"); });
  CHECK(removed.says("features.bias is unset, but the checkpoint was written with true"));
  const Refusal version = changed([](Json& now) { now["components"][0]["version"] = "1.3.0"; });
  CHECK(version.exit == Exit::plugin);
  CHECK(version.says("org.sculpt.hamming is version \"1.3.0\""));
  CHECK(version.says("1.2.0"));
  const Refusal data = changed([](Json& now) { now["data"]["train"] = "xxh3:2"; });
  CHECK(data.exit == Exit::data);
  CHECK(data.says("the data of train"));
  CHECK(changed([](Json& now) { now["data"]["test"] = "xxh3:2"; }).says("the data of test"));
  CHECK(changed([](Json& now) { now["sculpt"] = "0.2.0"; }).exit == Exit::data);
  CHECK(changed([](Json& now) { now["dimension"] = 21; }).exit == Exit::plugin);
}

TEST_CASE("a checkpoint header with wrong types is refused without any crash") {
  for (const Json& then : {Json::object(), Json{{"config", 3}}, Json{{"components", "x"}},
                           Json{{"config", {{"solver", Json::array()}}}},
                           Json{{"components", {1, Json::object()}}}, Json{{"data", nullptr}}}) {
    CAPTURE(then.dump());
    const Refusal refusal =
        refusal_of([&] { require_same_run(then, identity(), "the checkpoint"); });
    CHECK((refusal.exit == Exit::reached) == then.empty());
  }
}

TEST_CASE("a finished run can be resumed only after a signal or if its limit was raised") {
  const Json limited = {{"max_passes", 5}};
  const Json raised = {{"max_passes", 6}};
  const Json unset = Json::object();
  CHECK(can_resume(finished("signal", true), unset, unset));
  CHECK(can_resume(finished("max_passes", true), limited, raised));
  CHECK(can_resume(finished("max_passes", true), limited, unset));
  CHECK_FALSE(can_resume(finished("max_passes", true), limited, limited));
  CHECK_FALSE(can_resume(finished("max_passes", true), raised, limited));
  CHECK_FALSE(can_resume(finished("relative_gap", true), unset, raised));
  CHECK_FALSE(can_resume(finished("oracle_exhausted", false), limited, unset));
  CHECK_FALSE(can_resume(finished("standstill", true), limited, unset));
}

TEST_CASE("the exit code of a finished run follows from its event") {
  CHECK(exit_of(finished("relative_gap", true)) == Exit::reached);
  CHECK(exit_of(finished("relative_gap", false)) == Exit::not_reached);
  CHECK(exit_of(finished("epsilon", false)) == Exit::reached);
  CHECK(exit_of(finished("oracle_exhausted", true)) == Exit::not_reached);
  CHECK(exit_of(finished("standstill", true)) == Exit::not_reached);
  CHECK(exit_of(finished("max_passes", true)) == Exit::not_reached);
  CHECK(exit_of(Json::object()) == Exit::not_reached);
}

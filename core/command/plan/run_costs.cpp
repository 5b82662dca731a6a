#include "command/plan/run_costs.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/failure.hpp"
#include "base/file/memory_state_reader.hpp"
#include "command/plan/rank_plan.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// The numbers of a rank that the others do not know.
void save(const RunCosts& costs, StateWriter& out) {
  out.put(costs.sent_bytes);
  out.put(costs.waiting_seconds);
  out.put(costs.transfer_seconds);
  for (const StepGroup& group : costs.groups) {
    out.put(group.seconds);
    out.put(group.adding_seconds);
  }
}

double number_in(const Json& object, const char* key) {
  return object.contains(key) ? object.at(key).get<double>() : 0;
}

StepGroup group_in(const Json& object) {
  StepGroup group;
  group.step = object.at("step").get<std::string>();
  group.steps = object.at("steps").get<std::int64_t>();
  group.parts = object.at("parts").get<std::int64_t>();
  group.seconds = object.at("seconds").get<double>();
  group.bytes = object.at("bytes").get<double>();
  group.vector_bytes = object.value("vector_bytes", std::int64_t{0});
  group.adding_seconds = number_in(object, "adding_seconds");
  return group;
}

// Predictions on the splits count as evaluation. All other steps belong to the solver.
bool is_evaluation(const StepGroup& group) {
  return group.step == "predictions" || group.step == "values of examples";
}

// The seconds of a phase in the part of the run that was measured.
double phase_seconds(const Json& finished, const char* key, const RunCosts& costs) {
  return number_in(finished, key) * costs.seconds / finished.at("seconds").get<double>();
}

// The parts of the whole time that are not divided. They add up to what is left of it.
std::vector<SerialPart> serial_parts(const Json& finished, const RunCosts& costs) {
  double oracle = 0, evaluation = 0, adding = 0;
  for (const StepGroup& group : costs.groups) {
    (is_evaluation(group) ? evaluation : oracle) += group.seconds / costs.ranks;
    adding += group.adding_seconds / costs.ranks;
  }
  const auto phase = [&](const char* key) { return phase_seconds(finished, key, costs); };
  const double messages = costs.waiting_seconds + costs.transfer_seconds + packing_seconds(costs);
  std::vector<SerialPart> parts = {
      {costs.updates, phase("sweep_seconds") + phase("qp_seconds")},
      {"the planes", phase("reduction_seconds") - adding},
      {"calls of the oracle that are not divided", phase("oracle_seconds") - oracle - messages},
      {"reading the data", phase("reading_seconds")},
      {"predicting on the splits", phase("evaluation_seconds") - evaluation},
      {"writing", phase("writing_seconds")},
      {"the solver apart from its oracle", phase("rest_seconds")}};
  double sum = 0;
  for (SerialPart& part : parts) sum += part.seconds = std::max(part.seconds, 0.0);
  const double left = std::max(costs.seconds - oracle - evaluation - adding - messages, 0.0);
  for (SerialPart& part : parts) part.seconds *= sum > 0 ? left / sum : 0;
  return parts;
}

void require(bool holds, const std::string& place) {
  if (holds) return;
  throw Failure(Exit::data, place + ": \"division\" of the event \"finished\" is damaged");
}

RunCosts costs_in(const Json& finished, const std::string& place) {
  const Json& division = finished.at("division");
  RunCosts costs;
  costs.ranks = division.at("ranks").get<int>();
  costs.threads = division.at("threads").get<int>();
  costs.seconds = division.at("seconds").get<double>();
  const bool is_possible = costs.ranks > 0 && costs.ranks <= most_planned_ranks &&
                           costs.threads > 0 && costs.seconds > 0 &&
                           finished.at("seconds").get<double>() > 0;
  require(is_possible, place);
  for (const Json& object : division.at("steps")) {
    costs.groups.push_back(group_in(object));
    require(costs.groups.back().steps > 0 && costs.groups.back().parts >= 0, place);
  }
  costs.waiting_seconds = number_in(division, "waiting_seconds");
  costs.transfer_seconds = number_in(division, "transfer_seconds");
  costs.updates = division.at("updates").get<std::string>();
  costs.obstacle = division.value("obstacle", "");
  costs.is_serial = division.value("one_thread_only", false);
  return costs;
}

}  // namespace

RunCosts run_costs(Ranks* ranks, const DividedWork& work, double seconds) {
  RunCosts costs;
  costs.seconds = seconds;
  costs.groups = work.groups();
  if (ranks == nullptr) return costs;
  costs.ranks = ranks->count();
  costs.sent_bytes = ranks->costs().sent_bytes;
  costs.waiting_seconds = ranks->costs().waiting_seconds;
  costs.transfer_seconds = ranks->costs().transfer_seconds;
  StateBuffer own;
  save(costs, own);
  RunCosts sum = costs;
  sum.sent_bytes = 0;
  sum.waiting_seconds = sum.transfer_seconds = 0;
  for (StepGroup& group : sum.groups) group.seconds = group.adding_seconds = 0;
  for (const std::string_view one : ranks->gather("the costs", [&] { return own.bytes(); })) {
    ViewStateReader in(one);
    sum.sent_bytes += in.get<std::int64_t>();
    sum.waiting_seconds += in.get<double>() / costs.ranks;
    sum.transfer_seconds += in.get<double>() / costs.ranks;
    for (StepGroup& group : sum.groups) {
      group.seconds += in.get<double>();
      group.adding_seconds += in.get<double>();
    }
  }
  return sum;
}

Json run_costs_json(const RunCosts& costs) {
  Json steps = Json::array();
  for (const StepGroup& group : costs.groups) {
    Json object = {{"step", group.step},
                   {"steps", group.steps},
                   {"parts", group.parts},
                   {"seconds", group.seconds},
                   {"bytes", group.bytes}};
    if (group.vector_bytes > 0) {
      object["vector_bytes"] = group.vector_bytes;
      object["adding_seconds"] = group.adding_seconds;
    }
    steps.push_back(std::move(object));
  }
  Json json = {{"ranks", costs.ranks},
               {"threads", costs.threads},
               {"seconds", costs.seconds},
               {"updates", costs.updates},
               {"steps", std::move(steps)}};
  if (costs.ranks > 1) {
    json["waiting_seconds"] = costs.waiting_seconds;
    json["transfer_seconds"] = costs.transfer_seconds;
  }
  if (!costs.obstacle.empty()) json["obstacle"] = costs.obstacle;
  if (costs.is_serial) json["one_thread_only"] = true;
  return json;
}

std::optional<RunCosts> run_costs_in(const Json& finished, const std::string& place) {
  if (!finished.contains("division")) return std::nullopt;
  try {
    RunCosts costs = costs_in(finished, place);
    costs.serial = serial_parts(finished, costs);
    return costs;
  } catch (const nlohmann::json::exception&) {
    require(false, place);
  }
  return std::nullopt;
}

bool shares_most_calls(const Json& finished) {
  const auto costs = run_costs_in(finished, "events.jsonl");
  if (!costs) return true;
  double shared = 0;
  for (const StepGroup& group : costs->groups) {
    const bool has_several = group.parts > group.steps;
    if (has_several && !is_evaluation(group)) shared += group.seconds / costs->ranks;
  }
  return shared >= 0.5 * phase_seconds(finished, "oracle_seconds", *costs);
}

}  // namespace sculpt::core

#include "sweep/plan/plan_record.hpp"

#include <algorithm>
#include <utility>

#include "base/failure.hpp"
#include "base/text/message_text.hpp"
#include "base/text/shell_word.hpp"
#include "launch/resume.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

constexpr const char* advice =
    "; give --force to replace that sweep, or another folder with --output";

std::string option_of(const GridKey& key) {
  return "--set " + shell_word(key.text());
}

// The items of `options` that are not in `others`, as text.
std::string text_of_different(const Words& options, const Words& others) {
  Words different;
  for (const std::string& option : options) {
    const bool is_in_both = std::find(others.begin(), others.end(), option) != others.end();
    if (!is_in_both) different.push_back(option);
  }
  return different.empty() ? "no such option" : joined(different, " ");
}

[[noreturn]] void refuse_damaged(const std::string& plan_path) {
  throw Failure(Exit::data,
                plan_path + ": is damaged, or was written by an earlier build" + advice);
}

// The names become folders. So only those that a sweep gives are taken, each once.
bool are_names_of_points(const Words& names) {
  Words expected;
  for (std::size_t k = 0; k < names.size(); ++k) expected.push_back(point_name(k));
  return std::is_permutation(names.begin(), names.end(), expected.begin());
}

[[noreturn]] void refuse_other_options(const Words& earlier, const Words& current,
                                       const std::string& plan_path) {
  throw Failure(Exit::config,
                plan_path + ": the earlier sweep has " + text_of_different(earlier, current) +
                    ", but this one has " + text_of_different(current, earlier) +
                    "; values may be added, and limits changed, but nothing else" + advice);
}

}  // namespace

PlanRecord::PlanRecord(const Grid& grid, const HoldOutOptions& hold_out_options, bool is_cold,
                       std::vector<Json> identities)
    : hold_out_text_(hold_out_options.text()), is_cold_(is_cold) {
  for (const GridKey& key : grid.keys()) options_.push_back(option_of(key));
  if (!hold_out_text_.empty()) options_.push_back(hold_out_text_);
  if (is_cold) options_.emplace_back("--cold");
  for (std::size_t point = 0; point < grid.size(); ++point) {
    Words settings;
    for (const GridKey& key : grid.keys()) {
      const bool is_fixed_limit = key.values.size() == 1 && is_limit(key.name);
      if (!is_fixed_limit) settings.push_back(key.name + "=" + grid.value(point, key.name));
    }
    points_.push_back({std::move(settings), std::move(identities[point])});
    names_.push_back(point_name(point));
  }
}

std::size_t PlanRecord::find_point(const Json& earlier_point, const std::string& plan_path) const {
  const auto settings = earlier_point.at("settings").get<Words>();
  const auto found = std::find_if(points_.begin(), points_.end(),
                                  [&](const Point& point) { return point.settings == settings; });
  if (found == points_.end()) return points_.size();
  try {
    require_same_run(earlier_point.at("identity"), found->identity, plan_path, advice);
  } catch (const Failure& difference) {
    throw Failure(Exit::config, difference.what());
  }
  return static_cast<std::size_t>(found - points_.begin());
}

void PlanRecord::resume(const Json& earlier_plan, const std::string& plan_path) {
  try {
    const auto options = earlier_plan.at("options").get<Words>();
    const bool is_same =
        earlier_plan.at("holding") == hold_out_text_ && earlier_plan.at("cold") == is_cold_;
    if (!is_same) refuse_other_options(options, options_, plan_path);
    std::fill(names_.begin(), names_.end(), "");
    for (const Json& earlier_point : earlier_plan.at("points")) {
      const std::size_t point = find_point(earlier_point, plan_path);
      if (point == points_.size()) refuse_other_options(options, options_, plan_path);
      names_[point] = earlier_point.at("name").get<std::string>();
    }
    std::size_t next = earlier_plan.at("points").size();
    for (std::string& name : names_) {
      if (name.empty()) name = point_name(next++);
    }
    if (!are_names_of_points(names_)) refuse_damaged(plan_path);
  } catch (const Json::exception&) {
    refuse_damaged(plan_path);
  }
}

void PlanRecord::join(const Json& earlier_plan, const std::string& plan_path) {
  resume(earlier_plan, plan_path);
  const Json& earlier_points = earlier_plan.at("points");
  if (earlier_points.size() < points_.size()) {
    throw Failure(Exit::config, plan_path + ": the sweep has " +
                                    count_text(std::ssize(earlier_points), "point") +
                                    ", but this one has " + std::to_string(points_.size()) +
                                    "; add values with --resume, or with --slurm --resume");
  }
  for (const Json& earlier_point : earlier_points) {
    const auto name = std::find(names_.begin(), names_.end(), earlier_point.at("name"));
    Point& point = points_[static_cast<std::size_t>(name - names_.begin())];
    const Json& identity = earlier_point.at("identity");
    if (!identity.is_object()) refuse_damaged(plan_path);
    for (const char* key : {"data", "paths"}) {
      point.identity[key] = identity.value(key, Json::object());
    }
  }
}

void PlanRecord::require_same_data(std::size_t point, const Json& header,
                                   const std::string& model_name) const {
  const Json sweep_hashes = points_[point].identity.value("data", Json::object());
  const Json model_hashes = header.value("data", Json::object());
  for (const auto& [split, hash] : model_hashes.items()) {
    if (!sweep_hashes.contains(split) || sweep_hashes[split] == hash) continue;
    throw Failure(Exit::data, model_name + ": the data of " + split +
                                  " have changed since the sweep started: the hash was " +
                                  sweep_hashes[split].dump() + " and is now " + hash.dump() +
                                  advice);
  }
}

Json PlanRecord::json() const {
  Json points = Json::array();
  for (std::size_t k = 0; k < points_.size(); ++k) {
    points.push_back({{"name", names_[k]},
                      {"settings", points_[k].settings},
                      {"identity", points_[k].identity}});
  }
  return {
      {"options", options_}, {"holding", hold_out_text_}, {"cold", is_cold_}, {"points", points}};
}

}  // namespace sculpt::core

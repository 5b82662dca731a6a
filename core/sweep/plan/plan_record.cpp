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

constexpr const char* advice = "; --force starts afresh, or choose another folder with --output";

std::string option_of(const GridKey& key) {
  return "--set " + shell_word(key.text());
}

// The items of `options` that are not in `others`, as text.
std::string without(const Words& options, const Words& others) {
  Words own;
  for (const std::string& option : options) {
    if (std::find(others.begin(), others.end(), option) == others.end()) own.push_back(option);
  }
  return own.empty() ? "nothing in its place" : joined(own, " ");
}

[[noreturn]] void refuse_other_options(const Words& then, const Words& now,
                                       const std::string& place) {
  throw Failure(Exit::config, place + ": the sweep there has " + without(then, now) +
                                  ", this one " + without(now, then) +
                                  "; values may be added, and limits changed, but nothing else" +
                                  advice);
}

}  // namespace

PlanRecord::PlanRecord(const Grid& grid, const HoldOutOptions& hold_out_options, bool cold,
                       std::vector<Json> identities)
    : holding_(hold_out_options.text()), cold_(cold) {
  for (const GridKey& key : grid.keys()) options_.push_back(option_of(key));
  if (!holding_.empty()) options_.push_back(holding_);
  if (cold) options_.emplace_back("--cold");
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

std::size_t PlanRecord::find_point(const Json& then, const std::string& place) const {
  const auto settings = then.at("settings").get<Words>();
  const auto found = std::find_if(points_.begin(), points_.end(),
                                  [&](const Point& point) { return point.settings == settings; });
  if (found == points_.end()) return points_.size();
  try {
    require_same_run(then.at("identity"), found->identity, place, advice);
  } catch (const Failure& difference) {
    throw Failure(Exit::config, difference.what());
  }
  return static_cast<std::size_t>(found - points_.begin());
}

void PlanRecord::go_on_with(const Json& then, const std::string& place) {
  try {
    const auto options = then.at("options").get<Words>();
    const bool same = then.at("holding") == holding_ && then.at("cold") == cold_;
    if (!same) refuse_other_options(options, options_, place);
    std::fill(names_.begin(), names_.end(), "");
    for (const Json& earlier : then.at("points")) {
      const std::size_t point = find_point(earlier, place);
      if (point == points_.size()) refuse_other_options(options, options_, place);
      names_[point] = earlier.at("name").get<std::string>();
    }
    std::size_t next = then.at("points").size();
    for (std::string& name : names_) {
      if (name.empty()) name = point_name(next++);
    }
  } catch (const Json::exception&) {
    throw Failure(Exit::config, place + ": is damaged, or of an earlier build" + advice);
  }
}

void PlanRecord::require_same_data(std::size_t point, const Json& header,
                                   const std::string& place) const {
  const Json began = points_[point].identity.value("data", Json::object());
  const Json trained = header.value("data", Json::object());
  for (const auto& [split, hash] : trained.items()) {
    if (!began.contains(split) || began[split] == hash) continue;
    throw Failure(Exit::data, place + " was trained on data of " + split + " with the hash " +
                                  hash.dump() + ", the sweep began with " + began[split].dump() +
                                  ": they have changed since" + advice);
  }
}

Json PlanRecord::json() const {
  Json points = Json::array();
  for (std::size_t k = 0; k < points_.size(); ++k) {
    points.push_back({{"name", names_[k]},
                      {"settings", points_[k].settings},
                      {"identity", points_[k].identity}});
  }
  return {{"options", options_}, {"holding", holding_}, {"cold", cold_}, {"points", points}};
}

}  // namespace sculpt::core

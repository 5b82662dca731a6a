#include "report/record/sweep_record.hpp"

#include <algorithm>
#include <cmath>

#include "base/failure.hpp"
#include "base/file/stored_json.hpp"
#include "run/past_events.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* advice = "; run the sweep again, with --force";

// The cells of a point: the run folders NAME or NAME.foldK.
std::vector<SweepCell> cells_of(const fs::path& cells, const std::string& point) {
  std::vector<SweepCell> found;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(cells, ignored)) {
    const std::string name = entry.path().filename().string();
    const std::string prefix = point + ".fold";
    const bool is_fold = name.starts_with(prefix) &&
                         name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
    if ((name != point && !is_fold) || !entry.is_directory(ignored)) continue;
    SweepCell cell;
    cell.name = name;
    if (is_fold) cell.fold = std::strtoll(name.c_str() + prefix.size(), nullptr, 10);
    const Json last = last_event(entry.path() / "events.jsonl");
    if (text_at(last, "event") == "finished") cell.finished = last;
    found.push_back(std::move(cell));
  }
  std::sort(found.begin(), found.end(),
            [](const SweepCell& a, const SweepCell& b) { return a.fold < b.fold; });
  return found;
}

// Adds a point with the settings "KEY=VALUE".
void add_point(const Json& json, SweepRecord& sweep) {
  SweepPoint point;
  point.values.resize(sweep.keys.size());
  for (const Json& setting : json.at("settings")) {
    const auto text = setting.get<std::string>();
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::string key = text.substr(0, equals);
    auto found = std::find(sweep.keys.begin(), sweep.keys.end(), key);
    if (found == sweep.keys.end()) {
      sweep.keys.push_back(key);
      point.values.emplace_back();
      found = sweep.keys.end() - 1;
    }
    point.values[static_cast<std::size_t>(found - sweep.keys.begin())] =
        text.substr(std::min(equals + 1, text.size()));
  }
  point.cells = cells_of(sweep.folder / "cells", json.at("name").get<std::string>());
  sweep.points.push_back(std::move(point));
}

}  // namespace

bool is_sweep_folder(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "plan.json", ignored);
}

SweepRecord read_sweep_record(const fs::path& folder) {
  SweepRecord sweep;
  sweep.folder = folder;
  const Json plan = read_stored_object(folder / "plan.json", Exit::missing);
  if (plan.is_null()) {
    throw Failure(Exit::data, (folder / "plan.json").string() + ": is damaged" + advice);
  }
  read_stored_values(folder / "plan.json", advice, [&] {
    sweep.has_folds = plan.at("holding").get<std::string>().starts_with("--folds");
    for (const Json& point : plan.at("points")) {
      if (sweep.name.empty()) sweep.name = point.value("/identity/name"_json_pointer, "");
      add_point(point, sweep);
    }
  });
  for (SweepPoint& point : sweep.points) point.values.resize(sweep.keys.size());
  if (sweep.name.empty()) sweep.name = fs::absolute(folder).lexically_normal().filename().string();
  return sweep;
}

SweepValue sweep_value(const SweepPoint& point, const std::string& split,
                       const std::string& metric) {
  SweepValue value;
  double sum = 0;
  for (const SweepCell& cell : point.cells) {
    const Json& event = cell.finished;
    const Json object = split.empty() || !event.is_object() ? event : event.value(split, Json());
    const double number = number_at(object, metric.c_str());
    if (!std::isfinite(number)) continue;
    value.folds.push_back(number);
    sum += number;
  }
  const auto count = static_cast<double>(value.folds.size());
  if (value.folds.empty()) return value;
  value.mean = sum / count;
  if (value.folds.size() < 2) return value;
  double squares = 0;
  for (const double fold : value.folds) squares += (fold - value.mean) * (fold - value.mean);
  value.standard_error = std::sqrt(squares / (count - 1) / count);
  return value;
}

}  // namespace sculpt::core

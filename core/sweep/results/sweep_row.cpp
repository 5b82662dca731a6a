#include "sweep/results/sweep_row.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/failure.hpp"
#include "base/infinity.hpp"
#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr double unknown_number = std::numeric_limits<double>::quiet_NaN();

double number_in(const Json& object, const std::string& key) {
  const Json value = object.is_object() ? object.value(key, Json()) : Json();
  return value.is_number() ? value.get<double>() : unknown_number;
}

// The mean, and its standard error for two and more values.
Estimate estimate_of(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  Estimate estimate{sum / n, std::nullopt};
  if (values.size() < 2) return estimate;
  double squares = 0;
  for (const double value : values) squares += (value - estimate.mean) * (value - estimate.mean);
  estimate.standard_error = std::sqrt(squares / (n - 1) / n);
  // Equal values, whose mean was rounded.
  if (*estimate.standard_error <= 1e-15 * std::abs(estimate.mean)) estimate.standard_error = 0;
  return estimate;
}

// True for keys of a split that are no metric.
bool is_no_metric(const std::string& key) {
  static const std::set<std::string> counts = {
      "examples", "unlabelled", "no_output", "loss_standard_error", "log_loss_examples", "warning"};
  return counts.count(key) > 0;
}

using Records = std::vector<const CellRecord*>;

Estimate estimate_over(const Records& records, const std::string& key) {
  std::vector<double> values;
  for (const CellRecord* record : records) values.push_back(number_in(record->finished, key));
  return estimate_of(values);
}

// The value at a pointer; null if there is none.
Json at(const Json& object, const Json::json_pointer& pointer) {
  return object.contains(pointer) ? object.at(pointer) : Json();
}

// The metrics of one split. `split`: its pointer in the event of a record.
Measurements measurements_of(const Records& records, const Json::json_pointer& split) {
  Measurements list;
  const Json first = at(records.front()->finished, split);
  if (!first.is_object()) return list;
  for (const auto& [name, value] : first.items()) {
    if (is_no_metric(name)) continue;
    std::vector<double> values;
    for (const CellRecord* record : records) {
      values.push_back(number_in(at(record->finished, split), name));
    }
    Estimate estimate = estimate_of(values);
    const double loss_error = number_in(first, "loss_standard_error");
    if (values.size() == 1 && name == "loss" && std::isfinite(loss_error)) {
      estimate.standard_error = loss_error;
    }
    list.push_back({name, estimate});
  }
  return list;
}

SplitMeasurements split_measurements_of(const Records& records, const std::string& split) {
  const Json::json_pointer empty;
  SplitMeasurements measurements{measurements_of(records, empty / split), {}};
  const Json others = records.front()->finished.value("predict_with", Json());
  if (!others.is_object()) return measurements;
  for (const auto& [oracle, splits] : others.items()) {
    Measurements list = measurements_of(records, empty / "predict_with" / oracle / split);
    if (!list.empty()) measurements.by_other_oracle.emplace_back(oracle, std::move(list));
  }
  return measurements;
}

void add_if_new(const std::string& text, std::vector<std::string>& list) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

// "relative_gap", or with counts if they differ: "2 relative_gap, 1 max_passes".
std::string stop_rules(const Records& records) {
  std::map<std::string, std::size_t> counts;
  for (const CellRecord* record : records) ++counts[record->finished.value("stopped_by", "")];
  if (counts.size() == 1) return counts.begin()->first;
  std::vector<std::string> words;
  for (const auto& [rule, count] : counts) words.push_back(std::to_string(count) + " " + rule);
  return joined(words, ", ");
}

// Nothing if a cell never reached its target.
std::optional<Estimate> mean_seconds_to_gap(const Records& records) {
  std::vector<double> values;
  for (const CellRecord* record : records) {
    if (!record->seconds_to_gap) return std::nullopt;
    values.push_back(*record->seconds_to_gap);
  }
  return estimate_of(values);
}

// The largest true gap of the audits; empty if there was none. NaN if an audit has no gap.
std::optional<double> true_gap(const Records& records) {
  std::optional<double> largest;
  for (const CellRecord* record : records) {
    const Json audit = record->finished.value("audit", Json());
    if (!audit.is_object()) return std::nullopt;
    const double gap = number_in(audit, "relative_gap");
    if (!largest || std::isnan(gap) || gap > *largest) largest = gap;
    if (std::isnan(gap)) break;
  }
  return largest;
}

// How to read the largest of the true gaps: the common value of all audits, else "unclear".
std::string common_true_gap_kind(const Records& records) {
  std::string common;
  for (const CellRecord* record : records) {
    const Json audit = record->finished.value("audit", Json());
    const Json known = audit.is_object() ? audit.value("known", Json("exactly")) : Json("exactly");
    const std::string kind = known.is_string() ? known.get<std::string>() : "unclear";
    if (record == records.front()) common = kind;
    if (kind != common) common = "unclear";
  }
  return common;
}

// True if the run had a target: a gap, which needs a dual, or a residual.
bool has_target(const Json& finished) {
  return !std::isnan(number_in(finished, "dual")) || !std::isnan(number_in(finished, "residual"));
}

// Sets everything but the cells.
void fill_row(SweepRow& row, const Records& records) {
  row.seconds_to_gap = mean_seconds_to_gap(records);
  row.passes = estimate_over(records, "passes");
  row.oracle_calls = estimate_over(records, "oracle_calls");
  const bool is_bounded = std::isfinite(estimate_over(records, "primal_high").mean);
  if (is_bounded) row.primal = estimate_over(records, "primal");
  row.primal_low = estimate_over(records, "primal_low");
  if (!is_bounded && !std::isfinite(row.primal_low.mean)) {  // of an approximate log Z
    row.primal_is_approximate = true;
    row.primal = estimate_over(records, "primal");
  }
  const Json minimizes = records.front()->finished.value("minimizes", Json());
  if (minimizes.is_string()) row.minimizes = minimizes.get<std::string>();
  const Estimate hinge = estimate_over(records, "hinge_primal");
  if (std::isfinite(hinge.mean)) row.hinge_primal = hinge;
  for (const CellRecord* record : records) {
    const double gap = number_in(record->finished, "relative_gap");
    row.relative_gap = std::max(row.relative_gap, std::isfinite(gap) ? gap : infinity);
    row.certified_count += record->finished.value("certified", false) ? 1 : 0;
    if (!has_target(record->finished)) continue;
    ++row.target_count;
    row.missed_count += record->exit_code == static_cast<int>(Exit::reached) ? 0 : 1;
  }
  row.true_gap = true_gap(records);
  if (row.true_gap) row.true_gap_kind = common_true_gap_kind(records);
  row.stopped_by = stop_rules(records);
  const Json better = records.front()->finished.value("better", Json());
  if (better.is_object()) {
    for (const auto& [metric, direction] : better.items()) {
      if (direction.is_string()) row.better[metric] = direction;
    }
  }
  row.validation = split_measurements_of(records, "validation");
  row.test = split_measurements_of(records, "test");
}

}  // namespace

const Measurement* find_measurement(const Measurements& measurements, const std::string& name) {
  const auto found =
      std::find_if(measurements.begin(), measurements.end(),
                   [&](const Measurement& measurement) { return measurement.name == name; });
  return found == measurements.end() ? nullptr : &*found;
}

const Measurement* find_measurement(const SplitMeasurements& split, const std::string& oracle,
                                    const std::string& name) {
  const auto found = std::find_if(split.by_other_oracle.begin(), split.by_other_oracle.end(),
                                  [&](const auto& entry) { return entry.first == oracle; });
  return found == split.by_other_oracle.end() ? nullptr : find_measurement(found->second, name);
}

std::vector<std::string> metric_names_in(const std::vector<SweepRow>& rows,
                                         SplitMeasurements SweepRow::*split) {
  std::vector<std::string> names;
  for (const SweepRow& row : rows) {
    for (const Measurement& measurement : (row.*split).by_training_oracle) {
      add_if_new(measurement.name, names);
    }
  }
  return names;
}

std::vector<std::string> other_oracles_in(const std::vector<SweepRow>& rows,
                                          SplitMeasurements SweepRow::*split) {
  std::vector<std::string> oracles;
  for (const SweepRow& row : rows) {
    for (const auto& [oracle, measurements] : (row.*split).by_other_oracle) {
      add_if_new(oracle, oracles);
    }
  }
  return oracles;
}

std::vector<SweepRow> rows_of(std::size_t count, const SweepPlan& plan,
                              const std::vector<CellRecord>& records) {
  std::vector<SweepRow> rows(count);
  std::vector<Records> with_model(count);
  for (std::size_t k = 0; k < plan.cells.size(); ++k) {
    const std::size_t point = plan.cells[k].point;
    rows[point].cells.push_back(k);
    if (records[k].has_model()) {
      with_model[point].push_back(&records[k]);
    } else {
      rows[point].failed_cells.push_back(k);
      if (!records[k].has_ended) ++rows[point].missing_count;
    }
  }
  for (std::size_t point = 0; point < count; ++point) {
    if (rows[point].failed_cells.empty()) fill_row(rows[point], with_model[point]);
  }
  return rows;
}

}  // namespace sculpt::core

#include "sweep/sweep_row.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "message_text.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

double number_in(const Json& object, const std::string& key) {
  const Json value = object.is_object() ? object.value(key, Json()) : Json();
  return value.is_number() ? value.get<double>() : not_known;
}

Estimate estimate_of(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  Estimate estimate{sum / n, std::nullopt};
  if (values.size() < 2) return estimate;
  double squares = 0;
  for (const double value : values) squares += (value - estimate.mean) * (value - estimate.mean);
  estimate.standard_error = std::sqrt(squares / (n - 1) / n);
  return estimate;
}

// What the metrics of a split are not.
bool is_count(const std::string& key) {
  static const std::set<std::string> counts = {"examples", "unlabelled", "no_output",
                                               "loss_standard_error"};
  return counts.count(key) > 0;
}

using Records = std::vector<const CellRecord*>;

Estimate over(const Records& records, const std::string& key) {
  std::vector<double> values;
  for (const CellRecord* record : records) values.push_back(number_in(record->finished, key));
  return estimate_of(values);
}

std::vector<Measurement> measured(const Records& records, const std::string& split) {
  std::vector<Measurement> list;
  const Json first = records.front()->finished.value(split, Json());
  if (!first.is_object()) return list;
  for (const auto& [name, value] : first.items()) {
    if (is_count(name)) continue;
    std::vector<double> values;
    for (const CellRecord* record : records) {
      values.push_back(number_in(record->finished.value(split, Json()), name));
    }
    Estimate estimate = estimate_of(values);
    const double spread = number_in(first, "loss_standard_error");
    if (values.size() == 1 && name == "loss" && std::isfinite(spread)) {
      estimate.standard_error = spread;
    }
    list.push_back({name, estimate});
  }
  return list;
}

std::string stop_rules(const Records& records) {
  std::map<std::string, std::size_t> counts;
  for (const CellRecord* record : records) ++counts[record->finished.value("stopped_by", "")];
  if (counts.size() == 1) return counts.begin()->first;
  std::vector<std::string> words;
  for (const auto& [rule, count] : counts) words.push_back(std::to_string(count) + " " + rule);
  return joined(words, ", ");
}

std::optional<Estimate> time_to_gap(const Records& records) {
  std::vector<double> values;
  for (const CellRecord* record : records) {
    if (!record->seconds_to_gap) return std::nullopt;
    values.push_back(*record->seconds_to_gap);
  }
  return estimate_of(values);
}

void fill(SweepRow& row, const Records& records) {
  row.seconds_to_gap = time_to_gap(records);
  row.passes = over(records, "passes");
  row.oracle_calls = over(records, "oracle_calls");
  const bool is_bounded = std::isfinite(over(records, "primal_high").mean);
  if (is_bounded) row.primal = over(records, "primal");
  row.primal_low = over(records, "primal_low");
  for (const CellRecord* record : records) {
    const double gap = number_in(record->finished, "relative_gap");
    row.relative_gap = std::max(row.relative_gap,
                                std::isfinite(gap) ? gap : std::numeric_limits<double>::infinity());
    row.certified += record->finished.value("certified", false) ? 1 : 0;
  }
  row.stopped_by = stop_rules(records);
  row.validation = measured(records, "validation");
  row.test = measured(records, "test");
}

}  // namespace

const Measurement* find(const std::vector<Measurement>& split, const std::string& name) {
  const auto found = std::find_if(split.begin(), split.end(),
                                  [&](const Measurement& one) { return one.name == name; });
  return found == split.end() ? nullptr : &*found;
}

std::vector<std::string> names_in(const std::vector<SweepRow>& rows,
                                  std::vector<Measurement> SweepRow::*split) {
  std::vector<std::string> names;
  for (const SweepRow& row : rows) {
    for (const Measurement& one : row.*split) {
      if (std::find(names.begin(), names.end(), one.name) == names.end()) names.push_back(one.name);
    }
  }
  return names;
}

std::vector<SweepRow> rows_of(std::size_t count, const Plan& plan,
                              const std::vector<CellRecord>& records) {
  std::vector<SweepRow> rows(count);
  std::vector<Records> with_model(count);
  for (std::size_t k = 0; k < plan.cells.size(); ++k) {
    const std::size_t point = plan.cells[k].point;
    rows[point].cells.push_back(k);
    if (records[k].has_model()) {
      with_model[point].push_back(&records[k]);
    } else {
      rows[point].failed.push_back(k);
    }
  }
  for (std::size_t point = 0; point < count; ++point) {
    if (rows[point].failed.empty()) fill(rows[point], with_model[point]);
  }
  return rows;
}

}  // namespace sculpt::core

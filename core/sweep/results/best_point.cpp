#include "sweep/results/best_point.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>
#include <tuple>

#include "base/failure.hpp"
#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

// The value as a number. Empty if the text is not only a number.
std::optional<double> number_of(const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

// The metrics on held-out data, with what each run says of them.
std::vector<MetricDirection> validation_metrics(const std::vector<SweepRow>& rows) {
  std::vector<MetricDirection> metrics;
  for (const std::string& name : metric_names_in(rows, &SweepRow::validation)) {
    std::string better = name == "loss" ? "lower" : "";
    for (const SweepRow& row : rows) {
      const auto found = row.better.find(name);
      if (found != row.better.end()) better = found->second;
    }
    metrics.emplace_back(name, better);
  }
  return metrics;
}

}  // namespace

bool has_complete_point(const std::vector<SweepRow>& rows) {
  return std::any_of(rows.begin(), rows.end(),
                     [](const SweepRow& row) { return row.failed_cells.empty(); });
}

std::size_t best_point(const Criterion& criterion, const std::vector<SweepRow>& rows,
                       const std::vector<PointTraits>& traits) {
  using Rank = std::tuple<double, double, std::size_t>;
  const bool lower = lower_is_better(criterion, validation_metrics(rows));
  std::optional<Rank> best;
  for (std::size_t point = 0; point < rows.size(); ++point) {
    if (!rows[point].failed_cells.empty()) continue;
    const Measurement* const measurement =
        find_measurement(rows[point].validation.by_training_oracle, criterion.metric);
    if (measurement == nullptr || !std::isfinite(measurement->value.mean)) continue;
    const double mean = measurement->value.mean;
    const double cost = lower ? mean : -mean;
    const Rank rank{cost, traits[point].C, point};
    if (!best || rank < *best) best = rank;
  }
  if (!best) {
    throw Failure(Exit::usage, "--best: \"" + criterion.metric +
                                   "\" has no value at any point; choose another metric, and "
                                   "give --resume to keep the cells");
  }
  return std::get<2>(*best);
}

std::vector<std::string> missed_targets(const std::vector<SweepRow>& rows, std::size_t chosen) {
  std::vector<std::string> lines;
  const SweepRow& best = rows[chosen];
  if (best.missed_count > 0) {
    const std::string cells = best.target_count == 1
                                  ? ""
                                  : " in " + std::to_string(best.missed_count) + " of " +
                                        std::to_string(best.target_count) + " cells";
    lines.push_back("the best point missed its target" + cells + " (" + best.stopped_by +
                    "): its metrics are those of unfinished models");
  }
  std::size_t other_count = 0;
  for (const SweepRow& row : rows) other_count += row.missed_count > 0 && &row != &best ? 1 : 0;
  if (other_count > 0) {
    lines.push_back(count_text(static_cast<std::int64_t>(other_count), "other point") +
                    " missed the target, and may be better when the target is reached");
  }
  return lines;
}

std::vector<std::string> boundary_warnings(const Grid& grid, std::size_t point) {
  constexpr std::size_t min_count = 3;
  std::vector<std::string> warnings;
  for (const GridKey& key : grid.keys()) {
    std::vector<double> numbers;
    for (const std::string& value : key.values) {
      if (const auto number = number_of(value)) numbers.push_back(*number);
    }
    if (numbers.size() < std::max(min_count, key.values.size())) continue;
    const std::string value = grid.value(point, key.name);
    const double number = *number_of(value);
    const auto [smallest, largest] = std::minmax_element(numbers.begin(), numbers.end());
    if (number != *smallest && number != *largest) continue;
    warnings.push_back(key.name + "=" + value + " is the " +
                       (number == *largest ? "largest" : "smallest") + " tried");
  }
  return warnings;
}

}  // namespace sculpt::core

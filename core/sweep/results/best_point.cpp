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

// With fewer values a sweep is a comparison, not a search.
constexpr std::size_t min_edge_values = 3;

struct NumberedValue {
  double number = 0;
  std::size_t position = 0;  // among the values of the key
};

// The values of the key that are numbers, ascending.
std::vector<NumberedValue> sorted_numbers(const GridKey& key) {
  std::vector<NumberedValue> numbers;
  for (std::size_t k = 0; k < key.values.size(); ++k) {
    if (const auto number = number_of(key.values[k])) numbers.push_back({*number, k});
  }
  std::sort(numbers.begin(), numbers.end(),
            [](const NumberedValue& a, const NumberedValue& b) { return a.number < b.number; });
  return numbers;
}

// The point that differs from `point` in this key only, which has its value at `position`.
std::size_t point_beside(const Grid& grid, std::size_t point, std::size_t key,
                         std::size_t position) {
  std::vector<std::size_t> wanted = grid.positions(point);
  wanted[key] = position;
  std::size_t beside = 0;
  while (grid.positions(beside) != wanted) ++beside;
  return beside;
}

// True if both points have the same mean, up to rounding.
bool are_equally_good(const Criterion& criterion, const SweepRow& row, const SweepRow& other) {
  constexpr double rounding = 1e-12;
  if (!other.failed_cells.empty()) return false;
  const auto find = [&](const SweepRow& of) {
    return find_measurement(of.validation.by_training_oracle, criterion.metric);
  };
  const Measurement* const one = find(row);
  const Measurement* const two = find(other);
  if (one == nullptr || two == nullptr) return false;
  const double difference = std::abs(one->value.mean - two->value.mean);
  return difference <= rounding * std::abs(one->value.mean);
}

// The value behind `edge`, by the factor between the last two. Two digits, as people type them.
std::string further_value(double inner, double edge) {
  if (!(inner > 0 && edge > 0) || !std::isfinite(edge)) return "";
  return exact_number_text(std::stod(number_text(edge * (edge / inner), 2)));
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

std::string GridEdge::text() const {
  return key + "=" + value + " is the " + (is_largest ? "largest" : "smallest") + " tried";
}

std::vector<GridEdge> grid_edges(const Criterion& criterion, const Grid& grid,
                                 const std::vector<SweepRow>& rows, std::size_t point) {
  std::vector<GridEdge> edges;
  for (std::size_t k = 0; k < grid.keys().size(); ++k) {
    const GridKey& key = grid.keys()[k];
    const std::vector<NumberedValue> numbers = sorted_numbers(key);
    if (numbers.size() < std::max(min_edge_values, key.values.size())) continue;
    const std::size_t position = grid.positions(point)[k];
    const bool is_largest = numbers.back().position == position;
    if (!is_largest && numbers.front().position != position) continue;
    const NumberedValue& edge = is_largest ? numbers.back() : numbers.front();
    const NumberedValue& inner = is_largest ? numbers[numbers.size() - 2] : numbers[1];
    const SweepRow& neighbour = rows[point_beside(grid, point, k, inner.position)];
    if (are_equally_good(criterion, rows[point], neighbour)) continue;
    edges.push_back(
        {key.name, key.values[position], is_largest, further_value(inner.number, edge.number)});
  }
  return edges;
}

}  // namespace sculpt::core

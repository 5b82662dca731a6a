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
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  return problem == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

}  // namespace

bool has_complete_point(const std::vector<SweepRow>& rows) {
  return std::any_of(rows.begin(), rows.end(),
                     [](const SweepRow& row) { return row.failed.empty(); });
}

std::size_t best_point(const Criterion& criterion, const std::vector<SweepRow>& rows,
                       const std::vector<PointTraits>& traits) {
  using Rank = std::tuple<double, double, std::size_t>;
  require_known(criterion, names_in(rows, &SweepRow::validation));
  std::optional<Rank> best;
  for (std::size_t point = 0; point < rows.size(); ++point) {
    if (!rows[point].failed.empty()) continue;
    const Measurement* const found = find(rows[point].validation.own, criterion.metric);
    if (found == nullptr || !std::isfinite(found->value.mean)) continue;
    const double cost = criterion.lower_is_better ? found->value.mean : -found->value.mean;
    const Rank rank{cost, traits[point].C, point};
    if (!best || rank < *best) best = rank;
  }
  if (!best) {
    throw Failure(Exit::usage, "--best: \"" + criterion.metric +
                                   "\" has no value at any point; choose another figure, and "
                                   "--resume goes on from here");
  }
  return std::get<2>(*best);
}

std::vector<std::string> missed_targets(const std::vector<SweepRow>& rows, std::size_t chosen) {
  std::vector<std::string> lines;
  const SweepRow& best = rows[chosen];
  if (best.missed > 0) {
    const std::string part = best.targets == 1 ? ""
                                               : " in " + std::to_string(best.missed) + " of " +
                                                     std::to_string(best.targets) + " cells";
    lines.push_back("it missed its target" + part + " (" + best.stopped_by +
                    "): its figures are those of unfinished models");
  }
  std::size_t others = 0;
  for (const SweepRow& row : rows) others += row.missed > 0 && &row != &best ? 1 : 0;
  if (others > 0) {
    lines.push_back(std::to_string(others) + (others == 1 ? " other point" : " other points") +
                    " missed the target, and may be better once that is reached");
  }
  return lines;
}

std::vector<std::string> boundary_warnings(const Grid& grid, std::size_t point) {
  constexpr std::size_t fewest = 3;
  std::vector<std::string> notes;
  for (const GridKey& key : grid.keys()) {
    std::vector<double> numbers;
    for (const std::string& value : key.values) {
      const auto number = number_of(value);
      if (number) numbers.push_back(*number);
    }
    if (numbers.size() < std::max(fewest, key.values.size())) continue;
    const std::string value = grid.value(point, key.name);
    const double here = *number_of(value);
    const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
    if (here != *least && here != *most) continue;
    notes.push_back(key.name + "=" + value + " is the " + (here == *most ? "largest" : "smallest") +
                    " tried");
  }
  return notes;
}

}  // namespace sculpt::core

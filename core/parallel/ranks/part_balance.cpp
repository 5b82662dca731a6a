#include "parallel/ranks/part_balance.hpp"

#include <algorithm>
#include <utility>

namespace sculpt::core {
namespace {

// Borders move if the slowest rank is expected to need so much less.
constexpr double least_saving = 0.02;
// How much of a step's news is believed.
constexpr double trust_in_cost = 0.5;
constexpr double trust_in_slowness = 0.25;
// A cost changes by at most this factor in a step, before it is damped; a slowness likewise.
constexpr double most_of_cost = 4;
constexpr double most_of_slowness = 2;
// A cost that is known is larger than 0.
constexpr double least_cost = 1e-3;
// Items whose numbers differ by a multiple of it share a cost, so that a table is at most 16 MB.
constexpr std::int64_t most_costs = std::int64_t{1} << 22;

std::size_t place_of(std::int64_t number) {
  return static_cast<std::size_t>(number % most_costs);
}

}  // namespace

StepParts PartBalance::begin_step(const char* step, std::int64_t count) {
  StepParts parts;
  parts.table = static_cast<std::size_t>(
      std::find_if(tables_.begin(), tables_.end(),
                   [&](const Table& table) { return table.step == step; }) -
      tables_.begin());
  if (parts.table == tables_.size()) tables_.push_back({step, {}});
  parts.rank = rank_;
  parts.numbers.resize(static_cast<std::size_t>(count));
  parts.expected_costs.resize(static_cast<std::size_t>(count));
  parts.seconds.resize(static_cast<std::size_t>(count));
  return parts;
}

void PartBalance::set_borders(StepParts& parts) {
  std::vector<float>& costs = tables_[parts.table].costs;
  for (std::size_t k = 0; k < parts.numbers.size(); ++k) {
    const std::size_t place = place_of(parts.numbers[k]);
    if (costs.size() <= place) costs.resize(place + 1);
    parts.expected_costs[k] = costs[place] > 0 ? costs[place] : 1;
  }
  parts.borders = equal_borders(std::ssize(parts.numbers));
  if (parts.numbers.size() <= slowness_.size()) return;
  PartBorders moved = moved_borders(parts);
  if (expected_seconds(parts, moved) <
      (1 - least_saving) * expected_seconds(parts, parts.borders)) {
    parts.borders = std::move(moved);
  }
}

PartBorders PartBalance::equal_borders(std::int64_t count) const {
  const std::int64_t ranks = std::ssize(slowness_);
  PartBorders borders;
  for (std::int64_t k = 0; k <= ranks; ++k) borders.push_back(begin_of_part(count, ranks, k));
  return borders;
}

// Each border is where the sum of the costs comes closest to the shares of the ranks before it. But
// each rank has an item.
PartBorders PartBalance::moved_borders(const StepParts& parts) const {
  const std::int64_t count = std::ssize(parts.numbers);
  const std::int64_t ranks = std::ssize(slowness_);
  const double cost = parts.expected_cost(0, count);
  double speed = 0;
  for (const double one : slowness_) speed += 1 / one;
  PartBorders borders = {0};
  std::int64_t item = 0;
  double cost_before = 0;   // of the items before `item`
  double speed_before = 0;  // of the ranks before the border
  for (std::int64_t k = 1; k < ranks; ++k) {
    speed_before += 1 / slowness_[static_cast<std::size_t>(k - 1)];
    const double wanted = cost * speed_before / speed;
    const std::int64_t least = borders.back() + 1;
    const std::int64_t most = count - (ranks - k);
    while (item < most) {
      const auto next = static_cast<double>(parts.expected_costs[static_cast<std::size_t>(item)]);
      if (item >= least && cost_before + next / 2 > wanted) break;
      cost_before += next;
      ++item;
    }
    borders.push_back(item);
  }
  borders.push_back(count);
  return borders;
}

// That the slowest rank needs for its part, in units of the table.
double PartBalance::expected_seconds(const StepParts& parts, const PartBorders& borders) const {
  double most = 0;
  for (std::size_t k = 0; k < slowness_.size(); ++k) {
    most = std::max(most, slowness_[k] * parts.expected_cost(borders[k], borders[k + 1]));
  }
  return most;
}

void PartBalance::learn(const StepParts& parts) {
  Table& table = tables_[parts.table];
  const double unit = seconds_of_unit(parts, table);
  if (unit <= 0) return;
  learn_slowness(parts, unit);
  learn_costs(parts, unit, table.costs);
  table.seconds = unit;
}

// The seconds of a cost of 1 on a mean rank. If most items are new, that of the step before: so the
// costs of items fit together that are seen for the first time in different steps.
double PartBalance::seconds_of_unit(const StepParts& parts, const Table& table) const {
  const auto is_known = [&](std::int64_t number) { return table.costs[place_of(number)] > 0; };
  const auto known = std::count_if(parts.numbers.begin(), parts.numbers.end(), is_known);
  if (table.seconds > 0 && 2 * known < std::ssize(parts.numbers)) return table.seconds;
  double expected = 0;
  for (std::size_t k = 0; k < slowness_.size(); ++k) {
    expected += slowness_[k] * parts.expected_cost(parts.borders[k], parts.borders[k + 1]);
  }
  return expected > 0 ? parts.seconds_of(0, std::ssize(parts.seconds)) / expected : 0;
}

void PartBalance::learn_slowness(const StepParts& parts, double unit) {
  double speed = 0;
  for (std::size_t k = 0; k < slowness_.size(); ++k) {
    const double expected =
        slowness_[k] * unit * parts.expected_cost(parts.borders[k], parts.borders[k + 1]);
    const double measured = parts.seconds_of(parts.borders[k], parts.borders[k + 1]);
    if (expected > 0) {
      const double factor = std::clamp(measured / expected, 1 / most_of_slowness, most_of_slowness);
      slowness_[k] *= 1 + trust_in_slowness * (factor - 1);
    }
    speed += 1 / slowness_[k];
  }
  const double mean_speed = speed / static_cast<double>(slowness_.size());
  for (double& one : slowness_) one *= mean_speed;
}

void PartBalance::learn_costs(const StepParts& parts, double unit,
                              std::vector<float>& costs) const {
  for (std::size_t rank = 0; rank < slowness_.size(); ++rank) {
    for (std::int64_t k = parts.borders[rank]; k < parts.borders[rank + 1]; ++k) {
      const auto item = static_cast<std::size_t>(k);
      float& known = costs[place_of(parts.numbers[item])];
      const auto earlier = static_cast<double>(known);
      double cost = static_cast<double>(parts.seconds[item]) / (unit * slowness_[rank]);
      if (known > 0) {
        cost = std::clamp(cost, earlier / most_of_cost, earlier * most_of_cost);
        cost = earlier + trust_in_cost * (cost - earlier);
      }
      known = static_cast<float>(std::max(cost, least_cost));
    }
  }
}

}  // namespace sculpt::core

#include "sweep/plan/sweep_plan.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text/message_text.hpp"
#include "base/text/shell_word.hpp"

namespace sculpt::core {
namespace {

// What the cells of a chain have in common: all values of their point but C, and the fold.
using ChainKey = std::pair<std::vector<std::size_t>, std::int64_t>;

ChainKey chain_key(const Grid& grid, const Cell& cell) {
  std::vector<std::size_t> others = grid.positions(cell.point);
  for (std::size_t k = 0; k < others.size(); ++k) {
    if (grid.keys()[k].name == "solver.C") others[k] = 0;
  }
  return {others, cell.fold};
}

std::string cell_name(const std::string& point, const HoldOutOptions& hold_out_options,
                      std::int64_t fold) {
  return hold_out_options.folds > 0 ? point + ".fold" + std::to_string(fold) : point;
}

}  // namespace

std::string HoldOutOptions::setting(std::int64_t fold) const {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (folds > 0) {
    json["folds"] = folds;
    json["fold"] = fold;
  } else {
    json["fraction"] = fraction;
  }
  json["seed"] = seed;
  if (!groups.empty()) json["groups"] = groups;
  return "hold_out=" + json.dump();
}

std::string HoldOutOptions::text() const {
  if (!is_set()) return "";
  std::string text =
      folds > 0 ? "--folds " + std::to_string(folds) : "--hold-out " + exact_number_text(fraction);
  if (!groups.empty()) text += " --groups " + shell_word(groups);
  return seed == 0 ? text : text + " --seed " + std::to_string(seed);
}

std::optional<std::size_t> SweepPlan::previous(std::size_t cell) const {
  if (cells[cell].is_cold_start) return std::nullopt;
  for (const std::vector<std::size_t>& chain : chains) {
    const auto found = std::find(chain.begin(), chain.end(), cell);
    if (found != chain.end() && found != chain.begin()) return *std::prev(found);
  }
  return std::nullopt;
}

std::optional<std::size_t> SweepPlan::find(const std::string& name) const {
  const auto found =
      std::find_if(cells.begin(), cells.end(), [&](const Cell& cell) { return cell.name == name; });
  if (found == cells.end()) return std::nullopt;
  return static_cast<std::size_t>(found - cells.begin());
}

std::string point_name(std::size_t number) {
  std::string digits = std::to_string(number);
  if (digits.size() < 3) digits.insert(0, 3 - digits.size(), '0');
  return digits;
}

SweepPlan plan_of(const Grid& grid, const HoldOutOptions& hold_out_options,
                  const std::vector<PointTraits>& traits, const std::vector<std::string>& names) {
  SweepPlan plan;
  for (std::size_t point = 0; point < grid.size(); ++point) {
    const std::string name = names.empty() ? point_name(point) : names[point];
    for (std::int64_t fold = 0; fold < hold_out_options.cells_per_point(); ++fold) {
      Cell cell{cell_name(name, hold_out_options, fold), point, fold, grid.settings(point), true};
      if (hold_out_options.is_set()) cell.settings.push_back(hold_out_options.setting(fold));
      plan.cells.push_back(std::move(cell));
    }
  }
  std::map<ChainKey, std::size_t> chain_of_key;
  for (std::size_t k = 0; k < plan.cells.size(); ++k) {
    if (!traits[plan.cells[k].point].can_start_with_planes) {
      plan.chains.push_back({k});
      continue;
    }
    const auto [found, is_new] =
        chain_of_key.emplace(chain_key(grid, plan.cells[k]), plan.chains.size());
    if (is_new) plan.chains.emplace_back();
    plan.chains[found->second].push_back(k);
  }
  for (std::vector<std::size_t>& chain : plan.chains) {
    const auto C = [&](std::size_t cell) { return traits[plan.cells[cell].point].C; };
    std::stable_sort(chain.begin(), chain.end(),
                     [&](std::size_t left, std::size_t right) { return C(left) < C(right); });
    for (std::size_t k = 1; k < chain.size(); ++k) plan.cells[chain[k]].is_cold_start = false;
  }
  return plan;
}

}  // namespace sculpt::core

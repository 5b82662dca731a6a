#include "check/small_graphs/graph_distribution.hpp"

#include <algorithm>
#include <cmath>

#include "base/infinity.hpp"
#include "problem/outputs/factor_graph_reader.hpp"

namespace sculpt::core {
namespace {

// Returns the index in theta of the first cell of each table.
std::vector<std::size_t> table_offsets(const SmallGraph& graph) {
  std::vector<std::size_t> offsets;
  std::size_t offset = 0;
  for (const std::vector<double>& table : graph.tables) {
    offsets.push_back(offset);
    offset += table.size();
  }
  return offsets;
}

}  // namespace

GraphDistribution::GraphDistribution(const SmallGraph& graph)
    : theta_size_(graph.theta().size()), log_z_(-infinity), largest_terms_(graph.largest_terms()) {
  const std::vector<std::size_t> offsets = table_offsets(graph);
  each_assignment(graph.states, [&](const std::vector<std::int32_t>& y) {
    WeightedOutput member{y, {}, 0, 0};
    long double score = 0;
    for (const auto& [table, cell] : graph.cells_of(y)) {
      member.cells.push_back(offsets[table] + cell);
      score += graph.tables[table][cell];
    }
    member.score = static_cast<double>(score);
    members_.push_back(std::move(member));
  });
  if (members_.empty()) return;
  std::sort(members_.begin(), members_.end(), [](const WeightedOutput& a, const WeightedOutput& b) {
    return a.score != b.score ? a.score > b.score : a.y < b.y;
  });
  const long double best = members_.front().score;
  long double z = 0;
  for (const WeightedOutput& member : members_) z += std::exp(member.score - best);
  for (WeightedOutput& member : members_) {
    member.probability = static_cast<double>(std::exp(member.score - best) / z);
  }
  log_z_ = static_cast<double>(best + std::log(z));
}

std::vector<double> GraphDistribution::mean() const {
  std::vector<long double> sum(theta_size_);
  for (const WeightedOutput& member : members_) {
    for (const std::size_t cell : member.cells) sum[cell] += member.probability;
  }
  return {sum.begin(), sum.end()};
}

std::vector<double> GraphDistribution::covariance_times(std::span<const double> direction) const {
  const auto dot = [&](const WeightedOutput& member) {
    long double sum = 0;
    for (const std::size_t cell : member.cells) sum += direction[cell];
    return sum;
  };
  long double mean = 0;
  for (const WeightedOutput& member : members_) mean += member.probability * dot(member);
  std::vector<long double> sum(theta_size_);
  for (const WeightedOutput& member : members_) {
    const long double weight = member.probability * (dot(member) - mean);
    for (const std::size_t cell : member.cells) sum[cell] += weight;
  }
  return {sum.begin(), sum.end()};
}

}  // namespace sculpt::core

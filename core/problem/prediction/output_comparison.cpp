#include "problem/prediction/output_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/products.hpp"
#include "problem/outputs/factor_graph_reader.hpp"
#include "problem/plugin/labels_copy.hpp"
#include "problem/plugin/oracle_seed.hpp"

namespace sculpt::core {
namespace {

// Sorts by magnitude, the largest first. Equal ones keep their order.
template <class Share>
void sort_by_share(std::vector<Share>& shares) {
  std::stable_sort(shares.begin(), shares.end(), [](const Share& a, const Share& b) {
    return std::abs(a.share) > std::abs(b.share);
  });
}

// A factor at which two assignments have different scores.
struct DifferentCells {
  std::int64_t factor;
  std::size_t first;
  std::size_t second;
  double share;
};

std::vector<DifferentCells> different_cells(const sculpt_factor_graph& graph,
                                            const std::vector<double>& theta,
                                            const std::vector<std::int32_t>& first,
                                            const std::vector<std::int32_t>& second) {
  const std::vector<std::size_t> cells_of_first = cells_of(graph, first);
  const std::vector<std::size_t> cells_of_second = cells_of(graph, second);
  std::vector<DifferentCells> different;
  for (std::size_t f = 0; f < cells_of_first.size(); ++f) {
    const std::size_t a = cells_of_first[f];
    const std::size_t b = cells_of_second[f];
    if (theta[a] != theta[b])
      different.push_back({static_cast<std::int64_t>(f), a, b, theta[a] - theta[b]});
  }
  return different;
}

}  // namespace

OutputComparison::OutputComparison(Problem& problem, const Vector& w)
    : problem_(problem), w_(w), scratch_(problem.dimension()), sum_(problem.dimension()) {}

void OutputComparison::vector(std::int64_t example, sculpt_labels y, SparseVector& out) {
  problem_.features().vector(0, example, y, Exit::data, scratch_, out);
}

double OutputComparison::score(std::int64_t example, sculpt_labels y) {
  SparseVector psi;
  vector(example, y, psi);
  return dot(psi, w_);
}

SparseVector OutputComparison::difference(std::int64_t example, sculpt_labels first,
                                          sculpt_labels second) {
  SparseVector psi;
  vector(example, first, psi);
  if (second.data == nullptr) return psi;
  SparseVector psi_of_second;
  vector(example, second, psi_of_second);
  SparseVector difference;
  sum_.subtract(psi, psi_of_second, 1, difference);
  return difference;
}

std::vector<WeightShare> OutputComparison::weight_shares(const SparseVector& difference) const {
  std::vector<WeightShare> shares;
  const ProblemKernel* const kernel = problem_.kernel();
  for (std::size_t k = 0; k < difference.index.size(); ++k) {
    const std::int64_t weight = difference.index[k];
    if (kernel != nullptr && kernel->layout().belongs_to_atom(weight)) continue;
    const double value = w_[static_cast<std::size_t>(weight)];
    const double share = value * difference.value[k];
    if (share != 0) shares.push_back({weight, value, difference.value[k], share});
  }
  sort_by_share(shares);
  return shares;
}

PartShares OutputComparison::part_shares(std::int64_t example, sculpt_labels first,
                                         sculpt_labels second, std::size_t max_parts) {
  FactorGraphReader reader(problem_.features());
  if (!reader.is_offered() || second.data == nullptr) return {};
  const sculpt_factor_graph& graph = reader.graph(example);
  const std::vector<std::int32_t> y = copy_of(first);
  const std::vector<std::int32_t> z = copy_of(second);
  if (!is_assignment(graph, y) || !is_assignment(graph, z)) return {};
  const std::vector<double> theta =
      reader.potentials(example, graph, {w_.data(), problem_.dimension(), next_stamp()});
  std::vector<DifferentCells> different = different_cells(graph, theta, y, z);
  PartShares result;
  result.count = different.size();
  sort_by_share(different);
  different.resize(std::min(different.size(), max_parts));
  std::vector<double> mu(theta.size(), 0.0);
  for (const DifferentCells& cells : different) {
    PartShare& part = result.parts.emplace_back();
    part.share = cells.share;
    for (std::int64_t s = graph.scope_from[cells.factor]; s < graph.scope_from[cells.factor + 1];
         ++s) {
      const std::int32_t v = graph.scope[s];
      part.variables.push_back(v);
      part.first.push_back(y[static_cast<std::size_t>(v)]);
      part.second.push_back(z[static_cast<std::size_t>(v)]);
    }
    if (problem_.kernel() != nullptr) continue;
    mu[cells.first] = 1;
    mu[cells.second] = -1;
    part.weights = weight_shares(reader.pullback(example, mu, 1, problem_.dimension()).psi);
    mu[cells.first] = 0;
    mu[cells.second] = 0;
  }
  return result;
}

}  // namespace sculpt::core

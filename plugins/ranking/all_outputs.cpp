#include "all_outputs.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "order_output.hpp"

namespace ranking {

namespace {

using Output = std::vector<std::int32_t>;

// Calls visit(order) for all permutations of the documents. Returns false if there are more than
// `limit`.
template <class VisitOrder>
bool each_permutation(std::size_t documents, std::int64_t limit, VisitOrder visit) {
  std::int64_t permutations = 1;
  for (std::int64_t k = 2; k <= static_cast<std::int64_t>(documents); ++k) {
    permutations *= k;
    if (permutations > limit) return false;
  }
  std::vector<std::int64_t> order(documents);
  std::iota(order.begin(), order.end(), std::int64_t{0});
  do {
    visit(std::as_const(order));
  } while (std::next_permutation(order.begin(), order.end()));
  return true;
}

std::int64_t visit_all(const std::set<Output>& outputs, std::int64_t limit,
                       const sculpt::Visit& visit) {
  const auto count = static_cast<std::int64_t>(outputs.size());
  if (count > limit) return limit + 1;
  for (const Output& y : outputs) visit(sculpt::Labels(y));
  return count;
}

}  // namespace

std::int64_t each_order(std::span<const std::int32_t> group, sculpt::Labels grades,
                        std::int64_t limit, const sculpt::Visit& visit) {
  const auto at = [](std::span<const std::int32_t> values, std::int64_t document) {
    return values[static_cast<std::size_t>(document)];
  };
  std::set<Output> outputs;
  Output y(group.size());
  const bool complete = each_permutation(group.size(), limit, [&](const auto& order) {
    for (std::size_t k = 1; k < order.size(); ++k) {
      const bool descends = at(grades, order[k]) < at(grades, order[k - 1]);
      if (descends && at(group, order[k]) == at(group, order[k - 1])) return;
    }
    write_runs(order, group, grades, y);
    outputs.insert(y);
  });
  return complete ? visit_all(outputs, limit, visit) : limit + 1;
}

std::int64_t each_swapped_set(std::span<const std::int32_t> group, sculpt::Labels grades,
                              std::int64_t limit, const sculpt::Visit& visit) {
  constexpr std::size_t max_pairs = 40;
  const std::size_t n = group.size();
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  // the better document first
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (group[i] > group[j]) pairs.emplace_back(i, j);
    }
    if (pairs.size() > max_pairs) return limit + 1;
  }
  const std::int64_t codes = std::int64_t{1} << pairs.size();
  if (codes > limit) return limit + 1;
  std::set<Output> outputs{Output(grades.begin(), grades.end())};
  for (std::int64_t code = 1; code < codes; ++code) {
    Output y(2 * n, 0);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      if ((code >> p & 1) == 0) continue;
      ++y[pairs[p].first];
      ++y[n + pairs[p].second];
    }
    outputs.insert(y);
  }
  return visit_all(outputs, limit, visit);
}

}  // namespace ranking

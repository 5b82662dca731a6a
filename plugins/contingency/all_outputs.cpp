#include "all_outputs.hpp"

#include "set_output.hpp"

namespace contingency {

std::int64_t each_labelling(std::int64_t rows, const PredictedRange& range, std::int64_t limit,
                            const sculpt::Visit& visit) {
  constexpr std::int64_t max_rows = 40;
  if (rows > max_rows || (std::int64_t{1} << rows) > limit) return limit + 1;
  std::vector<std::int32_t> y(static_cast<std::size_t>(rows));
  std::int64_t outputs = 0;
  for (std::int64_t code = 0; code < (std::int64_t{1} << rows); ++code) {
    std::int64_t predicted = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      y[i] = static_cast<std::int32_t>(code >> i & 1);
      predicted += y[i];
    }
    if (predicted < range.min || predicted > range.max) continue;
    visit(sculpt::Labels(y));
    ++outputs;
  }
  return outputs;
}

// Among permutations that differ only within neighbours of one kind, only the ascending one is
// visited.
std::int64_t each_order(sculpt::Labels truth, std::int64_t limit, const sculpt::Visit& visit) {
  std::int64_t permutations = 1;
  for (std::int64_t k = 2; k <= truth.count(); ++k) {
    permutations *= k;
    if (permutations > limit) return limit + 1;
  }
  std::vector<std::size_t> order(truth.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::int32_t> y(truth.size());
  std::int64_t outputs = 0;
  do {
    bool ascends = true;
    std::int32_t number = before_first;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const bool same = k > 0 && truth[order[k]] == truth[order[k - 1]];
      ascends = ascends && !(same && order[k] < order[k - 1]);
      if (!same) number = number_above(number, truth[order[k]] == 1);
      y[order[k]] = number;
    }
    if (!ascends) continue;
    visit(sculpt::Labels(y));
    ++outputs;
  } while (std::next_permutation(order.begin(), order.end()));
  return outputs;
}

}  // namespace contingency

#include "structure_parser.hpp"

#include <algorithm>

namespace rna {

StructureDerivation StructureParser::find(sculpt::Labels y) {
  StructureDerivation result;
  result.is_complete = derives(y);
  if (!result.is_complete && !derives_without_pairs(y)) return result;
  sculpt::program::derive(
      structure_, open_, derivation_,
      [&](std::int64_t node, Structures::Edge& edge) { edge = structure_.first_edge(node); });
  for (const Structures::Edge& edge : derivation_) result.spans.push_back(edge.span);
  return result;
}

bool StructureParser::derives(sculpt::Labels y) {
  allowed_.reset(y.size(), false);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto partner = static_cast<std::size_t>(y[i]);
    if (partner == i) allowed_.single[i] = 1;
    if (partner > i) allowed_.set_pair(i, partner);
  }
  structure_.reset(grammar_, allowed_, host_);
  return structure_.is_derivable();
}

// Bisection, because the program of a structure is expensive: most grammars derive a structure with
// fewer pairs too. If the grammar requires pairs, every number is tried.
bool StructureParser::derives_without_pairs(sculpt::Labels y) {
  std::vector<std::int32_t> pairs;  // left ends, the shortest pair first, then from the left
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] > static_cast<std::int32_t>(i)) pairs.push_back(static_cast<std::int32_t>(i));
  }
  const auto width = [&](std::int32_t i) { return y[static_cast<std::size_t>(i)] - i; };
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](std::int32_t a, std::int32_t b) { return width(a) < width(b); });
  const auto derives_without = [&](std::size_t count) {
    std::vector<std::int32_t> rest(y.begin(), y.end());
    for (std::size_t k = 0; k < count; ++k) {
      const std::int32_t partner = y[static_cast<std::size_t>(pairs[k])];
      rest[static_cast<std::size_t>(partner)] = partner;
      rest[static_cast<std::size_t>(pairs[k])] = pairs[k];
    }
    return derives(rest);
  };
  std::size_t too_few_removed = 0;
  std::size_t enough_removed = pairs.size();
  if (enough_removed == 0) return false;
  if (!derives_without(enough_removed)) {
    for (std::size_t count = 1; count < pairs.size(); ++count) {
      if (derives_without(count)) return true;
    }
    return false;
  }
  while (enough_removed - too_few_removed > 1) {
    const std::size_t middle = too_few_removed + (enough_removed - too_few_removed) / 2;
    (derives_without(middle) ? enough_removed : too_few_removed) = middle;
  }
  return derives_without(enough_removed);  // again, because the last attempt may be another
}

}  // namespace rna

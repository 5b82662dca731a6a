#include "solver/n_slack/infeasible_blocks.hpp"

namespace sculpt::core {
namespace {

// Adds the planes of an example with b > 0. `only_active`: only those with alpha > 0.
void add_planes(const WorkingSet& working_set, std::int64_t example, bool only_active,
                InfeasiblePlanes& planes) {
  const Block& block = working_set.block(example);
  for (std::size_t p = 1; p < block.size(); ++p) {
    if (block.b[p] <= 0 || (only_active && block.alpha[p] <= 0)) continue;
    planes.add(example, block.a[p], block.b[p]);
  }
}

}  // namespace

std::vector<double> alpha_sums_of_blocks(const WorkingSet& working_set) {
  std::vector<double> sums;
  for (std::int64_t i = 0; i < working_set.block_count(); ++i) {
    sums.push_back(working_set.block(i).alpha_sum());
  }
  return sums;
}

InfeasiblePlanes active_planes(const WorkingSet& working_set,
                               std::span<const std::int64_t> examples) {
  InfeasiblePlanes planes;
  for (const std::int64_t example : examples) add_planes(working_set, example, true, planes);
  return planes;
}

InfeasiblePlanes all_planes(const WorkingSet& working_set) {
  InfeasiblePlanes planes;
  for (std::int64_t i = 0; i < working_set.block_count(); ++i) {
    add_planes(working_set, i, false, planes);
  }
  return planes;
}

}  // namespace sculpt::core

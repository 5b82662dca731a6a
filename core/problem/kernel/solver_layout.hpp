// solver_layout.hpp - moves vectors of a problem with a kernel to the layout of the solvers
// (kernel_layout.hpp).
//
// Called by KernelPlanes for planes, and by OutputMargins for outputs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "linalg/vector.hpp"
#include "problem/kernel/kernel_layout.hpp"

namespace sculpt::core {

// Moves the entries of `a`, which belong to training atoms and the linear part. `scratch`: memory
// for them.
inline void move_to_solver_layout(const KernelLayout& layout, SparseVector& a,
                                  std::vector<std::pair<std::int32_t, double>>& scratch) {
  scratch.clear();
  for (std::size_t k = 0; k < a.index.size(); ++k) {
    scratch.emplace_back(static_cast<std::int32_t>(layout.solver_index(a.index[k])), a.value[k]);
  }
  std::sort(scratch.begin(), scratch.end(),
            [](const auto& x, const auto& y) { return x.first < y.first; });
  for (std::size_t k = 0; k < scratch.size(); ++k) {
    a.index[k] = scratch[k].first;
    a.value[k] = scratch[k].second;
  }
}

}  // namespace sculpt::core

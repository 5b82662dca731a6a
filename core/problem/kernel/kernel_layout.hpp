// kernel_layout.hpp - where the weights of a problem with a kernel are: in the problem, and in the
// solvers.
//
//   problem   the weight of atom a in block b is first + a B + b, for all atoms of the dataset. All
//             others are the linear part (ext/row_blocks.h)
//   solvers   training atoms alone, block by block: b T + t. The linear part follows. So a row of
//             the kernel is added to neighbours in memory
//
// Made by ProblemKernel.
#pragma once

#include <cstdint>

#include "problem/components/dataset.hpp"

namespace sculpt::core {

struct KernelLayout {
  std::int64_t atom_count = 0;         // A, of the dataset
  Range training;                      // the range of the training atoms
  std::int64_t first = 0;              // the first weight of an atom in the problem
  std::int64_t blocks = 1;             // B
  std::int64_t problem_dimension = 0;  // A B and the linear part

  std::int64_t training_count() const { return training.size(); }  // T
  std::int64_t linear_count() const { return problem_dimension - atom_count * blocks; }
  // Of the solvers: where the linear part begins, and the dimension.
  std::int64_t linear_from() const { return training_count() * blocks; }
  std::int64_t dimension() const { return linear_from() + linear_count(); }

  // Where element l of the linear part is in the problem.
  std::int64_t problem_index_of_linear(std::int64_t l) const {
    return l < first ? l : l + atom_count * blocks;
  }
  // True if a weight of the problem is the score of an atom, and not of the linear part.
  bool belongs_to_atom(std::int64_t weight) const {
    return weight >= first && weight < first + atom_count * blocks;
  }
  // The index in the solvers of a weight of the problem: of a training atom or the linear part.
  std::int64_t solver_index(std::int64_t weight) const {
    const std::int64_t offset = weight - first;
    if (offset < 0) return linear_from() + weight;
    if (offset >= atom_count * blocks) return linear_from() + weight - atom_count * blocks;
    return offset % blocks * training_count() + (offset / blocks - training.begin);
  }
};

}  // namespace sculpt::core

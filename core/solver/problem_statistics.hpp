// problem_statistics.hpp - the statistics of the data that the memory of a solver depends on.
//
// Filled by train. Read by the solvers and plane_memory.cpp.
#pragma once

#include <cstdint>

namespace sculpt::core {

struct ProblemStatistics {
  std::int64_t examples = 0;     // The number that planes are made for: n without weights of 0.
  std::int64_t dimension = 0;    // The number d.
  std::int64_t columns = 0;      // Columns that planes may touch, roughly; 0: not known.
  bool has_bounds = false;       // Some w_j >= 0 is demanded.
  std::int64_t joint_bytes = 0;  // What the source keeps for the sum over all examples.
  // About the truths y_i of some examples. `states`: the number of values of a label, from the
  // largest label seen. `has_label_sets`: y is a set of labels, and each label is on or off.
  double states = 2;
  bool has_label_sets = false;
  bool has_relaxed_answers = false;  // The oracle gives relaxed answers.
  // Means over these truths.
  double labels = 0;     // Labels in y_i.
  double entries = 0;    // Entries of psi(x_i, y_i) that are not 0.
  double psi_bytes = 0;  // Bytes of these entries in a PlaneVector.
  double cells = 0;      // Scores of the factor graph of x_i; 0: the oracle is no map_solver.
  // psi(x_i, y_i) - psi(x_i, y) as a PlaneVector, y another truth, if y is one label. 0: not known.
  double plane_bytes = 0;
  double plane_entries = 0;
  // Planes are class differences, and those of an example share an input.
  bool shares_input = false;
  // If y is one label: the fraction of pairs y_i, y that are hard to distinguish (ConfusedClasses),
  // at most 0.5. The default stands for "not known".
  double confused_fraction = 0.2;
  // With a kernel: the training atoms, and the pairs of atoms of the same example. 0: none.
  std::int64_t kernel_atoms = 0;
  double kernel_pairs = 0;
  // The largest |psi_j| of the largest column, divided by that of the smallest column.
  double column_spread = 1;

  double vector_bytes() const {  // of a vector as long as w
    return static_cast<double>(sizeof(double)) * static_cast<double>(dimension);
  }
};

}  // namespace sculpt::core

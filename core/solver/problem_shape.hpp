// problem_shape.hpp - what of a problem the memory of a solver depends on.
//
// Filled by train, read by the solvers and plane_memory.cpp.
#pragma once

#include <cstdint>

namespace sculpt::core {

struct ProblemShape {
  std::int64_t examples = 0;     // n
  std::int64_t dimension = 0;    // d
  std::int64_t columns = 0;      // of them that planes may touch, about; 0: not known
  bool has_bounds = false;       // w_j >= 0 somewhere
  std::int64_t joint_bytes = 0;  // what the source keeps for the sum over all examples
  // Of the truths y_i of some examples: what a label can be, by the largest there is, and whether
  // they are label sets: which of the same labels is on in each.
  double states = 2;
  bool label_sets = false;
  bool relaxed = false;  // the oracle gives relaxed answers
  // Means over these truths.
  double labels = 0;     // in y_i
  double entries = 0;    // of psi(x_i, y_i) that are not 0
  double psi_bytes = 0;  // of them as a PlaneVector has them
  // Of psi(x_i, y_i) - psi(x_i, y) as a PlaneVector has it, y another truth, where y is one label;
  // 0: not known.
  double plane_bytes = 0;
  double plane_entries = 0;
  bool shares_input = false;  // such planes are opposed ones: those of one example share a half
  // Where y is one label: the part of such pairs y_i, y that are hard to tell apart
  // (ConfusedClasses), 0.5 at most. The default: not known.
  double confused = 0.2;
  // The largest |psi_j| of the column where that is most, over the same where it is least.
  double column_spread = 1;

  double vector_bytes() const {  // of a vector as long as w
    return static_cast<double>(sizeof(double)) * static_cast<double>(dimension);
  }
};

}  // namespace sculpt::core

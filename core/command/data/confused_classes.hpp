// confused_classes.hpp - how hard classes are to tell apart, from a few examples.
//
// Called by memory_estimate.cpp: the harder they are, the more planes of an example matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "linalg/vector.hpp"

namespace sculpt::core {

// Takes pairs of psi(x, truth) and psi(x, another class).
class ConfusedClasses {
 public:
  void add(const SparseVector& truth, const SparseVector& other);

  // The part of the pairs in which the other class wins if w is the sum of the differences of all
  // other pairs. Every column is first moved by the mean of these and scaled by its deviation.
  // 0: the classes are far apart. 0.5: chance, and the most that is told. Nothing where few pairs
  // have columns of which enough other pairs tell, as with hundreds of classes.
  std::optional<double> part() const;

 private:
  struct Entry {
    std::int32_t column = 0;
    double sign = 1;  // -1: of the other class
    double value = 0;
  };
  // Sums over the entries.
  struct Column {
    double count = 0, signs = 0;
    double values = 0, signed_values = 0, squares = 0;
    // What an entry of it adds to the score of its pair; nothing where too few others tell.
    std::optional<double> score(const Entry& entry) const;
  };

  void add(const SparseVector& psi, double sign);

  std::unordered_map<std::int32_t, Column> columns_;
  std::vector<Entry> entries_;    // of all pairs
  std::vector<std::size_t> end_;  // [pairs] in entries_
};

}  // namespace sculpt::core

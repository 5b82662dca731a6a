// confused_classes.hpp - estimates from a few examples how hard the classes are to separate.
//
// Called by memory_estimate.cpp. The harder this is, the more planes an example needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "linalg/vector.hpp"

namespace sculpt::core {

// Collects pairs of psi(x, truth) and psi(x, another class).
class ConfusedClasses {
 public:
  void add(const SparseVector& truth, const SparseVector& other);

  // The fraction of pairs in which the other class wins. w is the sum of the differences of all
  // other pairs. Each column is first centred by the mean of the other pairs and divided by its
  // standard deviation. 0: the classes are easy to separate. 0.5: no better than chance; larger
  // values become 0.5. Empty if too few pairs share their columns with other pairs, as with
  // hundreds of classes.
  std::optional<double> confused_fraction() const;

 private:
  struct Entry {
    std::int32_t column = 0;
    double sign = 1;  // 1: of the truth, -1: of the other class
    double value = 0;
  };
  // Sums over the entries.
  struct Column {
    double count = 0, signs = 0;
    double values = 0, signed_values = 0, squares = 0;
    // What an entry adds to the score of its pair. Empty if too few other pairs have the column.
    std::optional<double> score(const Entry& entry) const;
  };

  void add(const SparseVector& psi, double sign);

  std::unordered_map<std::int32_t, Column> columns_;
  std::vector<Entry> entries_;    // of all pairs
  std::vector<std::size_t> end_;  // [pairs] end of the pair in entries_
};

}  // namespace sculpt::core

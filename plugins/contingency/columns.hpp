// columns.hpp - the rows of a set by their features: psi of a giant set is a sum for each feature.
#pragma once

#include <sculpt/cpp/site_input.hpp>
#include <sculpt/sculpt.hpp>
#include <span>
#include <vector>

namespace contingency {

class Columns {
 public:
  Columns(const sculpt_sites& sites, std::int64_t feature_count);

  // Adds to each feature its sum over the rows of factor_i x_i, in ascending order of the features;
  // on all threads, whose number changes nothing. What is positive and what is negative of it
  // apart: the host judges values by the size of what was added. factor[rows]
  void add(sculpt::Host host, std::span<const double> factor, sculpt::Sum& sum) const;

 private:
  std::vector<std::int32_t> feature_;  // [columns] those that any row has, ascending
  std::vector<std::size_t> from_;      // [columns + 1] into row_ and value_
  std::vector<std::int32_t> row_;
  std::vector<double> value_;
  std::vector<std::size_t> task_;  // [tasks + 1] into feature_: about as many entries in each
};

}  // namespace contingency

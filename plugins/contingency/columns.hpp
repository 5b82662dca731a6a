// columns.hpp - the rows of a set, stored by feature: psi of a large set is one sum for each
// feature. Called by set_features.hpp.
#pragma once

#include <sculpt/cpp/site_input.hpp>
#include <sculpt/sculpt.hpp>
#include <span>
#include <vector>

namespace contingency {

class Columns {
 public:
  Columns(const sculpt_sites& sites, std::int64_t feature_count);

  // Adds to each feature its sum over the rows of factor_i x_i, in ascending order of the features.
  // Uses all threads; their number does not change the result. Positive and negative parts are
  // added separately, because the host estimates rounding from the size of the terms.
  // factors[rows]
  void add(sculpt::Host host, std::span<const double> factors, sculpt::Sum& sum) const;

 private:
  std::vector<std::int32_t> features_;     // Features that occur in any row, ascending, [columns].
  std::vector<std::size_t> column_begin_;  // Offsets into rows_ and values_, [columns + 1].
  std::vector<std::int32_t> rows_;
  std::vector<double> values_;
  // Offsets into features_, for about equal work, [tasks + 1].
  std::vector<std::size_t> task_begin_;
};

}  // namespace contingency

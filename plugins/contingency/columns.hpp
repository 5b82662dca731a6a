// columns.hpp - the rows of a set, stored by feature: psi of a large set is one sum a feature.
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
  // added separately, because the host judges rounding by the size of the terms. factor[rows]
  void add(sculpt::Host host, std::span<const double> factor, sculpt::Sum& sum) const;

 private:
  std::vector<std::int32_t> feature_;  // Features that occur in any row, ascending, [columns].
  std::vector<std::size_t> from_;      // Offsets into row_ and value_, [columns + 1].
  std::vector<std::int32_t> row_;
  std::vector<double> value_;
  std::vector<std::size_t> task_;  // Offsets into feature_, for about equal work, [tasks + 1].
};

}  // namespace contingency

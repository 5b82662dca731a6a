// truth_deviations.hpp - the matrix 1/n sum of c_i b_i b_i' of soda, with b_i = psi(x_i, y_i) -
// E_i[psi].
//
// The b_i of the first examples are kept, as many as fit. The source computes the others again in
// each product. Held by ExactMoments. Vectors are [dimension].
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linalg/vector.hpp"
#include "objective/example_mean.hpp"
#include "objective/expectation_source.hpp"
#include "qp/plane/plane_vector.hpp"

namespace sculpt::core {

class TruthDeviations {
 public:
  // The bytes that are kept at most.
  static constexpr std::int64_t usual_bytes = std::int64_t{1} << 30;

  // The source must outlive this.
  explicit TruthDeviations(ExpectationSource& source, std::int64_t max_bytes = usual_bytes)
      : source_(source), max_bytes_(max_bytes), mean_(source.workers()) {}

  // b = 1/n sum of c_i b_i factors[i]; no factors: all are 1. Keeps the b_i that fit. Returns the
  // number of examples without output. Asks about each example once. [main]
  std::int64_t sum(const Pass& pass, std::span<const double> factors, Vector& b);
  // out += 1/n sum of c_i b_i <b_i, v>. Calls sum() before, if it was not called yet. [main]
  void add_product(const Pass& pass, const Vector& v, Vector& out);
  // The number of examples that add_product() asks about. [any]
  std::int64_t calls_of_product() const;

 private:
  bool keep(const TruthDeviation& deviation);

  ExpectationSource& source_;
  std::int64_t max_bytes_;
  ExampleMean mean_;
  bool is_summed_ = false;
  std::vector<PlaneVector> kept_;  // of the first examples
  std::int64_t kept_bytes_ = 0;
  Vector product_;  // scratch
};

}  // namespace sculpt::core

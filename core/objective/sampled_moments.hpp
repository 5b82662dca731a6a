// sampled_moments.hpp - the moments over K samples of the outputs of each example.
//
//   C_i = 1/K sum over the samples y of (psi(x_i, y) - mu_i) (psi(x_i, y) - mu_i)'
//
// mu_i is E_i[psi] if the oracle offers it, else the mean of the samples. A product with C_i is 2 K
// products of sparse vectors, and asks no oracle. So conjugate gradients need no other form of the
// system: the paper solves one of n K equations, whose dense matrix would not fit.
//
// Source: Ricci, De Bie & Cristianini, JMLR 9 (2008). Made by MomentSystem. Vectors are
// [dimension].
#pragma once

#include <cstdint>
#include <vector>

#include "linalg/vector.hpp"
#include "objective/example_mean.hpp"
#include "objective/moment_objective.hpp"
#include "objective/moments.hpp"
#include "objective/sample_source.hpp"

namespace sculpt::core {

class SampledMoments : public Moments {
 public:
  // The source must outlive this.
  SampledMoments(const MomentTerms& terms, SampleSource& source);

  std::int64_t compute_b(const Pass& pass, Vector& b) override;
  // The samples of a resumed run are drawn again, and are the same.
  void multiply(const Pass& pass, const Vector& v, Vector& out) override;
  std::int64_t calls_of_b() const override;
  std::int64_t calls_of_product() const override { return 0; }

 private:
  void draw(const Pass& pass);
  void add_to_b(const OutputSamples& samples, double weight, Vector& sum) const;
  void add_product(const OutputSamples& samples, double weight, const Vector& v, Vector& sum) const;
  template <class Add>
  void sum_over_examples(const Pass& pass, Vector& mean, const Add& add);

  MomentTerms terms_;  // samples: K
  SampleSource& source_;
  ExampleMean mean_;
  std::vector<OutputSamples> samples_;  // [n]; empty: not drawn yet
};

}  // namespace sculpt::core

// output_margins.hpp - all outputs of one example as vectors, and how far w may move before another
// output than the best becomes the best.
//
//   y^      = argmax over y of <w, psi(x, y)>
//   radius  = min over y != y^ of <w, psi(x, y^) - psi(x, y)> / |psi(x, y^) - psi(x, y)|
//
// y^ is the best output at every w' with |w' - w| < radius, by Cauchy and Schwarz. Made by
// LeaveOneOut for examples whose outputs can all be listed. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "leave_one_out/example_kernel.hpp"
#include "linalg/sparse_sum.hpp"
#include "linalg/vector.hpp"
#include "linalg/weight_view.hpp"
#include "problem/prediction/predictor.hpp"
#include "problem/problem.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

// Products of the vectors of one example: its planes, and what is summed from them.
class ExampleProduct {
 public:
  // `kernel`: none, the product is that of the entries. `zeros`: [dimension of the solver] zeros
  // between two calls. `sum`: of the same dimension. Both must outlive it.
  ExampleProduct(std::optional<ExampleKernel> kernel, Vector& zeros, SparseSum& sum)
      : kernel_(std::move(kernel)), zeros_(zeros), sum_(sum) {}

  // |a|, rounded up.
  double norm(const SparseVector& a) const;
  // <a, b> for each b.
  std::vector<double> products(const SparseVector& a, std::span<const SparseVector> others) const;

  // a - b
  SparseVector difference(const SparseVector& a, const SparseVector& b) const;
  // The sum of alpha a over a block.
  SparseVector sum_of(const Block& block) const;

 private:
  template <class Function>
  void with_scattered(const SparseVector& a, const Function& function) const;

  std::optional<ExampleKernel> kernel_;
  Vector& zeros_;
  SparseSum& sum_;
};

class OutputMargins {
 public:
  // The most outputs of an example that are listed.
  static constexpr std::int64_t max_outputs = 1000;

  // None if not all outputs of training example `example` can be listed. `product`: of this
  // example; it must outlive this. Throws Failure in the name of a component at fault.
  static std::optional<OutputMargins> of(Problem& problem, std::int64_t example,
                                         const ExampleProduct& product);

  std::size_t count() const { return psi_.size(); }

  struct Best {
    std::size_t output = 0;
    double radius = 0;  // 0: another output is as good, or rounding may have decided
  };
  // `w`: weights of the solver. `shift`: what to subtract from w, a sum of planes of this example;
  // nullptr: nothing. Requires count() > 0.
  Best best_at(WeightView w, const SparseVector* shift = nullptr) const;

  Prediction prediction(std::size_t output) const { return {labels_[output]}; }
  // psi of one output minus that of another, in the layout of the solver.
  SparseVector difference(std::size_t output, std::size_t other) const {
    return product_.difference(psi_[output], psi_[other]);
  }

 private:
  explicit OutputMargins(const ExampleProduct& product) : product_(product) {}

  ExampleProduct product_;
  std::vector<SparseVector> psi_;  // [outputs] in the layout of the solver
  std::vector<std::vector<std::int32_t>> labels_;
};

}  // namespace sculpt::core

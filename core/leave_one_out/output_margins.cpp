#include "leave_one_out/output_margins.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/infinity.hpp"
#include "linalg/rounding.hpp"
#include "problem/kernel/solver_layout.hpp"
#include "problem/outputs/output_set.hpp"
#include "qp/plane/plane_vector.hpp"

namespace sculpt::core {
// Calls function(x) with x = M a at the coordinates of this example, in a vector of zeros.
template <class Function>
void ExampleProduct::with_scattered(const SparseVector& a, const Function& function) const {
  if (!kernel_) {
    const PlaneVector plane(a);
    plane.scatter(zeros_);
    function(std::as_const(zeros_));
    plane.unscatter(zeros_);
    return;
  }
  kernel_->scatter(a, zeros_);
  function(std::as_const(zeros_));
  kernel_->unscatter(a, zeros_);
}

// No term a_i k_ij a_j is larger than |a_i| |a_j| sqrt(k_ii k_jj).
double ExampleProduct::norm(const SparseVector& a) const {
  double squared = 0;
  with_scattered(a, [&](const Vector& product) { squared = dot(a, product); });
  double length = 0;
  for (std::size_t k = 0; k < a.index.size(); ++k) {
    const auto j = static_cast<std::size_t>(a.index[k]);
    length += std::abs(a.value[k]) * (kernel_ ? kernel_->length(j) : 1);
  }
  const Terms terms{length * length, static_cast<double>(2 * a.index.size() + 2)};
  return std::sqrt(std::max(0.0, squared) + terms.rounding());
}

std::vector<double> ExampleProduct::products(const SparseVector& a,
                                             std::span<const SparseVector> others) const {
  std::vector<double> out;
  with_scattered(a, [&](const Vector& product) {
    for (const SparseVector& other : others) out.push_back(dot(other, product));
  });
  return out;
}

SparseVector ExampleProduct::difference(const SparseVector& a, const SparseVector& b) const {
  SparseVector out;
  sum_.subtract(a, b, 1, out);
  return out;
}

SparseVector ExampleProduct::sum_of(const Block& block) const {
  SparseVector terms;
  for (std::size_t p = 1; p < block.size(); ++p) {
    if (block.alpha[p] == 0) continue;
    block.a[p].for_each_entry([&](std::size_t j, double value) {
      terms.index.push_back(static_cast<std::int32_t>(j));
      terms.value.push_back(block.alpha[p] * value);
    });
  }
  SparseVector out;
  sum_.merge(terms.index, terms.value.data(), out);
  return out;
}

std::optional<OutputMargins> OutputMargins::of(Problem& problem, std::int64_t example,
                                               const ExampleProduct& product) {
  // Such an oracle searches other outputs when it predicts than those that it lists.
  if (problem.oracle().component().has_trait(SCULPT_TRAIT_SEPARATION_SET)) return std::nullopt;
  OutputLister lister(problem, max_outputs);
  std::optional<OutputSet> all = lister.all_outputs(problem.training()[example]);
  if (!all || all->outputs.empty()) return std::nullopt;
  OutputMargins margins(product);
  const ProblemKernel* const kernel = problem.kernel();
  std::vector<std::pair<std::int32_t, double>> scratch;
  for (Output& output : all->outputs) {
    if (kernel != nullptr) move_to_solver_layout(kernel->layout(), output.psi, scratch);
    margins.psi_.push_back(std::move(output.psi));
    margins.labels_.push_back(std::move(output.labels));
  }
  return margins;
}

OutputMargins::Best OutputMargins::best_at(WeightView w, const SparseVector* shift) const {
  std::vector<double> scores;
  for (const SparseVector& psi : psi_) scores.push_back(dot(psi, w));
  double magnitude = 0;
  if (shift != nullptr) {
    const std::vector<double> shifts = product_.products(*shift, psi_);
    for (std::size_t y = 0; y < scores.size(); ++y) {
      magnitude = std::max(magnitude, std::abs(shifts[y]));
      scores[y] -= shifts[y];
    }
  }
  const auto best =
      static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
  Best out{best, infinity};
  for (std::size_t y = 0; y < scores.size(); ++y) {
    if (y == best) continue;
    const SparseVector d = difference(best, y);
    const Terms terms{absolute_dot(d, w.dense()) + 2 * magnitude,
                      static_cast<double>(d.index.size() + 2)};
    const double lead = scores[best] - scores[y] - terms.rounding();
    const double length = product_.norm(d);
    out.radius = std::min(out.radius, lead > 0 && length > 0 ? lead / length : 0.0);
  }
  return out;
}

}  // namespace sculpt::core

#include "leave_one_out/output_margins.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/infinity.hpp"
#include "check/fixture/output_set.hpp"
#include "linalg/rounding.hpp"
#include "qp/plane/plane_vector.hpp"

namespace sculpt::core {
namespace {

// A kernel gives the products of planes from floats.
constexpr double norm_rounding = 1e-6;

// The vector in the layout of the solver.
SparseVector in_solver_layout(const SparseVector& psi, const ProblemKernel* kernel) {
  if (kernel == nullptr) return psi;
  std::vector<std::pair<std::int32_t, double>> entries;
  for (std::size_t k = 0; k < psi.index.size(); ++k) {
    const std::int64_t index = kernel->layout().solver_index(psi.index[k]);
    entries.emplace_back(static_cast<std::int32_t>(index), psi.value[k]);
  }
  std::sort(entries.begin(), entries.end());
  SparseVector out;
  for (const auto& [index, value] : entries) {
    out.index.push_back(index);
    out.value.push_back(value);
  }
  return out;
}

}  // namespace

// Calls function(x) with x = M a at the coordinates of this example, in a vector of zeros.
template <class Function>
void ExampleProduct::with_scattered(const SparseVector& a, const Function& function) const {
  const PlaneVector plane(a);
  if (inner_product_ == nullptr) {
    plane.scatter(zeros_);
  } else {
    inner_product_->scatter(example_, plane, zeros_);
  }
  function(std::as_const(zeros_));
  if (inner_product_ == nullptr) {
    plane.unscatter(zeros_);
  } else {
    inner_product_->unscatter(example_, plane, zeros_);
  }
}

double ExampleProduct::norm(const SparseVector& a) const {
  double squared = 0;
  with_scattered(a, [&](const Vector& product) { squared = dot(a, product); });
  return std::sqrt(std::max(0.0, squared)) * (1 + norm_rounding);
}

std::vector<double> ExampleProduct::products(const SparseVector& a,
                                             std::span<const SparseVector> others) const {
  std::vector<double> out;
  with_scattered(a, [&](const Vector& product) {
    for (const SparseVector& other : others) out.push_back(dot(other, product));
  });
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
  for (Output& output : all->outputs) {
    margins.psi_.push_back(in_solver_layout(output.psi, problem.kernel()));
    margins.labels_.push_back(std::move(output.labels));
  }
  return margins;
}

SparseVector OutputMargins::difference(std::size_t output, std::size_t other) const {
  const SparseVector& x = psi_[output];
  const SparseVector& y = psi_[other];
  SparseVector out;
  const auto add = [&](std::int32_t index, double value) {
    if (value == 0) return;
    out.index.push_back(index);
    out.value.push_back(value);
  };
  std::size_t k = 0;
  std::size_t l = 0;
  while (k < x.index.size() || l < y.index.size()) {
    if (l == y.index.size() || (k < x.index.size() && x.index[k] < y.index[l])) {
      add(x.index[k], x.value[k]);
      ++k;
    } else if (k == x.index.size() || y.index[l] < x.index[k]) {
      add(y.index[l], -y.value[l]);
      ++l;
    } else {
      add(x.index[k], x.value[k] - y.value[l]);
      ++k;
      ++l;
    }
  }
  return out;
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
    const double rounding =
        Terms{absolute_dot(d, w.dense()) + magnitude, static_cast<double>(d.index.size() + 1)}
            .rounding();
    const double lead = scores[best] - scores[y] - rounding;
    const double length = product_.norm(d);
    out.radius = std::min(out.radius, lead > 0 && length > 0 ? lead / length : 0.0);
  }
  return out;
}

}  // namespace sculpt::core

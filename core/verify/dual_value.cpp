#include "verify/dual_value.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/infinity.hpp"
#include "linalg/rounding.hpp"
#include "qp/block/negligible_alpha.hpp"

namespace sculpt::core {
namespace {

// The steps of a QP may add up to this fraction more than the cap.
constexpr double cap_tolerance = 1e-9;

// The cap and the ridge of dual_value.hpp.
struct DualConstraint {
  double cap = infinity;
  double ridge = 0;
};

DualConstraint dual_constraint_of(const Formulation& formulation, bool has_joint_planes,
                                  std::int64_t example_count) {
  DualConstraint constraint;
  if (formulation.is_hard_margin()) return constraint;
  const double share =
      has_joint_planes ? formulation.C : formulation.C / static_cast<double>(example_count);
  if (formulation.squares_slacks() && !has_joint_planes) {
    constraint.ridge = 1 / share;
  } else {
    constraint.cap = share;
  }
  return constraint;
}

// Adds a block to the sum of alpha a, and to D without the term ||w||^2.
void add_block(const Block& block, std::int64_t index, const DualConstraint& constraint,
               Vector& sum, DualValue& dual) {
  double alpha_sum = 0;
  for (std::size_t p = 1; p < block.size(); ++p) {
    const double alpha = block.alpha[p];
    ++dual.planes;
    if (alpha == 0) continue;
    ++dual.active_planes;
    alpha_sum += alpha;
    block.a[p].add_to(alpha, sum);
    dual.value += alpha * block.b[p];
    dual.magnitude += alpha * std::abs(block.b[p]);
  }
  dual.value -= 0.5 * constraint.ridge * alpha_sum * alpha_sum;
  dual.magnitude += constraint.ridge * alpha_sum * alpha_sum;
  const double limit =
      dual.cap_violation ? dual.cap_violation->alpha_sum : constraint.cap * (1 + cap_tolerance);
  if (alpha_sum > limit) dual.cap_violation = {index, alpha_sum, constraint.cap};
}

// How much rounding may change each v_j. One source is the rounding of sum_p alpha_p a_pj. The
// other is alpha that the QP treats as zero: with long planes it changes w a lot.
Vector rounding_of_sum(const WorkingSet& working_set, const DualValue& dual) {
  Vector rounding(dual.point.w.size(), 0.0);
  Vector largest(rounding.size(), 0.0);  // max_p |a_pj| of the current block
  const double per_term = Terms{1, static_cast<double>(dual.active_planes)}.rounding();
  for (std::int64_t i = 0; i < working_set.block_count(); ++i) {
    const Block& block = working_set.block(i);
    const double negligible = negligible_alpha * block.alpha_sum();
    for (std::size_t p = 1; p < block.size(); ++p) {
      const double alpha = std::abs(block.alpha[p]);
      block.a[p].for_each_entry([&](std::size_t j, double value) {
        rounding[j] += per_term * alpha * std::abs(value);
        largest[j] = std::max(largest[j], std::abs(value));
      });
    }
    for (std::size_t p = 1; p < block.size(); ++p) {
      block.a[p].for_each_index([&](std::size_t j) {
        rounding[j] += negligible * largest[j];
        largest[j] = 0;
      });
    }
  }
  return rounding;
}

// How much rounding of v may change D, at most. If long planes cancel, the squared term is the
// largest.
double rounding_of_dual(const WorkingSet& working_set, const DualValue& dual) {
  const WeightPoint rounding =
      point_of(rounding_of_sum(working_set, dual), working_set.inner_product());
  double sum = 0.5 * std::abs(rounding.squared_norm());
  for (std::size_t j = 0; j < dual.point.w.size(); ++j) {
    sum += rounding.coefficients()[j] * std::abs(dual.point.w[j]);
  }
  return sum;
}

}  // namespace

DualValue dual_value(const WorkingSet& working_set, const Formulation& formulation,
                     bool has_joint_planes, std::int64_t example_count,
                     std::span<const std::uint8_t> nonnegative) {
  DualValue dual;
  Vector sum(working_set.w().dense().size(), 0.0);
  const DualConstraint constraint =
      dual_constraint_of(formulation, has_joint_planes, example_count);
  for (std::int64_t i = 0; i < working_set.block_count(); ++i) {
    add_block(working_set.block(i), i, constraint, sum, dual);
  }
  for (std::size_t j = 0; j < nonnegative.size(); ++j) {
    if (nonnegative[j] != 0) sum[j] = std::max(0.0, sum[j]);
  }
  dual.point = point_of(std::move(sum), working_set.inner_product());
  const double w_squared = dual.point.squared_norm();
  dual.value -= 0.5 * w_squared;
  dual.magnitude += std::abs(w_squared);
  dual.rounding = rounding_of_dual(working_set, dual);
  return dual;
}

}  // namespace sculpt::core

#include "verify/hinge_primal.hpp"

#include <cmath>
#include <span>
#include <vector>

#include "linalg/products.hpp"
#include "solver/mean_slack.hpp"

namespace sculpt::core {

double hinge_primal(const Formulation& formulation, PlaneSource& planes, const Vector& w,
                    const Pass& pass) {
  MeanSlack mean;
  std::vector<Separation> answers;
  sum_mean_slack(
      formulation, planes, answers, mean,
      [&](std::span<const std::int64_t> examples, std::vector<Separation>& out) {
        planes.separate(w, examples, pass, out);
        return true;
      },
      [](const Separation&) {});
  const PrimalBounds primal = bound_primal(formulation, squared_norm(w), mean);
  return std::isfinite(primal.high) ? primal.high : primal.low;
}

}  // namespace sculpt::core

#include "interior_point.hpp"

#include "cell_limit.hpp"

#include <cmath>

namespace {

// The share of the distance to the boundary that a step makes.
constexpr double boundary_share = 0.9995;

// Near the end the factored matrix is singular up to rounding. So its diagonal is increased by this
// share, and each solution is refined `refinement_steps` times with the matrix itself.
constexpr double regularization = 1e-12;
constexpr int refinement_steps = 2;

// Returns the longest step with x + step dx >= 0, at most 1 / boundary_share.
double longest_step(const Eigen::VectorXd& x, const Eigen::VectorXd& dx) {
  double step = 1 / boundary_share;
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    if (dx[j] < 0) step = std::min(step, -x[j] / dx[j]);
  }
  return step;
}

}  // namespace

void InteriorPoint::begin(const LocalPolytope& polytope, std::int64_t max_cells) {
  constraints_.build(polytope, max_cells);
  const auto rows = constraints_.row_count();
  const auto columns = constraints_.column_count();
  a_ = Eigen::Map<const Eigen::SparseMatrix<double>>(
      rows, columns, static_cast<Eigen::Index>(constraints_.value().size()),
      constraints_.column_from().data(), constraints_.row().data(), constraints_.value().data());
  transposed_ = a_.transpose();
  begin_factor(max_cells);
  b_ = Eigen::Map<const Vector>(constraints_.right_side().data(), rows);
  cost_ = -Eigen::Map<const Vector>(polytope.scores().data(), columns);
  scale_ = columns > 0 ? cost_.lpNorm<Eigen::Infinity>() : 0;
  if (!(scale_ > 0)) scale_ = 1;
  cost_ /= scale_;
  std::vector<double> uniform;
  polytope.write_uniform(uniform);
  x_ = Eigen::Map<const Vector>(uniform.data(), columns);
  start_dual(polytope);
}

// A column with n entries makes up to n^2 entries of A A^T, and rows that it joins stay joined in
// L.
void InteriorPoint::begin_factor(std::int64_t max_cells) {
  double products = 0;
  for (Eigen::Index column = 0; column < a_.outerSize(); ++column) {
    const double entries = a_.outerIndexPtr()[column + 1] - a_.outerIndexPtr()[column];
    products += entries * entries;
  }
  check_cells("the interior point method needs a matrix of up to", products, bytes_of_an_entry,
              max_cells);
  const std::int64_t entries = factor_.analyze(a_ * transposed_, max_cells);
  check_cells("the interior point method needs a factor of at least", static_cast<double>(entries),
              bytes_of_an_entry, max_cells);
}

// Sets y and s >= 1. The multiplier of a table, on its first edge, is its smallest cost minus 1.
// That of a variable is then the smallest remaining cost of its states minus 1.
void InteriorPoint::start_dual(const LocalPolytope& polytope) {
  y_ = Vector::Zero(constraints_.row_count());
  for (const LocalPolytope::Table& table : polytope.tables()) {
    const double multiplier = cost_
                                  .segment(static_cast<Eigen::Index>(table.cells_from),
                                           static_cast<Eigen::Index>(table.cell_count))
                                  .minCoeff() -
                              1;
    const LocalPolytope::Edge& edge = polytope.edges(table)[0];
    for (std::size_t k = 0; k < edge.slices.states; ++k) {
      y_[constraints_.row_of_message(edge.messages_from + k)] = multiplier;
    }
  }
  s_ = cost_ - transposed_ * y_;
  for (std::size_t v = 0; v < polytope.variable_count(); ++v) {
    y_[constraints_.row_of_variable(v)] =
        s_.segment(static_cast<Eigen::Index>(polytope.unaries_from(v)),
                   static_cast<Eigen::Index>(polytope.states(v)))
            .minCoeff() -
        1;
  }
  s_ = cost_ - transposed_ * y_;
}

// Solves A dx = primal_residual, A^T dy + ds = dual_residual, s dx + x ds = complementarity.
// Returns false if the solution is not finite.
bool InteriorPoint::compute_direction(const Vector& complementarity, const Vector& primal_residual,
                                      const Vector& dual_residual) {
  const Vector weight = x_.cwiseQuotient(s_);
  const Vector complementarity_over_s = complementarity.cwiseQuotient(s_);
  const Vector right_side =
      primal_residual - a_ * (complementarity_over_s - weight.cwiseProduct(dual_residual));
  dy_ = factor_.solve(right_side);
  for (int pass = 0; pass < refinement_steps; ++pass) {
    dy_ += factor_.solve(right_side - normal_ * dy_);
  }
  if (!dy_.allFinite()) return false;
  ds_ = dual_residual - transposed_ * dy_;
  dx_ = complementarity_over_s - weight.cwiseProduct(ds_);
  return true;
}

// Predictor, then corrector. Returns false if rounding ends the iteration; then the last point
// stays.
bool InteriorPoint::take_step() {
  const Vector weight = x_.cwiseQuotient(s_);
  normal_ = a_ * weight.asDiagonal() * transposed_;
  Eigen::SparseMatrix<double> regularized = normal_;
  regularized.diagonal() *= 1 + regularization;
  if (!factor_.factorize(regularized)) return false;
  const Vector primal_residual = b_ - a_ * x_;
  const Vector dual_residual = cost_ - transposed_ * y_ - s_;
  const double gap = x_.dot(s_);
  const auto count = static_cast<double>(x_.size());
  Vector target = -x_.cwiseProduct(s_);
  if (!compute_direction(target, primal_residual, dual_residual)) return false;
  const double predicted_gap = (x_ + std::min(1.0, longest_step(x_, dx_)) * dx_)
                                   .dot(s_ + std::min(1.0, longest_step(s_, ds_)) * ds_);
  const double centring = std::pow(std::max(predicted_gap, 0.0) / gap, 3);
  target -= dx_.cwiseProduct(ds_);
  target.array() += centring * gap / count;
  if (!compute_direction(target, primal_residual, dual_residual)) return false;
  const double primal_step = boundary_share * longest_step(x_, dx_);
  const double dual_step = boundary_share * longest_step(s_, ds_);
  if (std::max(primal_step, dual_step) < 1e-6) return false;
  x_ += primal_step * dx_;
  y_ += dual_step * dy_;
  s_ += dual_step * ds_;
  return x_.allFinite() && s_.allFinite() && x_.minCoeff() > 0 && s_.minCoeff() > 0;
}

// A small belief below its dual s converges to 0, so it becomes 0.
void InteriorPoint::finish(const LocalPolytope& polytope, std::vector<double>& beliefs,
                           std::vector<double>& messages) {
  beliefs.resize(polytope.belief_count());
  for (std::size_t j = 0; j < beliefs.size(); ++j) {
    const auto column = static_cast<Eigen::Index>(j);
    beliefs[j] = x_[column] < 1e-7 && x_[column] < s_[column] ? 0 : x_[column];
  }
  y_ *= scale_;
  constraints_.to_messages(y_.data(), messages);
}

#include "core/solver/least_distance.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace sculpt::core::test {
namespace {

// min ||E u - f|| over u >= 0
Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& E, const Eigen::VectorXd& f) {
  const Eigen::Index count = E.cols();
  std::vector<Eigen::Index> passive;
  Eigen::VectorXd u = Eigen::VectorXd::Zero(count);
  for (int outer = 0; outer < 5000; ++outer) {
    const Eigen::VectorXd slope = E.transpose() * (f - E * u);
    Eigen::Index entering = -1;
    double steepest = 1e-13 * E.norm();
    for (Eigen::Index k = 0; k < count; ++k) {
      if (u(k) > 0 || slope(k) <= steepest * E.col(k).norm()) continue;
      steepest = slope(k) / E.col(k).norm();
      entering = k;
    }
    if (entering < 0) return u;
    passive.push_back(entering);
    while (!passive.empty()) {
      Eigen::MatrixXd columns(E.rows(), static_cast<Eigen::Index>(passive.size()));
      for (std::size_t k = 0; k < passive.size(); ++k) {
        columns.col(static_cast<Eigen::Index>(k)) = E.col(passive[k]);
      }
      const Eigen::VectorXd solution = columns.colPivHouseholderQr().solve(f);
      double part = 1;  // the part of the step to `solution` that keeps u >= 0
      for (std::size_t k = 0; k < passive.size(); ++k) {
        const double target = solution(static_cast<Eigen::Index>(k));
        if (target <= 0) part = std::min(part, u(passive[k]) / (u(passive[k]) - target));
      }
      std::vector<Eigen::Index> kept;
      for (std::size_t k = 0; k < passive.size(); ++k) {
        double& value = u(passive[k]);
        const double target = solution(static_cast<Eigen::Index>(k));
        value += part * (target - value);
        if (target <= 0 && value <= 1e-14) value = 0;
        if (value > 0)
          kept.push_back(passive[k]);
        else
          value = 0;
      }
      const bool done = kept.size() == passive.size();
      passive = kept;
      if (done) break;
    }
  }
  return u;
}

}  // namespace

std::optional<LeastDistance> solve_least_distance(const std::vector<std::vector<Plane>>& blocks,
                                                  std::size_t dimension, double ridge,
                                                  const std::vector<std::uint8_t>& bounds) {
  std::vector<Eigen::VectorXd> columns;
  const auto rows = static_cast<Eigen::Index>(dimension + blocks.size() + 1);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    for (const Plane& plane : blocks[i]) {
      Eigen::VectorXd column = Eigen::VectorXd::Zero(rows);
      for (std::size_t k = 0; k < plane.a.index.size(); ++k) {
        column(plane.a.index[k]) = plane.a.value[k];
      }
      if (column.isZero() && plane.b <= 0) continue;
      column(static_cast<Eigen::Index>(dimension + i)) = std::sqrt(ridge);
      column(rows - 1) = plane.b;
      columns.push_back(column);
    }
  }
  for (std::size_t j = 0; j < bounds.size(); ++j) {
    if (bounds[j] != 0)
      columns.push_back(Eigen::VectorXd::Unit(rows, static_cast<Eigen::Index>(j)));
  }
  Eigen::MatrixXd E(rows, static_cast<Eigen::Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    E.col(static_cast<Eigen::Index>(k)) = columns[k];
  }
  const Eigen::VectorXd f = Eigen::VectorXd::Unit(rows, rows - 1);
  const Eigen::VectorXd u = nonnegative_least_squares(E, f);
  const Eigen::VectorXd residual = E * u - f;
  if (residual.norm() < 1e-7) return std::nullopt;
  LeastDistance found;
  Eigen::VectorXd w = -residual.head(rows - 1) / residual(rows - 1);
  const Eigen::VectorXd alpha = -u / residual(rows - 1);
  found.dual =
      alpha.dot(E.row(rows - 1).transpose()) - 0.5 * (E.topRows(rows - 1) * alpha).squaredNorm();
  double stretch = 1;
  for (Eigen::Index k = 0; k < E.cols(); ++k) {
    const double b = E(rows - 1, k);
    if (b > 0) stretch = std::max(stretch, b / E.col(k).head(rows - 1).dot(w));
  }
  w *= stretch;
  found.w.assign(w.begin(), w.end());
  found.primal = 0.5 * w.squaredNorm();
  return found;
}

}  // namespace sculpt::core::test

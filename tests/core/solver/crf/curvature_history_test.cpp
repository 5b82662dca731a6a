// CurvatureHistory against the dense update of BFGS.

#include "solver/crf/curvature_history.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <random>

#include "core/memory_state.hpp"
#include "core/refusal.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

constexpr int hessian_size = 6;

Vector vector_of(const Eigen::VectorXd& x) {
  return {x.data(), x.data() + x.size()};
}

// Steps on a convex quadratic function, from random points to random points.
class Steps {
 public:
  Steps() {
    const Eigen::MatrixXd root = random_matrix(hessian_size);
    hessian_ = root * root.transpose() + Eigen::MatrixXd::Identity(hessian_size, hessian_size);
  }
  Eigen::VectorXd random_point() { return random_matrix(1); }
  void add_to(CurvatureHistory& history, const Eigen::VectorXd& from, const Eigen::VectorXd& to) {
    history.add(vector_of(from), vector_of(to), vector_of(hessian_ * from),
                vector_of(hessian_ * to));
  }
  // H after the updates by these steps, by its definition. Steps are kept in single precision.
  Eigen::MatrixXd inverse(const std::vector<std::pair<Eigen::VectorXd, Eigen::VectorXd>>& steps) {
    Eigen::MatrixXd H;
    const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(hessian_size, hessian_size);
    const Eigen::VectorXd s_last = kept(steps.back().second - steps.back().first);
    const Eigen::VectorXd y_last =
        kept(hessian_ * steps.back().second - hessian_ * steps.back().first);
    H = s_last.dot(y_last) / y_last.dot(y_last) * identity;
    for (const auto& [from, to] : steps) {
      const Eigen::VectorXd s = kept(to - from);
      const Eigen::VectorXd y = kept(hessian_ * to - hessian_ * from);
      const double rho = 1 / s.dot(y);
      const Eigen::MatrixXd left = identity - rho * s * y.transpose();
      H = left * H * left.transpose() + rho * s * s.transpose();
    }
    return H;
  }

 private:
  static Eigen::VectorXd kept(const Eigen::VectorXd& x) { return x.cast<float>().cast<double>(); }
  Eigen::MatrixXd random_matrix(int columns) {
    Eigen::MatrixXd out(hessian_size, columns);
    for (int k = 0; k < out.size(); ++k) out.data()[k] = normal_(random_);
    return out;
  }

  std::mt19937_64 random_{5};
  std::normal_distribution<double> normal_;
  Eigen::MatrixXd hessian_;
};

void check_close(const Vector& a, const Eigen::VectorXd& b) {
  REQUIRE(a.size() == static_cast<std::size_t>(b.size()));
  for (int j = 0; j < b.size(); ++j) {
    CHECK(a[static_cast<std::size_t>(j)] == doctest::Approx(b[j]).epsilon(1e-10));
  }
}

}  // namespace

TEST_CASE("the direction is that of the dense BFGS update by the last steps") {
  Steps steps;
  CurvatureHistory history(3, nullptr);
  std::vector<std::pair<Eigen::VectorXd, Eigen::VectorXd>> kept;
  Vector direction;
  for (int k = 0; k < 8; ++k) {
    const Eigen::VectorXd gradient = steps.random_point();
    history.find_direction(vector_of(gradient), direction);
    check_close(direction, kept.empty() ? Eigen::VectorXd(-gradient)
                                        : Eigen::VectorXd(-steps.inverse(kept) * gradient));
    kept.emplace_back(steps.random_point(), steps.random_point());
    steps.add_to(history, kept.back().first, kept.back().second);
    if (kept.size() > 3) kept.erase(kept.begin());
  }
}

TEST_CASE("a step along which the gradient does not grow is left out") {
  CurvatureHistory history(3, nullptr);
  history.add({0, 0}, {1, 0}, {0, 0}, {0, 1});
  history.add({0, 0}, {1, 0}, {0, 0}, {-1, 0});
  history.add({1, 1}, {1, 1}, {2, 2}, {2, 2});
  CHECK(history.is_empty());
  history.add({0, 0}, {1, 0}, {0, 0}, {2, 0});
  CHECK_FALSE(history.is_empty());
}

TEST_CASE("a saved history gives the same bits, and damaged ones are refused") {
  Steps steps;
  CurvatureHistory history(4, nullptr);
  for (int k = 0; k < 6; ++k) steps.add_to(history, steps.random_point(), steps.random_point());
  StateBuffer state;
  history.save(state);
  const auto load = [&](CurvatureHistory& into, std::string bytes,
                        std::size_t size = hessian_size) {
    MemoryReader reader(std::move(bytes));
    into.load(reader, size);
  };
  CurvatureHistory loaded(4, nullptr);
  load(loaded, std::string(state.bytes()));
  Vector a;
  Vector b;
  const Vector gradient(hessian_size, 1.0);
  history.find_direction(gradient, a);
  loaded.find_direction(gradient, b);
  CHECK(a == b);
  CurvatureHistory smaller(3, nullptr);
  CHECK(refusal_of([&] { load(smaller, std::string(state.bytes())); }).exit == Exit::data);
  CHECK(refusal_of([&] { load(loaded, std::string(state.bytes()), 5); }).exit == Exit::data);
  std::string negative(state.bytes());
  negative[negative.size() - 1] = static_cast<char>(negative[negative.size() - 1] | 0x80);
  CHECK(refusal_of([&] { load(loaded, negative); }).exit == Exit::data);
}

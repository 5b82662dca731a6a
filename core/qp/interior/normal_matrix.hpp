// normal_matrix.hpp - the matrix of a Newton step of InteriorPoint, and its factorization.
//
//   M = diagonal + sum over blocks of  scatter(q, tau)
//   scatter = sum_p q_p (a_p - mean)(a_p - mean)' ,   mean = sum_p q_p a_p / sum_p q_p
//
// The sums run over the planes of the block and over the zero plane, which has weight tau. M is the
// Newton system after slacks and multipliers are eliminated. It is written as a sum of squares,
// because the difference of two sums would cancel as the weights grow. In place of the mean it uses
// the plane r with the largest weight, and subtracts the difference:
//
//   scatter = sum_p q_p c_p c_p' - 1/sum(q) g g',   c_p = a_p - a_r,  g = sum_p q_p c_p
//
// This keeps the planes sparse. The difference is at least q_r / sum(q) times the first term. So
// cancellation loses at most a factor of the size of the block.
//
// Columns may differ in size by any power of ten. M is scaled to a diagonal of 1 before it is
// factorized, and each solution is refined once. The result does not depend on the number of
// threads.
//
// Held by InteriorPoint.
#pragma once

#include <Eigen/Dense>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "parallel/workers.hpp"
#include "qp/interior/plane_rows.hpp"

namespace sculpt::core {

class NormalMatrix {
 public:
  // Entries of rank updates that are gathered before they are added.
  static constexpr std::size_t entries_at_a_time = std::size_t{1} << 18;
  // Dense rank updates that are added at a time.
  static constexpr Eigen::Index dense_at_a_time = 64;

  // workers == nullptr: this thread alone.
  explicit NormalMatrix(Workers* workers) : workers_(workers) {}

  // M = diagonal matrix of these [dimension] numbers, all positive.
  void set_diagonal(std::span<const double> diagonal);
  // M += scatter of the planes [begin, end). weight[p] >= 0. `zero_weight`: the weight of the zero
  // plane, infinite if there is no slack.
  void add_block(const PlaneRows& planes, std::size_t begin, std::size_t end,
                 std::span<const double> weight, double zero_weight);
  // Returns false if M is not positive definite beyond rounding, or not finite.
  bool factorize();

  // x = M^-1 x;   x[dimension]. Requires that factorize() returned true.
  void solve(std::span<double> x);
  // Frees the memory.
  void clear();

  // Multiplications since the last call of this function.
  double work_since_last_call() { return std::exchange(work_, 0); }
  // The multiplications of a factorization of this dimension.
  static double factorization_work(double dimension) {
    return dimension * dimension * dimension / 6;
  }

 private:
  // A sparse vector for one sum.
  struct Sum {
    std::vector<double> value;             // [dimension] zero but at `touched`
    std::vector<std::uint8_t> is_touched;  // [dimension]
    std::vector<std::int32_t> touched;

    void resize(std::size_t dimension);
    void add(double scale, const PlaneRows::Row& row);
    void add(double scale, const Sum& other);
    void clear();
  };

  auto original_column(Eigen::Index j);
  void solve_scaled(Eigen::Ref<Eigen::VectorXd> x) const;
  void store_square(Sum& sum, double weight, double sign);
  void add_squares();
  void add_sparse(std::size_t begin, std::size_t end);
  void add_dense();
  bool is_dense(std::size_t square) const;
  void run_panels(const std::function<void(std::size_t begin, std::size_t end)>& panel);

  Workers* workers_;
  // [dimension][dimension] M in the lower triangle. After factorize() the lower triangle has the
  // factor of the scaled M, and the upper triangle has M (original_column).
  Eigen::MatrixXd matrix_;
  Eigen::VectorXd diagonal_;  // [dimension] of M
  Eigen::VectorXd scale_;     // [dimension] diagonal^-1/2
  // Rank updates ("squares") that are not added yet: sign x x', with x sparse.
  std::vector<std::size_t> begin_;   // [squares + 1]
  std::vector<std::int32_t> index_;  // increasing in each update
  std::vector<double> value_;
  std::vector<double> sign_;  // [squares] 1 or -1
  Sum difference_;            // c of the current plane
  Sum weighted_differences_;  // g of the current block
  double work_ = 0;
};

}  // namespace sculpt::core

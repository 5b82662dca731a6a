// uniform_moments.hpp - log Z, E[z] and Cov[z] u of a factor graph if all assignments have the same
// probability. They have a closed form if no factor has more than two variables.
//
// The labels are then independent, each uniform over the states of its variable. With F(y) = <u,
// z(y)> = sum over factors g of u_g(y_g):
//
//   log Z = sum over variables of log states
//   E[z_c] = sum over the factors with cell c of 1 / (cells of the factor)
//   m_v(a) = E[F | y_v = a] - E[F]
//   i_vw(a, b) = sum over factors g on {v, w} of u_g(a, b) - E[u_g | a] - E[u_g | b] + E[u_g]
//   (Cov[z] u)_c = sum over the factors with cell c of E[z_c] (m_v(a) + m_w(b) + i_vw(a, b))
//
// A unary factor has only the term m_v(a). Cycles make no difference. This generalizes the moments
// of chains in Ricci, De Bie & Cristianini, JMLR 9 (2008). Held by UniformExpectations, one for
// each worker.
#pragma once

#include <sculpt/ext/factor_graph.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "linalg/vector.hpp"

namespace sculpt::core {

class UniformMoments {
 public:
  // The functions require a valid graph without a factor of more than two variables. Each span is
  // [theta_size].

  // Minus infinity if there is no assignment.
  static double log_z(const sculpt_factor_graph& graph);
  // mu = E[z]. Requires an assignment.
  static void compute_mean(const sculpt_factor_graph& graph, std::span<double> mu);
  // out = Cov[z] u, 0 if there is no assignment.
  void multiply_covariance(const sculpt_factor_graph& graph, std::span<const double> u,
                           std::span<double> out);

 private:
  struct PairFactor {
    std::int64_t table = 0;
    std::int64_t rows = 0;     // states of `first`
    std::int64_t columns = 0;  // states of `second`
    std::int32_t first = 0;
    std::int32_t second = 0;

    bool has_table_of(const PairFactor& other) const {
      return table == other.table && rows == other.rows && columns == other.columns;
    }
  };

  void find_pairs(const sculpt_factor_graph& graph);
  void add_unary_effects(const sculpt_factor_graph& graph, std::span<const double> u);
  void add_pair_effects(std::span<const PairFactor> factors, std::span<const double> u);
  void write_pair_table(std::span<const PairFactor> factors, std::span<const double> u,
                        std::span<double> out);
  void add_parallel_factors(std::span<const double> u, std::span<double> out);
  // Calls function(factors) for the factors of each table.
  template <class Function>
  void for_each_table(const Function& function);

  void split(const PairFactor& factor, std::span<const double> u);
  // i(a, b) of the factor that was split last, without other factors on its pair.
  double interaction(const PairFactor& factor, std::span<const double> u, std::int64_t a,
                     std::int64_t b) const;
  double* main_effect(std::int32_t v) { return main_.data() + main_from_[std::size_t(v)]; }

  std::vector<std::size_t> main_from_;  // [variables + 1] where each m_v begins
  Vector main_;                         // m_v, one after the other
  std::vector<PairFactor> pairs_;       // ordered by table
  // Of the table that was split last.
  double mean_ = 0;  // E[u_g]
  Vector rows_;      // [rows] E[u_g | a] - E[u_g]
  Vector columns_;   // [columns] E[u_g | b] - E[u_g]
  // The sums of m_v and of m_w over the factors of one table.
  Vector row_sums_;
  Vector column_sums_;
};

}  // namespace sculpt::core

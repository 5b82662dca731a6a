// step_tables.hpp - numbers S[first][middle][last] for each step of a chain (chain_shape.hpp), and
// the step of a forward or backward pass.
//
//   forward    out[j][k] = sum over i of in[i][j] S[i][j][k]
//   backward   out[i][j] = sum over k of S[i][j][k] in[j][k]
//
// Used by chain_weights.hpp for weights, and by chain_covariance.cpp for their slopes.
#pragma once

#include <span>
#include <vector>

#include "chain_shape.hpp"
#include "row_products.hpp"

class StepTables {
 public:
  // Allocates the tables of the shape, which must outlive the calls below.
  void resize(const ChainShape& shape);
  // The numbers of a table, to be set before finish().
  std::span<double> of(const ChainShape::Table& table) {
    return {numbers_.data() + table.from, table.size()};
  }
  std::span<const double> of(const ChainShape::Table& table) const {
    return {numbers_.data() + table.from, table.size()};
  }
  // Transposes tables that several positions of order one share. Rows of sums are faster than many
  // sums.
  void finish();
  static bool is_worth_transposing(const ChainShape::Table& table) {
    return table.middle == 1 && table.uses >= 3;
  }

  // The step between positions p - 1 and p. Without a table all S are 1.
  void forward(std::size_t p, const double* in, double* out) const { step<false>(p, in, out); }
  void backward(std::size_t p, const double* in, double* out) const {
    step_back<false>(p, in, out);
  }
  // The same sums, added to `out`. Without a table nothing is added: the slope of a missing table
  // is 0.
  void add_forward(std::size_t p, const double* in, double* out) const { step<true>(p, in, out); }
  void add_backward(std::size_t p, const double* in, double* out) const {
    step_back<true>(p, in, out);
  }

 private:
  template <bool add>
  void step(std::size_t p, const double* in, double* out) const;
  template <bool add>
  void step_back(std::size_t p, const double* in, double* out) const;
  const ChainShape* shape_ = nullptr;
  std::vector<double> numbers_;     // [steps().cells]
  std::vector<double> transposed_;  // [steps().cells]; only tables worth it are set
};

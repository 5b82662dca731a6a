// The covariance of ChainMarginals, by dual numbers: the slopes of chain_marginals.hpp.
#include <algorithm>

#include "chain_marginals.hpp"
#include "row_products.hpp"

bool ChainMarginals::covariance_times(const sculpt::MapQuery& query, const double* direction,
                                      double* out) {
  if (!prepare(query)) return false;
  prepare_slopes(direction);
  forward_pass();
  forward_slopes();
  backward_slopes();
  std::fill_n(out, query.graph.theta_size, 0.0);
  add_local(out);
  for (const Table& table : shape_.steps().all) {
    const std::size_t size = table.size();
    products_.assign(size, 0.0);
    add_products(table, a_slope_, g_);
    add_products(table, a_, g_slope_);
    rows::add_products(out + table.cell, weights_.steps().of(table).data(), products_.data(), size);
    products_.assign(size, 0.0);
    add_products(table, a_, g_);
    rows::add_products(out + table.cell, step_slope_.of(table).data(), products_.data(), size);
  }
  return true;
}

// Sets local_slope_ to d and step_slope_ to S d.
void ChainMarginals::prepare_slopes(const double* direction) {
  const auto& states_from = shape_.states_from();
  sum_unary(shape_, direction, sums_);
  local_slope_.resize(shape_.cells());
  for (std::size_t p = 0; p < shape_.positions().size(); ++p) {
    const auto [middle, last, from] = shape_.positions()[p];
    const std::size_t v = shape_.is_order_two() ? p + 1 : p;
    const double* const of_last = sums_.data() + states_from[v];
    const std::size_t pair = shape_.pairs().at[p];
    for (std::size_t j = 0; j < middle; ++j) {
      double* const row = local_slope_.data() + from + j * last;
      const double of_middle = shape_.is_order_two() && p == 0 ? sums_[j] : 0.0;
      for (std::size_t k = 0; k < last; ++k) row[k] = of_middle + of_last[k];
      if (pair == ChainShape::none) continue;
      const double* const of_pair = direction + shape_.pairs().all[pair].cell + j * last;
      for (std::size_t k = 0; k < last; ++k) row[k] += of_pair[k];
    }
  }
  step_slope_.resize(shape_);
  for (const Table& table : shape_.steps().all) {
    const std::span<double> slopes = step_slope_.of(table);
    std::copy_n(direction + table.cell, slopes.size(), slopes.data());
    rows::multiply(slopes.data(), weights_.steps().of(table).data(), slopes.size());
  }
  step_slope_.finish();
}

// Computes a', and turns local_slope_ into d - r.
void ChainMarginals::forward_slopes() {
  a_slope_.resize(shape_.cells());
  for (std::size_t p = 0; p < shape_.positions().size(); ++p) {
    const std::size_t size = shape_.positions()[p].size();
    const std::size_t from = shape_.positions()[p].from;
    const double* const __restrict local = weights_.local() + from;
    const double* const __restrict a = a_.data() + from;
    double* const __restrict slope = a_slope_.data() + from;
    double* const __restrict d = local_slope_.data() + from;
    if (p == 0) {
      std::fill_n(slope, size, 0.0);
    } else {
      const std::size_t before = shape_.positions()[p - 1].from;
      weights_.steps().forward(p, a_slope_.data() + before, slope);
      step_slope_.add_forward(p, a_.data() + before, slope);
      poll(2 * shape_.step_sizes(p).first * size);
    }
    const double inverse = inverse_[p];
    for (std::size_t k = 0; k < size; ++k) slope[k] = slope[k] * local[k] * inverse + a[k] * d[k];
    const double r = rows::sum(slope, size);
    for (std::size_t k = 0; k < size; ++k) {
      slope[k] -= a[k] * r;
      d[k] -= r;
    }
  }
}

// Computes g, g' and the changes of the marginals of all positions.
void ChainMarginals::backward_slopes() {
  g_slope_.resize(shape_.cells());
  for (std::size_t p = shape_.positions().size(); p-- > 0;) {
    const std::size_t size = shape_.positions()[p].size();
    const std::size_t from = shape_.positions()[p].from;
    const double* const __restrict local = weights_.local() + from;
    const double* const __restrict a = a_.data() + from;
    const double* const __restrict a_slope = a_slope_.data() + from;
    const double* const __restrict d = local_slope_.data() + from;
    double* const __restrict changes = marginals_.data() + from;
    double* const __restrict g = g_.data() + from;
    double* const __restrict slope = g_slope_.data() + from;
    if (p + 1 == shape_.positions().size()) {
      std::fill_n(g, size, 1.0);
      std::fill_n(slope, size, 0.0);
    }
    const double inverse = inverse_[p];
    for (std::size_t k = 0; k < size; ++k) {
      changes[k] = a_slope[k] * g[k] + a[k] * slope[k];
      const double factor = local[k] * inverse;
      g[k] *= factor;
      slope[k] = slope[k] * factor + g[k] * d[k];
    }
    if (p == 0) break;
    const std::size_t before = shape_.positions()[p - 1].from;
    weights_.steps().backward(p, g, g_.data() + before);
    weights_.steps().backward(p, slope, g_slope_.data() + before);
    step_slope_.add_backward(p, g, g_slope_.data() + before);
    poll(3 * shape_.step_sizes(p).first * size);
  }
}

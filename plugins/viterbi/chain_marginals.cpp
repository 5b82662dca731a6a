#include "chain_marginals.hpp"

#include <cmath>

#include "row_products.hpp"

std::optional<double> ChainMarginals::mean(const sculpt::MapQuery& query, double* mu) {
  if (!prepare(query)) return std::nullopt;
  forward_pass();
  backward_pass();
  std::fill_n(mu, query.graph.theta_size, 0.0);
  add_local(mu);
  for (const std::int64_t cell : shape_.constant_cells()) mu[cell] += 1;
  for (const Table& table : shape_.steps().all) {
    products_.assign(table.size(), 0.0);
    add_products(table, a_, g_);
    rows::add_products(mu + table.cell, weights_.steps().of(table).data(), products_.data(),
                       table.size());
  }
  return log_normalizers_ + weights_.log_scale();
}

bool ChainMarginals::prepare(const sculpt::MapQuery& query) {
  if (!shape_.build(query.graph) || !weights_.compute(shape_, query.theta.data())) return false;
  a_.resize(shape_.cells());
  g_.resize(shape_.cells());
  marginals_.resize(shape_.cells());
  inverse_.resize(shape_.positions().size());
  return true;
}

// Computes a, 1 / c and the sum of log c.
void ChainMarginals::forward_pass() {
  log_normalizers_ = 0;
  const double* previous = nullptr;
  for (std::size_t p = 0; p < shape_.positions().size(); ++p) {
    const std::size_t size = shape_.positions()[p].size();
    const double* const local = weights_.local() + shape_.positions()[p].from;
    double* const a = a_.data() + shape_.positions()[p].from;
    if (p == 0) {
      std::fill_n(a, size, 1.0);
    } else {
      weights_.steps().forward(p, previous, a);
      poll(shape_.step_sizes(p).first * size);
    }
    rows::multiply(a, local, size);
    const double normalizer = rows::sum(a, size);
    inverse_[p] = 1 / normalizer;
    rows::scale(a, inverse_[p], size);
    log_normalizers_ += std::log(normalizer);
    previous = a;
  }
}

// Computes g and the marginals of all positions.
void ChainMarginals::backward_pass() {
  for (std::size_t p = shape_.positions().size(); p-- > 0;) {
    const auto [middle, last, from] = shape_.positions()[p];
    const std::size_t size = middle * last;
    const double* const __restrict local = weights_.local() + from;
    const double* const __restrict a = a_.data() + from;
    double* const __restrict marginals = marginals_.data() + from;
    double* const __restrict g = g_.data() + from;
    if (p + 1 == shape_.positions().size()) std::fill_n(g, size, 1.0);
    const double inverse = inverse_[p];
    for (std::size_t k = 0; k < size; ++k) {
      marginals[k] = a[k] * g[k];
      g[k] *= local[k] * inverse;
    }
    if (p == 0) break;
    weights_.steps().backward(p, g, g_.data() + shape_.positions()[p - 1].from);
    poll(shape_.step_sizes(p).first * size);
  }
}

void ChainMarginals::add_local(double* out) {
  const auto& states_from = shape_.states_from();
  const auto add = [out](std::int64_t table, const double* values, std::size_t size) {
    double* const cells = out + table;
    for (std::size_t k = 0; k < size; ++k) cells[k] += values[k];
  };
  const double* sums = marginals_.data();  // those of each variable
  if (shape_.is_order_two()) {
    variable_.assign(states_from.back(), 0.0);
    for (std::size_t p = 0; p < shape_.positions().size(); ++p) {
      const auto [middle, last, from] = shape_.positions()[p];
      double* const of_last = variable_.data() + states_from[p + 1];
      for (std::size_t j = 0; j < middle; ++j) {
        const double* const row = marginals_.data() + from + j * last;
        if (p == 0) variable_[j] = rows::sum(row, last);
        for (std::size_t k = 0; k < last; ++k) of_last[k] += row[k];
      }
      const std::size_t pair = shape_.pairs().at[p];
      if (pair == ChainShape::none) continue;
      add(shape_.pairs().all[pair].cell, marginals_.data() + from, middle * last);
    }
    sums = variable_.data();
  }
  const auto add_unary = [&](std::size_t v, std::int64_t cell) {
    add(cell, sums + states_from[v], states_from[v + 1] - states_from[v]);
  };
  for (std::size_t v = 0; v < shape_.variables(); ++v) add_unary(v, shape_.unary_cells()[v]);
  for (const auto& [v, cell] : shape_.extra_unary()) add_unary(v, cell);
}

void ChainMarginals::add_products(const Table& table, const Cells& left, const Cells& right) {
  const auto uses = shape_.steps().uses(table);
  const auto left_of = [&](std::size_t use) {
    return left.data() + shape_.positions()[uses[use] - 1].from;
  };
  const auto right_of = [&](std::size_t use) {
    return right.data() + shape_.positions()[uses[use]].from;
  };
  const std::size_t last = table.last;
  std::size_t use = 0;
  for (; use + 4 <= uses.size(); use += 4) {
    const std::array<const double*, 4> a = {left_of(use), left_of(use + 1), left_of(use + 2),
                                            left_of(use + 3)};
    const std::array<const double*, 4> g = {right_of(use), right_of(use + 1), right_of(use + 2),
                                            right_of(use + 3)};
    double* row = products_.data();
    for (std::size_t i = 0; i < table.first; ++i) {
      for (std::size_t j = 0; j < table.middle; ++j, row += last) {
        const std::size_t cell = i * table.middle + j;
        const std::size_t at = j * last;
        rows::add_rows({a[0][cell], a[1][cell], a[2][cell], a[3][cell]},
                       {g[0] + at, g[1] + at, g[2] + at, g[3] + at}, last, row);
      }
    }
    poll(4 * table.size());
  }
  for (; use < uses.size(); ++use) {
    const double* const a = left_of(use);
    const double* const g = right_of(use);
    double* row = products_.data();
    for (std::size_t i = 0; i < table.first; ++i) {
      for (std::size_t j = 0; j < table.middle; ++j, row += last) {
        rows::add_row(a[i * table.middle + j], g + j * last, last, row);
      }
    }
    poll(table.size());
  }
}

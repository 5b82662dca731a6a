#include "step_tables.hpp"

#include <algorithm>

void StepTables::resize(const ChainShape& shape) {
  shape_ = &shape;
  numbers_.resize(shape.steps().cells);
}

void StepTables::finish() {
  for (const ChainShape::Table& table : shape_->steps().all) {
    if (!is_worth_transposing(table)) continue;
    transposed_.resize(numbers_.size());
    const double* const numbers = numbers_.data() + table.from;
    double* const transposed = transposed_.data() + table.from;
    for (std::size_t k = 0; k < table.last; ++k) {
      for (std::size_t i = 0; i < table.first; ++i) {
        transposed[k * table.first + i] = numbers[i * table.last + k];
      }
    }
  }
}

template <bool add>
void StepTables::step(std::size_t p, const double* in, double* out) const {
  const auto [first, middle, last] = shape_->step_sizes(p);
  const std::size_t table = shape_->steps().at[p];
  if (table != ChainShape::none) {
    const double* const numbers = numbers_.data() + shape_->steps().all[table].from;
    for (std::size_t j = 0; j < middle; ++j) {
      rows::weighted_sum<add>(in + j, middle, first, numbers + j * last, middle * last, last,
                              out + j * last);
    }
    return;
  }
  if (add) return;
  for (std::size_t j = 0; j < middle; ++j) {
    const auto cell = [column = in + j, step = middle](std::size_t i) { return column[i * step]; };
    std::fill_n(out + j * last, last, rows::sum_over(first, cell));
  }
}

template <bool add>
void StepTables::step_back(std::size_t p, const double* in, double* out) const {
  const auto [first, middle, last] = shape_->step_sizes(p);
  const std::size_t index = shape_->steps().at[p];
  if (index == ChainShape::none) {
    if (add) return;
    for (std::size_t j = 0; j < middle; ++j) {
      const double sum = rows::sum(in + j * last, last);
      for (std::size_t i = 0; i < first; ++i) out[i * middle + j] = sum;
    }
    return;
  }
  const ChainShape::Table& table = shape_->steps().all[index];
  if (is_worth_transposing(table)) {
    const double* const transposed = transposed_.data() + table.from;
    rows::weighted_sum<add>(in, 1, last, transposed, first, first, out);
    return;
  }
  const double* row = numbers_.data() + table.from;
  for (std::size_t i = 0; i < first; ++i) {
    for (std::size_t j = 0; j < middle; ++j, row += last) {
      const double sum = rows::dot(row, in + j * last, last);
      double& cell = out[i * middle + j];
      cell = add ? cell + sum : sum;
    }
  }
}

template void StepTables::step<false>(std::size_t, const double*, double*) const;
template void StepTables::step<true>(std::size_t, const double*, double*) const;
template void StepTables::step_back<false>(std::size_t, const double*, double*) const;
template void StepTables::step_back<true>(std::size_t, const double*, double*) const;

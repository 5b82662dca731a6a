#include "qp/interior/plane_rows.hpp"

#include <algorithm>
#include <cmath>

namespace sculpt::core {

void PlaneRows::gather(WorkingSet& working_set,
                       const std::vector<std::vector<std::uint8_t>>& chosen) {
  clear();
  std::size_t max_entries = 0;
  for (std::int64_t i = 0; i < working_set.block_count(); ++i) {
    const Block& block = working_set.block(i);
    for (std::size_t p = 1; p < block.size(); ++p) {
      if (chosen[static_cast<std::size_t>(i)][p] == 0) continue;
      a_.push_back(&block.a[p]);
      max_entries += block.a[p].entry_count();
      b_.push_back(block.b[p]);
      plane_.push_back(p);
    }
    block_end_.push_back(b_.size());
  }
  // Reserved, because a vector that doubles takes up to three times its numbers.
  index_.reserve(max_entries);
  value_.reserve(max_entries);
  begin_.reserve(a_.size() + 1);
  Vector& scattered = working_set.scratch();
  begin_.push_back(0);
  for (const PlaneVector* a : a_) {
    a->scatter(scattered);
    append(*a, scattered);
    a->unscatter(scattered);
  }
  number_columns(scattered);
  a_.clear();
}

void PlaneRows::clear() {
  *this = {};
}

// Finds the columns of index_, which holds weights so far, and replaces weights by column numbers.
// `zeros`: [dimension] zeros before and after the call.
void PlaneRows::number_columns(Vector& zeros) {
  for (const std::int32_t weight : index_) {
    const auto j = static_cast<std::size_t>(weight);
    if (zeros[j] != 0) continue;
    zeros[j] = 1;
    column_.push_back(j);
  }
  std::sort(column_.begin(), column_.end());
  for (std::size_t k = 0; k < column_.size(); ++k) zeros[column_[k]] = static_cast<double>(k);
  for (std::int32_t& index : index_) {
    index = static_cast<std::int32_t>(zeros[static_cast<std::size_t>(index)]);
  }
  for (const std::size_t j : column_) zeros[j] = 0;
}

// Appends the entries of a plane in increasing order of their weights.
void PlaneRows::append(const PlaneVector& a, const Vector& scattered) {
  const std::size_t begin = index_.size();
  a.for_each_index([&](std::size_t j) {
    if (scattered[j] != 0) index_.push_back(static_cast<std::int32_t>(j));
  });
  const auto first = index_.begin() + static_cast<std::ptrdiff_t>(begin);
  std::sort(first, index_.end());
  for (auto k = first; k != index_.end(); ++k) {
    value_.push_back(scattered[static_cast<std::size_t>(*k)]);
  }
  begin_.push_back(index_.size());
}

std::vector<double> PlaneRows::largest_in_columns() const {
  std::vector<double> largest(columns(), 0.0);
  for (std::size_t k = 0; k < index_.size(); ++k) {
    double& value = largest[static_cast<std::size_t>(index_[k])];
    value = std::max(value, std::abs(value_[k]));
  }
  return largest;
}

void PlaneRows::multiply(std::span<const double> x, std::span<double> product) const {
  for (std::size_t p = 0; p < rows(); ++p) {
    double sum = 0;
    for (std::size_t k = begin_[p]; k < begin_[p + 1]; ++k) {
      sum += value_[k] * x[static_cast<std::size_t>(index_[k])];
    }
    product[p] = sum;
  }
}

void PlaneRows::sum(std::span<const double> scale, std::span<double> sum) const {
  std::fill(sum.begin(), sum.end(), 0.0);
  for (std::size_t p = 0; p < rows(); ++p) {
    if (scale[p] == 0) continue;
    for (std::size_t k = begin_[p]; k < begin_[p + 1]; ++k) {
      sum[static_cast<std::size_t>(index_[k])] += scale[p] * value_[k];
    }
  }
}

void PlaneRows::to_columns(const SparseVector& weights, std::span<double> x) const {
  std::size_t at = 0;
  for (std::size_t k = 0; k < column_.size(); ++k) {
    const auto weight = static_cast<std::int32_t>(column_[k]);
    while (at < weights.index.size() && weights.index[at] < weight) ++at;
    x[k] = at < weights.index.size() && weights.index[at] == weight ? weights.value[at] : 0;
  }
}

void PlaneRows::to_weights(std::span<const double> x, SparseVector& weights) const {
  weights.index.clear();
  weights.value.clear();
  for (std::size_t k = 0; k < column_.size(); ++k) {
    if (x[k] == 0) continue;
    weights.index.push_back(static_cast<std::int32_t>(column_[k]));
    weights.value.push_back(x[k]);
  }
}

}  // namespace sculpt::core

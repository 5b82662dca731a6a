// working_set_product.cpp - products of planes, and the working set with an inner product of its
// own (inner_product.hpp): v is kept beside w = M v, and w follows the moves of v.

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/products.hpp"
#include "qp/plane/plane_products.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core {
namespace {

// Two sums of the same planes differ by less than this fraction of the largest entry.
constexpr double max_sum_rounding = 1e-12;

}  // namespace

// The products of a plane with those of a block and itself. The plane is scattered once. So each
// product costs only the entries of the other plane.
std::vector<double> WorkingSet::products(std::int64_t index, std::span<const NewPlane> pending,
                                         const PlaneVector& a, Vector& zeros) const {
  const Block& block = this->block(index);
  std::vector<double> row(block.size() + pending.size() + 1);
  scatter(index, a, zeros);
  PlaneProducts product(zeros);
  for (std::size_t p = 1; p < block.size(); ++p) row[p] = product(block.a[p]);
  for (std::size_t k = 0; k < pending.size(); ++k) row[block.size() + k] = product(pending[k].a);
  row.back() = a.dot(zeros);
  unscatter(index, a, zeros);
  return row;
}

// Writes M a into zeros: a itself without an inner product.
void WorkingSet::scatter(std::int64_t index, const PlaneVector& a, Vector& zeros) const {
  if (inner_product_ == nullptr) {
    a.scatter(zeros);
  } else {
    inner_product_->scatter(index, a, zeros);
  }
}

void WorkingSet::unscatter(std::int64_t index, const PlaneVector& a, Vector& scattered) const {
  if (inner_product_ == nullptr) {
    a.unscatter(scattered);
  } else {
    inner_product_->unscatter(index, a, scattered);
  }
}

// The changes of one entry are added first: each entry costs a row of the kernel.
SparseVector WorkingSet::change_of(std::span<const std::int64_t> blocks,
                                   std::span<const double> alpha_before) {
  SparseVector change;
  for (const std::int64_t index : blocks) {
    const Block& block = this->block(index);
    for (std::size_t p = 1; p < block.size(); ++p) {
      const double difference = block.alpha[p] - alpha_before[p];
      if (difference == 0) continue;
      block.a[p].add_to(difference, scratch_);
      append_columns(block.a[p], change.index);
    }
    alpha_before = alpha_before.subspan(block.size());
  }
  return take_scratch(std::move(change));
}

void WorkingSet::move_w(const SparseVector& change, const SideTasks& beside) {
  axpy(1, change, v_);
  list_incomplete(change.index);
  if (!change.index.empty()) is_exact_ = is_complete_ = false;
  work_of_moves_ += inner_product_->work_per_entry() * static_cast<double>(change.index.size());
  inner_product_->add_product_beside(change, w_, beside);
}

// A list as long as this fraction of w costs as much as a look at all columns.
void WorkingSet::list_incomplete(std::span<const std::int32_t> columns) {
  constexpr std::size_t min_columns_per_listed = 16;
  if (!is_incomplete_known_) return;
  if (min_columns_per_listed * (incomplete_.size() + columns.size()) > v_.size()) {
    return forget_incomplete(false);
  }
  incomplete_.insert(incomplete_.end(), columns.begin(), columns.end());
}

void WorkingSet::forget_incomplete(bool is_complete) {
  incomplete_.clear();
  is_incomplete_known_ = is_complete;
}

// Moves v to the sum in scratch_, and w with it. If w has followed each change of alpha, the two
// sums differ by rounding, and w stays: M v would cost more than all else.
void WorkingSet::follow_sum() {
  double largest = 0;
  columns_.for_each([&](std::size_t j) { largest = std::max(largest, std::abs(scratch_[j])); });
  SparseVector change;
  columns_.for_each([&](std::size_t j) {
    const double difference = scratch_[j] - v_[j];
    if (std::abs(difference) > max_sum_rounding * largest) {
      change.index.push_back(static_cast<std::int32_t>(j));
      change.value.push_back(difference);
    } else if (complete_v_[j] == v_[j]) {
      complete_v_[j] = scratch_[j];
    }
    v_[j] = scratch_[j];
  });
  columns_.clear(scratch_);
  if (change.index.empty()) return;
  inner_product_->add_product(change, InnerProduct::Columns::in_use, w_);
  list_incomplete(change.index);
  is_exact_ = is_complete_ = false;
}

WeightView WorkingSet::complete_w() {
  if (inner_product_ == nullptr || is_complete_) return w_;
  SparseVector change;
  const auto add = [&](std::size_t j) {
    if (v_[j] == complete_v_[j]) return;
    change.index.push_back(static_cast<std::int32_t>(j));
    change.value.push_back(v_[j] - complete_v_[j]);
    complete_v_[j] = v_[j];
  };
  if (is_incomplete_known_) {
    std::sort(incomplete_.begin(), incomplete_.end());  // in the order of the other loop
    for (const std::int32_t j : incomplete_) add(static_cast<std::size_t>(j));
  } else {
    for (std::size_t j = 0; j < v_.size(); ++j) add(j);
  }
  inner_product_->add_product(change, InnerProduct::Columns::others, w_);
  forget_incomplete(true);
  is_complete_ = true;
  return w_;
}

void WorkingSet::make_exact() {
  if (inner_product_ == nullptr) return;
  sum_planes();  // v is then that of refresh() and of the model, so it is multiplied once
  inner_product_->multiply_exactly(v_, w_);
  complete_v_ = v_;
  forget_incomplete(true);
  is_complete_ = is_exact_ = true;
  // The accepted D is that of rounded values. A smaller D is no reason to go back to its alpha.
  accepted_ = AlphaSnapshot();
}

}  // namespace sculpt::core

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

// Adds the change of a block's alpha times its planes, and lists the columns.
void WorkingSet::add_to_scratch(const Block& block, std::span<const double> alpha_before,
                                std::vector<std::int32_t>& columns) {
  for (std::size_t p = 1; p < block.size(); ++p) {
    const double difference = block.alpha[p] - alpha_before[p];
    if (difference == 0) continue;
    block.a[p].add_to(difference, scratch_);
    append_columns(block.a[p], columns);
  }
}

SparseVector WorkingSet::change_of(std::int64_t index, std::span<const double> alpha_before) {
  SparseVector change;
  add_to_scratch(block(index), alpha_before, change.index);
  return take_scratch(std::move(change));
}

// The changes of one entry are added first: each entry costs a row of the kernel.
void WorkingSet::move_w(std::span<const std::int64_t> blocks,
                        std::span<const double> alpha_before) {
  SparseVector change;
  for (const std::int64_t index : blocks) {
    const Block& block = this->block(index);
    for (std::size_t p = 1; p < block.size(); ++p) {
      slack_term_.reference_price += block.alpha[p] - alpha_before[p];
    }
    add_to_scratch(block, alpha_before.first(block.size()), change.index);
    alpha_before = alpha_before.subspan(block.size());
  }
  change = take_scratch(std::move(change));
  axpy(1, change, v_);
  inner_product_->add_product(change, InnerProduct::Columns::in_use, w_);
  is_exact_ = is_complete_ = false;
  work_of_moves_ += inner_product_->work_per_entry() * static_cast<double>(change.index.size());
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
  is_exact_ = is_complete_ = false;
}

WeightView WorkingSet::complete_w() {
  if (inner_product_ == nullptr || is_complete_) return w_;
  SparseVector change;
  for (std::size_t j = 0; j < v_.size(); ++j) {
    if (v_[j] == complete_v_[j]) continue;
    change.index.push_back(static_cast<std::int32_t>(j));
    change.value.push_back(v_[j] - complete_v_[j]);
  }
  inner_product_->add_product(change, InnerProduct::Columns::others, w_);
  complete_v_ = v_;
  is_complete_ = true;
  return w_;
}

void WorkingSet::make_exact() {
  is_exact_ = true;
  if (inner_product_ == nullptr) return;
  inner_product_->multiply_exactly(v_, w_);
  complete_v_ = v_;
  is_complete_ = true;
  // The accepted D is that of rounded values. A smaller D is no reason to go back to its alpha.
  accepted_ = AlphaSnapshot();
}

}  // namespace sculpt::core

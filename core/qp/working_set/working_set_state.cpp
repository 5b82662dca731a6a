// working_set_state.cpp - writes and reads the state of the working set.

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "qp/working_set/working_set.hpp"

namespace sculpt::core {
namespace {

constexpr double product_tolerance = 1e-8;  // rounding of long planes
constexpr std::int32_t max_age = 1 << 30;   // no plane gets older: it is dropped, or never is

template <class Numbers>
bool all_finite(const Numbers& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

std::vector<std::size_t> WorkingSet::block_sizes() const {
  std::vector<std::size_t> sizes(blocks_.size());
  std::transform(blocks_.begin(), blocks_.end(), sizes.begin(),
                 [](const Block& block) { return block.size(); });
  return sizes;
}

void WorkingSet::save_alpha(StateWriter& out) const {
  out.put(static_cast<std::uint64_t>(blocks_.size()));
  out.put(static_cast<std::uint64_t>(w_.size()));
  for (const Block& block : blocks_) {
    out.put_array(block.alpha);
    out.put_array(block.age);
  }
  for (const double number :
       {dual_, squared_norm_, dual_magnitude_, ray_.linear, ray_.quadratic, largest_b_,
        largest_squared_norm_, slack_term_.reference_price, alpha_norm_sum_}) {
    out.put(number);
  }
  accepted_.save(out);
  if (inner_product_ == nullptr) return;
  out.put(is_exact_);
  out.put_array(v_);
  out.put_array(w_);
  out.put_array(complete_v_);
  inner_product_->save_columns(out);
}

void WorkingSet::save_planes(StateWriter& out, const std::vector<std::size_t>& sizes) const {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    for (std::size_t p = 1; p < sizes[i]; ++p) {
      out.put(block.b[p]);
      out.put(block.key[p]);
      block.a[p].save(out);
      // Dense planes are long, so their products are worth saving. The matrix is symmetric.
      for (std::size_t q = 1; q <= p; ++q) out.put(block.gram[p][q]);
    }
  }
}

void WorkingSet::load(StateReader& in) {
  in.require(in.get<std::uint64_t>() == blocks_.size(), "another number of blocks");
  in.require(in.get<std::uint64_t>() == w_.size(), "another number of weights");
  for (Block& block : blocks_) load_alpha(in, block);
  std::array<double, 9> numbers{};
  for (double& number : numbers) {
    number = in.get<double>();
    in.require(std::isfinite(number), "a number of the dual that is not finite");
  }
  std::vector<std::size_t> sizes;
  for (const Block& block : blocks_) sizes.push_back(block.alpha.size());
  accepted_.load(in, sizes);
  if (inner_product_ != nullptr) {
    is_exact_ = in.get_flag();
    for (Vector* const vector : {&v_, &w_, &complete_v_}) {
      in.get_array(*vector);
      in.require(vector->size() == scratch_.size() && all_finite(*vector),
                 "a sum of planes that is of another size or not finite");
    }
    is_complete_ = complete_v_ == v_;
    forget_incomplete(is_complete_);
    inner_product_->load_columns(in);
  }
  entries_ = 0;
  for (std::int64_t index = 0; index < block_count(); ++index) {
    Block& block = this->block(index);
    load_planes(in, block);
    in.require(are_products_right(index), "products that do not fit their planes");
    for (const PlaneVector& a : block.a) columns_.add_columns_of(a);
    entries_ += block.entries;
  }
  sum_planes();
  in.require(all_finite(w_) && std::isfinite(dual_magnitude_), "planes whose sum is not finite");
  // Within a pass these belong to the alpha at its beginning.
  dual_ = numbers[0];
  squared_norm_ = numbers[1];
  dual_magnitude_ = numbers[2];
  ray_ = {numbers[3], numbers[4]};
  largest_b_ = numbers[5];
  largest_squared_norm_ = numbers[6];
  slack_term_.reference_price = numbers[7];
  alpha_norm_sum_ = numbers[8];
}

void WorkingSet::load_alpha(StateReader& in, Block& block) const {
  in.get_array(block.alpha);
  in.get_array(block.age);
  block.shrunk.assign(block.alpha.size(), 0);
  const std::size_t size = block.alpha.size();
  in.require(size > 0 && block.age.size() == size, "a block whose arrays differ in length");
  in.require(std::isfinite(block.alpha[0]) == slack_term_.is_linear(),
             "an alpha of plane 0 that does not fit the slacks");
  const auto is_possible = [](double alpha) { return alpha >= 0; };
  in.require(std::all_of(block.alpha.begin(), block.alpha.end(), is_possible) &&
                 std::all_of(block.alpha.begin() + 1, block.alpha.end(),
                             [](double alpha) { return std::isfinite(alpha); }),
             "an alpha that is negative or not finite");
  in.require(std::all_of(block.age.begin(), block.age.end(),
                         [](std::int32_t age) { return age >= 0 && age < max_age; }),
             "an age that is out of range");
}

// Requires load_alpha(), which sets the number of planes.
void WorkingSet::load_planes(StateReader& in, Block& block) const {
  for (std::size_t p = 1; p < block.alpha.size(); ++p) {
    block.b.push_back(in.get<double>());
    block.key.push_back(in.get<std::uint64_t>());
    PlaneVector a = PlaneVector::load(in, scratch_.size());
    keep(block, a);
    block.a.push_back(std::move(a));
    block.entries += block.a.back().entry_count();
    std::vector<double> row(p + 1, 0.0);
    for (std::size_t q = 1; q <= p; ++q) row[q] = in.get<double>();
    in.require(all_finite(row), "a product of planes that is not finite");
    block.gram.add(row);
  }
  in.require(all_finite(block.b), "a plane that is not finite");
}

// Freivalds' test, which costs as much as a few scorings: Gram r = A (A^T r) for one r. Steps from
// wrong products do not raise the dual, and might go on forever.
bool WorkingSet::are_products_right(std::int64_t index) {
  const Block& block = this->block(index);
  std::vector<double> r(block.size(), 0.0);
  double sum_of_r = 0;
  for (std::size_t p = 1; p < block.size(); ++p) {
    r[p] = 1 + 0.5 * std::sin(static_cast<double>(p));
    sum_of_r += r[p];
    block.a[p].add_to(r[p], scratch_);
  }
  if (inner_product_ != nullptr) {
    SparseVector sum;
    for (const PlaneVector& a : block.a) append_columns(a, sum.index);
    scatter(index, PlaneVector(take_scratch(std::move(sum))), scratch_);
  }
  const auto norm = [&block](std::size_t p) { return std::sqrt(std::abs(block.gram[p][p])); };
  bool are_right = true;
  for (std::size_t p = 1; p < block.size(); ++p) {
    const double* row = block.gram[p];
    double sum = 0;
    double magnitude = 0;  // of the terms, by Cauchy-Schwarz: rounding is relative to it
    for (std::size_t q = 1; q < block.size(); ++q) {
      sum += r[q] * row[q];
      magnitude += std::abs(r[q] * row[q]) + r[q] * norm(p) * norm(q);
    }
    const double expected = block.a[p].dot(scratch_) + slack_term_.ridge * sum_of_r;
    const double error = std::abs(sum - expected);
    are_right = are_right && error <= product_tolerance * magnitude;  // false for NaN
  }
  for (std::size_t p = 1; p < block.size(); ++p) unscatter(index, block.a[p], scratch_);
  return are_right;
}

}  // namespace sculpt::core

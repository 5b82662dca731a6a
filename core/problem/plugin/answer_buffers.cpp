#include "problem/plugin/answer_buffers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>

#include "base/infinity.hpp"
#include "problem/plugin/component.hpp"

namespace sculpt::core {

namespace {

thread_local bool limit_was_reached = false;

// Doubles the capacity if the limit allows. So adding entries one by one copies each entry only
// once or twice on average.
std::int64_t next_capacity(std::int64_t capacity, std::int64_t min_capacity, std::int64_t limit) {
  return std::min(limit, std::max({min_capacity, 2 * capacity, std::int64_t{64}}));
}

template <class Item>
sculpt_status grow_array(Item*& data, std::int64_t& capacity, std::int64_t min_capacity,
                         std::int64_t limit) {
  if (min_capacity <= capacity) return SCULPT_OK;
  if (min_capacity > limit) return refuse_size();
  const std::int64_t new_capacity = next_capacity(capacity, min_capacity, limit);
  void* const memory = std::realloc(data, static_cast<std::size_t>(new_capacity) * sizeof(Item));
  if (memory == nullptr) return SCULPT_E_MEMORY;
  data = static_cast<Item*>(memory);
  capacity = new_capacity;
  return SCULPT_OK;
}

sculpt_status grow_labels(sculpt_label_buffer* labels, std::int64_t min_capacity) {
  return grow_array(labels->data, labels->capacity, min_capacity, max_answer_labels);
}

sculpt_status grow_bytes(sculpt_byte_buffer* bytes, std::int64_t min_capacity) {
  return grow_array(bytes->data, bytes->capacity, min_capacity, max_buffer_bytes);
}

}  // namespace

bool take_limit_reached() {
  return std::exchange(limit_was_reached, false);
}

sculpt_status refuse_size() {
  limit_was_reached = true;
  return SCULPT_E_MEMORY;
}

ByteBuffer::ByteBuffer() : raw_{nullptr, 0, 0, grow_bytes} {}

ByteBuffer::~ByteBuffer() {
  std::free(raw_.data);
}

std::string ByteBuffer::text_of(const Component& writer, std::int64_t example) const {
  if (!has_valid_size()) {
    writer.refuse(Exit::plugin, example,
                  "gives a byte buffer of the impossible size " + std::to_string(raw_.size));
  }
  return std::string(text());
}

// Allocates one label, so that the data pointer of an empty output is not NULL.
Answer::Answer() : raw_{} {
  raw_.struct_size = sizeof raw_;
  raw_.labels = sculpt_label_buffer{nullptr, 0, 0, grow_labels};
  if (grow_labels(&raw_.labels, 1) != SCULPT_OK) throw std::bad_alloc();
}

Answer::~Answer() {
  std::free(raw_.labels.data);
}

void Answer::clear() {
  raw_.flags = 0;
  raw_.labels.size = 0;
  raw_.value = 0;
  raw_.bound = 0;
  info = {};
  values.has_psi = false;
  values.loss.reset();
}

double Answer::upper_bound() const {
  if (has_flag(SCULPT_ANSWER_EXACT)) return value();
  return has_flag(SCULPT_ANSWER_BOUND) ? bound() : infinity;
}

void Answer::swap(Answer& other) {
  std::swap(raw_, other.raw_);
  std::swap(info, other.info);
  std::swap(values, other.values);
}

SparseAccumulator::SparseAccumulator(std::int64_t dimension, std::shared_ptr<SparseSum> sum)
    : accumulator_{{nullptr, nullptr, 0, 0, dimension, grow, nullptr}, this}, sum_(std::move(sum)) {
  resize(64);
}

void SparseAccumulator::resize(std::int64_t capacity) {
  index_.resize(static_cast<std::size_t>(capacity));
  value_.resize(static_cast<std::size_t>(capacity));
  accumulator_.raw.index = index_.data();
  accumulator_.raw.value = value_.data();
  accumulator_.raw.capacity = capacity;
}

// Called with a full list. If it has at least four times the dimension, and at least 4096 entries,
// it is merged. Then at most a quarter of it remains.
sculpt_status SparseAccumulator::grow(sculpt_accumulator* raw, std::int64_t min_capacity) {
  SparseAccumulator& self = *reinterpret_cast<OwnedAccumulator*>(raw)->owner;
  const std::int64_t added = min_capacity - raw->size;
  try {
    if (raw->size >= std::max<std::int64_t>(4 * raw->dimension, 4096)) {
      if (!self.fault().empty()) return SCULPT_E_INVALID;
      self.compact();
    }
    if (raw->size + added <= raw->capacity) return SCULPT_OK;
    if (raw->size + added > max_vector_entries) return refuse_size();
    self.resize(next_capacity(raw->capacity, raw->size + added, max_vector_entries));
    return SCULPT_OK;
  } catch (const std::bad_alloc&) {
    return SCULPT_E_MEMORY;
  }
}

void SparseAccumulator::compact() {
  merge(merged_);
  cancelling_before_ = cancelling(merged_);
  cancelling_before_.count -= static_cast<double>(merged_.index.size());
  std::copy(merged_.index.begin(), merged_.index.end(), index_.begin());
  std::copy(merged_.value.begin(), merged_.value.end(), value_.begin());
  accumulator_.raw.size = static_cast<std::int64_t>(merged_.index.size());
}

SparseAccumulator::Fault SparseAccumulator::first_fault() const {
  const sculpt_accumulator& raw = accumulator_.raw;
  if (raw.size < 0 || raw.size > raw.capacity || raw.index != index_.data()) {
    return {"the accumulator of feature vectors was damaged; write to it only with sculpt_add()"};
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(raw.size); ++k) {
    if (index_[k] < 0 || index_[k] >= raw.dimension) {
      return {"feature index " + std::to_string(index_[k]) + " is outside [0, " +
              std::to_string(raw.dimension) + ")"};
    }
    if (!std::isfinite(value_[k])) {
      return {"feature " + std::to_string(index_[k]) + " is " +
                  (std::isnan(value_[k]) ? "NaN" : "infinite"),
              true};
    }
  }
  return {};
}

void SparseAccumulator::merge(SparseVector& out) {
  sum_->merge(indices(), value_.data(), out);
}

void SparseAccumulator::add_to(double scale, Vector& to) const {
  for (std::size_t k = 0; k < static_cast<std::size_t>(accumulator_.raw.size); ++k) {
    to[static_cast<std::size_t>(index_[k])] += scale * value_[k];
  }
}

double SparseAccumulator::dot(const Vector& v) const {
  double sum = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(accumulator_.raw.size); ++k) {
    sum += value_[k] * v[static_cast<std::size_t>(index_[k])];
  }
  return sum;
}

// If all entries have one sign, nothing cancels: the sum of the absolute values is the absolute
// value of the sum.
CancellingTerms SparseAccumulator::cancelling(const SparseVector& merged) {
  CancellingTerms out = cancelling_before_;
  out.count += static_cast<double>(accumulator_.raw.size);
  const auto end = value_.begin() + accumulator_.raw.size;
  const auto is_positive = [](double value) { return value > 0; };
  const auto is_negative = [](double value) { return value < 0; };
  const bool has_positive = std::any_of(value_.begin(), end, is_positive);
  const bool has_negative = std::any_of(value_.begin(), end, is_negative);
  if (!has_positive || !has_negative) return out;
  std::vector<double> absolute(value_.begin(), end);
  for (double& value : absolute) value = std::abs(value);
  SparseVector magnitudes;
  sum_->merge(indices(), absolute.data(), magnitudes);
  std::size_t k = 0;
  for (std::size_t i = 0; i < magnitudes.index.size(); ++i) {
    const std::int32_t j = magnitudes.index[i];
    while (k < merged.index.size() && merged.index[k] < j) ++k;
    const bool remains = k < merged.index.size() && merged.index[k] == j;
    const double cancelling_magnitude =
        magnitudes.value[i] - (remains ? std::abs(merged.value[k]) : 0);
    if (!(cancelling_magnitude > 0)) continue;
    out.magnitude.index.push_back(j);
    out.magnitude.value.push_back(cancelling_magnitude);
  }
  if (!cancelling_before_.magnitude.index.empty()) {  // two sorted lists in a row: sort them
    const SparseVector both = std::move(out.magnitude);
    sum_->merge(both.index, both.value.data(), out.magnitude);
  }
  return out;
}

Terms SparseAccumulator::terms(std::span<const double> w) const {
  const double magnitude =
      absolute_dot(SparseView<std::int32_t, double>{indices(), value_.data()}, w);
  return {magnitude + absolute_dot(cancelling_before_.magnitude, w),
          cancelling_before_.count + static_cast<double>(accumulator_.raw.size)};
}

}  // namespace sculpt::core

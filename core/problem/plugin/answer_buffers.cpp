#include "problem/plugin/answer_buffers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

#include "problem/plugin/component.hpp"

namespace sculpt::core {

namespace {

thread_local bool met_limit = false;

sculpt_status refuse_size() {
  met_limit = true;
  return SCULPT_E_MEMORY;
}

// Doubles the capacity if the limit allows. So adding entries one by one copies each entry only
// once or twice on average.
std::int64_t next_capacity(std::int64_t capacity, std::int64_t least, std::int64_t limit) {
  return std::min(limit, std::max({least, 2 * capacity, std::int64_t{64}}));
}

template <class Item>
sculpt_status grow_array(Item*& data, std::int64_t& capacity, std::int64_t least,
                         std::int64_t limit) {
  if (least <= capacity) return SCULPT_OK;
  if (least > limit) return refuse_size();
  const std::int64_t wanted = next_capacity(capacity, least, limit);
  void* const memory = std::realloc(data, static_cast<std::size_t>(wanted) * sizeof(Item));
  if (memory == nullptr) return SCULPT_E_MEMORY;
  data = static_cast<Item*>(memory);
  capacity = wanted;
  return SCULPT_OK;
}

sculpt_status grow_labels(sculpt_label_buffer* labels, std::int64_t least) {
  return grow_array(labels->data, labels->capacity, least, label_limit);
}

sculpt_status grow_bytes(sculpt_byte_buffer* bytes, std::int64_t least) {
  return grow_array(bytes->data, bytes->capacity, least, byte_limit);
}

}  // namespace

bool take_met_limit() {
  return std::exchange(met_limit, false);
}

ByteBuffer::ByteBuffer() : raw_{nullptr, 0, 0, grow_bytes} {}

ByteBuffer::~ByteBuffer() {
  std::free(raw_.data);
}

std::string ByteBuffer::text_of(const Component& writer, std::int64_t example) const {
  if (!sound()) writer.refuse(Exit::plugin, example, "left a byte buffer with an impossible size");
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
  origin = {};
}

double Answer::ceiling() const {
  if (has(SCULPT_ANSWER_EXACT)) return value();
  return has(SCULPT_ANSWER_BOUND) ? bound() : std::numeric_limits<double>::infinity();
}

void Answer::swap(Answer& other) {
  std::swap(raw_, other.raw_);
  std::swap(origin, other.origin);
}

SparseAccumulator::SparseAccumulator(std::int64_t dimension)
    : lent_{{nullptr, nullptr, nullptr, 0, 0, dimension, grow}, this}, sum_(dimension) {
  resize(64);
}

void SparseAccumulator::resize(std::int64_t capacity) {
  index_.resize(static_cast<std::size_t>(capacity));
  value_.resize(static_cast<std::size_t>(capacity));
  lent_.raw.index = index_.data();
  lent_.raw.value = value_.data();
  lent_.raw.capacity = capacity;
}

// Called with a full list. If it has at least four times the dimension, and at least 4096 entries,
// it is merged. Then at most a quarter of it remains.
sculpt_status SparseAccumulator::grow(sculpt_accumulator* raw, std::int64_t min_capacity) {
  SparseAccumulator& self = *reinterpret_cast<Lent*>(raw)->owner;
  const std::int64_t more = min_capacity - raw->size;
  try {
    if (raw->size >= std::max<std::int64_t>(4 * raw->dimension, 4096)) {
      if (!self.fault().empty()) return SCULPT_E_INVALID;
      self.compact();
    }
    if (raw->size + more <= raw->capacity) return SCULPT_OK;
    if (raw->size + more > entry_limit) return refuse_size();
    self.resize(next_capacity(raw->capacity, raw->size + more, entry_limit));
    return SCULPT_OK;
  } catch (const std::bad_alloc&) {
    return SCULPT_E_MEMORY;
  }
}

void SparseAccumulator::compact() {
  merge(merged_);
  earlier_ = cancelled(merged_);
  earlier_.count -= static_cast<double>(merged_.index.size());
  std::copy(merged_.index.begin(), merged_.index.end(), index_.begin());
  std::copy(merged_.value.begin(), merged_.value.end(), value_.begin());
  lent_.raw.size = static_cast<std::int64_t>(merged_.index.size());
}

std::string SparseAccumulator::fault() const {
  const sculpt_accumulator& raw = lent_.raw;
  if (raw.size < 0 || raw.size > raw.capacity || raw.index != index_.data()) {
    return "the accumulator of feature vectors was damaged; write through sculpt_add() alone";
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(raw.size); ++k) {
    if (index_[k] < 0 || index_[k] >= raw.dimension) {
      return "feature index " + std::to_string(index_[k]) + " is outside [0, " +
             std::to_string(raw.dimension) + ")";
    }
    if (!std::isfinite(value_[k])) {
      return "feature " + std::to_string(index_[k]) + " is " +
             (std::isnan(value_[k]) ? "NaN" : "infinite");
    }
  }
  return "";
}

void SparseAccumulator::merge(SparseVector& out) {
  sum_.merge(indices(), value_.data(), out);
}

// If all entries have one sign, nothing cancels: the sum of the absolute values is the absolute
// value of the sum.
CancelledTerms SparseAccumulator::cancelled(const SparseVector& merged) {
  CancelledTerms out = earlier_;
  out.count += static_cast<double>(lent_.raw.size);
  const auto end = value_.begin() + lent_.raw.size;
  const bool rises = std::any_of(value_.begin(), end, [](double value) { return value > 0; });
  const bool falls = std::any_of(value_.begin(), end, [](double value) { return value < 0; });
  if (!rises || !falls) return out;
  std::vector<double> absolute(value_.begin(), end);
  for (double& value : absolute) value = std::abs(value);
  SparseVector sizes;
  sum_.merge(indices(), absolute.data(), sizes);
  std::size_t k = 0;
  for (std::size_t i = 0; i < sizes.index.size(); ++i) {
    const std::int32_t j = sizes.index[i];
    while (k < merged.index.size() && merged.index[k] < j) ++k;
    const bool left = k < merged.index.size() && merged.index[k] == j;
    const double lost = sizes.value[i] - (left ? std::abs(merged.value[k]) : 0);
    if (!(lost > 0)) continue;
    out.size.index.push_back(j);
    out.size.value.push_back(lost);
  }
  if (!earlier_.size.index.empty()) {  // appended after a sorted list; merge() sorts both
    const SparseVector both = std::move(out.size);
    sum_.merge(both.index, both.value.data(), out.size);
  }
  return out;
}

Terms SparseAccumulator::terms(std::span<const double> w) const {
  const double size = absolute_dot(SparseView<std::int32_t, double>{indices(), value_.data()}, w);
  return {size + absolute_dot(earlier_.size, w),
          earlier_.count + static_cast<double>(lent_.raw.size)};
}

}  // namespace sculpt::core

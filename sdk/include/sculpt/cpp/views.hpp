// views.hpp - labels, weights, sums and buffers for authors of plugins.
//
// SPDX-License-Identifier: Apache-2.0
//
// All are views of the host's memory. Copying is cheap. Do not keep them after the call.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../ext/factor_graph.h"
#include "error.hpp"

namespace sculpt {

// An output y. known() is false for an unlabelled example. The empty output is known.
class Labels : public std::span<const std::int32_t> {
 public:
  Labels() = default;  // unlabelled
  Labels(const std::vector<std::int32_t>& y) : Labels(y.data(), y.size()) {}
  Labels(const std::int32_t* data, std::size_t size)
      : std::span<const std::int32_t>(size > 0 ? data : empty_output(), size) {}
  explicit Labels(sculpt_labels y)
      : std::span<const std::int32_t>(y.data, static_cast<std::size_t>(y.size)) {}

  bool known() const { return data() != nullptr; }
  std::int64_t count() const { return static_cast<std::int64_t>(size()); }
  sculpt_labels raw() const { return {data(), count()}; }

 private:
  static const std::int32_t* empty_output() {
    static const std::int32_t none = 0;
    return &none;
  }
};

inline bool operator==(Labels a, Labels b) {
  return a.known() == b.known() && std::equal(a.begin(), a.end(), b.begin(), b.end());
}

// The weights w. Weights with equal stamps have equal contents.
class Weights : public std::span<const double> {
 public:
  explicit Weights(sculpt_weights w)
      : std::span<const double>(w.data, static_cast<std::size_t>(w.size)), stamp_(w.stamp) {}
  std::uint64_t stamp() const { return stamp_; }
  sculpt_weights raw() const { return {data(), static_cast<std::int64_t>(size()), stamp_}; }

 private:
  std::uint64_t stamp_;
};

// An accumulator: adds scale * value.
class Sum {
 public:
  Sum(sculpt_accumulator* raw, double scale) : raw_(raw), scale_(scale) {}

  // Adds scale * `value` at weight `index`. Throws E_INVALID if the index is outside of [0,
  // dimension). The check is here because the host gets 32 bits, and an index could wrap around to
  // a valid one.
  void add(std::int64_t index, double value) {
    if (static_cast<std::uint64_t>(index) >= static_cast<std::uint64_t>(raw_->dimension)) {
      refuse(index);
    }
    const sculpt_status status = sculpt_add(raw_, static_cast<std::int32_t>(index), scale_ * value);
    if (status != SCULPT_OK) throw Error(status, "too many feature values for one output");
  }
  // Adds scale * factor * values[k] at weight first + k, for count neighbours. Much faster than one
  // by one if the sum is dense. Throws likewise.
  void add_run(std::int64_t first, std::int64_t count, double factor, const double* values) {
    if (first < 0 || count > raw_->dimension - first) refuse(first < 0 ? first : first + count - 1);
    const sculpt_status status =
        sculpt_add_run(raw_, static_cast<std::int32_t>(first), static_cast<std::int32_t>(count),
                       scale_ * factor, values);
    if (status != SCULPT_OK) throw Error(status, "too many feature values for one output");
  }
  // True if zeros cost no memory, so that runs are better than their entries that are not 0.
  bool is_dense() const { return raw_->dense != nullptr; }
  // The same sum with another factor, to pass to other functions.
  Sum scaled(double factor) const { return {raw_, scale_ * factor}; }
  sculpt_accumulator* raw() { return raw_; }
  double scale() const { return scale_; }

 private:
  [[noreturn, gnu::cold, gnu::noinline]] void refuse(std::int64_t index) const {
    throw Error(SCULPT_E_INVALID, "feature index " + std::to_string(index) + " is outside [0, " +
                                      std::to_string(raw_->dimension) + ")");
  }

  sculpt_accumulator* raw_;
  double scale_;
};

// A dense vector that features can be added to, for oracles that need psi as a vector. For one
// thread at a time.
class DenseSum {
 public:
  explicit DenseSum(std::int64_t dimension)
      : values_(static_cast<std::size_t>(dimension), 0.0),
        list_{
            {index_.data(), value_.data(), 0, std::ssize(index_), dimension, fold, values_.data()},
            this} {}
  DenseSum(const DenseSum&) = delete;
  DenseSum& operator=(const DenseSum&) = delete;

  // Returns an accumulator that adds to this vector.
  Sum sum(double scale = 1) { return {&list_.raw, scale}; }
  // Returns the sums so far, [dimension]. Throws E_INVALID if an index is outside of [0,
  // dimension), which a component in C may have added.
  const std::vector<double>& values() const {
    fold(&list_.raw, 0);
    if (!wrong_index_) return values_;
    throw Error(SCULPT_E_INVALID, "feature index " + std::to_string(*wrong_index_) +
                                      " is outside [0, " + std::to_string(list_.raw.dimension) +
                                      ")");
  }
  void clear() {
    list_.raw.size = 0;
    wrong_index_.reset();
    std::fill(values_.begin(), values_.end(), 0.0);
  }

 private:
  struct List {  // `raw` first: fold() finds the owner from its address
    sculpt_accumulator raw;
    DenseSum* owner;
  };
  // Empties the list, which has only entries outside of the vector. Keeps the first wrong index.
  static sculpt_status fold(sculpt_accumulator* raw, std::int64_t) {
    DenseSum& self = *reinterpret_cast<List*>(raw)->owner;
    if (raw->size > 0 && !self.wrong_index_) self.wrong_index_ = raw->index[0];
    raw->size = 0;
    return self.wrong_index_ ? SCULPT_E_INVALID : SCULPT_OK;
  }

  mutable std::vector<double> values_;
  mutable std::optional<std::int32_t> wrong_index_;  // the first one
  std::array<std::int32_t, 4> index_;
  std::array<double, 4> value_;
  mutable List list_;  // takes the entries outside of values_
};

// An output to write: call resize(), then write into the span.
class LabelOutput {
 public:
  explicit LabelOutput(sculpt_label_buffer* raw) : raw_(raw) {}
  // Returns room for `size` labels. Throws E_INVALID if size is negative, and E_MEMORY if it is too
  // large.
  std::span<std::int32_t> resize(std::int64_t size) {
    if (size < 0) throw Error(SCULPT_E_INVALID, "resizes its output to " + std::to_string(size));
    if (sculpt_resize_labels(raw_, size) != SCULPT_OK) {
      throw Error(SCULPT_E_MEMORY, "the output is too long");
    }
    return {raw_->data, static_cast<std::size_t>(size)};
  }
  void assign(Labels y) {
    const auto room = resize(y.count());
    std::copy(y.begin(), y.end(), room.begin());
  }
  sculpt_label_buffer* raw() { return raw_; }

 private:
  sculpt_label_buffer* raw_;
};

// A buffer to which text or bytes are appended.
class ByteOutput {
 public:
  explicit ByteOutput(sculpt_byte_buffer* raw) : raw_(raw) {}
  // Throws E_MEMORY if the buffer cannot grow.
  void append(const void* bytes, std::size_t size) {
    if (sculpt_put(raw_, bytes, static_cast<std::int64_t>(size)) != SCULPT_OK) {
      throw Error(SCULPT_E_MEMORY, "the text is too long");
    }
  }
  ByteOutput& operator<<(std::string_view text) {
    append(text.data(), text.size());
    return *this;
  }
  ByteOutput& operator<<(std::int64_t number) { return *this << std::to_string(number); }
  sculpt_byte_buffer* raw() { return raw_; }

 private:
  sculpt_byte_buffer* raw_;
};

// The query of an oracle: argmax_y <weights, psi(x_example, y)> + loss_weight * Delta(truth, y).
struct Query {
  explicit Query(const sculpt_query& q)
      : example(q.example),
        seed(q.seed),
        weights(q.weights),
        truth(q.truth),
        loss_weight(q.loss_weight) {}
  std::int64_t example;
  std::uint64_t seed;  // for oracles that sample; a function of (run, pass, example)
  Weights weights;
  Labels truth;        // not known() in prediction
  double loss_weight;  // 0: the score alone, even with a truth; 1: margin rescaling
};

// The query of a map_solver: argmax_y of the sum of the cells of theta that y uses.
struct MapQuery {
  explicit MapQuery(const sculpt_map_query& q)
      : graph(*q.graph),
        theta(q.theta, static_cast<std::size_t>(q.graph->theta_size)),
        seed(q.seed) {}
  const sculpt_factor_graph& graph;
  std::span<const double> theta;
  std::uint64_t seed;
};

// The answer. Write the output into labels(), then state its value: exact(), or found() and
// bound().
class Answer {
 public:
  explicit Answer(sculpt_answer* raw) : raw_(raw) {
    raw_->flags = 0;
    raw_->labels.size = 0;
  }
  LabelOutput labels() { return LabelOutput(&raw_->labels); }

  // `value` is the value of the answer, and no output has a larger one.
  void exact(double value) {
    raw_->value = value;
    raw_->flags |= SCULPT_ANSWER_EXACT;
  }
  // `value` is the value of the answer. Nothing is claimed about other outputs.
  void found(double value) { raw_->value = value; }
  // No output has a value above `bound`.
  void bound(double bound) {
    raw_->bound = bound;
    raw_->flags |= SCULPT_ANSWER_BOUND;
  }
  // The example has no output.
  void no_output() { raw_->flags |= SCULPT_ANSWER_NO_OUTPUT; }
  // The truth is not among the outputs that are searched.
  void truth_outside() { raw_->flags |= SCULPT_ANSWER_TRUTH_OUTSIDE; }

 private:
  sculpt_answer* raw_;
};

namespace detail {

// Fills a record of the caller, whose version may have more or fewer fields: copies the common
// ones.
template <class Record>
void fill_record(Record* out, const Record& value) {
  const std::uint32_t size = out->struct_size;  // the size of the caller's version; it stays
  if (size >= sizeof value) {
    *out = value;
  } else {
    std::memcpy(static_cast<void*>(out), &value, size);
  }
  if (size >= sizeof size) out->struct_size = size;
}

}  // namespace detail

// The examples [begin, end) of a split.
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

}  // namespace sculpt

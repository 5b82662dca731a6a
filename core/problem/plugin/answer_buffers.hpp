// answer_buffers.hpp - memory of the host that components write into: outputs, bytes, feature
// vectors.
//
// Each lends the struct of sculpt/data.h and owns the memory it points to, which its `grow` may
// move. Lengths asked for are checked against a limit before anything is allocated; beyond it grow
// answers SCULPT_E_MEMORY. One thread at a time.
#pragma once

#include <sculpt/kinds.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linalg/rounding.hpp"
#include "linalg/sparse_sum.hpp"
#include "linalg/vector.hpp"

namespace sculpt::core {

class Component;

// Entries of an output, bytes of a text or a state, entries of a feature vector.
inline constexpr std::int64_t label_limit = std::int64_t{1} << 31;
inline constexpr std::int64_t byte_limit = std::int64_t{1} << 33;
inline constexpr std::int64_t entry_limit = std::int64_t{1} << 31;

// Whether a buffer has met its limit on this thread since the last call: then SCULPT_E_MEMORY does
// not mean that memory has run out.
bool take_met_limit();

class ByteBuffer {
 public:
  ByteBuffer();
  ~ByteBuffer();
  ByteBuffer(const ByteBuffer&) = delete;
  ByteBuffer& operator=(const ByteBuffer&) = delete;

  sculpt_byte_buffer* raw() { return &raw_; }
  void clear() { raw_.size = 0; }
  // What `writer` left in it. Throws Failure(Exit::plugin) in its name when the size cannot be;
  // `example` < 0: the text is about none.
  std::string text_of(const Component& writer, std::int64_t example) const;
  // The same without the check.
  std::string_view text() const { return {raw_.data, static_cast<std::size_t>(raw_.size)}; }
  bool sound() const { return raw_.size >= 0 && raw_.size <= raw_.capacity; }

 private:
  sculpt_byte_buffer raw_;
};

// What a host knows of an answer beside what the struct of the ABI holds.
struct AnswerOrigin {
  const Component* giver = nullptr;  // whose answer it is; of several oracles the one that found it
  int calls = 1;                     // so many oracles were asked for it
  bool escalated = false;            // there are several, and the last was asked
  // The answer is no output but a relaxed one: there are no labels, and this is its Delta.
  bool fractional = false;
  double loss = 0;
};

// An answer with the buffer of its output.
class Answer {
 public:
  Answer();
  ~Answer();
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;

  sculpt_answer* raw() { return &raw_; }
  void clear();
  bool sound() const { return raw_.labels.size >= 0 && raw_.labels.size <= raw_.labels.capacity; }
  bool has(std::uint32_t flag) const { return (raw_.flags & flag) != 0; }
  std::uint32_t flags() const { return raw_.flags; }
  double value() const { return raw_.value; }
  double bound() const { return raw_.bound; }
  // The output; its data is never NULL. Nothing where the answer is fractional.
  sculpt_labels labels() const { return {raw_.labels.data, raw_.labels.size}; }
  bool fractional() const { return origin.fractional; }
  // The most that the maximum can be; infinite where nothing is promised.
  double ceiling() const;
  void swap(Answer& other);

  AnswerOrigin origin;

 private:
  sculpt_answer raw_;
};

// A feature vector in its sparse form: always the form the host passes, since only there an index
// out of range can be told. Merges repeats when it is full, so its memory stays within a few times
// the dimension.
class SparseAccumulator {
 public:
  explicit SparseAccumulator(std::int64_t dimension);
  SparseAccumulator(const SparseAccumulator&) = delete;
  SparseAccumulator& operator=(const SparseAccumulator&) = delete;

  sculpt_accumulator* raw() { return &lent_.raw; }
  void clear() {
    lent_.raw.size = 0;
    if (earlier_.count != 0) earlier_ = {};
  }

  // What is wrong with the entries ("index 7 is outside [0, 5)"), or "".
  std::string fault() const;
  // The sum of all entries as a vector. Requires fault() == "".
  void merge(SparseVector& out);
  // What the sum does not show of its entries; `merged` is what merge() gives. Requires likewise.
  CancelledTerms cancelled(const SparseVector& merged);
  // The entries as terms of <w, psi>, those that cancel within psi too. Requires likewise.
  Terms terms(std::span<const double> w) const;

 private:
  struct Lent {  // `raw` first: grow finds its owner through it
    sculpt_accumulator raw;
    SparseAccumulator* owner;
  };
  static sculpt_status grow(sculpt_accumulator* raw, std::int64_t least_capacity);
  void compact();
  void resize(std::int64_t capacity);
  std::span<const std::int32_t> indices() const {
    return std::span(index_).first(static_cast<std::size_t>(lent_.raw.size));
  }

  Lent lent_;
  std::vector<std::int32_t> index_;
  std::vector<double> value_;
  SparseSum sum_;
  SparseVector merged_;  // scratch of compact
  CancelledTerms
      earlier_;  // of the entries that compact has merged; `count`: less those that it left
};

}  // namespace sculpt::core

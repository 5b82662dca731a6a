// answer_buffers.hpp - memory of the host that components write into: outputs, bytes, feature
// vectors.
//
// Used by all that call plugins: problem/ and its folders, and check. Each class passes a struct of
// sculpt/data.h to plugins and owns the memory of that struct. Its `grow` may move this memory. A
// requested length is checked against a limit before anything is allocated. Above the limit, `grow`
// returns SCULPT_E_MEMORY. Each object is used by one thread at a time.
#pragma once

#include <sculpt/kinds.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linalg/rounding.hpp"
#include "linalg/sparse_sum.hpp"
#include "linalg/vector.hpp"

namespace sculpt::core {

class Component;

// Upper limits: labels of an output, bytes of a text or a state, entries of a feature vector.
inline constexpr std::int64_t max_answer_labels = std::int64_t{1} << 31;
inline constexpr std::int64_t max_buffer_bytes = std::int64_t{1} << 33;
inline constexpr std::int64_t max_vector_entries = std::int64_t{1} << 31;

// True if a buffer has reached its limit on this thread since the last call of this function. If
// so, SCULPT_E_MEMORY does not mean that memory has run out.
bool take_limit_reached();
// Records for this thread that a limit was reached. Returns the status for the plugin.
sculpt_status refuse_size();

class ByteBuffer {
 public:
  ByteBuffer();
  ~ByteBuffer();
  ByteBuffer(const ByteBuffer&) = delete;
  ByteBuffer& operator=(const ByteBuffer&) = delete;

  sculpt_byte_buffer* raw() { return &raw_; }
  void clear() { raw_.size = 0; }
  // Returns a copy of what `writer` wrote. Throws Failure(Exit::plugin) in its name if the size is
  // impossible. `example` < 0: the text belongs to no example.
  std::string text_of(const Component& writer, std::int64_t example) const;
  // Returns the bytes without the check.
  std::string_view text() const { return {raw_.data, static_cast<std::size_t>(raw_.size)}; }
  // True if the size that the component wrote is possible.
  bool has_valid_size() const { return raw_.size >= 0 && raw_.size <= raw_.capacity; }

 private:
  sculpt_byte_buffer raw_;
};

// What the host knows about an answer in addition to the struct of the ABI.
struct AnswerInfo {
  const Component* oracle = nullptr;  // that gave the answer
  int calls = 1;                      // number of oracles that were asked
  bool escalated = false;             // there are several oracles, and the last was asked
  bool is_of_batch = false;           // one call gave it together with other answers
  // True for a relaxed answer that is no output. It has no labels, and `loss` is its Delta.
  bool fractional = false;
  double loss = 0;
};

// Values of an output that came from one call with those of other outputs (batch_values.hpp).
struct OutputValues {
  bool has_psi = false;        // else the two below are not set
  SparseVector psi;            // psi(x, y)
  Terms terms;                 // of <w, psi>, as SparseAccumulator::terms()
  std::optional<double> loss;  // Delta
};

// An answer with the memory of its output.
class Answer {
 public:
  Answer();
  ~Answer();
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;

  sculpt_answer* raw() { return &raw_; }
  void clear();
  // True if the number of labels that the component wrote is possible.
  bool has_valid_size() const {
    return raw_.labels.size >= 0 && raw_.labels.size <= raw_.labels.capacity;
  }
  bool has_flag(std::uint32_t flag) const { return (raw_.flags & flag) != 0; }
  std::uint32_t flags() const { return raw_.flags; }
  double value() const { return raw_.value; }
  double bound() const { return raw_.bound; }
  // The output. Its data pointer is never NULL. Unspecified if the answer is fractional.
  sculpt_labels labels() const { return {raw_.labels.data, raw_.labels.size}; }
  bool fractional() const { return info.fractional; }
  // Returns the upper bound of the maximum that the answer claims. Infinite if it claims none.
  double upper_bound() const;
  void swap(Answer& other);

  AnswerInfo info;
  OutputValues values;  // those that are known without a further call

 private:
  sculpt_answer raw_;
};

// A sparse feature vector that a plugin adds entries to. A full buffer merges repeated indices, so
// its memory stays within a few times the dimension.
class SparseAccumulator {
 public:
  explicit SparseAccumulator(std::int64_t dimension)
      : SparseAccumulator(dimension, std::make_shared<SparseSum>(dimension)) {}
  // Several of them may share a SparseSum, which has the size of the dimension. One thread at a
  // time uses them all, also for writing.
  SparseAccumulator(std::int64_t dimension, std::shared_ptr<SparseSum> sum);
  SparseAccumulator(const SparseAccumulator&) = delete;
  SparseAccumulator& operator=(const SparseAccumulator&) = delete;

  sculpt_accumulator* raw() { return &accumulator_.raw; }
  // While it lives, entries are added to dense[dimension] in place of the list. Entries of plugins
  // that do not know of `dense`, and entries out of range, are in the list.
  class DenseTarget {
   public:
    DenseTarget(SparseAccumulator& sum, Vector& dense) : raw_(*sum.raw()) {
      raw_.dense = dense.data();
    }
    ~DenseTarget() { raw_.dense = nullptr; }
    DenseTarget(const DenseTarget&) = delete;
    DenseTarget& operator=(const DenseTarget&) = delete;

   private:
    sculpt_accumulator& raw_;
  };
  void clear() {
    accumulator_.raw.size = 0;
    if (cancelling_before_.count != 0) cancelling_before_ = {};
  }

  // What is wrong with the entries: "feature index 7 is outside [0, 5)".
  struct Fault {
    std::string text;  // "": nothing
    // True for a value that is not finite: wrong data may have caused it. Only the component itself
    // can have caused the other faults.
    bool may_come_from_data = false;
  };
  Fault first_fault() const;
  std::string fault() const { return first_fault().text; }
  // out = the sum of all entries. Requires fault() == "".
  void merge(SparseVector& out);
  // to[dimension] += scale times the sum, entry by entry. Cheaper than merge(). Requires fault() ==
  // "".
  void add_to(double scale, Vector& to) const;
  // The sum times v[dimension], entry by entry. Requires fault() == "".
  double dot(const Vector& v) const;
  // Returns the terms that cancel in the sum (linalg/rounding.hpp). `merged` is the result of
  // merge(). Requires fault() == "".
  CancellingTerms cancelling(const SparseVector& merged);
  // Returns the terms of <w, psi>, including those that cancel within psi. Requires fault() == "".
  Terms terms(std::span<const double> w) const;

 private:
  struct OwnedAccumulator {  // `raw` is first: grow casts its address to OwnedAccumulator
    sculpt_accumulator raw;
    SparseAccumulator* owner;
  };
  static sculpt_status grow(sculpt_accumulator* raw, std::int64_t min_capacity);
  void compact();
  void resize(std::int64_t capacity);
  std::span<const std::int32_t> indices() const {
    return std::span(index_).first(static_cast<std::size_t>(accumulator_.raw.size));
  }

  OwnedAccumulator accumulator_;
  std::vector<std::int32_t> index_;
  std::vector<double> value_;
  std::shared_ptr<SparseSum> sum_;
  SparseVector merged_;                // scratch memory of compact()
  CancellingTerms cancelling_before_;  // by compact(); `count` excludes the entries that remain
};

}  // namespace sculpt::core

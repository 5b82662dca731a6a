// dataset.hpp - the examples of a problem.
//
// Held by Problem, and by sweep for its hold-out splits. Called by the sources of Problem, by
// Predictor, by the commands that print outputs or sizes, and by check.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "problem/plugin/component.hpp"

namespace sculpt::core {

class MemoryRows;

// The file, text or arrays that a split is read from.
struct SplitSource {
  std::string split;                // "train", "test", "validation", "predict"
  std::string path;                 // absolute; if `text` or `rows` is set, a name for messages
  std::optional<std::string> text;  // read instead of the file
  std::string advice = {};          // end of the message if the file is missing: "; what to do"
  // Arrays of a program, loaded instead of the file. The dataset borrows them, so they outlive it.
  std::shared_ptr<const MemoryRows> rows = {};
};

// The examples [begin, end) of the dataset.
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t size() const { return end - begin; }
};

// A list of examples by their index in the dataset: a range, or chosen ones.
class ExampleList {
 public:
  ExampleList() = default;
  explicit ExampleList(Range range) : begin_(range.begin), size_(range.size()) {}
  explicit ExampleList(std::vector<std::int64_t> indices)
      : size_(static_cast<std::int64_t>(indices.size())), indices_(std::move(indices)) {}

  std::int64_t size() const { return size_; }
  // Returns the dataset index of element k, counted from 0.
  std::int64_t operator[](std::int64_t k) const {
    return indices_.empty() ? begin_ + k : indices_[static_cast<std::size_t>(k)];
  }

 private:
  std::int64_t begin_ = 0;
  std::int64_t size_ = 0;
  std::vector<std::int64_t> indices_;  // [size_], empty for a range
};

// What is wrong with the weight of an example: "its weight is -1; ...". "": nothing.
std::string fault_of_weight(double weight);

class Dataset {
 public:
  Dataset(Component& component, int threads)
      : component_(component), sessions_(component, threads) {}

  // [main], before seal. Throws Failure(Exit::config) for arrays if it reads files only.
  void load(const SplitSource& source);
  std::int64_t count() const;                       // [any]
  Range split(const std::string& name) const;       // [any] empty for an unknown split
  sculpt_labels truth(std::int64_t example) const;  // [any] data == NULL: unlabelled

  // Truths are lent until the end. keep_truth() keeps one for later calls of truth(), so that a
  // slow dataset is asked once. begin_keeping() comes before, [main], after seal. With fences
  // nothing is kept. keep_truth(): [worker], at most once at a time for an example
  void begin_keeping();
  void keep_truth(std::int64_t example, sculpt_labels truth);

  // Returns the weights of these examples of the split "train", as the dataset gives them. Empty:
  // it offers none (ext/example_weights.h).
  std::vector<double> example_weights(Range examples) const;  // [any]
  // The same for the training examples, which are in the order of the dataset. Empty: all are 1.
  // Throws Failure(Exit::data) if a weight has a fault_of_weight(), and if all are 0.
  std::vector<double> training_weights(const ExampleList& training) const;  // [any]

  // Returns the output as text for people. Without the extension label-text: its labels, separated
  // by spaces.
  std::string format(std::int64_t example, sculpt_labels output) const;  // [any]

  // Returns the row that sets the width of all rows: "train.txt:1: index 100000000". "": the
  // dataset does not report it, or no single row is the cause.
  std::string widest_row() const;  // [any]

  // Returns where an example begins: "train.txt:17". "": the dataset does not report it.
  std::string place(std::int64_t example) const;  // [any]
  // Throws a Failure that names the example and where it begins.
  [[noreturn]] void refuse(Exit exit, std::int64_t example, const std::string& text) const;

  const Component& component() const { return component_; }
  void* session(int worker) { return sessions_.for_worker(worker); }

 private:
  void load(const std::string& split, const MemoryRows& rows);

  // The largest number of examples whose truths are kept, in 16 MB.
  static constexpr std::int64_t max_kept = std::int64_t{1} << 20;
  static constexpr std::int64_t not_kept = -1;  // as a size

  Component& component_;
  Sessions sessions_;
  std::vector<sculpt_labels> truths_;  // [count()], or empty: none is kept
};

}  // namespace sculpt::core

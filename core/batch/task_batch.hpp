// task_batch.hpp - computes values and gradients for the examples of a problem, at weights that a
// network gives (sculpt/host/batch_task.h).
//
//   value = A - <w, psi(x_i, t)>,    gradient = psi(x_i, y) or E[psi], minus psi(x_i, t)
//
// A is in batch_quantity.hpp, with score(y) = <w, psi(x_i, y)>. Each example has its own w, or all
// share one. Then the gradients are summed as in block_sums.hpp. Made by library/batch_task.cpp.
#pragma once

#include <sculpt/host/batch_task.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "batch/batch_quantity.hpp"
#include "batch/block_sums.hpp"
#include "batch/handle_use.hpp"
#include "linalg/vector.hpp"
#include "parallel/cache_line.hpp"
#include "problem/problem.hpp"

namespace sculpt::core {

class TaskBatch {
 public:
  // The examples are those of the split "train". Throws Failure(Exit::config) if the problem has a
  // kernel. The problem outlives this.
  explicit TaskBatch(Problem& problem);

  std::int64_t example_count() const { return examples_.size(); }
  std::int64_t dimension() const { return problem_.dimension(); }

  // Reads and writes what the records say. Calls from several threads take turns. Throws Failure:
  // Exit::usage for wrong sizes, Exit::data for wrong weights or truths, Exit::config if the
  // components cannot do it.
  void compute(const BatchQuantity& quantity, const sculpt_batch_task_input& input,
               const sculpt_batch_task_output& output);
  bool is_of_this_process() const { return use_.is_of_this_process(); }

  // The outputs of the last call: [examples + 1], or empty.
  const std::vector<std::int64_t>& label_from() const { return label_from_; }
  const std::vector<std::int32_t>& labels() const { return labels_; }

 private:
  // Memory of one worker.
  struct alignas(cache_line) Scratch {
    explicit Scratch(std::int64_t dimension) : sum(dimension) {}
    Vector w;  // of one example
    SparseAccumulator sum;
    SparseVector best_psi;   // psi of the best output, or E[psi]
    SparseVector truth_psi;  // psi of the truth, or of the best completion
    Answer best;
    Answer completion;
  };
  // One element of a call.
  struct Element {
    std::int64_t number;   // in the call
    std::int64_t example;  // of the dataset
    int worker;
    Scratch& scratch;
    sculpt_query query;  // at w, with the truth, without the loss
    double* gradient;    // where it is added; nullptr: not wanted
  };
  struct Value {
    double value = 0;
    double upper_bound = 0;
    bool is_exact = true;
  };

  void check(const BatchQuantity& quantity, const sculpt_batch_task_input& input) const;
  void require_weights(const BatchQuantity& quantity, std::span<const double> weights,
                       std::int64_t element) const;
  void require_components(const BatchQuantity& quantity) const;
  void compute_element(const BatchQuantity& quantity, const sculpt_batch_task_input& input,
                       const sculpt_batch_task_output& output, const Element& element);
  Value find_best(const BatchQuantity& quantity, const Element& element);
  Value sum_outputs(const BatchQuantity& quantity, const Element& element);
  Value subtract_truth(const BatchQuantity& quantity, const Element& element, Value value);
  void join_outputs();
  std::string serial_component();

  Problem& problem_;
  ExampleList examples_;
  std::vector<std::uint8_t> nonnegative_;  // [dimension] or empty
  HandleUse use_;
  std::vector<std::unique_ptr<Scratch>> scratches_;  // [threads]
  Vector shared_w_;
  BlockSums sums_;
  std::vector<std::vector<std::int32_t>> outputs_;  // of the current call
  std::vector<std::int64_t> label_from_;
  std::vector<std::int32_t> labels_;
};

}  // namespace sculpt::core

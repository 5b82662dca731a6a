// batch_call.hpp - one call of Batch: checks the records, and computes example by example.
#pragma once

#include <span>
#include <string>

#include "batch/batch.hpp"

namespace sculpt::core {

class Batch::Call {
 public:
  // Checks what does not belong to one example. Throws Failure as Batch::compute().
  Call(Batch& batch, const BatchQuantity& quantity, const BatchGraphs& graphs,
       const sculpt_batch_input& input, const sculpt_batch_output& output);
  void run();

 private:
  struct Example {
    std::int64_t number;
    int worker;
    Scratch& scratch;
    sculpt_factor_graph graph;            // with ATTRACTIVE if the map_solver demands it
    const std::int32_t* truth = nullptr;  // [variables], nullptr: no label is known
    bool is_partial = false;              // some labels of the truth are not known
    double* shared_sum = nullptr;         // of its block; nullptr: not wanted
  };
  // A or B of the value, and its gradient: that of labels, or cells.
  struct Part {
    double value = 0;
    double upper_bound = 0;  // of the value
    bool is_exact = true;
    const std::int32_t* labels = nullptr;
    const Vector* mu = nullptr;
  };

  void compute(Example& example) const;
  void load_scores(const Example& example) const;
  void load_truth(Example& example) const;
  void add_delta(const Example& example) const;
  void exclude_disagreeing(const Example& example) const;
  sculpt_map_query query(const Example& example, const Vector& theta) const;
  Part solve(const Example& example, const Vector& theta, Answer& answer) const;
  Part sum(const Example& example, const Vector& theta, Vector& mu) const;
  Part reference(const Example& example) const;
  // Returns A - B.
  double difference(const Example& example, const Part& best, const Part& reference) const;
  void write_value(const Example& example, double value, const Part& best,
                   const Part& reference) const;
  void clear_gradient(const Example& example) const;
  void add_gradient(const Example& example, const Part& part, double scale) const;

  // Checks: batch_call_checks.cpp.
  void check_sizes() const;
  void check_weights() const;
  void require_range(const Example& example) const;
  void require_attractive(const Example& example) const;
  void require_agreement(const Example& example, const std::int32_t* labels) const;
  void require_not_below(const Example& example, const Part& best, double value) const;
  [[noreturn]] void refuse_example(std::int64_t example, const std::string& text) const;

  bool wants_gradient() const {
    return output_.unary != nullptr || output_.tables != nullptr || output_.shared != nullptr;
  }

  Batch& batch_;
  const BatchQuantity& quantity_;
  const BatchGraphs& graphs_;
  const sculpt_batch_input& input_;
  const sculpt_batch_output& output_;
  bool demands_attractive_ = false;
};

}  // namespace sculpt::core

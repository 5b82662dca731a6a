// training_source.hpp - common part of the sources of a Problem: its training examples, and queries
// about them at a w.
//
// Base class of ProblemPlanes, ProblemExpectations, ProblemCells, ProblemSamples and ProblemCounts.
// Examples are those of Problem::training(), counted from 0. Messages use their number in the
// dataset.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "linalg/weight_view.hpp"
#include "objective/pass.hpp"
#include "problem/plugin/oracle_seed.hpp"
#include "problem/plugin/read_only_weights.hpp"
#include "problem/problem.hpp"

namespace sculpt::core {

// Passes w to plugins. Under --guard it passes a copy that plugins cannot write to.
class QueryWeights {
 public:
  explicit QueryWeights(Problem& problem)
      : dimension_(problem.dimension()), is_guarded_(problem.services().is_guarded()) {}
  // Returns w for a query. Valid until the next call, and as long as w lives. Throws
  // Failure(Exit::internal) if w has another dimension. [main]
  sculpt_weights for_query(WeightView w) {
    if (w.dimension() != dimension_) {
      throw Failure(Exit::internal, "the solver passes " + std::to_string(w.dimension()) +
                                        " weights, but the problem has " +
                                        std::to_string(dimension_) +
                                        "; report this to the author of the solver");
    }
    if (is_guarded_ && !guarded_weights_) {
      guarded_weights_ = std::make_unique<ReadOnlyWeights>(dimension_);
    }
    const double* const values =
        guarded_weights_ ? guarded_weights_->copy_from(w.dense()) : w.dense().data();
    return {values, dimension_, next_stamp()};
  }

 private:
  std::int64_t dimension_;
  bool is_guarded_;
  std::unique_ptr<ReadOnlyWeights> guarded_weights_;  // with --guard only, made by the first query
};

// Implements the functions of `Port` that belong to ExampleSource.
template <class Port>
class ProblemPort : public Port {
 public:
  std::int64_t example_count() const override { return problem_.training().size(); }
  std::int64_t dimension() const override { return problem_.dimension(); }
  std::span<const std::uint8_t> nonnegative() const override { return problem_.nonnegative(); }
  std::span<const double> example_weights() const override { return problem_.example_weights(); }
  Workers* workers() override { return &problem_.workers(); }
  Ranks* ranks() const override { return problem_.ranks(); }
  std::uint64_t seed() const override { return run_seed_; }
  std::int64_t dataset_index(std::int64_t example) const override {
    return problem_.training()[example];
  }
  [[noreturn]] void report_contradiction(std::int64_t example,
                                         const std::string& text) const override {
    const std::int64_t index = example < 0 ? -1 : dataset_index(example);
    asked_.refuse(Exit::plugin, index, text + text_on_weights());
  }

 protected:
  // Requires a problem made for training. It outlives this, as does the component that answers.
  ProblemPort(Problem& problem, std::uint64_t run_seed, const Component& asked)
      : problem_(problem), run_seed_(run_seed), asked_(asked), query_weights_(problem) {}

  Problem& problem() const { return problem_; }

  // What the weights of the examples do to the numbers of a message. "": nothing.
  std::string text_on_weights() const {
    if (this->example_weights().empty()) return "";
    const bool has_formulation = problem_.has_planes();
    if (has_formulation && problem_.formulation().is_hard_margin()) return "";
    const bool is_root = has_formulation && problem_.formulation().squares_slacks();
    return std::string("; violations are multiplied by ") + (is_root ? "the square root of " : "") +
           "the weight of the example";
  }

  // Returns a query at w without an example. [main]
  sculpt_query query_at(WeightView w) {
    sculpt_query query = {};
    query.struct_size = sizeof query;
    query.weights = query_weights_.for_query(w);
    return query;
  }
  // As set_example() below. Call it before the oracle is asked. Throws Cancelled. [worker]
  void begin_example(std::int64_t example, const Pass& pass, sculpt_query& query) const {
    problem_.services().throw_if_cancelled();
    set_example(example, pass, query);
  }
  // Sets the example, its seed and its truth, which must be known. [worker]
  void set_example(std::int64_t example, const Pass& pass, sculpt_query& query) const {
    if (example < 0 || example >= example_count()) {
      throw Failure(Exit::internal, "the solver queries example " + std::to_string(example) +
                                        " of " + std::to_string(example_count()) +
                                        ", counted from 0; report this to the author of the "
                                        "solver");
    }
    query.example = dataset_index(example);
    query.seed = oracle_seed(run_seed_, pass.number, query.example);
    query.truth = problem_.dataset().truth(query.example);
  }
  // psi of the truth of the query. `computed` holds it if the problem does not store it. [worker]
  const SparseVector& truth_of(int worker, const sculpt_query& query, SparseAccumulator& scratch,
                               SparseVector& computed) const {
    if (const FeatureSum* const stored = problem_.truth_vector(query.example)) return stored->psi;
    problem_.features().vector(worker, query.example, query.truth, Exit::data, scratch, computed);
    return computed;
  }

 private:
  Problem& problem_;
  std::uint64_t run_seed_;
  const Component& asked_;
  QueryWeights query_weights_;
};

}  // namespace sculpt::core

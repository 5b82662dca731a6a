// oracle.hpp - finds the best output of an example, and the frontier:
//
//   argmax over y of <w, psi(x_i, y)> + loss_weight * Delta(y_i, y)
//
// Called by SeparationSolver, Predictor, ProblemExpectations and check. There are three kinds: a
// component of kind oracle, a map_solver behind the adapter MapOracle (map_oracle.hpp), or a list
// of these (oracle_list.hpp). After construction the object reports what it can do with the loss.
// separation_strategy.hpp chooses by that.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/infinity.hpp"
#include "problem/components/output_shape.hpp"
#include "problem/oracle/answer_repeat_check.hpp"
#include "problem/oracle/batch_answers.hpp"
#include "problem/oracle/batch_values.hpp"
#include "problem/oracle/expectations.hpp"
#include "problem/oracle/frontier.hpp"
#include "problem/oracle/frontier_repeat_check.hpp"
#include "problem/oracle/output_series.hpp"
#include "problem/plugin/answer_buffers.hpp"
#include "problem/plugin/component.hpp"

namespace sculpt::core {

class Oracle {
 public:
  virtual ~Oracle() = default;

  virtual const Component& component() const = 0;

  // Returns why argmax does not work with a loss_weight > 0, with the names of the components. ""
  // if it works.
  virtual const std::string& obstacle_to_loss() const;
  // Returns why there is no frontier for the loss, with the names of the components, or "".
  virtual const std::string& obstacle_to_frontier() const = 0;

  // True if relaxed() is offered.
  virtual bool relaxes() const { return false; }
  // True if it is a list of oracles that are asked one after the other.
  virtual bool escalates() const { return false; }

  // Writes the best output to `answer`, which is cleared first. The answer has passed the checks
  // that hold for every query: valid size, no label -1, finite value and bound. A list of oracles
  // stops once a value is larger than `stop_escalating_above`, or if no value can be. [worker]
  void argmax(int worker, const sculpt_query& query, Answer& answer,
              double stop_escalating_above = unlimited);

  // True if announced queries may be answered several in one call.
  virtual bool answers_batches() const { return false; }
  // Announces the next calls of argmax() on this worker: these queries in this order, all at the
  // same w and loss_weight, until the next announcement. Every answer and every error is that of
  // a call without an announcement. `values`, which may be nullptr, fills psi and Delta of answers
  // that one call gives; it outlives the calls. [worker]
  virtual void announce(int, std::span<const sculpt_query>, BatchValues*) {}
  // The size of a range of calls for one worker: as Workers::range_size(), but as large as is
  // useful if calls are announced.
  std::int64_t range_size(std::int64_t call_count, const Workers& workers) const {
    if (!answers_batches()) return Workers::range_size(call_count);
    const std::int64_t share = (call_count + workers.threads() - 1) / workers.threads();
    return std::clamp<std::int64_t>(share, 1, BatchAnswers::max_block);
  }

  // Writes the maximum over the relaxed outputs (sculpt/ext/cut.h) to `answer`, with the same
  // checks. If the answer is fractional, its psi is in `psi`, summed in `scratch`. Requires
  // relaxes(). [worker]
  void relaxed(int worker, const sculpt_query& query, SparseAccumulator& scratch, SparseVector& psi,
               Answer& answer, double stop_escalating_above = unlimited);

  // True if complete() is offered.
  virtual bool completes() const { return false; }
  // Writes the best of the outputs that agree with the partial truth of the query (sculpt/ext/
  // complete.h) to `answer`, with the same checks. Requires completes(), a truth, and loss_weight
  // 0. [worker]
  void complete(int worker, const sculpt_query& query, Answer& answer);

  // True if condition_on_truths() is offered: by map_solvers. [any]
  virtual bool conditions_on_truths() const { return false; }
  // From now on log Z, marginals, the k best and draws are those of the outputs that agree with the
  // partial truth of the query, if it has one. Other outputs follow at the end of the k best, with
  // unspecified values. [main]
  virtual void condition_on_truths() {}

  // Called after argmax(). Writes the labels of at most `max_count` other outputs of the same query
  // with values above `min_value`, in decreasing order of value. Only outputs that need no other
  // call; none by default. All labels are in one array, each output as long as the answer. [worker]
  virtual void next_best_outputs(int worker, const Answer& answer, double min_value,
                                 std::int64_t max_count, std::vector<std::int32_t>& outputs);

  // The frontier query of sculpt/ext/frontier.h. Requires obstacle_to_frontier() == "". `query`
  // must live until end_frontier(). Results have passed the checks of Frontier, outputs also those
  // of argmax(). [worker]
  virtual const Frontier::Shape& begin_frontier(int worker, const sculpt_query& query);
  virtual void frontier_slice(int worker, std::int64_t first, std::vector<double>& score);
  virtual void frontier_output(int worker, std::int64_t example, const Counts& counts,
                               Answer& answer);
  // Ends the frontier query. Under --guard it is repeated and the results compared. [worker]
  virtual void end_frontier(int worker);
  // Begins a frontier query at the query's w = 0, so that begin() can refuse its size. [worker]
  virtual void require_frontier_fits(int worker, const sculpt_query& query);
  virtual CountLoss& count_loss() { return frontier_->loss(); }

  // log Z, means and covariances over the outputs. nullptr: not offered.
  virtual Expectations* expectations() { return expectations_.get(); }
  // The same at w = 0 and loss_weight 0, without a call of the oracle. nullptr: not offered.
  virtual Expectations* uniform_expectations() { return nullptr; }

  // The k best outputs, and draws.
  virtual bool lists_k_best() const { return series_ != nullptr && series_->lists_k_best(); }
  virtual bool draws() const { return series_ != nullptr && series_->draws(); }
  // As OutputSeries, with the checks of argmax(). [worker]
  virtual void begin_k_best(int worker, const sculpt_query& query);
  virtual void next_best(int worker, const sculpt_query& query, Answer& answer);
  virtual double begin_draws(int worker, const sculpt_query& query);
  virtual void draw(int worker, const sculpt_query& query, std::uint64_t seed, Answer& answer);

  // Solves the largest of `count` examples at w = 0, so that an example of excessive size is
  // refused now. Does nothing if the oracle does not know the largest one. [main]
  virtual void require_largest_fits(std::int64_t count);

 protected:
  static constexpr double unlimited = infinity;

  // For constructors: adds a frontier.
  void offer(std::unique_ptr<Frontier> frontier) { frontier_ = std::move(frontier); }
  // For constructors: adds expectations.
  void offer(std::unique_ptr<Expectations> expectations) {
    expectations_ = std::move(expectations);
  }
  // For constructors: adds the k best and draws.
  void offer(std::unique_ptr<OutputSeries> series) { series_ = std::move(series); }
  // For constructors: every query is repeated if the services of the component have --guard.
  void repeat_if_guarded(const Component& component, int threads);

 private:
  void check_answer(int worker, const sculpt_query& query, Answer& answer) const;
  // argmax() and relaxed() without the checks and without the repetition of --guard.
  virtual void compute_argmax(int worker, const sculpt_query& query, double stop_escalating_above,
                              Answer& answer) = 0;
  virtual void compute_relaxed(int worker, const sculpt_query& query, double stop_escalating_above,
                               SparseAccumulator& scratch, SparseVector& psi, Answer& answer);
  virtual void compute_completion(int, const sculpt_query&, Answer&) {}
  virtual sculpt_frontier_query frontier_query(int worker, const sculpt_query& query) = 0;
  // Fills the query at w = 0, where scores need not be computed.
  virtual sculpt_frontier_query frontier_query_at_zero(int worker, const sculpt_query& query) {
    return frontier_query(worker, query);
  }
  // Refuses labels that are no output.
  virtual void check_labels(int worker, std::int64_t example, const Answer& answer) const = 0;

  const Frontier::Shape& begin(int worker, const sculpt_query& query);
  void output(int worker, std::int64_t example, const Counts& counts, Answer& answer);

  std::unique_ptr<Frontier> frontier_;
  std::unique_ptr<Expectations> expectations_;
  std::unique_ptr<OutputSeries> series_;
  std::unique_ptr<AnswerRepeatCheck> answer_check_;      // nullptr: no --guard
  std::unique_ptr<FrontierRepeatCheck> frontier_check_;  // nullptr: no --guard
};

class ComponentOracle : public Oracle {
 public:
  // Requires sealed components. `loss` may be nullptr: then there is no frontier. The shapes
  // outlive this.
  ComponentOracle(Component& component, Loss* loss, OutputShapes& shapes, int threads);
  const Component& component() const override { return component_; }
  const std::string& obstacle_to_frontier() const override { return obstacle_to_frontier_; }
  bool relaxes() const override { return relaxed_table_ != nullptr; }
  bool completes() const override { return complete_table_ != nullptr; }
  bool answers_batches() const override { return batch_answers_ != nullptr; }
  void announce(int worker, std::span<const sculpt_query> queries, BatchValues* values) override;

 private:
  void compute_argmax(int worker, const sculpt_query& query, double stop_escalating_above,
                      Answer& answer) override;
  void compute_relaxed(int worker, const sculpt_query& query, double stop_escalating_above,
                       SparseAccumulator& scratch, SparseVector& psi, Answer& answer) override;
  void compute_completion(int worker, const sculpt_query& query, Answer& answer) override;
  sculpt_frontier_query frontier_query(int worker, const sculpt_query& query) override;
  void check_labels(int worker, std::int64_t example, const Answer& answer) const override;
  // What is wrong with the labels of an answer, or "".
  std::string label_fault(int worker, std::int64_t example, const Answer& answer) const;
  // The answers of a batch have come.
  void fill_values(int worker, std::span<const sculpt_query> queries,
                   std::deque<Answer>& answers) const;

  Component& component_;
  OutputShapes& shapes_;
  Sessions sessions_;
  const sculpt_ext_cut* relaxed_table_ = nullptr;        // nullptr: not offered
  const sculpt_ext_complete* complete_table_ = nullptr;  // nullptr: not offered
  std::unique_ptr<BatchAnswers> batch_answers_;          // nullptr: not offered
  std::vector<BatchValues*> batch_values_;  // [threads] those of announce(), or nullptr
  std::string obstacle_to_frontier_;
};

}  // namespace sculpt::core

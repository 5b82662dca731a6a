// oracle.hpp - argmax over y of <w, psi(x_i, y)> + loss_weight * Delta(y_i, y), and the frontier.
//
// Called by SeparationSolver, Predictor, ProblemExpectations and check. Three ways to have one: a
// component of kind oracle, a map_solver behind the adapter MapOracle (map_oracle.hpp), or several
// of these (oracle_list.hpp). What it can do together with a loss is known once it is made;
// separation_strategy.hpp chooses by it.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "problem/oracle/answer_repeat_check.hpp"
#include "problem/oracle/expectations.hpp"
#include "problem/oracle/frontier.hpp"
#include "problem/oracle/frontier_repeat_check.hpp"
#include "problem/plugin/answer_buffers.hpp"
#include "problem/plugin/component.hpp"

namespace sculpt::core {

class Oracle {
 public:
  virtual ~Oracle() = default;

  virtual const Component& component() const = 0;

  // What keeps argmax from a loss_weight > 0, in words that name the components; "" when nothing
  // does.
  virtual const std::string& obstacle_to_loss() const;
  // Likewise what keeps it from offering a frontier that goes with the loss.
  virtual const std::string& obstacle_to_frontier() const = 0;

  // Whether relaxed() is offered.
  virtual bool relaxes() const { return false; }
  // Whether it is made of several, which are asked one after the other.
  virtual bool escalates() const { return false; }

  // `answer` is cleared first; what comes back has passed the checks of every query: a sound
  // buffer, no label -1, and value, and bound where promised, finite. One made of several asks no
  // further than to a value above `enough`, or to where no value can be. [worker]
  void argmax(int worker, const sculpt_query& query, Answer& answer, double enough = unlimited);

  // Likewise the maximum over the relaxed outputs, sculpt/ext/cut.h. Where the answer is fractional
  // its psi is in `psi`, gathered through `scratch`. Requires that it relaxes. [worker]
  void relaxed(int worker, const sculpt_query& query, SparseAccumulator& scratch, SparseVector& psi,
               Answer& answer, double enough = unlimited);

  // Behind argmax(): the labels of at most `most` outputs beside the answer, by falling value of
  // the same question and of more than `least`, as far as they are known without another call; by
  // default none are. One after the other, each as long as the answer. [worker]
  virtual void next_best_outputs(int worker, const Answer& answer, double least, std::int64_t most,
                                 std::vector<std::int32_t>& outputs);

  // The conversation of sculpt/ext/frontier.h; requires that nothing keeps from it. The query lives
  // until it ends. What comes back has passed the checks of Frontier, and an output those of
  // argmax. [worker]
  virtual const Frontier::Shape& begin_frontier(int worker, const sculpt_query& query);
  virtual void frontier_slice(int worker, std::int64_t first, std::vector<double>& score);
  virtual void frontier_output(int worker, std::int64_t example, const Counts& counts,
                               Answer& answer);
  // The conversation is over: it is held once more, where the components are guarded. [worker]
  virtual void end_frontier(int worker);
  // Only begins one, at the w = 0 of the query, so that what begin refuses is refused. [worker]
  virtual void require_frontier_fits(int worker, const sculpt_query& query);
  virtual CountLoss& count_loss() { return frontier_->loss(); }

  // log Z, means and covariances over the outputs; nullptr: not offered.
  virtual Expectations* expectations() { return expectations_.get(); }

  // Asks for the best output of the largest of `count` examples at w = 0, where it is known which
  // one that is, so that what is refused for its size is refused now. [main]
  virtual void require_largest_fits(std::int64_t count);

 protected:
  static constexpr double unlimited = std::numeric_limits<double>::infinity();

  // For constructors: from now on there is a frontier.
  void offer(std::unique_ptr<Frontier> frontier) { frontier_ = std::move(frontier); }
  // Likewise there are expectations.
  void offer(std::unique_ptr<Expectations> expectations) {
    expectations_ = std::move(expectations);
  }
  // Likewise: answers are asked for again, where the services of the component guard.
  void guard(const Component& component, int threads);

 private:
  void check_answer(int worker, const sculpt_query& query, Answer& answer) const;
  virtual void ask(int worker, const sculpt_query& query, double enough, Answer& answer) = 0;
  virtual void ask_relaxed(int worker, const sculpt_query& query, double enough,
                           SparseAccumulator& scratch, SparseVector& psi, Answer& answer);
  virtual sculpt_frontier_query frontier_query(int worker, const sculpt_query& query) = 0;
  // The same for a query at w = 0, where scores need not be computed.
  virtual sculpt_frontier_query frontier_query_at_zero(int worker, const sculpt_query& query) {
    return frontier_query(worker, query);
  }
  // Refuses labels that are no output.
  virtual void check_labels(int worker, std::int64_t example, const Answer& answer) const;

  const Frontier::Shape& begin(int worker, const sculpt_query& query);
  void output(int worker, std::int64_t example, const Counts& counts, Answer& answer);

  std::unique_ptr<Frontier> frontier_;
  std::unique_ptr<Expectations> expectations_;
  std::unique_ptr<AnswerGuard> guard_;             // nullptr: not guarded
  std::unique_ptr<FrontierGuard> frontier_guard_;  // likewise
};

class ComponentOracle : public Oracle {
 public:
  // Requires sealed components. `loss` may be nullptr: then there is no frontier.
  ComponentOracle(Component& component, Loss* loss, int threads);
  const Component& component() const override { return component_; }
  const std::string& obstacle_to_frontier() const override { return obstacle_to_frontier_; }
  bool relaxes() const override { return cut_ != nullptr; }

 private:
  void ask(int worker, const sculpt_query& query, double enough, Answer& answer) override;
  void ask_relaxed(int worker, const sculpt_query& query, double enough, SparseAccumulator& scratch,
                   SparseVector& psi, Answer& answer) override;
  sculpt_frontier_query frontier_query(int worker, const sculpt_query& query) override;

  Component& component_;
  Sessions sessions_;
  const sculpt_ext_cut* cut_ = nullptr;  // NULL: not offered
  std::string obstacle_to_frontier_;
};

}  // namespace sculpt::core

// bench.hpp - what the tests of one experiment work with: its problem, examples, outputs, weights.
//
// One lives in each test's own process, so that what it computes is computed when first asked for,
// and nothing is left behind. One thread.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/check_options.hpp"
#include "check/outputs.hpp"
#include "check/pace.hpp"
#include "check/problem_source.hpp"
#include "check/question.hpp"

namespace sculpt::core {

class Bench {
 public:
  // All outlive it. The time of the test begins here.
  Bench(const ProblemSource& source, Problem& problem, const CheckOptions& options)
      : source_(source),
        problem_(problem),
        options_(options),
        clock_(options.time_limit, options.level.of(quick_look, 1.0, 1.0)) {}

  Problem& problem() { return problem_; }
  const ProblemSource& source() const { return source_; }
  CheckLevel level() const { return options_.level; }
  const TestClock& clock() const { return clock_; }
  const Component& oracle() { return problem_.oracle().component(); }
  // Whether a library is asked about, and a component is of another one.
  bool is_foreign(const Component& component) const;
  // Of several oracles it is not known here which one has given an answer.
  std::string oracle_name();
  // Those of the problem: dataset, features, loss if there is one, oracle.
  std::vector<const Component*> components();
  Random random(std::string_view test) const { return Random(options_.seed, test); }

  // The examples that tests ask about, those with the fewest labels first; each has a whole truth.
  const std::vector<std::int64_t>& examples();
  // Whether the truth is there, without unknown labels.
  bool is_whole(std::int64_t example);
  sculpt_labels truth(std::int64_t example) { return problem_.dataset().truth(example); }
  // Whether the truth is not among the outputs searched. An answer to a question without it cannot
  // say so; then the oracle is asked with it.
  bool truth_outside(const Question& question, const Reply& reply);

  // All outputs of an example or a pool of them.
  const OutputSet& outputs(std::int64_t example);
  // An output with its psi and loss, also one that outputs() does not hold.
  Output appraised(std::int64_t example, const std::vector<std::int32_t>& labels);

  // Weights on what the outputs of the examples touch.
  const WeightSource& weights();
  // The loss weights that the oracle can be asked with; 0 first.
  std::vector<double> loss_weights();
  bool takes_loss() { return problem_.loss() != nullptr && obstacle_to_loss().empty(); }
  const std::string& obstacle_to_loss() { return problem_.oracle().obstacle_to_loss(); }

  // Calls body(question) for every example, a series of w and every loss weight, with an example
  // and another one in turn: scratch that is kept from one to the next shows. Ends early, with a
  // remark to `findings`, where the answers are slow.
  void each_question(Findings& findings, std::string_view test,
                     const std::function<void(const Question&)>& body);

 private:
  std::vector<std::vector<std::int32_t>> known_outputs(std::int64_t example);

  const ProblemSource& source_;
  Problem& problem_;
  const CheckOptions& options_;
  TestClock clock_;
  std::optional<std::vector<std::int64_t>> examples_;
  std::map<std::int64_t, OutputSet> outputs_;
  std::map<std::int64_t, bool> truth_outside_;  // as asked for questions without a truth
  std::optional<WeightSource> weights_;
};

}  // namespace sculpt::core

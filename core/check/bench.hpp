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

#include "check/outputs.hpp"
#include "check/problem_source.hpp"
#include "check/question.hpp"

namespace sculpt::core {

struct CheckLevel {
  int level = 2;  // 1 .. 3
  // The value for this level.
  template <class Value>
  Value of(Value first, Value second, Value third) const {
    return level == 1 ? first : level == 2 ? second : third;
  }
};

class Bench {
 public:
  // `asked`: the examples to ask about; empty: some are chosen. All outlive it.
  Bench(const ProblemSource& source, Problem& problem, CheckLevel level, std::uint64_t seed,
        const std::vector<std::int64_t>& asked = {})
      : source_(source), problem_(problem), level_(level), seed_(seed), asked_(asked) {}

  Problem& problem() { return problem_; }
  const ProblemSource& source() const { return source_; }
  CheckLevel level() const { return level_; }
  const Component& oracle() { return problem_.oracle().component(); }
  std::string oracle_name() { return oracle().name(); }
  // Those of the problem: dataset, features, loss if there is one, oracle.
  std::vector<const Component*> components();
  Random random(std::string_view test) const { return Random(seed_, test); }
  std::uint64_t seed() const { return seed_; }

  // The examples that tests ask about, those with the fewest labels first; each has a whole truth.
  const std::vector<std::int64_t>& examples();
  // Whether the truth is there, without unknown labels.
  bool is_whole(std::int64_t example);
  sculpt_labels truth(std::int64_t example) { return problem_.dataset().truth(example); }

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
  // and another one in turn: scratch that is kept from one to the next shows.
  void each_question(std::string_view test, const std::function<void(const Question&)>& body);

 private:
  std::vector<std::vector<std::int32_t>> known_outputs(std::int64_t example);

  const ProblemSource& source_;
  Problem& problem_;
  CheckLevel level_;
  std::uint64_t seed_;
  std::vector<std::int64_t> asked_;
  std::optional<std::vector<std::int64_t>> examples_;
  std::map<std::int64_t, OutputSet> outputs_;
  std::optional<WeightSource> weights_;
};

}  // namespace sculpt::core

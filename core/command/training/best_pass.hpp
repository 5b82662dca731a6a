// best_pass.hpp - the passes after which a run is validated, and the best of them.
//
// Held by ValidatedRun. A run is validated after every `every` passes, and at its end. The best
// pass is the first with the best value.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>

#include "launch/run_identity.hpp"
#include "problem/problem.hpp"
#include "run/checkpoint.hpp"

namespace sculpt::core {

// The keys validate_every, validate_patience and validate_metric of a solver.
struct ValidationRule {
  std::int64_t every = 1;                     // passes
  std::optional<std::int64_t> patience = {};  // validations without a better one; none: never stop
  std::string metric = "loss";
  std::string position = {};  // of the key validate_every, for messages
};

// None: the key is not set, or the solver makes no passes.
std::optional<ValidationRule> validation_rule_of(const ChosenSolver& solver,
                                                 const Section& section);

// Throws Failure(Exit::config) if there are no validation examples.
void require_validation_examples(const ValidationRule& rule, const Problem& problem);

// The last pass that was validated before a checkpoint; 0 if the run is not validated.
std::int64_t last_validated_pass(const Checkpoint& checkpoint);

// True if ValidatedRun::json() says that the model of the last pass is kept.
bool last_is_best(const nlohmann::ordered_json& validated);

// A value of the metric on the validation examples.
struct ValidationValue {
  double value = 0;
  bool higher_is_better = false;
};

class BestPass {
 public:
  explicit BestPass(ValidationRule rule) : rule_(std::move(rule)) {}

  // The next pass after which the run is validated.
  std::int64_t next_pass() const { return (last_pass_ / rule_.every + 1) * rule_.every; }

  // Adds the value of the model after this pass. Returns true if it is the best so far.
  // `wins_ties`: also if it is as good as the best.
  bool add(std::int64_t pass, double value, bool higher_is_better, bool wins_ties);

  bool exists() const { return best_pass_ > 0; }
  std::int64_t pass() const { return best_pass_; }
  double value() const { return best_value_; }
  std::int64_t last_pass() const { return last_pass_; }
  double last_value() const { return last_value_; }
  // True if so many validations in a row were not better than the best one.
  bool patience_is_over() const { return rule_.patience && count_since_best_ >= *rule_.patience; }
  const ValidationRule& rule() const { return rule_; }

  // The state in the header of a checkpoint. load() throws Json::exception.
  nlohmann::ordered_json state() const;
  void load(const nlohmann::ordered_json& state);

 private:
  ValidationRule rule_;
  std::int64_t best_pass_ = 0;  // 0: none yet
  double best_value_ = 0;
  std::int64_t last_pass_ = 0;
  double last_value_ = 0;
  std::int64_t count_since_best_ = 0;
};

}  // namespace sculpt::core

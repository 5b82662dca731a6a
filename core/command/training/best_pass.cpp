#include "command/training/best_pass.hpp"

#include <nlohmann/json.hpp>

#include "base/failure.hpp"

namespace sculpt::core {

using Json = nlohmann::ordered_json;

std::optional<ValidationRule> validation_rule_of(const ChosenSolver& solver,
                                                 const Section& section) {
  if (!solver.is_validated()) return std::nullopt;
  const std::int64_t patience = solver.parameters.value("validate_patience").integer;
  ValidationRule rule;
  rule.every = solver.parameters.value("validate_every").integer;
  if (patience > 0) rule.patience = patience;
  rule.metric = solver.parameters.value("validate_metric").text;
  rule.position = section.keys.position("/validate_every").text();
  return rule;
}

void require_validation_examples(const ValidationRule& rule, const Problem& problem) {
  if (problem.validation().size() > 0) return;
  throw Failure(Exit::config,
                rule.position +
                    ": \"validate_every\" needs validation examples; name a file (--set "
                    "dataset.validation=FILE), or hold some of the training data out (--set "
                    "hold_out.fraction=0.2); the split \"test\" is never used for it");
}

std::int64_t last_validated_pass(const Checkpoint& checkpoint) {
  const Json state = checkpoint.header().value("validated", Json());
  const Json pass = state.is_object() ? state.value("last_pass", Json()) : Json();
  return pass.is_number_integer() ? pass.get<std::int64_t>() : 0;
}

bool last_is_best(const Json& validated) {
  return validated.value("best_pass", Json()) == validated.value("last_pass", Json());
}

bool BestPass::add(std::int64_t pass, double value, bool higher_is_better, bool wins_ties) {
  const bool is_better = higher_is_better ? value > best_value_ : value < best_value_;
  const bool is_best = !exists() || is_better || (wins_ties && value == best_value_);
  last_pass_ = pass;
  last_value_ = value;
  ++count_since_best_;
  if (!is_best) return false;
  best_pass_ = pass;
  best_value_ = value;
  count_since_best_ = 0;
  return true;
}

Json BestPass::state() const {
  return {{"best_pass", best_pass_},
          {"best_value", best_value_},
          {"last_pass", last_pass_},
          {"last_value", last_value_},
          {"since_best", count_since_best_}};
}

void BestPass::load(const Json& state) {
  best_pass_ = state.at("best_pass").get<std::int64_t>();
  best_value_ = state.at("best_value").get<double>();
  last_pass_ = state.at("last_pass").get<std::int64_t>();
  last_value_ = state.at("last_value").get<double>();
  count_since_best_ = state.at("since_best").get<std::int64_t>();
}

}  // namespace sculpt::core

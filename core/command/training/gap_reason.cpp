#include "command/training/gap_reason.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "base/text/message_text.hpp"

namespace sculpt::core {

namespace {

constexpr const char* frontier_advice =
    "counts of the loss together with a frontier of the oracle (sdk/losses.md, \"Losses that "
    "count\")";
constexpr const char* exact_list = "a list of oracles that ends in an exact one";

// The examples that can have a slack: the oracle is asked about them, and they have outputs.
std::int64_t examples_with_slack(const Result& result, const AdviceFacts& facts) {
  return facts.asked_examples - result.answers.no_output_count;
}

// "17 of 100 examples"
std::string share_text(std::int64_t count, const Result& result, const AdviceFacts& facts) {
  return std::to_string(count) + " of " + count_text(examples_with_slack(result, facts), "example");
}

// Under hard margins with slack rescaling, the search knows no lower limit of the losses.
bool search_proves_nothing(const AdviceFacts& facts) {
  return facts.searches_loss_weight && facts.rescales_slack && std::isinf(facts.C);
}

// "the bounds of lp"
std::string bounds_subject(const AdviceFacts& facts) {
  return facts.oracle.empty() ? "the oracle's bounds" : "the bounds of " + facts.oracle;
}

// "an oracle with tighter bounds (`sculpt describe clustering` lists oracles)"
std::string tighter_oracle(const AdviceFacts& facts) {
  const std::string advice = "an oracle with tighter bounds";
  return facts.features.empty()
             ? advice
             : advice + " (`sculpt describe " + facts.features + "` lists those that fit)";
}

// "; hamming has no counts (sculpt.count-loss/2)"
std::string frontier_obstacle(const AdviceFacts& facts) {
  return facts.obstacle_to_frontier.empty() ? "" : "; " + facts.obstacle_to_frontier;
}

}  // namespace

std::string bounds_reason(const Result& result, const AdviceFacts& facts) {
  if (facts.searches_loss_weight) {
    return result.answers.inexact_count == 0
               ? "the search over loss_weight is not exact, and allows no smaller gap"
               : "the search over loss_weight and " + bounds_subject(facts) +
                     " allow no smaller gap";
  }
  if (facts.relaxes) return "the bounds of the relaxed answers allow no smaller gap";
  if (facts.escalates && result.answers.escalated_count < examples_with_slack(result, facts)) {
    return "the bounds of the oracles allow no smaller gap; the last one was asked about " +
           share_text(result.answers.escalated_count, result, facts);
  }
  return bounds_subject(facts) + " allow no smaller gap";
}

// A list of oracles needs map_solvers, and these need a factor graph.
std::string bounds_text(const Result& result, const AdviceFacts& facts) {
  std::string subject = bounds_subject(facts);
  std::vector<std::string> advice;
  const bool is_inexact = result.answers.inexact_count > 0;
  if (facts.searches_loss_weight) {
    subject = is_inexact ? "the search over loss_weight and " + bounds_subject(facts)
                         : "the search over loss_weight, which is not exact";
    if (facts.lists_k_best) advice.push_back("a larger solver.max_k_best");
    advice.push_back(frontier_advice);
    advice.push_back("\"rescaling\": \"margin\" with \"slack_norm\": 1 (one argmax, not a search)");
  } else if (facts.relaxes) {
    subject = "the bounds of the relaxed answers";
    advice.push_back(tighter_oracle(facts));
  } else if (facts.has_factor_graph) {
    advice.push_back("an oracle with \"answers\": \"relaxed\" (lp)");
  } else {
    advice.push_back(tighter_oracle(facts));
  }
  const bool exact_answers_help = !facts.searches_loss_weight || is_inexact;
  if (facts.has_factor_graph && exact_answers_help) advice.push_back(exact_list);
  if (facts.has_relative_gap && result.relative_gap <= acceptable_gap) {
    advice.push_back("a larger relative_gap");
  }
  return subject + ": the primal of these weights is " + number_text(result.primal_low) + " to " +
         number_text(result.primal) + "; to narrow it, try " + alternatives(std::move(advice)) +
         (facts.searches_loss_weight ? frontier_obstacle(facts) : "");
}

std::string no_bound_reason(const Result& result, const AdviceFacts& facts) {
  const AnswerCounts& answers = result.answers;
  if (search_proves_nothing(facts)) {
    return "the search over loss_weight proves no bound under hard margins with slack rescaling";
  }
  if (facts.escalates && answers.unbounded_unescalated_count > 0) {
    return "the last oracle was not asked about " +
           share_text(answers.unbounded_unescalated_count, result, facts) +
           ", and the others give no upper bound";
  }
  const std::string subject = facts.escalates ? "the last oracle" : "the oracle";
  const bool is_some =
      answers.unbounded_count > 0 && answers.unbounded_count < examples_with_slack(result, facts);
  return subject + " gives no upper bound" +
         (is_some ? " for " + share_text(answers.unbounded_count, result, facts) : "");
}

std::string no_bound_text(const Result& result, const AdviceFacts& facts) {
  const std::string reason = no_bound_reason(result, facts);
  if (search_proves_nothing(facts)) {
    return reason + ": try " + alternatives({frontier_advice, "a finite solver.C"}) +
           frontier_obstacle(facts);
  }
  std::vector<std::string> advice = {"an oracle whose answers are exact or have bounds"};
  if (facts.has_factor_graph && !facts.escalates) advice.push_back(exact_list);
  return reason + ", so nothing is proved: try " + alternatives(std::move(advice));
}

}  // namespace sculpt::core

// bounds_text and no_bound_text: why the bounds of a run leave a gap, or none are known.

#include "command/training/gap_reason.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "command/training/bottleneck.hpp"

using namespace sculpt::core;

namespace {

// The primal is from 0.6 to 2. 100 examples.
Result with_loose_bounds() {
  Result result;
  result.w = {1, 1};
  result.primal = 2;
  result.primal_low = 0.6;
  result.primal_high = 2;
  result.dual = result.gap = 0.5;
  result.relative_gap = 0.25;
  result.certified = true;
  result.uncertified_reason = UncertifiedReason::none;
  result.stopped_by = StoppedBy::oracle_exhausted;
  return result;
}

Result without_bound() {
  Result result = with_loose_bounds();
  result.primal_high.reset();
  result.certified = false;
  result.uncertified_reason = UncertifiedReason::no_upper_bound;
  result.answers.unbounded_count = 100;
  return result;
}

AdviceFacts hundred_examples() {
  AdviceFacts facts;
  facts.asked_examples = 100;
  return facts;
}

AdviceFacts searching() {
  AdviceFacts facts = hundred_examples();
  facts.searches_loss_weight = facts.rescales_slack = true;
  facts.obstacle_to_frontier = "lp offers no frontier (sculpt.frontier/2)";
  return facts;
}

const std::string frontier =
    "counts of the loss together with a frontier of the oracle (sdk/losses.md, \"Losses that "
    "count\")";

}  // namespace

TEST_CASE("bounds of one argmax that leave a gap are the oracle's") {
  Result result = with_loose_bounds();
  result.answers.inexact_count = 100;
  AdviceFacts facts = hundred_examples();
  CHECK(bounds_reason(result, facts) == "the oracle's bounds allow no smaller gap");
  CHECK(bounds_text(result, facts) ==
        "the oracle's bounds: the primal of these weights is 0.6 to 2; to narrow it, try an oracle "
        "with \"answers\": \"relaxed\" (lp), or a list of oracles that ends in an exact one");
  facts.has_factor_graph = false;
  CHECK(bounds_text(result, facts) ==
        "the oracle's bounds: the primal of these weights is 0.6 to 2; to narrow it, try an oracle "
        "with tighter bounds");
  facts.oracle = "clustering_lp";
  facts.features = "clustering";
  result.relative_gap = 0.02;
  CHECK(bounds_reason(result, facts) == "the bounds of clustering_lp allow no smaller gap");
  CHECK(bounds_text(result, facts) ==
        "the bounds of clustering_lp: the primal of these weights is 0.6 to 2; to narrow it, try "
        "an oracle with tighter bounds (`sculpt describe clustering` lists those that fit), or a "
        "larger relative_gap");
}

TEST_CASE("an oracle that lists more outputs makes the search exact") {
  AdviceFacts facts = searching();
  CHECK(bounds_text(with_loose_bounds(), facts).find("max_k_best") == std::string::npos);
  facts.lists_k_best = true;
  CHECK(bounds_text(with_loose_bounds(), facts).find("try a larger solver.max_k_best") !=
        std::string::npos);
}

TEST_CASE("with exact answers the search over loss_weight leaves the gap, not the oracle") {
  const Result result = with_loose_bounds();
  const AdviceFacts facts = searching();
  CHECK(bounds_reason(result, facts) ==
        "the search over loss_weight is not exact, and allows no smaller gap");
  CHECK(bounds_text(result, facts) ==
        "the search over loss_weight, which is not exact: the primal of these weights is 0.6 to 2; "
        "to narrow it, try " +
            frontier +
            ", or \"rescaling\": \"margin\" with \"slack_norm\": 1 (one argmax, not a search); lp "
            "offers no frontier (sculpt.frontier/2)");
  CHECK(bottleneck_text(result, {}, facts) == bounds_text(result, facts));
}

TEST_CASE("if answers are inexact too, both the search and the oracle leave the gap") {
  Result result = with_loose_bounds();
  result.answers.inexact_count = 1;
  const AdviceFacts facts = searching();
  CHECK(bounds_reason(result, facts) ==
        "the search over loss_weight and the oracle's bounds allow no smaller gap");
  const std::string text = bounds_text(result, facts);
  CHECK(text.starts_with("the search over loss_weight and the oracle's bounds: the primal "));
  CHECK(text.find(", or a list of oracles that ends in an exact one; lp offers no frontier") !=
        std::string::npos);
}

TEST_CASE("a gap of relaxed answers, and of a list that did not ask its last oracle, are named") {
  Result result = with_loose_bounds();
  AdviceFacts facts = hundred_examples();
  facts.relaxes = true;
  CHECK(bounds_reason(result, facts) == "the bounds of the relaxed answers allow no smaller gap");
  CHECK(bounds_text(result, facts).starts_with("the bounds of the relaxed answers: the primal "));
  facts.relaxes = false;
  facts.escalates = true;
  result.answers.escalated_count = 30;
  CHECK(bounds_reason(result, facts) ==
        "the bounds of the oracles allow no smaller gap; the last one was asked about 30 of 100 "
        "examples");
  result.answers.escalated_count = 100;
  CHECK(bounds_reason(result, facts) == "the oracle's bounds allow no smaller gap");
}

TEST_CASE("a missing bound is reported with the examples that have none") {
  Result result = without_bound();
  AdviceFacts facts = hundred_examples();
  CHECK(no_bound_reason(result, facts) == "the oracle gives no upper bound");
  CHECK(bottleneck_text(result, {}, facts) ==
        "the oracle gives no upper bound, so nothing is proved: try an oracle whose answers are "
        "exact or have bounds, or a list of oracles that ends in an exact one");
  result.answers.unbounded_count = 17;
  CHECK(no_bound_reason(result, facts) == "the oracle gives no upper bound for 17 of 100 examples");
  result.answers.unbounded_count = 0;  // not counted
  CHECK(no_bound_reason(result, facts) == "the oracle gives no upper bound");
}

TEST_CASE("examples without any output are not counted, because they have no slack") {
  Result result = without_bound();
  result.answers.no_output_count = 40;
  result.answers.unbounded_count = 60;
  AdviceFacts facts = hundred_examples();
  CHECK(no_bound_reason(result, facts) == "the oracle gives no upper bound");
  result.answers.unbounded_count = 17;
  CHECK(no_bound_reason(result, facts) == "the oracle gives no upper bound for 17 of 60 examples");
  facts.escalates = true;
  result.answers.escalated_count = 60;
  CHECK(bounds_reason(result, facts) == "the oracle's bounds allow no smaller gap");
  result.answers.escalated_count = 30;
  CHECK(bounds_reason(result, facts) ==
        "the bounds of the oracles allow no smaller gap; the last one was asked about 30 of 60 "
        "examples");
}

TEST_CASE("a missing bound of a list says whether its last oracle was asked") {
  Result result = without_bound();
  AdviceFacts facts = hundred_examples();
  facts.escalates = true;
  result.answers.unbounded_count = 40;
  result.answers.unbounded_unescalated_count = 25;
  CHECK(no_bound_reason(result, facts) ==
        "the last oracle was not asked about 25 of 100 examples, and the others give no upper "
        "bound");
  result.answers.unbounded_unescalated_count = 0;
  CHECK(no_bound_reason(result, facts) ==
        "the last oracle gives no upper bound for 40 of 100 examples");
  CHECK(no_bound_text(result, facts) ==
        "the last oracle gives no upper bound for 40 of 100 examples, so nothing is proved: try an "
        "oracle whose answers are exact or have bounds");
}

TEST_CASE("under hard margins with slack rescaling the search proves nothing") {
  const Result result = without_bound();
  AdviceFacts facts = searching();
  facts.C = std::numeric_limits<double>::infinity();
  CHECK(no_bound_reason(result, facts) ==
        "the search over loss_weight proves no bound under hard margins with slack rescaling");
  CHECK(
      no_bound_text(result, facts) ==
      "the search over loss_weight proves no bound under hard margins with slack rescaling: try " +
          frontier + ", or a finite solver.C; lp offers no frontier (sculpt.frontier/2)");
  facts.rescales_slack = false;
  CHECK(no_bound_reason(result, facts) == "the oracle gives no upper bound");
}

TEST_CASE("a run that a limit ended has no advice on its bounds") {
  Result result = without_bound();
  result.stopped_by = StoppedBy::max_passes;
  const AdviceFacts facts = hundred_examples();
  CHECK(bottleneck_text(result, {}, facts) != no_bound_text(result, facts));
}

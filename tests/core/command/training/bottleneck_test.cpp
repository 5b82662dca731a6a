// bottleneck_text for a result with a gap: the cause of the gap, and the advice.

#include "command/training/bottleneck.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "solver/gap_cause.hpp"

using namespace sculpt::core;

namespace {

// The result of a run that did not reach its target: its gap is 1.5.
Result unreached() {
  Result result;
  result.w = {1, 1};  // 1/2 ||w||^2 = 1
  result.primal = 2;
  result.primal_low = 2;
  result.primal_high = 2;
  result.dual = 0.5;
  result.gap = 1.5;
  result.relative_gap = 0.75;
  result.certified = true;
  result.uncertified_reason = UncertifiedReason::none;
  result.stopped_by = StoppedBy::oracle_exhausted;
  return result;
}

RunTimes times_mostly_writing() {
  RunTimes times;
  times.total = 10;
  times.writing = 9;
  return times;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

AdviceFacts solved_by_qp() {
  AdviceFacts facts;
  facts.updated_by = UpdateKind::qp;
  return facts;
}

std::string advice_of(const Result& result, const AdviceFacts& facts = solved_by_qp()) {
  return bottleneck_text(result, times_mostly_writing(), facts);
}

}  // namespace

TEST_CASE("a gap caused by the oracle's bounds is reported with the range of the primal") {
  Result result = unreached();
  result.primal_low = 0.6;
  CHECK(gap_cause_of(result) == GapCause::bounds);
  CHECK(advice_of(result) ==
        "the oracle's bounds: the primal of these weights is 0.6 to 2; to narrow it, try an oracle "
        "with \"answers\": \"relaxed\" (lp), or a list of oracles that ends in an exact one");
  result.stopped_by = StoppedBy::max_passes;
  CHECK(gap_cause_of(result) == GapCause::bounds);
  result.primal_low = 1.9;
  CHECK(gap_cause_of(result) == GapCause::none);
}

TEST_CASE("if a scaling is set, the advice is another scaling, or no outliers and another C") {
  using Json = nlohmann::ordered_json;
  Result result = unreached();
  result.restricted_gap = 1.4;
  AdviceFacts facts = solved_by_qp();
  facts.columns_differ = true;
  const auto advice_with_dataset = [&](const Json& dataset) {
    facts.column_advice = column_advice("table", dataset);
    return advice_of(result, facts);
  };
  CHECK(contains(advice_with_dataset({{"scaling", "none"}}),
                 "75 %: try \"scaling\": \"max_abs\" in \"dataset\""));
  for (const char* scaling : {"standard", "max_abs"}) {
    CHECK(contains(advice_with_dataset({{"scaling", scaling}}),
                   "75 %: try another \"scaling\" (\"standard_centred\" or \"min_max\")"));
  }
  for (const char* scaling : {"standard_centred", "min_max", "min_max_by_query"}) {
    CHECK(contains(advice_with_dataset({{"scaling", scaling}}),
                   "75 %: try data without outliers, or a smaller solver.C"));
  }
  CHECK(contains(advice_with_dataset(Json::object()),
                 "75 %: try one size for all columns of the data"));
  facts.C = std::numeric_limits<double>::infinity();
  CHECK(contains(advice_with_dataset({{"scaling", "min_max"}}),
                 "data without outliers, or a finite solver.C"));
  result.restricted_gap = 0;
  result.rounding = 0.8;
  CHECK(contains(advice_with_dataset({{"scaling", "max_abs"}}),
                 "; to lose fewer digits, try another \"scaling\" (\"standard_centred\" or "
                 "\"min_max\")"));
}

TEST_CASE("a gap that rounding of the primal's terms explains has rounding as its cause") {
  Result result = unreached();
  result.rounding = 0.8;
  result.primal_low = 0.6;
  CHECK(gap_cause_of(result) == GapCause::rounding);
  CHECK(advice_of(result) ==
        "rounding: terms are so large that the primal is uncertain by 40 %; to lose fewer "
        "digits, try \"scaling\": \"max_abs\" in \"dataset\"");
  result.rounding = 1e286;
  CHECK(advice_of(result) ==
        "rounding: terms are so large that the primal has no correct digit; to lose fewer digits, "
        "try \"scaling\": \"max_abs\" in \"dataset\"");
}

TEST_CASE("a C so large that slacks or the norm lose all digits is named before the columns") {
  Result result = unreached();
  result.rounding = 0.8;
  AdviceFacts facts = solved_by_qp();
  facts.C = 1e20;
  CHECK(advice_of(result, facts) ==
        "rounding: terms are so large that the primal is uncertain by 40 %; to lose fewer "
        "digits, try a smaller solver.C than 1e+20, or \"scaling\": \"max_abs\" in \"dataset\"");
  result.rounding = 0;
  result.restricted_gap = 1.4;
  facts.columns_differ = true;
  CHECK(advice_of(result, facts) ==
        "the QP, which makes no more progress at a gap of 75 %: try "
        "\"scaling\": \"max_abs\" in \"dataset\"");
  result.w = {1e-5, 1e-5};  // 1/2 ||w||^2 is 5e-11 of P
  CHECK(norm_vanishes(result));
  CHECK(advice_of(result, facts) ==
        "the QP, which makes no more progress at a gap of 75 %: try a smaller solver.C than 1e+20, "
        "or \"scaling\": \"max_abs\" in \"dataset\"");
  facts.C = 10;  // columns of 1e10 have this effect even under such a C
  facts.columns_differ = false;
  CHECK(advice_of(result, facts) ==
        "the QP, which makes no more progress at a gap of 75 %: try "
        "\"scaling\": \"max_abs\" in \"dataset\"");
}

TEST_CASE("the advice for a hard margin without progress is scaling and a finite solver.C") {
  Result result = unreached();
  result.restricted_gap = 1.4;
  AdviceFacts facts = solved_by_qp();
  facts.C = std::numeric_limits<double>::infinity();
  CHECK(advice_of(result, facts) ==
        "the QP, which makes no more progress at a gap of 75 %: try a finite solver.C");
  result.uncertified_reason = UncertifiedReason::violated;
  result.certified = false;
  result.primal = result.gap = result.relative_gap = facts.C;
  facts.columns_differ = true;
  CHECK(gap_cause_of(result) == GapCause::steps);
  CHECK(advice_of(result, facts) ==
        "the QP, which makes no more progress while margins are still violated: try "
        "\"scaling\": \"max_abs\" in \"dataset\", or a finite solver.C");
}

TEST_CASE("one_slack is advised for many examples per weight") {
  CHECK(suits_one_slack(60000, 8));
  CHECK(suits_one_slack(30000, 287));
  CHECK_FALSE(suits_one_slack(16000, 416));
  CHECK_FALSE(suits_one_slack(3823, 640));
}

TEST_CASE("steps without progress are the bottleneck, whatever took the most time") {
  Result result = unreached();
  result.restricted_gap = 1.4;
  AdviceFacts facts;
  facts.updated_by = UpdateKind::steps_to_planes;
  facts.columns_differ = true;
  CHECK(gap_cause_of(result) == GapCause::steps);
  CHECK(advice_of(result, facts) ==
        "single steps, which make no more progress at a gap of 75 %: try "
        "\"scaling\": \"max_abs\" in \"dataset\", or the solver n_slack");
  CHECK(advice_of(result) ==
        "the QP, which makes no more progress at a gap of 75 %: try a smaller solver.C");
  result.gap = result.restricted_gap = 0.1;
  result.relative_gap = 0.05;
  CHECK(advice_of(result) ==
        "the QP, which makes no more progress at a gap of 5 %: try a larger relative_gap");
  result = unreached();
  result.restricted_gap = 1.4;
  result.stopped_by = StoppedBy::max_seconds;  // more steps might have helped
  CHECK(gap_cause_of(result) == GapCause::none);
  CHECK(advice_of(result, facts) ==
        "writing (90 %): try a larger checkpoint_seconds, which writes less often");
}

TEST_CASE(
    "advice on a gap names nothing that the solver lacks, and no solver of another objective") {
  Result result = unreached();
  result.restricted_gap = 1.4;
  AdviceFacts facts;
  facts.is_hinge = facts.has_relative_gap = facts.has_c = false;
  const std::string advice = "try features with smaller values";
  CHECK(advice_of(result, facts) ==
        "single steps, which make no more progress at a gap of 75 %: " + advice);
  result.gap = result.restricted_gap = 0.1;
  result.relative_gap = 0.05;
  CHECK(advice_of(result, facts) ==
        "single steps, which make no more progress at a gap of 5 %: " + advice);
  result.rounding = 0.8;
  facts.column_advice = {};
  facts.column_advice.can_rescale = false;
  CHECK_FALSE(contains(advice_of(result, facts), "smaller solver.C"));
}

TEST_CASE("a run that reached its target or rounding has no cause of a gap") {
  Result result = unreached();
  result.primal_low = 0;
  result.reached = true;
  CHECK(gap_cause_of(result) == GapCause::none);
  result.reached = false;
  result.gap = 1e-12;
  result.relative_gap = 5e-13;
  CHECK(is_optimum_to_rounding(result));
  CHECK(gap_cause_of(result) == GapCause::none);
  result = unreached();
  result.certified = false;
  result.primal_low = 0;
  CHECK(gap_cause_of(result) == GapCause::none);
  CHECK_FALSE(is_optimum_to_rounding(result));
}

TEST_CASE("slacks vanish if they cost at most 1/1000 of the primal") {
  Result result = unreached();
  CHECK_FALSE(slacks_vanish(result));
  result.primal = 1.0005;
  CHECK(slacks_vanish(result));
  result.primal = 1.002;
  CHECK_FALSE(slacks_vanish(result));
  result.dual = std::nan("");
  result.primal = 1;
  CHECK_FALSE(slacks_vanish(result));
}

TEST_CASE("a primal is exact, an upper bound or a lower bound") {
  Result result = unreached();
  CHECK(result.primal_kind() == BoundKind::exact);
  result.primal_low = 1.9;
  CHECK(result.primal_kind() == BoundKind::upper);
  result.primal_high.reset();
  CHECK(result.primal_kind() == BoundKind::lower);
  CHECK(bound_kind_of(1e8, 1e8 + 1) == BoundKind::exact);
  CHECK(bound_kind_of(1e8, 1e8 + 1, 1e-9) == BoundKind::upper);
}

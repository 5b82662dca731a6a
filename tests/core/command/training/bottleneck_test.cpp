#include "command/training/bottleneck.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "solver/gap_cause.hpp"

using namespace sculpt::core;

namespace {

// A gap of 1.5 that a run was left with.
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

RunTimes most_of_it_writing() {
  RunTimes times;
  times.total = 10;
  times.writing = 9;
  return times;
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

AdviceFacts solved_by_qp() {
  AdviceFacts shape;
  shape.updated_by = UpdateKind::qp;
  return shape;
}

std::string limit_of(const Result& result, const AdviceFacts& shape = solved_by_qp()) {
  return bottleneck_text(result, most_of_it_writing(), shape);
}

}  // namespace

TEST_CASE("a gap that the oracle's bounds leave is blamed on them, with the range of the primal") {
  Result result = unreached();
  result.primal_low = 0.6;
  CHECK(gap_cause_of(result) == GapCause::bounds);
  CHECK(limit_of(result) ==
        "the oracle's bounds: the primal of these weights is 0.6 to 2; relaxed answers, or a list "
        "of oracles that ends in an exact one, narrows it");
  result.stopped_by = StoppedBy::max_passes;
  CHECK(gap_cause_of(result) == GapCause::bounds);
  result.primal_low = 1.9;
  CHECK(gap_cause_of(result) == GapCause::none);
}

TEST_CASE("what is advised about the oracle's bounds can be followed") {
  Result result = unreached();
  result.primal_low = 0.6;
  AdviceFacts shape = solved_by_qp();
  shape.factor_graph = false;
  CHECK(says(limit_of(result, shape), "to 2; an oracle with tighter bounds narrows it"));
  shape.needs_one_argmax = false;
  CHECK(says(limit_of(result, shape),
             "to 2; \"rescaling\": \"margin\" with \"slack_norm\": 1 (one argmax, not a search) "
             "narrows it"));
  shape.factor_graph = true;
  CHECK(says(limit_of(result, shape),
             "(one argmax, not a search), or a list of oracles that ends in an exact one, narrows "
             "it"));
}

TEST_CASE("where a scaling is set, another one is named, or outliers and C") {
  using Json = nlohmann::ordered_json;
  Result result = unreached();
  result.restricted_gap = 1.4;
  AdviceFacts shape = solved_by_qp();
  shape.columns_differ = true;
  const auto limit_under = [&](const Json& dataset) {
    shape.columns = column_remedy("table", dataset);
    return limit_of(result, shape);
  };
  CHECK(says(limit_under({{"scaling", "none"}}), "75 %: scaling of the columns"));
  for (const char* scaling : {"standard", "max_abs"}) {
    CHECK(says(limit_under({{"scaling", scaling}}),
               "75 %: another scaling (standard_centred or min_max)"));
  }
  for (const char* scaling : {"standard_centred", "min_max", "min_max_by_query"}) {
    CHECK(says(limit_under({{"scaling", scaling}}),
               "75 %: a table without outliers, or a smaller C"));
  }
  CHECK(says(limit_under(Json::object()), "75 %: one size for all columns of the data"));
  shape.C = std::numeric_limits<double>::infinity();
  CHECK(says(limit_under({{"scaling", "min_max"}}), "a table without outliers, or a finite C"));
  result.restricted_gap = 0;
  result.rounding = 0.8;
  CHECK(says(limit_under({{"scaling", "max_abs"}}),
             "; another scaling (standard_centred or min_max) loses fewer digits"));
}

TEST_CASE("a gap that is the rounding of the primal's terms is blamed on it") {
  Result result = unreached();
  result.rounding = 0.8;
  result.primal_low = 0.6;
  CHECK(gap_cause_of(result) == GapCause::rounding);
  CHECK(limit_of(result) ==
        "rounding: terms are so large that the primal is known to +-40 % only; scaling of the "
        "columns loses fewer digits");
  result.rounding = 1e286;
  CHECK(limit_of(result) ==
        "rounding: terms are so large that no digit of the primal is known; scaling of the "
        "columns loses fewer digits");
}

TEST_CASE("a C that leaves slacks or the norm no digits is named before the columns") {
  Result result = unreached();
  result.rounding = 0.8;
  AdviceFacts shape = solved_by_qp();
  shape.C = 1e20;
  CHECK(limit_of(result, shape) ==
        "rounding: terms are so large that the primal is known to +-40 % only; a smaller C than "
        "1e+20, or scaling of the columns, loses fewer digits");
  result.rounding = 0;
  result.restricted_gap = 1.4;
  shape.columns_differ = true;
  CHECK(limit_of(result, shape) ==
        "the QP, which stands still at a gap of 75 %: scaling of the columns");
  result.w = {1e-5, 1e-5};  // 1/2 ||w||^2 is 5e-11 of P
  CHECK(norm_vanishes(result));
  CHECK(limit_of(result, shape) ==
        "the QP, which stands still at a gap of 75 %: a smaller C than 1e+20, or scaling of the "
        "columns");
  shape.C = 10;  // as large as columns of 1e10 make it
  shape.columns_differ = false;
  CHECK(limit_of(result, shape) ==
        "the QP, which stands still at a gap of 75 %: scaling of the columns");
}

TEST_CASE("hard margin that stands still is told of scaling and of a finite C") {
  Result result = unreached();
  result.restricted_gap = 1.4;
  AdviceFacts shape = solved_by_qp();
  shape.C = std::numeric_limits<double>::infinity();
  CHECK(limit_of(result, shape) == "the QP, which stands still at a gap of 75 %: a finite C");
  result.uncertified_reason = UncertifiedReason::violated;
  result.certified = false;
  result.primal = result.gap = result.relative_gap = shape.C;
  shape.columns_differ = true;
  CHECK(gap_cause_of(result) == GapCause::steps);
  CHECK(limit_of(result, shape) ==
        "the QP, which stands still before all margins hold: scaling of the columns, or a finite "
        "C");
}

TEST_CASE("one_slack is for many examples to a weight") {
  CHECK(suits_one_slack(60000, 8));
  CHECK(suits_one_slack(30000, 287));
  CHECK_FALSE(suits_one_slack(16000, 416));
  CHECK_FALSE(suits_one_slack(3823, 640));
}

TEST_CASE("steps that stand still are blamed on what was measured, not on the clock") {
  Result result = unreached();
  result.restricted_gap = 1.4;
  AdviceFacts shape;
  shape.updated_by = UpdateKind::steps_to_planes;
  shape.columns_differ = true;
  CHECK(gap_cause_of(result) == GapCause::steps);
  CHECK(limit_of(result, shape) ==
        "single steps, which stand still at a gap of 75 %: scaling of the columns, or n_slack");
  CHECK(limit_of(result) == "the QP, which stands still at a gap of 75 %: a smaller C");
  result.gap = result.restricted_gap = 0.1;
  result.relative_gap = 0.05;
  CHECK(limit_of(result) == "the QP, which stands still at a gap of 5 %: a larger relative_gap");
  result = unreached();
  result.restricted_gap = 1.4;
  result.stopped_by = StoppedBy::max_seconds;  // they might have gone on
  CHECK(gap_cause_of(result) == GapCause::none);
  CHECK(limit_of(result, shape) == "writing (90 %): a larger checkpoint_seconds writes less often");
}

TEST_CASE(
    "a gap is blamed on nothing that the solver lacks, and no other objective's solver named") {
  Result result = unreached();
  result.restricted_gap = 1.4;
  AdviceFacts shape;
  shape.is_hinge = shape.takes_gap = shape.takes_c = false;
  const std::string less = "another scale of the features";
  CHECK(limit_of(result, shape) == "single steps, which stand still at a gap of 75 %: " + less);
  result.gap = result.restricted_gap = 0.1;
  result.relative_gap = 0.05;
  CHECK(limit_of(result, shape) == "single steps, which stand still at a gap of 5 %: " + less);
  result.rounding = 0.8;
  shape.columns = {};
  shape.columns.has_another = false;
  CHECK_FALSE(says(limit_of(result, shape), "smaller C"));
}

TEST_CASE("nothing stands in the way of a run that reached its target, or rounding") {
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

TEST_CASE("C is too large where the slacks hardly cost anything") {
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

TEST_CASE("a primal is exact, or known from one side alone") {
  Result result = unreached();
  CHECK(result.primal_kind() == BoundKind::exact);
  result.primal_low = 1.9;
  CHECK(result.primal_kind() == BoundKind::upper);
  result.primal_high.reset();
  CHECK(result.primal_kind() == BoundKind::lower);
  CHECK(bound_kind_of(1e8, 1e8 + 1) == BoundKind::exact);
  CHECK(bound_kind_of(1e8, 1e8 + 1, 1e-9) == BoundKind::upper);
}
